# Bank Heist

game-heist = Bank Heist
heist-title = Bank Heist

heist-bank-0 = Municipal Bank
heist-bank-1 = City Bank
heist-bank-2 = State Bank
heist-bank-3 = National Bank
heist-bank-4 = Federal Reserve

# How the overlay of a stream draws it: bank or space
heist-look = bank

# The lobby
heist-opened = { $who } is planning a bank heist and stakes { $stake }. Who’s in? !heist and an amount, within { $seconds } seconds!
    .text-2 = { $who } unrolls a floor plan and puts { $stake } on it. Join with !heist and an amount; the van leaves in { $seconds } seconds.
    .text-3 = “I know a bank,” says { $who }, and stakes { $stake }. !heist and an amount gets you into the van, which leaves in { $seconds } seconds.
    .text-4 = { $who } is looking for a crew that asks no questions, and stakes { $stake }. Join with !heist and an amount; { $seconds } seconds left.
    .text-5 = Psst! { $who } has { $stake } and a terrible plan. Make it worse with !heist and an amount, within { $seconds } seconds.
    .text-6 = { $who } counts { $stake } onto the table and says one word: “bank”. Join with !heist and an amount; the engine runs for { $seconds } seconds.
heist-joined = { $who } joins with { $stake }; the crew is { $crew } now.
    .text-2 = { $who } climbs into the van with { $stake }. Crew: { $crew }.
    .text-3 = { $who } puts on a mask and puts down { $stake }: { $crew } in the crew.
    .text-4 = “Room for one more?” { $who } brings { $stake }; the crew is { $crew }.
    .text-5 = { $who } happens to have { $stake } and a crowbar. That makes { $crew } of you.
    .text-6 = { $who } puts { $stake } next to yours and asks no questions. Crew: { $crew }.
heist-joined-honour = { $who } joins for honour; the crew is { $crew } now.
heist-you-joined = You are in with { $stake }.
heist-you-joined-crowd = { $crowd }{ $more ->
    [0] {""}
    [one] {" "}and one more
   *[other] {" "}and { $more } more
}: you are in.
heist-reached = { $crew ->
    [1] A crew of one
   *[other] The crew of { $crew }
  } can take on the { $bank } now!
    .text-2 = With a crew of { $crew } the { $bank } is within reach!
    .text-3 = All at once the { $bank } looks small. Crew: { $crew }!
    .text-4 = A new map on the table: the { $bank }! Crew: { $crew }.
    .text-5 = Somebody tears up the old plan and writes “{ $bank }” on a new one. Crew: { $crew }.
    .text-6 = The driver asks for more money, because it may be the { $bank } now. Crew: { $crew }!
heist-abandoned = The heist is off: { $crew ->
    [0] nobody is in
    [one] only one person came
   *[other] only { $crew } people came
  }, and it takes { $wanted }. Every stake has been returned.

# What viewers of a platform bet on: a question of at most 45 characters, and answers of at most 25
heist-forecast = Will half of the crew be lucky at the doors?
heist-forecast-yes = Yes, half or more ({ $percent }%)
heist-forecast-no = No, fewer ({ $percent }%)
heist-forecast-more = half or more
heist-forecast-fewer = fewer than half
heist-forecast-result = The prediction: { $lucky } of a crew of { $crew } { $lucky ->
    [one] was
   *[other] were
  } lucky at the doors, { $answer }. { $away ->
    [0] Nobody
   *[other] { $away }
  } got away in the end.
heist-forecast-short = Viewers bet during the getaway, which must last at least { $least } seconds for that: !set heist getaway 30. It lasts { $seconds } now.

heist-already-in = You are in this heist already, with { $stake }.
heist-too-late = The crew has left without you; this heist takes nobody in any more.
heist-left = { $who } leaves with { $stake }; { $crew ->
    [0] nobody is in the crew any more
   *[other] the crew is { $crew } now
  }.
heist-you-left = You are out, and have your { $stake } back.
heist-nothing-staked = You have staked nothing here; !heist and an amount joins.
heist-start-too-few = { $wanted ->
    [one] It takes { $wanted } person
   *[other] It takes { $wanted } people
  } here: others have to join first.
heist-leave-too-late = The time to leave is over: the crew is on its way.
heist-leave-by-backout = The time to leave is over; !backout still takes the stake back.

