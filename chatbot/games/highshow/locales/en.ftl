# High Show

game-highshow = High Show
highshow-title = High Show

# What a rejection costs
highshow-penalty-none = rejecting costs nothing
highshow-penalty-linear = each rejection costs { $rate }
highshow-penalty-turn = rejecting the i-th card costs i × { $rate }
highshow-penalty-turn-usual = rejecting the i-th card costs i × 2({ $cards } + K)/{ $divisor }
highshow-penalty-value = rejecting a card costs its value × { $rate }
highshow-penalty-turnvalue = rejecting the i-th card costs i × its value × { $rate }

# The game
highshow-opened = { $who } plays High Show: keep { NUMBER($keep, useGrouping: 0) } of { NUMBER($cards, useGrouping: 0) } cards, which count up from a secret K (1 to { NUMBER($most, useGrouping: 0) }); { $penalty }. { $stake } First card: { $shown }. !cashout keeps it, !another rejects it; after { $seconds } seconds it is kept.
highshow-for-honour = No stake, only honour.
highshow-for-stake = At stake: { $stake }; the more profit, the more comes back, up to twice that.
highshow-next = { $done } Next card: { $shown }, with { $left ->
    [one] one more
   *[other] { $left } more
  } behind it. !cashout or !another?
    .text-2 = { $done } Now { $shown }, with { $left ->
    [one] one more
   *[other] { $left } more
  } behind it. !cashout or !another?
    .text-3 = { $done } Here comes { $shown }; { $left ->
    [one] one more waits
   *[other] { $left } more wait
  } behind it. !cashout or !another?
highshow-kept = { $who } keeps { $card }; { $kept } of { $keep } kept: { $row }.
highshow-late = Time is up: { $who } keeps { $card }; { $kept } of { $keep } kept: { $row }.
highshow-rejected = { $who } lets { $card } go; { $kept ->
    [0] none of { $keep } kept yet.
   *[other] { $kept } of { $keep } kept: { $row }.
  }
highshow-forced = { $who }, you need every card that is left, so { $count ->
    [one] the last one is yours: { $row }.
    [2] both are yours: { $row }.
   *[other] all { $count } are yours: { $row }.
  }
highshow-away = Time is up, { $late } times in a row: { $who } keeps all that are still needed, { $row }; { $kept } of { $keep } kept.
highshow-completed = { $who }, what is K (at most { NUMBER($most, useGrouping: 0) }), and what is your profit? Write both, such as !guess 12 40.5, within { $seconds } seconds; skip leaves one out.
highshow-revealed = { $who }: K was { $lowest }, and the profit is { $profit }: { $gain } in cards, less { $penalty } for rejecting.
    .text-2 = { $who }: K was { $lowest }! { $gain } in cards, less { $penalty } for rejecting, makes a profit of { $profit }.
highshow-revealed-guesses = { $who }: K was { $lowest }, and the profit is { $profit }: { $gain } in cards, less { $penalty } for rejecting. Guesses: K { $lowest_guess }; profit { $profit_guess }.
    .text-2 = { $who }: K was { $lowest }! { $gain } in cards, less { $penalty } for rejecting, makes a profit of { $profit }. Guesses: K { $lowest_guess }; profit { $profit_guess }.
highshow-guess-none = skipped
highshow-guess-right = { $guess } (exactly right!)
highshow-guess-high = { $guess } ({ $error } too high)
highshow-guess-low = { $guess } ({ $error } too low)
highshow-paid = { $who } gets { $payout } for a stake of { $stake } ({ $net }).

# The hint and the review
highshow-hint-cashout = Hint for { $who } at { $card }: cash out. On average that brings { $by } more than seeing another.
highshow-hint-another = Hint for { $who } at { $card }: see another. On average that brings { $by } more than cashing out.
highshow-hint-either = Hint for { $who } at { $card }: on average both bring the same.
highshow-review = Review for { $who }: { $verdict } { $ghost }
highshow-review-flawless = { $decisions ->
    [one] the one decision was the best there was.
   *[other] all { $decisions } decisions were the best there were.
  }
