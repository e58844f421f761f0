# What is published of the odds

help-odds = what can be won, how likely it is, what comes back, and what the house has kept.
option-odds-game = The game whose odds you want
odds-line = { $game }: { $told }
odds-back = at best { $back }% of what is staked comes back.
odds-back-shared = all that is staked goes to the players.
odds-none = { $game } publishes no odds.
odds-take = The house has kept { $credits } since { $since ->
    [0] the beginning
   *[other] season { $since } began
}.
odds-paid = The house has paid out { $credits } more than it took since { $since ->
    [0] the beginning
   *[other] season { $since } began
}.

heist-odds-answers = Whoever goes !allin is paid the winnings alone, on all that they have and { $loan } more, and gets no salary for that heist. Guards and intel better your own odds with time; double-crossers and snitches take what others won.
heist-odds-lent = Whoever goes !allin is lent the wage instead of getting it. Guards and intel better your own odds with time; double-crossers and snitches take what others won.
heist-odds-bounded = What one takes, another had won: double-crossers take at most { $percent }% of what each other won and { $stakes } own stakes each, need { $loyal } others who do not cross, and pay { $fine } own stakes if somebody gives them away.
heist-odds-wage = Who stays has a wage of { $percent }% of the stake{ $most ->
    [0] {""}
   *[other] , at most { $most }
  }; who goes !allin has that as a loan instead.
heist-odds-careers = With the best guards and intel that money can buy, at most { $back }% comes back.
heist-odds-gift = No salary is paid, so the loan of !allin is a gift: of a stake of { $stake } by somebody who has nothing else, { $back }% comes back.
highshow-odds = { $cards } cards, { $keep } to keep, penalty { $penalty }: par { $par } returns the stake, { $span } above it doubles it, { $span } below it loses it. The best play returns 100% in the long run, on any terms; fractions are the house’s.
highshow-odds-honour = { $cards } cards, { $keep } to keep, penalty { $penalty }: for honour only. On smaller terms par returns the stake, and the best play returns 100% in the long run.
sixcard-odds = Against the house, if you play your best, as !set auto does: { $win }% to win, which pays ×2; { $draw }% to draw, which returns the stake; { $loss }% to lose. That returns 100% in the long run, and no play returns more.
sixcard-odds-duel = In a duel the winner takes both stakes: the house keeps nothing.
chicken-odds = Everybody stakes the same, and the most points take the whole pot; equals share it. 100% goes back to the players: the house keeps nothing.
chicken-odds-house = Players of the house stake { currency } that the house lends them; what you win from them is yours.
market-odds = Everybody stakes the same, and the pot is divided in proportion to points. 100% goes back to the players: the house keeps nothing.
market-odds-house = Players of the house stake { currency } that the house lends them; what you win from them is yours.

# Warnings

guard-generous = Careful: { $game } now pays back { $back }% of what is staked to whoever plays best, so the { currency } lose their worth. !undo takes it back.

# Confirmations

help-confirm = does what the bot has asked you to confirm, within a minute.
confirm-nothing = There is nothing to confirm, or not any more.
confirm-ask = { $what } Say !confirm within { $seconds } seconds.

# The end of a season

help-seasonend = ends the season of a game now, once you have confirmed it; also !season end.
option-seasonend-game = The game whose season ends
season-end-which = Which game’s season? Say !season end { $games }.
season-end-ask = This ends season { $number } of { $game } for everybody, after { $tables ->
    [one] { $tables } game
   *[other] { $tables } games
}. { $resets }
season-end-table = { $game } is being played; end the season when it is over, or call it off first with !cancel { $word }.
season-end-changed = The season has changed meanwhile; look at !season.
season-undone = { $game }: season { $number } goes on, with its leaderboard, and all that had begun afresh is back.
season-undone-lacking = Not all that the new season gave was there to be taken back: { $credits } are missing, of { $names }.
season-undone-ends = It has reached its end, so it ends again with the next game, unless its limit is raised or the game’s settings say otherwise.
season-undo-later = Season { $number } of { $game } has ended since; take that back first.
season-undo-gone = That season cannot be taken back any more.