# The getaway
heist-going = { $crew ->
    [1] a crew of one
   *[other] a crew of { $crew }
  }{ $rabble ->
    [0] {""}
   *[other] {" "}and { $rabble } of the rabble
  }
heist-targeted = The target is the { $bank }: { heist-going } with { $staked } at stake.
    .text-2 = It will be the { $bank }. In the van: { heist-going }; at stake: { $staked }.
    .text-3 = A finger stops on the map, at the { $bank }: { heist-going } with { $staked } at stake.
    .text-4 = Masks on, phones off: { heist-going } against the { $bank }, { $staked } at stake.
    .text-5 = The driver knows the way to the { $bank }. On board: { heist-going }; at stake: { $staked }.
    .text-6 = No way back now. Ahead lies the { $bank }: { heist-going } with { $staked } at stake.
heist-getaway = { $crew ->
    [1] You have
   *[other] Everybody has
  } { $seconds } seconds for one move, best whispered; !moves lists them. Silence means: stick to the plan.
heist-answer-alone = { $word } stands alone: type or whisper it with nothing behind it.
heist-one-round = This heist has one round; there is nothing to answer.
heist-answer-in = { $who } has made a move.
heist-you-answered = { $answer } You can still change it.
heist-no-getaway = There is nothing to answer now; moves are for the getaway, after the bank is named.
heist-not-in-crew = You are not in this heist; join the next one with !heist.
heist-cross-reserve = A double-crosser needs { $reserve } left in the wallet, for the fine. Choose another move.
heist-for-honour = Whoever plays for honour can neither go all in nor cross the others.
heist-guards-enough = More guards cannot better your chance at this bank any more. Choose another move.
heist-intel-enough = Your odds at this bank are as good as intel can make them. Choose another move.

heist-act-guncheck = Gun checked: you stick to the plan.
heist-act-backout = You back out: the stake comes back, but no pay this time.
heist-act-allin = You go in alone, with all that you may stake.
heist-act-changejobs = You stick to the plan, and quit your job.
heist-act-intel = You stick to the plan; a success pays for better odds at this bank.
heist-act-guard = You stick to the plan, and bribe a guard for a better chance at this bank.
heist-act-deposit = You stick to the plan; a success goes to your account at this bank.
heist-act-withdraw = You stick to the plan; a success empties your account at this bank.
heist-act-doublecross = You will double-cross the others.
heist-act-finger = You stick to the plan, with an eye on the others.

# The outcome
heist-storming = { $committed ->
    [one] One heister storms into the { $bank }…
   *[other] { $committed } heisters storm into the { $bank }…
  }
    .text-2 = { $committed ->
        [one] A door of the { $bank } creaks open: one in, nobody out yet…
       *[other] The doors of the { $bank } burst open: { $committed } in, none out yet…
      }
    .text-3 = { $committed ->
        [one] Mask down. One against the whole { $bank }, and the clock is running…
       *[other] Masks down. { $committed } against the { $bank }, and the clock is running…
      }
    .text-4 = “Everybody on the floor!” { $committed ->
        [one] The { $bank } has one uninvited guest…
       *[other] The { $bank } has { $committed } uninvited guests…
      }
    .text-5 = A van brakes hard in front of the { $bank }. { $committed ->
        [one] One masked figure jumps out, and nobody else…
       *[other] { $committed } masked figures jump out…
      }
    .text-6 = Glass breaks, the alarm howls: { $committed ->
        [one] one heister is inside the { $bank }, all alone…
       *[other] { $committed } are inside the { $bank }…
      }
heist-storming-fewer = { $committed ->
    [0] { $heisters ->
        [1] The only heister loses all nerve in front of the { $bank }…
       *[other] All { $heisters } lose their nerve in front of the { $bank }…
      }
    [one] One of { $heisters } heisters storms into the { $bank }; nobody else has the nerve…
   *[other] { $committed } of { $heisters } heisters storm into the { $bank }; not everybody has the nerve…
  }
heist-nobody-went = Nobody went in. The { $bank } never noticed a thing.
heist-solo-success = { $who } walks out of the { $bank } with the money!
    .text-2 = { $who } leaves the { $bank } by the front door, whistling.
    .text-3 = Nobody at the { $bank } will ever describe { $who } the same way twice. Gone!
    .text-4 = One bag, one exit, no witnesses: { $who } got away from the { $bank }.
    .text-5 = { $who } needed no crew: in and out of the { $bank } before the coffee was cold.
    .text-6 = The guards of the { $bank } hold the door open for { $who }. Gone!
