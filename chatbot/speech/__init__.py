"""Messages to text: languages, themes, and escaping of text from users."""