highshow-review-costly = { $costly ->
    [one] { $decisions ->
        [one] the one decision
       *[other] one of { $decisions } decisions
      } could have been better: { $dearest }.
   *[other] { $costly } of { $decisions } decisions could have been better, by { $lost } on average; first of all { $dearest }.
  }
highshow-review-kept = cashing out { $card } on turn { $turn } (costs { $cost })
highshow-review-rejected = seeing another at { $card } on turn { $turn } (costs { $cost })
highshow-ghost-more = Best play gets { $profit } out of this deck, { $ahead } more (it keeps { $cards }).
highshow-ghost-less = Best play gets only { $profit } out of this deck, { $ahead } less (it keeps { $cards }): luck was on your side.
highshow-ghost-same = Best play gets the same { $profit } out of this deck (it keeps { $cards }).

# Refusals
highshow-cards = A deck has from { $least } to { NUMBER($most, useGrouping: 0) } cards, not { NUMBER($cards, useGrouping: 0) }.
highshow-too-many = A deck has at most { NUMBER($most, useGrouping: 0) } cards here.
highshow-keep = Of { NUMBER($cards, useGrouping: 0) } cards, at least 1 must be kept and at least 1 left over, so { NUMBER($keep, useGrouping: 0) } cannot be kept.
highshow-penalty = “{ $text }” is no penalty; there are: { $known }.
highshow-parameter = “{ $text }” is no parameter: write a number from 0 on, such as 3, 0.5 or 1/2, with at most six digits on either side.
highshow-no-parameter = The penalty none costs nothing, so there is no number to choose for it.
highshow-elsewhere = “{ $text }” is a command of its own: { $word }
highshow-word = “{ $text }” means nothing here: write for example !highshow 20 3 linear=5 50 (cards, how many to keep, penalty, stake).
highshow-honour-only = With so many cards nobody can say what a stake would be worth: play without one, or with fewer cards.
highshow-already = You are in a game already; finish that one first.
highshow-not-yours = { $who } plays this one; start your own with !highshow.
highshow-nothing-shown = There is no card to decide on now.
highshow-no-hint = There are no hints under a stake.
highshow-hinted = You have had the hint for this card already.
highshow-alone = Type just { $word }, with nothing behind it.
highshow-over = This game is over; start another with !highshow.
highshow-guess-later = It is too early for a guess: keep all your cards first.
highshow-guess-lowest = “{ $text }” is no K: write a whole number such as 12, or skip.
highshow-guess-range = K is a whole number from 1 to { NUMBER($most, useGrouping: 0) } in this game.
highshow-guess-usage = Guess K and your profit like this: !guess 12 40.5, with skip for what you would rather not guess.
highshow-guess-profit = “{ $text }” is no profit: write a number such as 40, -12, 40.5 or 81/4, or skip.

# Rules
highshow-rules-short = High Show: cards come one by one. !cashout keeps one, !another lets it go for good, which costs points. Keep as many as you must, and make the most of them.
highshow-rules = High Show: a secret K is drawn, at most three times the number of cards, and the cards K, K+1, K+2… are shuffled. They come one by one: !cashout keeps a card, !another rejects it, for good. You must keep so many, and make the largest profit: the cards kept, less a penalty for each one rejected. In the end you may !guess K and your profit.
highshow-rules-penalties = Penalties for a rejection: none; linear (a fixed cost, default cards/10); turn (i × parameter for the i-th card, default 2(cards + K)/(cards + 4)); value (the card × parameter, default 1/4); turnvalue (i × the card × parameter, default 1/8). An example: !highshow 20 3 linear=5 50 has 20 cards, 3 to keep, 5 a rejection, 50 { currency } at stake.
highshow-rules-stakes = With a stake, par is what best play makes on average; a profit of par returns the stake, more or less returns more or less, up to twice the stake. Without one you play for honour, and may ask for a !hint at each card.

# The board
highshow-of = { $kept } of { $keep }
highshow-fact-kept = Kept
highshow-fact-left = Left
highshow-fact-penalty = Penalty
highshow-fact-stake = At stake
highshow-fact-par = Par
highshow-fact-lowest = K
highshow-fact-gain = Gain
highshow-fact-lost = Lost by rejecting
highshow-fact-profit = Profit
highshow-fact-payout = Payout
highshow-hand-shown = Shown
highshow-hand-kept = Kept
highshow-hand-rejected = Rejected
highshow-hand-left = Left
highshow-card-kept = kept
highshow-card-taken = needed, so kept
highshow-card-rejected = rejected
highshow-place-opening = about to play
highshow-place-kept = { $kept ->
    [0] nothing kept yet
   *[other] keeps { $cards }
  }
