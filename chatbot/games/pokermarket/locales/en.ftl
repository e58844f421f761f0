# Poker Market

game-pokermarket = Poker Market
market-title = Poker Market

# The lobby
market-opened = { $who } opens a table of Poker Market, { $terms }: five open cards each, { $rounds ->
    [one] one round
   *[other] { $rounds } rounds
  } of swaps, and then the best poker hand gets most. Join with !market within { $seconds } seconds.
    .text-2 = Who trades? { $who } opens a table of Poker Market, { $terms }: five open cards each, { $rounds ->
    [one] one round
   *[other] { $rounds } rounds
  } of swaps, and then the best poker hand gets most. Join with !market within { $seconds } seconds.
market-joined = { $who } joins; { $players } at the table now.
market-you-joined = You are in, { $terms }.
market-left = { $who } leaves; { $players } at the table now.
market-you-left = You are out{ $stake ->
    [0] .
   *[other] , and have your stake back.
  }
market-abandoned = Poker Market is off: too few came. Every stake has been returned.
market-dealt = The cards lie open, in the order of turns: { $hands }.
market-dealt-pot = The cards lie open, in the order of turns: { $hands } · In the pot: { $pot }.
market-held = { $who } { $cards }

# Turns
market-hands = Cards now: { $hands }.
market-turn = Your turn, { $who } (round { $round } of { $rounds }): offer one of your cards for somebody else’s, as in !swap { $give } { $take }, or !pass. You have { $seconds } seconds.
market-turn-again = Your turn, { $who } (round { $round } of { $rounds }): !swap { $give } { $take } or the like, or !pass. You have { $seconds } seconds.
market-turn-house = Round { $round } of { $rounds }: it is the turn of { $who }.
market-proposed-you = { $who } offers { $partner } { $give } for { $take } (then { $who }: { $own }; { $partner }: { $theirs }). { $partner }, !accept or !decline within { $seconds } seconds.
market-proposed-house = { $who } offers { $partner } { $give } for { $take }.
market-accepted = { $partner } accepts { $give } for { $take }! { $who } has { $cards } now ({ $own }), and { $partner } { $others } ({ $theirs }).
    .text-2 = Deal! { $partner } accepts { $give } for { $take }: { $who } has { $cards } now ({ $own }), and { $partner } { $others } ({ $theirs }).
market-declined = { $partner } declines { $give } for { $take } from { $who }.
    .text-2 = No deal: { $partner } declines { $give } for { $take } from { $who }.
market-declined-why = { $partner } declines { $give } for { $take } from { $who }: “{ $why }”
market-declined-late = { $partner } has not answered { $who } in time: no deal on { $give } for { $take }.
market-passed = { $who } passes.
market-passed-late = No word from { $who }, who passes.
    .text-2 = { $who } lets the turn go by.
market-reason-worse = My hand would be worse.
market-reason-overtaken = That would put you ahead of me.
market-reason-nothing = That does nothing for my hand.
market-reason-patient = I hope for better.

# What hands are worth
market-rank = { $rank ->
    [2] two
    [3] three
    [4] four
    [5] five
    [6] six
    [7] seven
    [8] eight
    [9] nine
    [10] ten
    [11] jack
    [12] queen
    [13] king
   *[other] ace
  }
market-ranks = { $rank ->
    [2] twos
    [3] threes
    [4] fours
    [5] fives
    [6] sixes
    [7] sevens
    [8] eights
    [9] nines
    [10] tens
    [11] jacks
    [12] queens
    [13] kings
   *[other] aces
  }
market-worth-high-card = { $first } high, { $second } kicker
market-worth-pair = pair of { $firsts }, { $second } kicker
market-worth-two-pair = two pair, { $firsts } and { $seconds }, { $third } kicker
market-worth-three-of-a-kind = three of a kind, { $firsts }
market-worth-straight = straight to the { $first }
market-worth-flush = flush, { $first } high
market-worth-full-house = full house, { $firsts } over { $seconds }
market-worth-four-of-a-kind = four of a kind, { $firsts }
market-worth-straight-flush = straight flush to the { $first }
market-worth-royal-flush = royal flush

