"""Six Card Poker in a chat: commands, the board, what is told, and who plays for the house."""
