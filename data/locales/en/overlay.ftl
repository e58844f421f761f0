# What the overlay of a stream writes into its drawings; each is at most seven words

overlay-pot = in the pot
overlay-at-stake = at stake
overlay-count-of = { $count } of { $all }
overlay-nobody-won = Nobody wins this time
overlay-called-off = Called off: stakes are back
overlay-in-pot = { $amount } in the pot
overlay-chosen = have chosen
overlay-round = Round { $round } of { $rounds }
overlay-of = { $count } of { $all }
overlay-points = { $points } pts
overlay-leads = { $name } leads: { $points } points
overlay-takes = { $name } takes { $points }
overlay-draw = A draw: stakes go back
overlay-kept = Kept
overlay-cards-left = { $count } left

overlay-you-won = You won { $amount }
overlay-you-even = Stake is back. You keep { $credits }
overlay-you-lost = You lost { $amount }. You keep { $credits }
overlay-you-caught = Caught. You keep { $credits }

overlay-sixcard-accept = { $name }: !sixcard accept
overlay-sixcard-high = High
overlay-sixcard-middle = Middle
overlay-sixcard-low = Low
overlay-highshow-lowest = Lowest card
overlay-highshow-best = Best play
overlay-highshow-kept = { $name } kept
overlay-market-turn = { $name }: your turn
overlay-market-offers = { $name } gives
overlay-market-answers = { $name }: !accept or !decline
overlay-market-closed = The market is closed

overlay-heist-join = Type !heist to join
overlay-heist-decided = have decided
overlay-heist-stakes = { $amount } at stake
overlay-heist-in = { $count } go in together
overlay-heist-in-alone = { $name } goes in alone
overlay-heist-in-some = { $count } of { $all } go in
overlay-heist-away = { $count } of { $all } got away
overlay-heist-back = backs out
overlay-heist-cross = Double cross!
overlay-heist-group-returned = backed out
overlay-heist-group-caught = caught
overlay-heist-group-escaped = got away
overlay-heist-bank-0 = { heist-bank-0 }
overlay-heist-bank-1 = { heist-bank-1 }
overlay-heist-bank-2 = { heist-bank-2 }
overlay-heist-bank-3 = { heist-bank-3 }
overlay-heist-bank-4 = { heist-bank-4 }
overlay-heist-look = { heist-look }
