# The league, a ladder of programs that is shown on overlays and boards. Names of programs stand beside these texts.

league-title = League
league-live = Playing now
league-final = Final ratings
league-next = Next
league-won = wins
league-draw = A draw
league-house = house
league-champion = Leads at the end
league-results = Last duels
league-honour = Played for honour: nothing is staked.
league-round = { $duels ->
    [0] Round { $round }
    [one] Round { $round }, { $duels } duel
   *[other] Round { $round }, { $duels } duels
}