# The end
market-ranked = The market is closed: { $rows }.
    .text-2 = Last call! The market is closed: { $rows }.
market-ranked-pot = The market is closed (pot { $pot }): { $rows }.
    .text-2 = Last call! The market is closed (pot { $pot }): { $rows }.
market-ranked-more = Then: { $rows }.
market-row = { $rank }. { $who }, { $worth } ({ $points ->
    [one] { $points } point
   *[other] { $points } points
  })
market-row-paid = { $rank }. { $who }, { $worth } ({ $points ->
    [one] { $points } point
   *[other] { $points } points
  }, { $share })
market-missed = The best swap that nobody proposed: { $give } of { $who } for { $take } of { $partner } in round { $round } (then { $who }: { $own }; { $partner }: { $theirs }).

# Refusals
market-already-in = You are in already, { $terms }.
market-not-joined = You are not at this table; !market joins it.
market-leave-too-late = The time to leave is over: the game has begun.
market-too-late = This market has begun without you; join the next one.
market-other-terms = The open table has { $rounds ->
    [one] one round
   *[other] { $rounds } rounds
  }, { $terms }: join it with just !market.
market-length = There are 1 to { $most } rounds; a stake alone is written as stake=50.
market-word = “{ $text }” means nothing here: write for example !market 2 50 (rounds, stake), or just !market.
market-alone = Type just { $word }, with nothing behind it.
market-swap-usage = Name one of your cards and then the one that you want for it, such as !swap JS 3D.
market-card = “{ $text }” is no card: a card is a rank and a suit, such as JS, 10H or J♠.
market-no-cards = No cards lie open yet; wait until they are dealt.
market-not-in = You are not in this market; join the next one with !market.
market-not-your-turn = It is the turn of { $who }; you can propose a swap when yours comes.
market-answer-first = { $who } waits for your answer: !accept or !decline.
market-proposed = You have proposed your swap; { $who } has yet to answer.
market-nothing-proposed = Nothing has been proposed that could be answered.
market-not-for-you = That swap is for { $who } to answer.
market-other-swap = What you are offered now is another swap: { $give } for { $take }.
market-not-held = You do not hold { $card }; name one of your own cards first, and then the one that you want.
market-nobody-holds = Nobody holds { $card }.
market-yourself = You hold { $card } yourself; ask for a card of somebody else.
market-other-holds = { $card } is held by { $who }: name { $who }, or nobody.

# Rules
market-rules-short = Poker Market: five open cards each. In your turn you offer one of yours for one of somebody else’s, who takes it or not. In the end the best poker hand gets most of the pot.
market-rules = Poker Market: everybody has five open cards from one deck. In a turn you may offer one of your cards for a particular card of somebody else, who accepts or declines; then the next has a turn, in the same order every round. After the last round hands are ranked as in poker, kickers included; of equal hands the later turn is better. Of 4 players the best hand scores 4 points, the worst 1, and the pot is divided in proportion.
market-rules-turn = !market 2 50 opens a table with 2 rounds for 50 { currency } each, !market joins it; the usual rounds here are { $rounds }. In your turn write !swap JS 3D (your card, their card) or !pass, and to an offer !accept or !decline. Tens are 10 or T. Who does not act in { $turn } seconds passes; who does not answer in { $answer } seconds declines.

# The board
market-of = { $number } of { $of }
market-fact-round = Round
market-fact-rounds = Rounds
market-fact-stake = Stake
market-fact-pot = Pot
market-held-by = { $card } { $who }
market-place = { $points ->
    [one] { $points } point as hands stand
   *[other] { $points } points as hands stand
  }
market-place-turn = { $points ->
    [one] { $points } point as hands stand
   *[other] { $points } points as hands stand
  }; is on turn
market-place-answer = { $points ->
    [one] { $points } point as hands stand
   *[other] { $points } points as hands stand
  }; is to answer
market-place-over = { $points ->
    [one] { $points } point
   *[other] { $points } points
  }
