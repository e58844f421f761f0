# What the Twitch door says for itself.

twitch-whisper-first = I have an answer for you alone. Whisper to me first, and I can whisper it to you.
twitch-whisper-barred = I have an answer for you alone, but Twitch does not let me whisper it; ask me where I need not, such as !credits in the chat.
twitch-muted = Twitch did not let me speak in that chat, so your command was not played and nothing was taken from you. If you read this in the chat, it works again: please repeat it.
twitch-muted-table = Twitch has stopped letting me speak in that chat, so nobody there reads how your game goes on. It is played to its end and paid all the same; whisper me !credits to see what you have.
setting-room-announcements = whether results are announcements of Twitch, and in which colour; primary is the channel's own
setting-without-effect-announcements = This has an effect only on Twitch, where the bot is a moderator, once you have run: chatbot connect twitch --bot --announcements
setting-without-effect-prediction = This has an effect only in the chat of a Twitch affiliate or partner who has run: chatbot connect twitch --broadcaster --predictions
twitch-nowhere = I do not know where you are playing; type a command in a chat that I am in first.
