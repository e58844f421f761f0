"""`python -m chatbot` is `chatbot`."""

from chatbot.cli.launch import main

main()
