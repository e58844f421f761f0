"""One person with several accounts, and one room with several chats."""
