# What the house says outside of any game: wallets, help, settings, refusals.

credits = { $amount ->
    [one] { $amount } credit
   *[other] { $amount } credits
  }
amount = { $credits }
name = { $who }
# How a player of the house is told from people: in brackets, which people’s names are kept from imitating.
house-player = { $name } (house)
word = { $word }
# What !set room language accepts for this language besides the name of its folder, with / between them.
language-names = English / 영어
nothing = { "" }
and-more = { $shown } and { $more } more
addressed = @{ $who }: { $text }
addressed-crowd = { $crowd }{ $more ->
    [0] {""}
    [one] {" "}and one more
   *[other] {" "}and { $more } more
}: { $text }
crowd-name = @{ $who }

role-viewer = viewers
role-regular = regulars
role-subscriber = subscribers
role-vip = VIPs
role-moderator = moderators
role-broadcaster = broadcasters
# The least role that may do something; above broadcasters there is none.
role-least = { $role } or above

# Wallets
credits-of = { $who } has { $balance }.
credits-of-ranked = { $who } has { $balance } ({ $rank }).
# Where many ask at once, all of them are answered in one line of such rows.
credits-of-rows = Balances: { $rows }.
credits-of-row = { $who } { $balance }
credits-of-ranked-rows = Balances: { $rows }.
credits-of-ranked-row = { $who } { $balance } ({ $rank })
top = Richest: { $rows }.
top-row = { $place }. { $who } { $balance }
top-own = You: { $row }.
top-watched = Watched longest: { $rows }.
top-watched-row = { $place }. { $who } { $hours } h { $minutes } min
top-won = Won most at { $game } in { $days } days: { $rows }.
top-season = { $game }, season { $number }: { $rows }.
top-gone = { $row } (gone)
top-none = Nobody is in that ranking yet.
given = { $who } gives { $taker } { $amount }.
give-yourself = You cannot give { currency } to yourself.
too-few-credits = { $held ->
    [0] You have no { currency } left: !claim brings some, and so does watching while the stream is on.
   *[other] You have only { $balance }; choose less, or write all.
  }
too-few-to-join = { $held ->
    [0] You have no { currency } left: !claim brings some, and so does watching while the stream is on.
   *[other] You have only { $balance }; it takes { $entry } to play along.
  }
member-unknown = Nobody called “{ $name }” has been here; check the spelling of the name.
member-bot = “{ $name }” is a bot and takes no part in this.
member-ambiguous = Several people are called “{ $name }”, so nothing was done.

# Amounts and numbers
not-an-amount = “{ $text }” is no amount: write 69, 5k, 1m, 25%, half or all.
amount-unclear = “{ $text }” can be read in two ways: write whole credits, such as 1500, 1,500 or 15k.
amount-signed = “{ $text }” has a sign: write { $amount }.
amount-spaced = “{ $text }” has a blank in it: write { $number } without one.
amount-out-of-range = “{ $text }” is out of range: an amount is at least 1 and at most { $most }.
not-a-number = “{ $text }” is no whole number from { $least } to { $most }.
usage = Write it like this: { $command }
for-honour = for honour
for-stake = for { $stake }
for-stake-each = for { $stake } each
twice = “{ $text }” is one too many: { $about } “{ $first }” already.
twice-cards = the number of cards is
twice-keep = the number to keep is
twice-penalty = the penalty is
twice-parameter = the parameter is
twice-rounds = the number of rounds is
twice-stake = the stake is
stake-too-small = The smallest stake here is { $least }.
stake-too-large = The largest stake here is { $most }.
stakes-crossed = The smallest stake ({ $least }) would be above the largest ({ $most }).
stakes-off = Nothing is staked here: leave the stake out, and play for honour.
house-strategy-exact = { $strategy } can be beaten: the best play returns { $back }% of a stake. It plays for honour only: first !set { $word } stakes off.
house-strategy-searched = { $strategy } can be beaten: the best play that was found returns { $back }% of a stake. It plays for honour only: first !set { $word } stakes off.