heist-solo-failure = { $who } is caught in the vault of the { $bank }.
    .text-2 = { $who } trips over the rope in the lobby of the { $bank }. Cuffs.
    .text-3 = The { $bank } had one guard on duty, and { $who } ran into that one.
    .text-4 = { $who } pushed the door that says pull. The { $bank } sends its regards.
    .text-5 = The vault of the { $bank } closes, with { $who } on the wrong side.
    .text-6 = { $who } waved at the cameras of the { $bank }. They waved back. Caught!
heist-all-escape = A clean job: { $went ->
    [2] both
   *[other] all { $went }
  } got away from the { $bank }!
    .text-2 = Like clockwork: { $went ->
        [2] both
       *[other] all { $went }
      } got away from the { $bank }!
    .text-3 = The { $bank } counts its money and finds none: { $went ->
        [2] both
       *[other] all { $went }
      } are gone!
    .text-4 = { $went } went in, { $went } came out. The { $bank } never stood a chance!
    .text-5 = The bags are heavy and the van is full: { $went ->
        [2] both
       *[other] all { $went }
      } made it out of the { $bank }!
    .text-6 = Textbook! The { $bank } is lighter, and { $went ->
        [2] both
       *[other] all { $went }
      } are free!
heist-most-escape = The alarm at the { $bank } was slow: { $won } of { $went } got away!
    .text-2 = That went well: { $won } of { $went } got out of the { $bank }!
    .text-3 = The police took the wrong turn on the way to the { $bank }: { $won } of { $went } got away!
    .text-4 = A good day with losses: { $won } of { $went } got away from the { $bank }.
    .text-5 = { $won } of { $went } reached the van before the { $bank } was sealed off!
    .text-6 = Smoke, shouting, a back door: { $won } of { $went } slipped out of the { $bank }.
heist-few-escape = The { $bank } was ready: only { $won } of { $went } got away.
    .text-2 = Sirens from all sides: { $won } of { $went } got out of the { $bank }.
    .text-3 = The van leaves the { $bank } almost empty: { $won } of { $went } made it.
    .text-4 = The guards of the { $bank } had a good day: only { $won } of { $went } got past them.
    .text-5 = Somebody at the { $bank } hit the button in time. { $won } of { $went } got away.
    .text-6 = Of { $went } who ran from the { $bank }, { $won } ran fast enough.
heist-none-escape = It was a trap! { $went ->
    [2] Neither of the two
   *[other] None of the { $went }
  } got away from the { $bank }.
    .text-2 = The { $bank } locks its doors from the outside. { $went ->
        [2] Neither of the two
       *[other] None of the { $went }
      } got away.
    .text-3 = Everybody in the queue of the { $bank } was police. { $went ->
        [2] Neither of the two
       *[other] None of the { $went }
      } got away.
    .text-4 = { $went } in, none out. The { $bank } opens again tomorrow.
    .text-5 = Somebody forgot the van. { $went ->
        [2] Neither of the two
       *[other] None of the { $went }
      } got far from the { $bank }.
    .text-6 = The vault of the { $bank } was empty, and the street was not. { $went ->
        [2] Neither of the two
       *[other] None of the { $went }
      } got away.
heist-your-result = Your result: { $result }.
heist-results = { $told ->
    [1] Results: { $who } ({ $together }).
   *[other] Results: { $results }.{ $crew ->
      [1] {""}
     *[other] {" "}All together: { $together }.
    }
  }
heist-result = { $who } { $result }
heist-result-escaped = escapes ({ $net })
heist-result-robbed = escapes, and loses { $lost } to the others ({ $net })
heist-result-robbed-blind = escapes empty-handed ({ $net })
heist-result-ran = runs off with { $loot } of the others’ winnings ({ $net })
heist-result-cross-in-vain = double-crosses nobody, and escapes ({ $net })
heist-result-trapped = is caught crossing the others ({ $net })
heist-result-fingered = is given away as a double-crosser ({ $net })
heist-result-caught = is caught ({ $net })
heist-result-returned = backs out
heist-result-intel = escapes, and spends { $spent } on intel ({ $net })
heist-result-deposit = deposits { $spent } ({ $net })
heist-result-allin-escaped = goes all in and takes { $won } ({ $net })
heist-result-allin-caught = goes all in and loses it all ({ $net })
heist-rabble = Of the rabble, { $won } of { $went } got away.
heist-identified = { $who } points a finger: { $crosser } is a double-crosser, pays { $fine } and is fired!
    .text-2 = “That one!” { $who } gives { $crosser } away as a double-crosser, who pays { $fine } and is fired.
    .text-3 = { $who } has seen enough: { $crosser } crossed the crew, pays { $fine } and is fired!
