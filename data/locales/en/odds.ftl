# What is published of the odds

help-odds = what can be won, how likely it is, what comes back, and what the house has kept.
option-odds-game = The game whose odds you want
option-odds-more = More for all of it
odds-line = { $game }: { $told }
odds-back = at best { $back }% of what is staked comes back.
odds-back-shared = all that is staked goes to the players.
odds-none = { $game } publishes no odds.
odds-honour = Nothing is staked here: it is for honour.
odds-house = Whoever has staked something and is still alone when the lobby closes plays against one player of the house, within what that may lose a day. What the best play returns against it: { $rows }.
odds-house-exact = { $strategy } { $back }% (proved)
odds-house-searched = { $strategy } at most { $back }%, give or take { $error } (searched)
odds-house-unknown = { $strategy } not known, so for honour
topic-alone = Type just { $word }, with nothing behind it.
topic-more = More: { $word }
odds-more = More: !{ $word } odds
odds-take = The house has kept { $credits } since { $since ->
    [0] the beginning
   *[other] season { $since } began
}.
odds-paid = The house has paid out { $credits } more than it took since { $since ->
    [0] the beginning
   *[other] season { $since } began
}.

# Warnings

guard-generous = Careful: { $game } now pays back { $back }% of what is staked to whoever plays best, so the { currency } lose their worth. !undo takes it back.

# Confirmations

help-confirm = does what the bot has asked you to confirm, within a minute; moderators also confirm each other’s large grants.
confirm-nothing = There is nothing to confirm, or not any more.
confirm-ask = { $what } Say !confirm within { $seconds } seconds.
confirm-another = { $what } Another moderator can say !confirm within { $seconds } seconds.
confirm-own = { $what } Wait { $pause } seconds, then say !confirm; after { $seconds } seconds it is too late.
confirm-not-own = Another moderator has to confirm that.
confirm-not-gains = You would get this yourself, so somebody else has to confirm what { $who } wants to grant.
confirm-soon = You can confirm that in { $wait }.
confirm-waits = Something of yours waits for !confirm here, or just did: try again in { $wait }.
confirm-which = Say whose: !confirm @name. What waits is that of { $names }.
option-confirm-member = Whose command you confirm, if several wait

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
season-undone-ends-soon = Its days are over, so it ends again within the hour, also if nobody plays, unless its limit is raised before.
season-undo-later = Season { $number } of { $game } has ended since; take that back first.
season-undo-gone = That season cannot be taken back any more.
