"""`python -m chatbot` is `chatbot`."""

from chatbot.cli.entry import main

main()