# Tables
no-table = You are in no game of { $game } here now; start one with { $word }.
start-nothing = There is nothing to start: !start is for whoever waits alone for others to join.
nothing-to-cancel = There is no game of { $game } here to call off.
cancel-own = You play at this table of { $game } yourself, so somebody else has to call it off; if nobody does, it ends by its clock.
cancel-but-own = The table at which you play yourself goes on: somebody else has to call that one off.
nothing-to-cancel-of = { $who } plays no { $game } here now.
tables-full = { $most ->
    [one] Somebody is
   *[other] { $most } are
  } playing here already; try { $word } again when somebody has finished.
thought-enough = Working that out takes long, and you have asked for a lot of it; try again in { $seconds ->
    [one] { $seconds } second
   *[other] { $seconds } seconds
  }.
thoughts-full = There is too much to work out here just now, so this goes without a comment.
table-over = It is over already.
too-late = That came too late.
cooldown = The heat is still on: { $word } again in { $seconds ->
    [one] { $seconds } second
   *[other] { $seconds } seconds
  }.
rested = The heat is off: { $game } can be played again with { $word }.
starters-only = Only { $role } can start this here; everybody may join.
table-void-whose = {" "}of { $who }
table-void-by = { $game }{ $whose } was called off by { $who }{ $stakes }.
table-void = { $game }{ $whose } was called off{ $stakes }.
table-void-stakes = ; every stake has been returned{ $spent ->
    [0] {""}
   *[other] , but not what was paid with points: they are spent since the lobby closed
  }
game-gone = A game
cluster-moment = One moment: { currency } and games are safe, and your command is answered as soon as it gets through.
cluster-again = That counted, but its answer was lost; look at !credits before you try again.
look-again = The database has stopped answering, and may have done that or not; look at !credits before you try again.
operator-plays-not = Whoever runs the bot has no wallet of their own; play in the chat, or with your account.
try-again = That did not work just now and nothing has changed; please try again.

# Help
help-overview = Games: { $games }. More about one: !help and its name.
help-services = Also: { $services }.
help-answers = Answers: { $words }. More about one: !help and the answer.
help-command = { $command } — { $help }
# A game in one message: what it is, how to join, and where the rest is
help-game = { $about } Play along with { $example }; !help { $word } more tells the rest.
help-game-rules = { $about } Play along with { $example }; !{ $word } rules explains it, and !help { $word } more tells the rest.
help-stands-for = { $word } stands for { $command }.
help-unknown = There is no command “{ $text }”; !help lists them all.
help-credits = how many { currency } you have, or somebody else.
help-top = the richest and your own place; or who watched longest, led last season, won most at a game.
help-give = gives some of your { currency } to somebody.
help-season = how far the season is, and who won the last one.
help-help = what there is to play and to ask, or more about one command.
moves = You can: { $moves }.
moves-row = { $move } ({ $label })
moves-none = There is nothing for you to decide just now; !help lists the games.
help-moves = what you can do now where you play.
slash-name-moves = moves
help-start = begins at once, if you are the only one who waits for others to join.
help-playing = what is being played here, by how many, and how long until it goes on.
slash-name-playing = playing
slash-name-start = start
playing = Now playing: { $rows }.
playing-row = { $game }, { $players ->
    [one] one player
   *[other] { $players } players
  }
playing-row-timed = { $game }, { $players ->
    [one] one player
   *[other] { $players } players
  }, and it goes on within { $wait }
playing-nothing = Nothing is being played here just now; !help lists the games.
help-preset = lists ready-made settings, or chooses some; asks before it overwrites changes.
help-cancel = calls a running game off, or only the one at which a member plays, and returns every stake; never one’s own. A reason can be added after --.
slash-cancel = calls a game off and returns every stake; never one’s own.

