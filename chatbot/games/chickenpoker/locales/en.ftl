# Chicken Poker

game-chickenpoker = Chicken Poker
chicken-title = Chicken Poker

# The lobby
chicken-opened = { $who } opens a table of Chicken Poker, { $terms }: everybody holds the cards 1 to { $cards } and shows one a round; the highest takes the points of all. Join with !chicken within { $seconds } seconds.
    .text-2 = Chicken Poker with { $who }, { $terms }! The cards 1 to { $cards } for everybody, all show one at once, and the highest takes the points of all. Join with !chicken within { $seconds } seconds.
    .text-3 = Who dares? { $who } opens Chicken Poker, { $terms }: of the cards 1 to { $cards } everybody shows one a round, and the highest takes the points of all. Join with !chicken within { $seconds } seconds.
chicken-joined = { $who } joins; { $players } at the table now.
chicken-you-joined = You are in, { $terms }.
chicken-left = { $who } leaves; { $players } at the table now.
chicken-you-left = You are out{ $stake ->
    [0] .
   *[other] , and have your stake back.
  }
chicken-abandoned = Chicken Poker is off: too few came. Every stake has been returned.
chicken-seated = The seats are drawn: { $seats }. The numbers decide ties.
chicken-seated-pot = The seats are drawn: { $seats }. The numbers decide ties. In the pot: { $pot }.
chicken-seat = { $id } { $who }

# A round
chicken-round = Round { $number } of { $of }: pick a card and whisper it to me, by !play and its number. You have { $seconds } seconds.
chicken-round-alone = Round { $number } of { $of }: pick a card by !play and its number; the house has fixed its own. You have { $seconds } seconds.
chicken-round-next = Round { $number } of { $of }: !play a card within { $seconds } seconds.
chicken-hands = Cards left: { $rows }.
chicken-hands-alike = Cards left, to everybody: { $hand }.
chicken-held = { $who } { $hand }
chicken-hashes = Fixed by the house (SHA-256): { $rows }.
chicken-hash = { $who } { $digest }
chicken-chosen = { $who } has chosen; { $waiting } to go.
chicken-missing = Still to choose: { $names }.
chicken-chosen-again = { $who } has chosen again.
chicken-you-chose = You have chosen { $card }. You can still change it.
chicken-you-chose-last = You have chosen { $card }.
chicken-exposed = Others can read what you choose here! Better whisper it to me, or use the private buttons where there are any. You can still change it.
chicken-shown = Round { $number } of { $of }: { $who } takes { $points }! { $rows }.{ $late ->
    [0] { "" }
   *[other] {" "}(* too late: the lowest card)
  }
    .text-2 = Round { $number } of { $of } goes to { $who }, and { $points } points with it: { $rows }.{ $late ->
    [0] { "" }
   *[other] {" "}(* too late: the lowest card)
  }
    .text-3 = { $points } points for { $who } in round { $number } of { $of }: { $rows }.{ $late ->
    [0] { "" }
   *[other] {" "}(* too late: the lowest card)
  }
chicken-shown-tied = Round { $number } of { $of }: a tie, and { $who } takes { $points }! { $rows }.{ $late ->
    [0] { "" }
   *[other] {" "}(* too late: the lowest card)
  }
    .text-2 = A tie in round { $number } of { $of }! The { $points } points go to { $who }: { $rows }.{ $late ->
    [0] { "" }
   *[other] {" "}(* too late: the lowest card)
  }
chicken-row = { $who } { $card } ({ $total })
chicken-row-late = { $who } { $card }* ({ $total })
chicken-nonces = Opened (nonce and card): { $rows }.
chicken-nonce = { $who } { $nonce } { $card }

# The end
chicken-won = { $names } wins Chicken Poker with { $points } points!
    .text-2 = Winner, winner! { $names } wins Chicken Poker with { $points } points!
    .text-3 = Boldest of all: { $names } wins Chicken Poker with { $points } points!
chicken-won-pot = { $names } wins Chicken Poker with { $points } points, and the pot: { $pot }!
    .text-2 = Winner, winner! { $names } wins Chicken Poker with { $points } points, and the pot: { $pot }!
    .text-3 = Boldest of all: { $names } wins Chicken Poker with { $points } points, and the pot: { $pot }!
chicken-shared = A shared victory in Chicken Poker: { $names }, with { $points } points each!
    .text-2 = Nobody blinked! A shared victory in Chicken Poker: { $names }, with { $points } points each!
chicken-shared-pot = A shared victory in Chicken Poker: { $names }, with { $points } points each! The pot makes { $share } for each{ $rest ->
    [0] .
    [one] , and 1 more for the first of them.
   *[other] , and 1 more for the first { $rest } of them.
  }

