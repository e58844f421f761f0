# Six Card Poker

game-sixcardpoker = Six Card Poker
sixcard-title = Six Card Poker

# Opening
sixcard-hash = Against { $who }, the house has set its cards already; their hash (SHA-256): { $digest }.
sixcard-opened = { $who } plays the house at Six Card Poker, { $terms }. { $who }, your cards: { $cards }. Split them into High (3 cards), Middle (2) and Low (1), such as !set { $example }, or leave it to !set auto, within { $seconds } seconds.
    .text-2 = { $who } plays the house at Six Card Poker, { $terms }: who splits six cards better? { $who }, your cards: { $cards }. High takes 3 cards, Middle 2 and Low 1, such as !set { $example }; !set auto does it for you. { $seconds } seconds!
sixcard-challenge = { $who } challenges { $rival } to a duel at Six Card Poker, { $terms }. { $rival }, answer with !sixcard accept or !sixcard decline within { $seconds } seconds.
    .text-2 = One against one! { $who } challenges { $rival } to a duel at Six Card Poker, { $terms }. { $rival }, answer with !sixcard accept or !sixcard decline within { $seconds } seconds.
sixcard-challenge-seat = { $who } challenges { $rival } to a duel at Six Card Poker, { $terms }. { $rival }, answer with !sixcard accept or !sixcard decline within { $seconds } seconds. Both of you hold your cards in your seats.
sixcard-accepted = { $rival } takes up the challenge of { $who }, { $terms }! Both have their cards in secret, and { $seconds } seconds to set them.
sixcard-awaiting = { $rival } takes up the challenge of { $who }, { $terms }! The cards are dealt once { $names } { $count ->
    [one] has an open seat
   *[other] have open seats
}, within { $seconds } seconds.
sixcard-unseated = No seat of { $names } was open in time: the duel of { $who } and { $rival } is off, and stakes go back.
sixcard-dealt = Your cards: { $cards }. Split them in secret into High (3 cards), Middle (2) and Low (1), such as !set { $example }, or leave it to !set auto, within { $seconds } seconds.
sixcard-declined = { $rival } declines the duel with { $who }.
sixcard-taken-back = { $who } takes the challenge to { $rival } back.
sixcard-lapsed = { $rival } did not answer in time; the duel with { $who } is off.
sixcard-arranged = { $who } has set the cards.
sixcard-arranged-again = { $who } has set the cards again.
sixcard-you-arranged = You have set { $hands }. You can still change it until both are in.
sixcard-exposed = Others can read how you set your cards here! Better whisper it to me, or use the private buttons where there are any. You can still change it.

# The end
sixcard-late = Time is up: best play has set the cards of { $names }.
sixcard-revealed = { $verdict } { $first } against { $second }: High { $high } · Middle { $middle } · Low { $low }.
sixcard-beats = { $own } beats { $other }
sixcard-draws = { $own } draws with { $other }
sixcard-loses = { $own } loses to { $other }
sixcard-sum = { $cards } ({ $sum })
sixcard-pair = pair of { $face }s
sixcard-won = { $who } wins { $points } to { $others }!
sixcard-won-paid = { $who } wins { $points } to { $others } and gets { $payout }!
sixcard-won-house = { $who } wins { $points } to { $others } and keeps the stake of { $stake }.
sixcard-drawn = It is a draw, 1½ to 1½.
sixcard-drawn-staked = It is a draw, 1½ to 1½: stakes go back.
sixcard-nonce = To check the house: SHA-256 of the 16 bytes { $nonce } and then the text { $hands } is the hash that came first.

# The review
sixcard-review = Review for { $who }: { $average } { $this_time }
sixcard-review-flawless = { $hands } was the best there was, worth { $score } of a win against best play.
sixcard-review-better = against best play { $hands } is worth { $score } of a win, and { $best } would be worth { $most }.
sixcard-review-won = Against what { $other } held, it won.
sixcard-review-could-win = Against what { $other } held, { $hands } would have won.
sixcard-review-could-draw = Against what { $other } held, nothing would have won, but { $hands } would have drawn.
sixcard-review-only-drew = Against what { $other } held, nothing would have won.
sixcard-review-only-lost = Against what { $other } held, nothing would have helped.

# Refusals
sixcard-usage = Play the house with !sixcard 50 (or no stake), challenge somebody with !sixcard @name 50, or answer with !sixcard accept or !sixcard decline.
sixcard-house = The house cannot be challenged by name; play it with just !sixcard.
sixcard-no-secrets = A duel needs a place where I can tell each of you your cards in secret; here, play the house with !sixcard.
sixcard-no-duels = There are no duels here; play the house with !sixcard.
sixcard-yourself = You cannot challenge yourself; play the house with just !sixcard.
sixcard-challenged = { $who } has challenged you, { $terms }: answer with !sixcard accept or !sixcard decline first.
sixcard-own-challenge = { $who } has yet to answer your challenge; !sixcard decline takes it back.
sixcard-no-challenge = There is no challenge for you to answer; open a game with !sixcard.
sixcard-busy = { $who } is in a game of this already; challenge them when it is over.
sixcard-already = You are in a game already; set your cards first, with !set HIGH MIDDLE LOW or !set auto.
sixcard-seats-first = Your duel has begun: open your seat, and the cards are dealt; !sixcard decline calls it off.
sixcard-not-yours = Others are playing at this table; start a game of your own with !sixcard.
sixcard-no-cards = You have no cards to set; start a game with !sixcard.
sixcard-hands = Set your cards as three, two and one of the cards 1 to 4, such as !set 144 23 1, or with !set auto.
sixcard-sizes = High takes three cards, Middle two and Low one, such as !set 144 23 1.
sixcard-other-cards = Those are not your six cards; you hold { $cards }.
sixcard-secret-cards = Those are not your six cards, which I name to you alone: whisper to me, or use the private buttons where there are any.

