# The words of the local chat page. The page gets them as they are, so none of them takes an argument.

page-skip = Skip to the message field
page-theme = Switch between dark and light
page-look = What to show larger
page-look-both = Table and chat
page-look-table = Larger table
page-look-chat = Larger chat
page-close = Close
page-cancel = Cancel
page-save = Save

page-connected = Connected
page-reconnecting = Reconnecting…
page-offline = The connection is lost. Trying again; what you have typed is kept.
page-retry = Try now
page-not-sent = Not sent: there is no connection at the moment. Your text is still here.

page-welcome = Join the rabble
page-welcome-hint = Pick a name and enter; then press Enter once more to open a game, and bring a simulated crowd to play with.
page-enter = Enter the chat
page-add-viewer = Add a viewer
page-add-hint = Play several people from this browser, and choose below the chat who is speaking.
page-edit-viewer = Change this viewer
page-edit-hint = Change the role, or take this viewer out of the chat.
page-remove-viewer = Remove
page-name = Name
page-name-missing = Please type a name, or roll one.
page-name-here = This name is here already. Choose another; a role is changed below the chat.
page-role = Role
page-dice = Invent another name

page-chat = Chat
page-chat-lines = Chat messages
page-new-lines = New messages
page-only-you = Only you see this
page-bot = Rabble
page-simulated = simulated
page-who = Who is speaking
page-unread = has a new private message

page-composer = Message
page-placeholder = Message, or ! for commands
page-placeholder-whisper = Whisper to the bot
page-send = Send
page-whisper = Whisper: only the bot sees it
page-whispering = Only the bot will see this
page-suggestions = Commands that fit
page-commands = Commands
page-commands-hint = Choose one to put it into the message field.
page-aliases = Also:
page-secret = best whispered

page-stage = Tables
page-places = At the table
page-time-left = Time left
page-next-phase = Next phase
page-over = Finished
page-your-move = can play:
page-explain = Explain
page-move-hint = Point at a move to read what it does.
page-you = you
page-mark-waiting = Waiting
page-mark-ready = Ready
page-mark-won = Won
page-mark-lost = Lost
page-mark-left = Left
page-empty-title = One command gathers the rabble.
page-empty-hint = Nothing is being played yet. Open a game here or press Enter in the empty message field, then bring a crowd to play with.
page-again = Open a game:
page-resting = The game rests for a moment before it can be opened again.
page-skip-rest = Skip the wait

page-crowd = Bring a crowd
page-crowd-now = Here now:
page-crowd-count = Number of simulated viewers
page-crowd-bring = Bring them in
page-crowd-away = Send them away
page-crowd-fewer = Send some away
page-crowd-all = All here
page-crowd-same = That is how many are here now.
page-crowd-missing = Type how many should be here; nobody has come or gone.
page-crowd-hint = Simulated viewers who chat and play along. 0 sends them away.
