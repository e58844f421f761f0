# The words of the pages on which the operator sets the bot up. They take no arguments: BOT and CHANNELS are
# replaced by names.

setup-name = Set up · Rabble
setup-theme = Dark or light
setup-leave = Log out
setup-to-page = To the chat page
setup-to-desk = To the desk
setup-lost = The bot does not answer. Look whether it runs, and try again.
setup-closed = You are not logged in
setup-closed-hint = Run `chatbot desk` on the machine on which the bot runs, and open the address that it prints. It works on that machine alone.
setup-done = Connected
setup-open = Not connected
setup-check = Check and connect
setup-change = Change it
setup-cancel = Cancel
setup-copy = Copy
setup-copied = Copied

setup-twitch = Twitch
setup-twitch-hint = Twitch wants every bot to have an application of its own. It is free, and made once:
setup-twitch-step-1 = Open the page of your applications, and choose Register Your Application.
setup-twitch-step-2 = Any name will do. OAuth Redirect URL: http://localhost, Category: Chat Bot, Client Type: Public.
setup-twitch-step-3 = Choose Manage, copy the Client ID, and paste it here.
setup-twitch-open = Open your applications at Twitch
setup-twitch-id = Client ID
setup-twitch-with-secret = My application has a secret
setup-twitch-secret-hint = With a secret (Client Type: Confidential) the bot has the badge of bots. Nothing else needs it.
setup-twitch-secret = Client Secret
setup-twitch-press = Press the first button and confirm the code as the streamer: the bot then speaks in your channel with your name. For a bot with a name of its own press the second one, and confirm as that account.
setup-twitch-both = Connect my channel
setup-twitch-bot = Use an account of the bot's own
setup-twitch-points = Allow channel points
setup-twitch-predictions = Allow predictions
setup-twitch-announcements = Allow announcements
setup-twitch-confirm = Open Twitch's page, signed in as the account that you connect, and confirm there.
setup-twitch-code = Show the code, for another device
setup-twitch-code-hint = Enter it on Twitch's page. Whoever reads it can confirm an account of their own, so do not show it on stream.
setup-twitch-activate = Open Twitch's page
setup-twitch-connected = BOT speaks in the chat of CHANNELS. Type !heist there.

setup-discord = Discord
setup-discord-hint = Discord wants every bot to have an application of its own. It is free, and made once:
setup-discord-step-1 = Open your applications and choose New Application. Its name is the bot's.
setup-discord-step-2 = Choose Bot at the left, and switch Message Content Intent on, so that it understands !heist.
setup-discord-step-3 = Choose Reset Token, copy what is shown, and paste it here. Show it to nobody else.
setup-discord-open = Open your applications at Discord
setup-discord-token = Token
setup-discord-known = The token is right: the bot is BOT.
setup-discord-reads = It may read messages, so !heist works as well as /heist.
setup-discord-deaf = It may not read messages: people play by /heist and by buttons. For !heist switch Message Content Intent on, on the same page.
setup-discord-invite = Invite it to a server
setup-discord-connected = The bot is connected. Type /heist in a channel of your server.
setup-discord-entered = A token was entered; the bot is connecting.

setup-overlay = Overlay
setup-overlay-hint = Copy the address of a room into a browser source of OBS, 1920 × 1080. It shows nothing until a game begins. Whoever knows the address can see the games of that room.
setup-overlay-preview = Preview of the overlay
setup-overlay-sample = Play a sample

setup-phones = Phones
setup-phones-hint = Viewers hold their cards on the phone in their hand, and moderators open the desk from wherever they are.
setup-phones-consent = The button starts a program of this machine that leads from the internet to the pages for viewers and moderators, and to nothing else on it. It ends with the bot, or when you close it here.
setup-phones-none = No program that leads to this machine was found. Install cloudflared, which is free and wants no account, and load this page again. Until then phones work on your own network only.
setup-phones-get = Download cloudflared
setup-phones-cloudflared = Open with cloudflared
setup-phones-tailscale = Open with Tailscale
setup-phones-network = On this network only
setup-phones-opening = Opening …
setup-phones-close = Close
setup-phones-code = QR code of the address for phones
setup-phones-plain = The address works on your own network only, and is not encrypted. Proofs in the browser and installing the page need an encrypted one.
