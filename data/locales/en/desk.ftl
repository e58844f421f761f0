# The desk: logging in by the chat, and tokens of programs.

help-desk = opens the desk in your browser, where you set everything here as who you are.
desk-link = Open this within ten minutes to moderate in your browser; it is for you alone and works once: { $address }
desk-link-local = Open this within ten minutes on the computer where the bot runs; it is for you alone and works once: { $address }
desk-elsewhere = Open { $address } and log in there; the page then shows a code that you type here after !desk.
desk-opened = The browser that showed { $code } is now at the desk as you; log out there, everywhere, if it is not yours.
desk-code-unknown = There is no such code for you, or it has run out; your own page at the desk shows one.
desk-closed = There is no desk here: start the bot by chatbot run.
desk-here = Open /desk in this browser instead, and log in there.
option-desk-code = the six letters that your page shows
token-scopes = A token needs at least one of these scopes: { $known }.
token-label = Call the token something, in at most { $most } letters.
token-most = There are { $most } tokens here, which is the most; revoke one first.
not-heard = The bot does not listen now, or too much came at once; nothing has changed. Try again in a moment.
key-in-use = The first request with this Idempotency-Key is still being worked on.
key-of-another = This Idempotency-Key was given to another request.
answer-lost = This was asked for before under this Idempotency-Key, and its answer is lost: look whether it was done.
token-lacks = This token lacks the scope { $scope }.
token-unknown = There is no such token here.
