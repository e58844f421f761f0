# The board: what everybody may see of a room on a page of its own.

help-board = tells the address of this chat's board: who leads, what games pay back, and the last tables.
help-replay = tells where a finished table can be watched again, step by step; without a table, the last one.
help-private = hides your name on boards and replays; off shows it again.
option-replay-table = the table, as !history names it
option-private-off = show my name again
setting-room-board = whether this chat has a board that anybody may open who knows its address, and replays, which show all hands and secret moves of tables that are over
setting-room-board_sites = the web sites that may show the board in a frame of theirs
expects-sites = none, or at most { $most } web sites with commas between, such as { $example }
board-address = The board of this chat: { $address }
board-address-local = The board of this chat opens on the computer where the bot runs: { $address }
replay-address = Table { $table } again, step by step, with its proof: { $address }
replay-address-local = Table { $table } again, step by step, with its proof, on the computer where the bot runs: { $address }
replay-none = No table has ended here yet.
board-off = This chat has no board. The broadcaster turns it on: !set room board yes
board-closed = There are no pages here: start the bot by chatbot run.
private-on = Boards and replays do not name you any more. The chat still does. Undo it with !private off
private-off = Boards and replays name you.
board-somebody = Somebody
board-top-credits = Richest
board-top-watched = Watched longest
board-top-won = { $game }, { $days } days
board-watched = { $hours } h { $minutes } min

# Of the page itself; words in capitals are replaced there.
board-name = Board · Rabble
board-theme = Dark or light
board-tops = Leaders
board-season = Season
board-odds = What comes back
board-playing = Being played now
board-league = League
board-tables = Last tables
board-fair = Fair draws
board-fair-how = The secret of each table is fixed before it opens. These lines bind it: keep them, and compare them with a replay later.
board-players = PLAYERS joined
board-watch = Watch again
board-off-table = Called off
board-even = Nobody won
board-empty = Nothing has been played here yet.
board-lost = The bot does not answer. Trying again …
board-gone = There is no board here, or it is turned off.
board-house = house
