# Bank Heist

game-heist = Bank Heist
heist-title = Bank Heist

heist-bank-0 = Municipal Bank
heist-bank-1 = City Bank
heist-bank-2 = State Bank
heist-bank-3 = National Bank
heist-bank-4 = Federal Reserve

# The lobby
heist-opened = { $who } is planning a bank heist and stakes { $stake }! Join with !heist and an amount; it starts in { $seconds } seconds.
heist-joined = { $who } joins with { $stake }; the crew is { $crew } now.
heist-you-joined = You are in with { $stake }.
heist-reached = The crew of { $crew } can take on the { $bank } now!
heist-abandoned = The heist is off: only { $crew } came, and it takes { $wanted }. Every stake has been returned.
heist-already-in = You are in this heist already, with { $stake }.
heist-too-late = The crew has left without you; this heist takes nobody in any more.

# The getaway
heist-targeted = { $rabble ->
    [0] The target is the { $bank }: a crew of { $crew }, { $staked } at stake.
   *[other] The target is the { $bank }: a crew of { $crew } and { $rabble } of the rabble, { $staked } at stake.
  }
heist-getaway = Heisters, you have { $seconds } seconds for one move, best whispered: !guncheck !backout !allin !changejobs !intel !guard !deposit !withdraw !doublecross !finger. Silence sticks.
heist-answer-alone = { $word } stands alone: whisper or type it without anything behind it.
heist-one-round = This heist has one round; there is nothing to answer.
heist-answer-in = { $who } has made a move.
heist-you-answered = { $answer } You can change your mind until the time is up.
heist-no-getaway = There is nothing to answer now; moves are for the getaway, after the bank is named.
heist-not-in-crew = You are not in this heist; join the next one with !heist.

heist-act-guncheck = You check your gun and stick to the plan.
heist-act-backout = You are going to back out: the stake comes back, but there is no salary this time.
heist-act-allin = You are going in alone with everything you have.
heist-act-changejobs = You stick to the plan, and quit your job.
heist-act-intel = You stick to the plan; a success pays for better odds at this bank.
heist-act-guard = You stick to the plan, and bribe a guard for a better chance at this bank.
heist-act-deposit = You stick to the plan; a success goes to your account at this bank.
heist-act-withdraw = You stick to the plan; a success empties your account at this bank.
heist-act-doublecross = You are going to double-cross the others.
heist-act-finger = You stick to the plan, and keep an eye out for double-crossers.

# The outcome
heist-storming = { $committed ->
    [one] One heister storms into the { $bank }…
   *[other] { $committed } heisters storm into the { $bank }…
  }
heist-storming-fewer = { $committed ->
    [0] All { $heisters } lose their nerve in front of the { $bank }…
   *[other] { $committed } of { $heisters } heisters storm into the { $bank }; the others lose their nerve…
  }
heist-nobody-went = Nobody went in. The { $bank } never noticed a thing.
heist-solo-success = { $who } walks out of the { $bank } with the money!
heist-solo-failure = { $who } is caught in the vault of the { $bank }.
heist-all-escape = A clean job: all { $went } got away from the { $bank }!
heist-most-escape = The alarm at the { $bank } was slow: { $won } of { $went } got away!
heist-few-escape = The { $bank } was ready: only { $won } of { $went } got away.
heist-none-escape = It was a trap! None of the { $went } got away from the { $bank }.
heist-your-result = Your result: { $result }.
heist-results = Results: { $results }.
heist-result = { $who } { $result }
heist-result-succeeded = escapes ({ $net })
heist-result-robbed = escapes empty-handed ({ $net })
heist-result-cross-ran = runs off with the loot ({ $net })
heist-result-cross-nothing = double-crosses for nothing ({ $net })
heist-result-failed = is caught ({ $net })
heist-result-returned = backs out
heist-result-intel = spends { $won } on intel ({ $net })
heist-result-deposit = deposits { $won } ({ $net })
heist-result-allin-succeeded = goes all in and takes { $won } ({ $net })
heist-result-allin-failed = goes all in and loses everything ({ $net })
heist-rabble = Of the rabble, { $won } of { $went } got away.
heist-identified = { $who } points a finger: { $crosser } is a double-crosser, pays { $fine } and is fired!
heist-stitched = { $who } points at nobody in particular and gets stitches: { $forfeit } of the winnings go to the others.
heist-crossed = Double cross! Gone with everybody’s loot: { $crossers } ({ $share } each).
heist-cross-undone = The double cross of { $crossers } is undone: { $back } back to each of the loyal.
heist-cross-sprung = The double cross by { $crossers } came out! They get nothing and are fired; { $share } extra for each of the loyal.
heist-payday = Payday: { $wages }.
heist-wage = { $who } +{ $salary }
heist-wage-only-bribes = { $who } −{ $bribes } for guards
heist-wage-bribes = { $who } +{ $salary } −{ $bribes } for guards
heist-hired = { $who } has a new job at { $salary } a payday.
heist-guards-left = { $guards ->
    [one] A guard
   *[other] { $guards } guards
  } of { $who } went unpaid and left.

