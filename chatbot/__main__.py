"""`python -m chatbot` is `chatbot`."""

from chatbot.cli import main

main()