highshow-place-unused = not played
highshow-place-over = profit { $profit }
highshow-place-paid = profit { $profit }, payout { $payout }
highshow-note-opening = Start with !highshow.
highshow-note-decision = { NUMBER($card, useGrouping: 0) } is shown: !cashout keeps it, !another rejects it.
highshow-note-estimates = Guess K (1 to { NUMBER($most, useGrouping: 0) }) and the profit: !guess K PROFIT, or skip.
highshow-note-over = The game is over.
highshow-note-unused = Nothing was played.
highshow-phase-opening = Opening
highshow-phase-decision = Cash out or see another?
highshow-phase-estimates = Estimates
highshow-phase-over = Over
highshow-button-honour = Play: keep { $keep } of { $cards }
highshow-button-stake = Play for { $stake }: keep { $keep } of { $cards }
highshow-button-cashout = Cash out
highshow-button-another = See another
highshow-button-hint = Hint
highshow-button-skip = Skip guesses
form-guess = Guess…

# Commands
help-highshow = plays High Show, alone: cards come one by one, and you choose which to keep; rules explains it.
help-cashout = keep the card that is shown.
help-another = reject the card that is shown, and see another.
help-hint = the better choice at the card shown, where nothing is at stake.
help-guess = guess K and your profit in the end, such as !guess 12 40.5, or skip.
option-highshow-cards = How many cards the deck has
option-highshow-keep = How many you must keep
option-highshow-penalty = What a rejection costs
option-highshow-parameter = A number for the penalty such as 3, 0.5 or 1/2
option-highshow-stake = Credits such as 69, 1k, 25%, half or all; 0 to play for honour
option-guess-k = The lowest card, or skip
option-guess-profit = Your profit, such as 40, -12 or 81/4, or skip

# Settings
unit-cards = {" "}(cards)
unit-games = {" "}(games)
expects-penalty = a penalty such as none, linear, turn, value or turnvalue, with a parameter like linear=5 if you like
setting-highshow-decision = seconds to decide on a card; then it is kept
setting-highshow-estimates = seconds to guess K and the profit; then both are skipped
setting-highshow-starters = the least role that may play
setting-highshow-cards = how many cards a deck has by default
setting-highshow-keep = how many are to be kept by default
setting-highshow-penalty = what a rejection costs by default
setting-highshow-most_cards = the largest deck that may be chosen
setting-highshow-default_stake = what is staked by default, within the smallest and the largest stake; 0 for honour
setting-highshow-min_stake = the smallest stake
setting-highshow-max_stake = the largest stake; 0 for no limit
setting-highshow-games = how many may play at once in the room

highshow-odds = { $cards } cards, { $keep } to keep, penalty { $penalty }: par { $par } returns the stake, { $span } above it doubles it, { $span } below it loses it. The best play returns 100% in the long run, on any terms; fractions are the house’s.
highshow-odds-honour = { $cards } cards, { $keep } to keep, penalty { $penalty }: for honour only. On smaller terms par returns the stake, and the best play returns 100% in the long run.
preset-highshow-usual = 20 cards, 60 seconds each
preset-highshow-short = 8 cards, 30 seconds each
preset-highshow-stakes = 12 cards, a stake of 50 by default
about-highshow = High Show: cards come one by one; keep the highest, and every rejection costs.
example-highshow = !highshow 20 3 50
blank-keep = KEEP
blank-penalty = PENALTY
blank-parameter = PARAMETER
blank-profit = PROFIT

# Names of slash commands and of their options, as Discord lists them: lower case, no blanks.
slash-name-highshow = highshow
slash-name-cashout = cashout
slash-name-another = another
slash-name-hint = hint
slash-name-guess = guess
slash-option-keep = keep
slash-option-penalty = penalty
slash-option-parameter = parameter
slash-option-k = k
slash-option-profit = profit