# Odds and careers
heist-odds = Odds, as long as nobody backs out: { $banks }.
heist-odds-row = { $bank } from { $level }: { $chance }%, pays ×{ NUMBER($payout, maximumFractionDigits: 5) }, returns { $back }%
heist-odds-generous = A bank that returns over 100% pays back more than it takes in the long run.
heist-rules = Bank Heist: whoever types !heist and an amount within { $seconds } seconds robs a bank with the others. More heisters and more { currency } make a bigger bank, which pays more on top of the stake and is harder to rob. Everybody has dice of their own: who gets away has the stake back and the winnings, and who is caught loses the stake. !heist odds has the figures, !heist career what you have become.
heist-rules-getaway = Once the bank is named there are { $seconds } seconds for one move each, best whispered. !backout takes the stake back, which lowers the others’ chances; !allin goes in alone with all you have; !doublecross is after what the others win, and !finger after double-crossers; !intel, !guard, !deposit, !withdraw and !changejobs are for heists to come. !help doublecross and so on explain them. Silence goes in with the others.
heist-career-plain = { $job } Nothing else sets this career apart yet.
heist-career = { $job } { $banks }.
heist-career-employed = { $who } has a job at { $salary } a payday.
heist-career-unemployed = { $who } has no job; the next one will pay a little more than { $salary }.
heist-career-row = { $bank }: { $chance }%, odds { NUMBER($odds, maximumFractionDigits: 5) }, { $account } in the account, { $guards ->
    [one] { $guards } guard
   *[other] { $guards } guards
  }

# The board
heist-fact-bank = Bank
heist-fact-crew = Crew
heist-fact-stakes = At stake
heist-fact-rabble = Rabble
heist-fact-odds = Odds
heist-bank-at-least = at least { $bank }
heist-no-bank = none
heist-crew-size = { $crew }
heist-chance-payout = { $chance }%, pays ×{ NUMBER($payout, maximumFractionDigits: 5) }
heist-note-lobby = Join with !heist and an amount.
heist-note-getaway = One move each; nobody sees yours. Silence sticks.
heist-note-answered = { $answer } You can change your mind until the time is up.
heist-note-next-time = This crew left without you; join the next one.
heist-note-storming = They are inside…
heist-note-over = The dust has settled.
heist-note-abandoned = Too few came; every stake has been returned.
heist-phase-lobby = Lobby
heist-phase-getaway = Getaway
heist-phase-storming = Storming in
heist-button-join = Join with { $stake }
heist-button-guncheck = Check gun
heist-button-backout = Back out
heist-button-allin = All in
heist-button-changejobs = Quit job
heist-button-intel = Buy intel
heist-button-guard = Bribe guard
heist-button-deposit = Deposit
heist-button-withdraw = Withdraw
heist-button-doublecross = Double-cross
heist-button-finger = Finger

# Commands
help-heist = opens a heist, or joins the open one; rules explains it, odds and career have the figures.
help-guncheck = stick to the plan (silence does the same).
help-backout = take your stake back; no salary this time, and the others’ chances fall.
help-allin = go in alone with all your { currency } and a loan of 240; a failure leaves you with nothing.
help-changejobs = quit your job; every heist may bring a new one that pays 5% more.
help-intel = if you succeed, everything won improves your odds at this bank for good.
help-guard = a better chance at this bank for good, for 1 of your { currency } at every payday.
help-deposit = if you succeed, everything won goes to your account at this bank, at 0.14% a heist.
help-withdraw = if you succeed, your account at this bank comes out with you.
help-doublecross = take what the others win; it fails if too many try.
help-finger = if you succeed, look for double-crossers; each pays you a quarter of their { currency }.

# Settings
unit-heists = {" "}(heists)
expects-getaway = 0 for none, or 5 to 600 seconds
expects-levels = five rising numbers of heisters from 0 or 1, such as 0/20/40/60/80
expects-chances = five chances in percent, such as 54/48.8/42.5/38.7/32.4
expects-odds = five winnings on top of the stake, such as 0.8/1.1/1.3/1.65/1.95
expects-strategies = any, or names with / between them, out of { $names }
setting-heist-lobby = seconds in which people may join
setting-heist-getaway = seconds for the one move after the bank is named; 0 for none
setting-heist-suspense = seconds between storming in and the outcome
setting-heist-cooldown = seconds until the next heist
setting-heist-starters = the least role that may start a heist
setting-heist-default_stake = what a bare !heist stakes, within the smallest and the largest stake
setting-heist-min_stake = the smallest stake
setting-heist-max_stake = the largest stake; 0 for no limit
setting-heist-min_crew = with fewer people every stake is returned
setting-heist-rabble = the largest number of background players, simulated by the house
setting-heist-house_players = how many players of the house join a heist that somebody has opened; 0 for none
setting-heist-house_strategies = how the players of the house play: names with / between them, drawn from afresh for each heist, or any
setting-heist-payday = whether every heist ends with a payday: interest, hiring, salaries and bribes
setting-heist-active = minutes after their last line for which members count as active
setting-heist-levels = from how many heisters on each bank is robbed
setting-heist-chances = the chance at each bank, in percent
setting-heist-odds = the winnings at each bank, on top of the stake
setting-heist-season_heists = heists in a season; 0 for no such limit
setting-heist-season_days = days in a season; 0 for no such limit
setting-heist-season_resets = what a new season begins afresh: nothing, careers or everything
option-heist-stake = Credits such as 69, 1k, 25%, half or all; or odds, or career
