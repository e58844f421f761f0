# What the Twitch door says for itself.

twitch-whisper-first = I have an answer for you alone. Whisper to me first, and I can whisper it to you.
twitch-whisper-barred = I have an answer for you alone, but Twitch does not let me whisper it; ask me where I need not, such as !credits in the chat.
twitch-nowhere = I do not know where you are playing; type a command in a chat that I am in first.