# Rules
sixcard-rules-short = Six Card Poker: split six cards into High (three), Middle (two) and Low (one). Whoever wins more of the three hands wins.
sixcard-rules = Six Card Poker: of 16 cards, four each of 1 to 4, two players get six each and set three hands. High has three cards: the larger sum wins. Middle has two: a pair beats no pair, then the higher card counts, then the other. Low has one: the higher wins. A hand won is a point and a drawn one half a point; more than 1½ points win, and exactly 1½ is a draw.
sixcard-rules-house = !sixcard 50 plays the house for 50 { currency }. Your cards lie open; the house sets its own by best play, from them alone, before you answer (!fair sixcard tells their hash). Set yours with !set 144 23 1 (High, Middle, Low) or !set auto, best play, which also sets them after { $seconds } seconds. A win doubles the stake, and a draw returns it.
sixcard-rules-duels = Where I can tell each player their cards in secret, or each can open a seat of their own, !sixcard @name 50 challenges somebody to a duel: cards and settings stay hidden until both have set. The answer is !sixcard accept or !sixcard decline, within { $seconds } seconds. The winner gets both stakes; a draw returns them.

# The board
sixcard-fact-stake = Stake
sixcard-hand-cards = Cards
sixcard-hand-high = High
sixcard-hand-middle = Middle
sixcard-hand-low = Low
sixcard-detail-sum = sum { $sum }
sixcard-detail-no-pair = no pair
sixcard-place-opening = about to play
sixcard-place-challenger = has challenged
sixcard-place-challenged = yet to answer
sixcard-place-open = seat is open
sixcard-place-closed = has yet to open the seat
sixcard-place-setting = setting the cards
sixcard-place-set = has set
sixcard-place-over = { $points } of 3 points
sixcard-place-paid = { $points } of 3 points, gets { $payout }
sixcard-place-off = not played
sixcard-note-opening = Start with !sixcard.
sixcard-note-challenge = { $who } has yet to answer the challenge.
sixcard-note-challenger = { $who } has yet to answer; !sixcard decline takes the challenge back.
sixcard-note-challenged = You are challenged: !sixcard accept or !sixcard decline.
sixcard-note-seats = The cards are dealt once both seats are open.
sixcard-note-arrange = Your cards: { $cards }. Set High, Middle and Low, such as !set { $example }, or !set auto.
sixcard-note-set = You have set { $hands }. You can still change it until both are in.
sixcard-note-solo = The house has set its cards already; !fair sixcard tells the hash that keeps it to them.
sixcard-note-duel = Both set their cards in secret.
sixcard-note-over = The game is over.
sixcard-note-off = No cards were played.
sixcardpoker-phase-opening = Opening
sixcardpoker-phase-challenge = Challenge
sixcardpoker-phase-seats = Waiting for both seats
sixcardpoker-phase-arrangement = Set the cards
sixcard-button-honour = Play the house for honour
sixcard-button-stake = Play the house for { $stake }
sixcard-button-challenge = Challenge { $who }
sixcard-button-accept = Accept
sixcard-button-decline = Decline
sixcard-button-arrive = Open my seat
sixcard-button-auto = Auto (best play)
form-arrange = Set by hand…

# Commands
help-sixcard = plays Six Card Poker against the house, or challenges somebody with @name; rules explains it.
help-arrange = set your six cards as High, Middle and Low, such as !set 144 23 1, or auto for best play.
option-sixcard-opponent = Whom to challenge; leave it out to play the house
option-sixcard-stake = Credits such as 69, 1k, 25%, half or all; 0 to play for honour
option-sixcard-answer = Your answer to a challenge
option-arrange-hands = Your cards, such as 144 23 1, or auto

# Settings
setting-sixcardpoker-arrangement = seconds to set the cards; then best play sets them
setting-sixcardpoker-acceptance = seconds to answer a challenge; then it is withdrawn
setting-sixcardpoker-starters = the least role that may play the house or challenge somebody
setting-sixcardpoker-duels = whether members may challenge each other
setting-sixcardpoker-default_stake = what is staked by default, within the smallest and the largest stake; 0 for honour
setting-sixcardpoker-min_stake = the smallest stake
setting-sixcardpoker-max_stake = the largest stake; 0 for no limit
setting-sixcardpoker-games = how many may play at once in the room

sixcard-odds = Against the house, if you play your best, as !set auto does: { $win }% to win, which pays ×2; { $draw }% to draw, which returns the stake; { $loss }% to lose. That returns 100% in the long run, and no play returns more.
sixcard-odds-duel = In a duel the winner takes both stakes: the house keeps nothing.
preset-sixcardpoker-usual = 60 seconds each
preset-sixcardpoker-short = 30 seconds each
preset-sixcardpoker-stakes = a stake of 50 by default
about-sixcardpoker = Six Card Poker: split your six cards into three hands, and win more of them than the other side.
example-sixcard = !sixcard 50
blank-high = HIGH
blank-middle = MIDDLE
blank-low = LOW

# Names of slash commands and of their options, as Discord lists them: lower case, no blanks.
slash-name-sixcard = sixcard
slash-name-arrange = arrange
slash-option-opponent = opponent
slash-option-answer = answer
slash-option-hands = hands