# Settings
not-allowed = That is for { $role }.
game-unknown = There is no game “{ $text }”; there are: { $known }.
setting-unknown = There is no setting “{ $key }”; there are: { $known }.
setting-empty = { $key } cannot be empty: it takes { $expected }.
setting-wrong = “{ $value }” is not possible for { $key }: it takes { $expected }.
setting-changed = { $game }: { $key } was { $old } and is now { $new }.
setting-made = { $game }: { $key } is { $new } now.
setting-switched-on = { $game }: { $key } is on now.
setting-switched-off = { $game }: { $key } is off now.
game-switched-on = { $game } can be played here now.
game-switched-off = { $game } is not played here any more.
games-switched = Games: { $changes }.
games-now-paused = Games are paused: nothing new begins until they go on.
games-now-going = Games go on!
alias-now = { $word } stands for { $command } now.
alias-gone = { $word } stands for nothing any more.
setting-difference-made = { $key } is { $new } now
setting-difference-on = { $key } is on now
setting-difference-off = { $key } is off now
setting-difference = { $key } was { $old } and is now { $new }
settings-changed = { $game }: { $changes }.
settings-same = { $game }: all of these are so already, so nothing changes.
setting-without-value = There is no value for { $key }.
setting-twice = { $key } is there twice: write each setting once.
setting-next-table = The game that is being played keeps the settings that it was opened with.
setting-row = { $key } { $value }
settings = { $game }: { $preset }{ $rows }.
settings-preset = preset { $preset };{" "}
preset-unknown = There is no preset “{ $preset }”; there are: { $known }.
preset-chosen = { $game }: the preset { $preset } is chosen from the next table on.
preset-overwrites = { $game }: the preset { $preset } is chosen from the next table on, and overwrites { $lost }. !undo takes it back.
preset-ask = The preset { $preset } of { $game } overwrites what was changed: { $lost }.
presets = { $game }: { $rows }.
preset-row = { $preset } – { $what }
preset-row-chosen = { $preset } (chosen) – { $what }
preset-values = { $rows }
preset-default = the default
presets-how = !preset { $game } NAME chooses one.
setting-transition = { $key } { $old } → { $new }
expects-yes-no = yes or no
expects-one-of = one of { $choices }
expects-language = one of { $choices }, or the name of a language such as Korean
expects-whole = a whole number from { $least } to { $most }{ $unit }
expects-time = a time from { $least } to { $most }; a number alone counts { $unit }
counts-seconds = seconds
counts-minutes = whole minutes
counts-hours = whole hours
counts-days = whole days
unit-none = { "" }
unit-credits = {" "}({ currency })
unit-people = {" "}(people)
setting-room-talk = how much is said: quiet, normal or full
setting-preset = ready-made settings
setting-permissions = the least role that may use the command
command-unknown = There is no command “{ $word }”.
setting-credits-start = what new members start with

# Seasons
season-now = { $game }, season { $number }: { $tables } played; { $limit }. { $resets }
season-limit-tables = it ends after { $tables ->
    [one] { $tables } game
   *[other] { $tables } games
  }
season-limit-days = it ends after { $days ->
    [one] { $days } day
   *[other] { $days } days
  }
season-limit-none = it has no end set
season-last = Last season: { $rows }.
season-over = { $game }: season { $number } is over! { $rows }. A new season begins. { $resets }
season-resets-nothing = Everybody keeps everything in a new season.
season-resets-careers = Careers begin afresh with a new season (jobs, accounts, guards, odds); { currency } stay.
season-resets-everything = Careers and { currency } begin afresh with a new season.
no-season = No game here has seasons by that name: “{ $text }”.

# Fairness

chain-made = The secrets of { $length } tables to come here are settled: chain { $head }
chain-lost = The secrets that were settled for the tables of this room cannot be read any more. New ones are: chain { $head }
chain-lost-void = The secrets of { $games } cannot be read any more, so what was being played is called off and every stake has been returned. New ones are settled: chain { $head }
table-bound = Table { $table } takes link { $link } of chain { $chain }; terms { $terms }
table-revealed = Table { $table } is over: seed { $seed }, link { $link } of chain { $chain }, record { $record }; !verify { $table } checks it.
table-unrevealed = Table { $table } is over, and its seed is lost; record { $record }
table-resumed = { $game } goes on after a break: { $seconds ->
        [one] one second is left
       *[other] { $seconds } seconds are left
    }.