market-place-paid = { $points ->
    [one] { $points } point
   *[other] { $points } points
  }, gets { $share }
market-card-offered = up for a swap
market-card-swapped = swapped
market-place-in = is in
market-place-off = not played
market-note-lobby = Join with !market.
market-note-in = You are in; the cards are dealt when the time is up.
market-note-turn = It is the turn of { $who }.
market-note-yours = It is your turn: offer one of your cards for one of somebody else’s, such as !swap { $give } { $take }, or !pass.
market-note-proposed = { $who } offers { $partner } { $give } for { $take } (then { $who }: { $own }; { $partner }: { $theirs }).
market-note-asked = { $who } offers you { $give } for { $take } (then you: { $theirs }; { $who }: { $own }). Answer with !accept or !decline.
market-note-over = The market is closed.
market-note-off = Too few came; nothing was played.
pokermarket-phase-lobby = Lobby
pokermarket-phase-turn = Propose a swap
pokermarket-phase-answer = Answer the offer
market-button-honour = Join for honour: { $rounds ->
    [one] one round
   *[other] { $rounds } rounds
  }
market-button-stake = Join for { $stake }: { $rounds ->
    [one] one round
   *[other] { $rounds } rounds
  }
market-button-leave = Leave
market-button-swap = { $give } for { $take }
market-button-swap-with = { $give } for { $take } ({ $who })
market-button-accept = Accept
market-button-decline = Decline
market-button-pass = Pass

# Commands
help-market = opens or joins a table of Poker Market; leave takes the stake back, rules explains it.
help-swap = in your turn at Poker Market, offer one of your cards for one of somebody else’s, such as !swap JS 3D.
slash-swap = offers one of your cards for one of somebody else’s, in your turn at Poker Market.
help-accept = takes the swap that you are offered at Poker Market.
help-decline = refuses the swap that you are offered at Poker Market.
help-pass = proposes nothing in your turn at Poker Market.
option-market-rounds = How many turns everybody has
option-market-stake = Credits such as 69, 1k, 25%, half or all; 0 to play for honour
option-swap-give = The card of yours that you offer, such as JS
option-swap-take = The card that you want for it, such as 3D
option-swap-partner = Who holds it; may be left out

# Settings
unit-rounds = {" "}(rounds)
setting-pokermarket-lobby = seconds in which people may join
setting-pokermarket-turn = seconds to propose a swap; then the turn is passed
setting-pokermarket-answer = seconds to answer a swap; then it is declined
setting-pokermarket-starters = the least role that may open a table
setting-pokermarket-rounds = how many rounds there are by default
setting-pokermarket-default_stake = what is staked by default, within the smallest and the largest stake; 0 for honour
setting-pokermarket-min_stake = the smallest stake
setting-pokermarket-max_stake = the largest stake; 0 for no limit
setting-pokermarket-most_players = how many may sit at a table; a full one starts at once
setting-pokermarket-stakes = whether anything may be staked; off: all is for honour, and any strategy may play for the house
setting-pokermarket-house_players = how many players of the house join a table for honour; 0 for none
setting-pokermarket-house_fills = players of the house join a table for honour until so many sit there; with a stake one sits down with whoever is alone at the end; 0 for never
setting-pokermarket-house_strategies = how the players of the house play: names with / between them, drawn for each table, or any

market-odds = Everybody stakes the same, and the pot is divided in proportion to points. 100% goes back to the players: the house keeps nothing.
preset-pokermarket-usual = 2 rounds
preset-pokermarket-quick = 1 round, shorter times
preset-pokermarket-long = 5 rounds
preset-pokermarket-table = a stake of 50 by default
about-pokermarket = Poker Market: trade cards with the others, and the better hand takes the stakes.
example-market = !market 2 50
blank-rounds = ROUNDS

# Names of slash commands and of their options, as Discord lists them: lower case, no blanks.
slash-name-market = market
slash-name-swap = swap
slash-name-accept = accept
slash-name-decline = decline
slash-name-pass = pass
slash-option-rounds = rounds
slash-option-give = give
slash-option-take = take
slash-option-partner = partner
