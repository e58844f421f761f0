# The seat: a member's hand in a browser of their own.

slash-seat = opens your own hand in a browser; the letters of a page make that browser yours, end ends it.
help-seat = opens your own hand in a browser; with the six letters that your page shows, that browser is yours; end ends it everywhere.
option-seat-code = the six letters that your page shows, or end
seat-link = Open this within ten minutes to hold your hand in your browser; it is for you alone and works once: { $address }
seat-link-local = Open this within ten minutes on the computer where the bot runs; it is for you alone and works once: { $address }
seat-elsewhere = Open { $address } on your phone. It shows six letters: type !seat and the letters here, and your hand is there.
seat-nowhere = There is no address here that your phone could open; play in the chat.
seat-opened = { $count ->
    [one] { $names }, the browser that showed your code is your seat now. Not yours? Type !seat end.
   *[other] { $names }: the browsers that showed your codes are your seats now. Not yours? Type !seat end.
}
seat-code-unknown = There is no such code, or it has run out, or it was typed already; your own page shows another one.
seat-codes-unknown = { $count } codes do not count: unknown, too old, or typed already.
seat-code-tries = You have typed too many wrong codes; try again in a few minutes.
seat-code-stake = A seat that a code has opened may stake { $most } now: type it in the chat, or log in on the page.
seat-ended = Every seat of yours has ended; nobody holds your hand any more.
seat-none = You have no seat in any browser.
seat-says-not = A seat plays games, and shows your wallet, history, tops and odds; type everything else in the chat.
seat-code-stakes-not = A seat that a code has opened cannot stake more: type it in the chat, or log in on the page.
seat-code-joins-not = The chat has opened this seat: it plays what you have joined there. Join in the chat, or log in on the page.
seat-no-room = You have not been in any chat here; say something there first.
seat-hand-here = Your hand, for your eyes alone: { $address }
seat-closed = There are no seats here: start the bot by chatbot run.
seat-here = You are at a page already; your hand is on it.
setting-credits-seat_stakes = what a member may stake on one day (UTC) from a seat that a code in the chat has opened; 0 is nothing: they only play what they have joined in the chat

# The page of a seat. NAME is replaced by a name.

seat-name = Your seat · Rabble
seat-login = Take your seat
seat-login-code = From the chat
seat-login-code-how = Six letters, typed in the chat where you play, put your hand on this page. No login, no password.
seat-code-show = Show my letters
seat-code-type = Type this in the chat:
seat-code-copy = Copy it
seat-code-copied = Copied: paste it in the chat
seat-code-warning = It works once, within three minutes. Type only letters that you see on your own screen, never any that somebody sends you.
seat-code-waits = Waiting until you have typed it …
seat-code-over = These letters have run out.
seat-code-often = That was tried often; wait a minute.
seat-login-twitch = With Twitch
seat-login-twitch-how = You can also join, stake and open games here. Nobody is told your password.
seat-twitch-begin = Log in by a code
seat-twitch-confirm = Open Twitch’s page, and confirm there that it shows this code:
seat-twitch-open = Open Twitch’s page
seat-twitch-warning = Confirm only a code that you see on your own screen.
seat-login-discord = With Discord
seat-login-discord-how = Type `/seat` in your server. You alone are shown a link that opens this page as you.
seat-lost = The bot does not answer. Trying again …
seat-account = Whose seat this is
seat-you-are = You are NAME
seat-small = The chat has opened this seat: it plays what you have joined there. Log in to join and stake here, too.
seat-not-you = Is that not you? End the seat.
seat-end = End this seat
seat-end-all = End all my seats
seat-close = Close
seat-theme = Dark or light
seat-room = Room
seat-your-move = You can play:
seat-no-table = Nobody plays here now.
seat-nowhere-yet = You have not been in any chat here yet. Say something there, and open this page again.
seat-games = Games
seat-open = Open
seat-rests = Resting
seat-ask-credits = Wallet
seat-ask-history = History
seat-ask-top = Top
seat-ask-odds = Odds
seat-won = You won AMOUNT
seat-lost-credits = You lost AMOUNT
seat-caught = Caught. You lost AMOUNT
seat-even = You keep what you had
seat-won-honour = You won
seat-lost-honour = You lost
seat-off = Nothing was played