table-resumed-hidden = { $game } goes on after a break.
mint-exhausted = There are more { currency } here already than can be counted, so nothing was done.
games-held = The books are being checked before anything is played; try again in a moment.
games-lost = No games for a moment: the connection to the database was lost. Tables stand as they are, and your { currency } are safe.
games-stopped = No games for now: the books do not add up, and the operator has to look. Your { currency } are safe.
stopping-unheard = I am stopping now. { $count ->
    [one] The last command was not heard; please send it again when I am back.
   *[other] The last { $count } commands were not heard; please send them again when I am back.
}
fair-overview = Every draw of a table comes from a secret that is fixed before anybody opens it, and from your own messages. The secret is told at the end, and !verify TABLE plays the table again. In this room { $settled ->
        [one] one table was
       *[other] { $settled } tables were
    } played to the end and { $void ->
        [0] none was
        [one] one was
       *[other] { $void } were
    } called off{ $by }. More of each game: { $words }
fair-void = {" "}({ $rows })
fair-void-by = { $count } by { $who }
fair-void-by-bot = { $count } by the bot itself
fair-standing = { $game } now: table { $table }, link { $link } of chain { $head }; terms { $terms }
fair-fixed = Table { $table }, fixed by the house already (SHA-256): { $rows }
fair-hidden = { $who } { $digest }
fair-last = The last table of { $game } was { $table }: link { $link } of chain { $head }; terms { $terms }, record { $record }; !verify { $table } plays it again and tells its seed.
fair-next = The secret of the next table here, whichever game it is of, is settled already: link { $link } of chain { $head }. Hashed { $link ->
        [one] once
       *[other] { $link } times
    } (SHA-256 of rabble-chain-v1 and the seed), its seed gives the name of the chain.
verify-sound = Table { $table } checks out: { $turns ->
        [one] one turn, played again, comes
       *[other] { $turns } turns, played again, come
    } out the same, with { $transfers ->
        [one] one transfer
       *[other] { $transfers } transfers
    }; { $end }.
verify-hashes = Table { $table }: seed { $seed }, link { $link } of chain { $head }; terms { $terms }, record { $record }
verify-opened = Table { $table }, fixed by the house (round, who, nonce, choice; SHA-256 of the nonce’s 16 bytes and then the choice is the hash): { $rows }
verify-choice = { $number } { $who } { $nonce } { $choice }
verify-many = In table { $table } the house fixed { $count } choices; !verify { $table } 1 opens those of round 1, and so on to { $last }.
verify-nothing-fixed = In round { $number } of table { $table } the house fixed nothing.
verify-settled = it is settled, and its pot is empty
verify-void = it was called off, and every stake went back
verify-broken = Table { $table } does NOT check out! Ask the operator for the output of: chatbot verify { $table }
verify-unknown = No table { $text } was played in this room; its name is in !history, and the last one’s in !fair.
verify-open = Table { $table } is still being played; its secret is told when it is over.
verify-other-rules = Table { $table } was played by other rules than this version has, so it cannot be played again here.
verify-lost = The secret of table { $table } was lost while it stood, so it was called off and cannot be played again.
help-fair = how the draws can be checked; of a game, the hashes that bind its present table, the next and the last
slash-fair = how the draws can be checked, and the hashes that bind the tables of a game.
help-verify = play a finished table again, check every draw and transfer, and tell its hashes and seed; with a round, what the house had fixed for it
slash-verify = plays a finished table again, and checks every draw and transfer.
option-credits-member = Whose credits; yours if left out
option-top-ranking = By credits, watched, season, or what was won at a game
option-top-count = How many members to list
option-give-member = Who gets them
option-give-amount = Credits such as 69, 1k, 25%, half or all
option-season-game = The game whose season it is
option-help-topic = A game or a command
option-preset-game = The game
option-preset-name = The name of the ready-made settings
option-cancel-game = The game to call off
option-cancel-member = Only the table at which this member plays
option-cancel-reason = Why, for the audit
option-fair-game = The game whose tables you ask about
option-verify-table = The name of a table that is over
option-verify-round = Only what the house had fixed for this round
raid-welcome = Welcome, { $who } and { $raiders ->
    [one] one raider
   *[other] { $raiders } raiders
}! !help lists what can be played here.
