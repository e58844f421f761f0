"""The programming interface of the web server, which the desk uses, too: reads, and commands as in chat."""
