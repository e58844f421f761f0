"""The durable data of the program: people, credits, tables, rooms and their members, in one database."""
