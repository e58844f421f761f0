# The page on which a link logs in.

enter-title = Log in
enter-hint = This address works once. Press the button to go on in this browser.
enter-go = Go on
enter-used = This address was used or is too old. Ask for another one as you did for this: by `/seat` or `/desk` in Discord, or by `chatbot desk` where the bot runs.
enter-lost = The bot does not answer. Look whether it runs, and try again.
enter-theme = Dark or light
enter-guests-title = This page is for who was invited
enter-guests = Ask whoever runs the bot for the invitation that its start has printed, and open that.
