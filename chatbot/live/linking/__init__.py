"""One person with several seats, and one room with several chats."""