heist-identified-broke = { $who } points a finger: { $crosser } is a double-crosser and is fired!
heist-stitched = { $who } points at nobody in particular and gets stitches: half of those winnings are shared out.
    .text-2 = { $who } accuses the wrong people and gets stitches; the crew shares half of that bag.
    .text-3 = Snitches get stitches: { $who } named nobody, and the crew shares half of those winnings.
heist-stitched-empty = { $who } points at nobody in particular and gets stitches.
heist-crossed = Double cross! { $crossers } made off with { $loot } of what the others had won.
    .text-2 = While nobody looked, { $crossers } took { $loot } of what the others had won.
    .text-3 = The bags are too light: { $crossers } ran off with { $loot } of the others’ winnings!
heist-cross-undone = The double cross of { $crossers } is undone: those who were loyal get { $back } back.
heist-cross-sprung = The double cross by { $crossers } came out! They get nothing and are fired; those who were loyal get { $extra } extra.
heist-cross-sprung-empty = The double cross by { $crossers } came out! They get nothing and are fired.
heist-payday = Payday: { $wages }.
heist-wage = { $who } +{ $salary }
heist-wage-only-bribes = { $who } −{ $bribes } for guards
heist-wage-bribes = { $who } +{ $salary } −{ $bribes } for guards
heist-hired = { $who } has a new job at { $salary } a payday.
heist-hired-share = { $who } has a new job, at { $percent }% of the usual wage.
heist-guards-left = { $guards ->
    [one] A guard
   *[other] { $guards } guards
  } of { $who } went unpaid and left.

# Odds and careers
heist-odds = Odds{ $daunting ->
    [0] {""}
   *[other] , as long as nobody backs out
  }: { $banks }.
heist-odds-short = Chance and payout: { $banks }. Of what is staked { $least }% to { $most }% comes back.
heist-odds-short-row = { $bank } { $chance }% ×{ NUMBER($payout, maximumFractionDigits: 5) }
heist-odds-row = { $bank } from { $share ->
    [0] { $level }
   *[other] { $share }% of those active
  }: { $chance }%, pays ×{ NUMBER($payout, maximumFractionDigits: 5) }, returns { $back }%
heist-odds-exact = In a crew of { $crew } newcomers at the { $bank }, all with { $stake }, your answer returns on average{ $waged ->
    [0] {""}
   *[other] , wage included
  }, if the others stick: { $alone }. With a snitch among them: { $snitch }. With a double-crosser: { $crosser }.
heist-odds-exact-row = { $words } { $back }%
heist-odds-generous = A bank that returns over 100% pays back more than it takes in the long run.
heist-odds-house = Players of the house stake what the house lends them: what somebody takes from them, the house pays.
heist-rules-short = Bank Heist: stake with !heist 69, and the more of you, the bigger the bank. Whoever gets away wins more than the stake, whoever is caught loses it. Before that, everybody has one secret move (!moves).
heist-rules = Bank Heist: whoever types !heist and an amount within { $seconds } seconds robs a bank with the others. { $credits ->
    [0] The more heisters, the bigger the bank: it pays more on top of the stake and is harder to rob.
   *[other] More heisters and more { currency } make a bigger bank, which pays more on top of the stake and is harder to rob.
  } Everybody has dice of their own: who gets away has the stake back and the winnings, and who is caught loses the stake. !heist odds has the figures, !heist career what you have become.
heist-rules-getaway = Once the bank is named there are { $seconds } seconds for one move each, best whispered. !backout takes the stake back{ $daunting ->
    [0] {""}
   *[other] , which lowers the others’ chances
  }; !allin goes in alone with all you may stake; !doublecross is after what the others win, and !finger after double-crossers; !intel, !guard, !deposit, !withdraw and !changejobs are for heists to come. !help doublecross and so on explain them. Whoever says nothing goes in with the others.