# Refusals
chicken-already-in = You are in already, { $terms }.
chicken-not-joined = You are not at this table; !chicken joins it.
chicken-leave-too-late = The time to leave is over: the game has begun.
chicken-too-late = This game has begun without you; join the next one.
chicken-other-terms = The open table has the cards 1 to { $cards }, { $terms }: join it with just !chicken.
chicken-length = The cards go up to a number from { $least } to { $most }; a stake alone is written as stake=50.
chicken-word = “{ $text }” means nothing here: write for example !chicken 6 50 (cards, stake), or just !chicken.
chicken-play-usage = Play one of your cards by its number, such as !play 3, and nothing behind it.
chicken-no-round = No round is being played yet; wait until the seats are drawn.
chicken-not-in = You are not in this game; join the next one with !chicken.
chicken-not-held = You do not hold that card; you have { $hand }.

# Rules
chicken-rules-short = Chicken Poker: everybody holds the same cards and shows one a round, all at once. The highest takes the points of all, and the most points win the pot.
chicken-rules = Chicken Poker: everybody holds the cards 1 to n, and each round all show one at once. The highest card takes the sum of all cards shown. Tied? The tied are numbered from 0 in the order of their seats, and the number (card mod how many they are) takes it. After n rounds the most points win the pot; equal totals share it.
chicken-rules-choice = Choose with !play 3, by whisper or private button; only that you have chosen is shown. All hands are known. Who does not choose in { $seconds } seconds plays the lowest card left. Players of the house choose first; !fair chicken tells a hash of their card. !chicken 6 50 opens a table with the cards 1 to 6 for 50 { currency } each; !chicken joins it.

# The board
chicken-of = { $number } of { $of }
chicken-fact-cards = Cards
chicken-fact-round = Round
chicken-fact-stake = Stake
chicken-fact-pot = Pot
chicken-hand-last = Round { $number }: { $points } points to { $who }
chicken-card-took = takes the points
chicken-place = { $parts }
chicken-place-points = { $points ->
    [one] { $points } point
   *[other] { $points } points
  }
chicken-place-showed = showed { $card }
chicken-place-holds = holds { $hand }
chicken-place-gets = gets { $share }
chicken-place-in = is in
chicken-place-off = not played
chicken-note-lobby = Join with !chicken.
chicken-note-in = You are in; the seats are drawn when the time is up.
chicken-note-round = Choose a card; nobody sees it before all are shown. { $ready ->
    [one] { $ready } of { $players } has
   *[other] { $ready } of { $players } have
  } chosen.
chicken-note-chosen = You have chosen { $card }. You can still change it.
chicken-note-over = The game is over.
chicken-note-off = Too few came; nothing was played.
chickenpoker-phase-lobby = Lobby
chickenpoker-phase-round = Choose a card
chicken-button-honour = Join for honour: cards 1 to { $cards }
chicken-button-stake = Join for { $stake }: cards 1 to { $cards }
chicken-button-leave = Leave
chicken-button-play = Play { $card }

# Commands
help-chicken = opens or joins a table of Chicken Poker; leave takes the stake back, rules explains it.
help-play = choose a card for this round of Chicken Poker, best whispered, such as !play 3.
option-chicken-cards = The cards 1 to this number are what everybody holds
option-chicken-stake = Credits such as 69, 1k, 25%, half or all; 0 to play for honour
option-play-card = One of your cards

# Settings
setting-chickenpoker-lobby = seconds in which people may join
setting-chickenpoker-choice = seconds to choose a card; then it is the lowest left
setting-chickenpoker-starters = the least role that may open a table
setting-chickenpoker-cards = how many cards everybody holds by default
setting-chickenpoker-default_stake = what is staked by default, within the smallest and the largest stake; 0 for honour
setting-chickenpoker-min_stake = the smallest stake
setting-chickenpoker-max_stake = the largest stake; 0 for no limit
setting-chickenpoker-most_players = how many may sit at a table; a full one starts at once
setting-chickenpoker-stakes = whether anything may be staked; off: all is for honour, and any strategy may play for the house
setting-chickenpoker-house_players = how many players of the house join a table for honour; 0 for none
setting-chickenpoker-house_fills = players of the house join a table for honour until so many sit there; with a stake one sits down with whoever is alone at the end; 0 for never
setting-chickenpoker-house_strategies = how the players of the house play: names with / between them, drawn for each table, or any

chicken-odds = Everybody stakes the same, and the most points take the whole pot; equals share it. 100% goes back to the players: the house keeps nothing.
preset-chickenpoker-usual = 6 cards, 30 seconds each
preset-chickenpoker-quick = 4 cards, 20 seconds each
preset-chickenpoker-long = 10 cards
preset-chickenpoker-table = a stake of 50 by default
about-chickenpoker = Chicken Poker: everybody holds the same cards and plays one a round, unseen; the highest takes the points of all.
example-chicken = !chicken 6 50

# Names of slash commands and of their options, as Discord lists them: lower case, no blanks.
slash-name-chicken = chicken
slash-name-play = play
slash-option-card = card
