"""Messages to text: languages, escaping of text from users, and delivery to the platforms."""