heist-career-plain = { $job } Nothing else sets this career apart yet.
heist-career = { $job } { $banks }.
heist-career-employed = { $who } has a job at { $salary } a payday.
heist-career-unemployed = { $who } has no job; the next one will pay a little more than { $salary }.
heist-career-employed-share = { $who } has a job at { $share }% of the usual wage, which is { $percent }% of the stake.
heist-career-unemployed-share = { $who } has no job; the last one paid { $share }% of the usual wage, and the next pays a little more, up to all of it.
heist-career-row = { $bank }: { $chance }%, pays ×{ NUMBER($payout, maximumFractionDigits: 5) }, { $account } in the account, { $guards ->
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
heist-note-getaway = One move each; nobody sees yours. Without one you stick to the plan.
heist-note-answered = { $answer } You can still change it.
heist-note-next-time = This crew left without you; join the next one.
heist-note-storming = They are inside…
heist-note-over = The dust has settled.
heist-note-abandoned = Too few came; every stake has been returned.

# The picture of the result
heist-picture-away = { $away } of { $all } got away
heist-picture-alone-away = Got away
heist-picture-alone-caught = Caught
heist-picture-nobody = Nobody went in
heist-picture-cross = Double cross!
heist-picture-escaped = got away
heist-picture-caught = caught
heist-picture-returned = backed out
heist-phase-lobby = Lobby
heist-phase-getaway = Getaway
heist-phase-storming = Storming in
heist-button-join = Join with { $stake }
heist-button-leave = Leave
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
help-heist = opens or joins a heist; leave takes the stake back, rules explains it; also odds and career.
help-guncheck = stick to the plan (silence does the same).
help-backout = take your stake back; no pay this time.
help-allin = go in alone with all that you may stake and a loan; a failure loses it all.
help-changejobs = quit your job; every heist may bring a new one that pays a little more, up to the usual wage.
help-intel = if you succeed, everything won improves your odds at this bank for good.
help-guard = a better chance at this bank, for 1 of your { currency } at every payday; a guard unpaid leaves.
help-deposit = if you succeed, everything won goes to your account at this bank, where nobody can take it.
help-withdraw = if you succeed, your account at this bank comes out with you.
help-doublecross = take from what the others win; it fails if too many try.
help-finger = if you succeed, look for double-crossers; each of them pays you a fine.

# Settings
unit-heists = {" "}(heists)
unit-stakes = {" "}(stakes)
expects-getaway = 0 for none, or 5 to 600 seconds
expects-levels = five rising numbers of heisters from 0 or 1, such as 0/20/40/60/80, or shares of those active, such as 0%/15%/30%/45%/60%
expects-chances = five chances in percent, such as 54/48.8/42.5/38.7/32.4
expects-odds = five winnings on top of the stake, such as 0.8/1.1/1.3/1.65/1.95
expects-number = a number from 0 to { $most }, such as 1.5
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
setting-heist-house_stakes = whether players of the house stake credits; off: they join for honour, so that nobody can take from them what the house has lent
setting-heist-house_strategies = how the players of the house play: names with / between them, drawn for each heist, or any
setting-heist-payday = whether every heist ends with a payday: interest, hiring, salaries and bribes
setting-heist-active = minutes after their last line for which members count as active
setting-heist-levels = from how many heisters on each bank is robbed, in heads or as shares of those active
setting-heist-chances = the chance at each bank, in percent
setting-heist-odds = the winnings at each bank, on top of the stake
setting-heist-level_credits = staked credits that count as one more heister when the bank is chosen; 0 if heads alone count
setting-heist-daunting = whether those who back out lower the chances of those who stay
setting-heist-all_in_gross = whether a success of !allin returns the stake on top of the winnings
setting-heist-wage_percent = salary, and loan of !allin, in percent of the own stake; 0 for those of the contest, paid to all who are active
setting-heist-wage_most = the most that such a salary or loan is; 0 for no limit
setting-heist-interest = percent by which bank accounts grow with each heist
setting-heist-cross_loyal = how many must not double-cross for a double cross to count as one; 0 for any number
setting-heist-cross_escape = whether only double-crossers who get away take anything
setting-heist-cross_reserve = own stakes that a double-crosser must still hold, for the fine
setting-heist-cross_percent = percent of what each of the others won that double-crossers take together; 0 for everything
setting-heist-cross_stakes = own stakes that one double-crosser takes at most; 0 for no limit
setting-heist-finger_stakes = the fine of a double-crosser who is found, in stakes; 0 for a quarter of the wallet
setting-heist-snitch_stakes = own stakes that a snitch takes at most; 0 for no limit
setting-heist-taken_most = the credits that one member gets at most in a heist of what others won or held; 0: no limit
setting-heist-split_stakes = own stakes that a member gets at most of what is divided among the loyal in proportion to stakes; 0 for equal shares without a limit
setting-heist-penalty_most = how far penalties lower odds, and chances (0.05 are 5 points), below the bank’s; 0 for no limit
setting-heist-odds_most = how far intel raises odds above the bank’s; 0 for no limit
setting-heist-chance_most = percentage points by which guards raise a chance above the bank’s; 0 for no limit
setting-heist-return_most = the most, in percent, that own chance × payout comes to; 0 for no limit
setting-heist-regular_bonus = what regulars who get away are paid on top, in percent of their stake; refused if more than 100% of a stake could come back
setting-heist-subscriber_bonus = what subscribers who get away are paid on top, in percent of their stake; only the highest bonus of a member counts
setting-heist-vip_bonus = what VIPs who get away are paid on top, in percent of their stake; only the highest bonus of a member counts
setting-heist-season_heists = heists in a season; 0 for no such limit
setting-heist-season_days = days in a season; 0 for no such limit
setting-heist-season_resets = what starts again with a new season: nothing, careers or everything
setting-heist-theme = the theme in which heists are told, at once: bank is the usual one
setting-heist-prediction = whether viewers can bet channel points on each heist, by a prediction of Twitch
option-heist-stake = Credits such as 69, 1k, 25%, half or all; or leave, start, rules, odds or career

heist-odds-answers = Whoever goes !allin is paid the winnings alone, on all that they have and { $loan } more, and gets no salary for that heist. Guards and intel better your own odds with time; double-crossers and snitches take what others won.
heist-odds-lent = Whoever goes !allin is lent the wage instead of getting it. Guards and intel better your own odds with time; double-crossers and snitches take what others won.
heist-odds-bounded = What one takes, another had won: double-crossers take at most { $percent }% of what each of the others won and { $stakes } times their own stake, need { $loyal } others who do not cross, and pay { $fine } times their own stake if somebody gives them away.
heist-odds-wage = Whoever stays gets a wage of { $percent }% of the stake{ $most ->
    [0] {""}
   *[other] , at most { $most }
  }; whoever goes !allin gets that as a loan instead.
heist-odds-careers = With the best guards and intel that money can buy, at most { $back }% comes back.
heist-odds-bonus = Who gets away is paid more on top, in percent of the stake: { $rows }. With it at most { $back }% comes back.
heist-odds-bonus-row = { $role } { $percent }%
heist-bonus-high = With this bonus up to { $back }% of a stake could come back, and at most 100% may: choose a lower one, or lower what the banks pay first.
heist-bonus-unbounded = A bonus needs a limit on what guards and intel can add: set return_most first, or choose the preset stream or deepbot.
heist-odds-gift = No salary is paid, so the loan of !allin is a gift: of a stake of { $stake } by somebody who has nothing else, { $back }% comes back.
why-payday = payday
why-all-in = all in
why-all-in-won = won all in
why-bribes = guards
why-finger = finger
why-stitches = stitches
why-double-cross = double cross
why-double-cross-undone = double cross undone
why-double-cross-sprung = double cross sprung
preset-heist-stream = for years of evenings: stakes of 20 to 5,000, banks by the crew alone, wages by the stake, limits on what one takes from others
preset-heist-contest = the programming contest: any stake, up to 220 of the rabble, salaries of 240, no limits
preset-heist-deepbot = one round without answers or salaries: 120 seconds to join, 600 of rest, banks from 1/10/20/30/40 heisters
preset-heist-small = the contest without the rabble, banks from 1/2/4/7/10 heisters
about-heist = Bank Heist: rob a bank together. The more come, the bigger the bank; whoever gets away is paid more than the stake, whoever is caught loses it.
example-heist = !heist 69

# Names of slash commands and of their options, as Discord lists them: lower case, no blanks.
slash-name-heist = heist
slash-name-guncheck = guncheck
slash-name-backout = backout
slash-name-allin = allin
slash-name-changejobs = changejobs
slash-name-intel = intel
slash-name-guard = guard
slash-name-deposit = deposit
slash-name-withdraw = withdraw
slash-name-doublecross = doublecross
slash-name-finger = finger
