# Bank Heist among the stars. Every station is called in such a way that “the” fits before its name.

heist-title = Space Heist

heist-bank-0 = Lunar Depot
heist-bank-1 = Orbital Exchange
heist-bank-2 = Asteroid Treasury
heist-bank-3 = Nebula Mint
heist-bank-4 = Galactic Reserve
heist-look = space

# The lobby
heist-opened = { $who } plots a course to somewhere rich and stakes { $stake }! Board with !heist and an amount; launch in { $seconds } seconds.
    .text-2 = “The station sleeps at this hour,” says { $who }, and stakes { $stake }. Board with !heist and an amount; launch in { $seconds } seconds.
    .text-3 = { $who } has half a ship, a whole plan and { $stake }. Be the other half with !heist and an amount; the airlock closes in { $seconds } seconds.
    .text-4 = Attention, all decks: { $who } stakes { $stake } on a little detour. !heist and an amount gets you a seat; launch in { $seconds } seconds.
    .text-5 = { $who } has painted “Pizza Delivery” on the ship and stakes { $stake }. Climb aboard with !heist and an amount; launch in { $seconds } seconds.
    .text-6 = Gravity is a law, and { $who } breaks laws, starting with { $stake }. Join with !heist and an amount; launch in { $seconds } seconds.
heist-joined = { $who } beams aboard with { $stake }; the crew is { $crew } now.
    .text-2 = { $who } squeezes into a space suit and brings { $stake }. Crew: { $crew }.
    .text-3 = Docking complete: { $who } is aboard with { $stake }. Crew, humans or similar: { $crew }.
    .text-4 = { $who } drifts in through the airlock with { $stake }; that makes { $crew } of you.
    .text-5 = “Is this the shuttle to work?” { $who } stays anyway and stakes { $stake }. Crew: { $crew }.
    .text-6 = { $who } takes the seat next to the escape pod and stakes { $stake }; the crew is { $crew }.
heist-you-joined = You are aboard with { $stake }.
heist-reached = { $crew ->
    [1] A crew of one
   *[other] The crew of { $crew }
  } can dock at the { $bank } now!
    .text-2 = Crew: { $crew }. The { $bank } is within sensor range!
    .text-3 = On the star map the { $bank } suddenly looks small. Crew: { $crew }!
    .text-4 = A new course, if you dare: the { $bank }! Crew: { $crew }.
    .text-5 = The navigator rubs out the old orbit and writes “{ $bank }”. Crew: { $crew }.
    .text-6 = The autopilot asks “are you sure?”, because it may be the { $bank } now. Crew: { $crew }!
heist-abandoned = Launch cancelled: { $crew ->
    [0] nobody is aboard
    [one] only one person came
   *[other] only { $crew } people came
  }, and it takes { $wanted }. Every stake has been returned.
heist-too-late = The ship has left without you; this heist takes nobody aboard any more.
heist-left = { $who } takes the escape pod with { $stake }; { $crew ->
    [0] nobody is aboard any more
   *[other] the crew is { $crew } now
  }.
heist-you-left = You are back on solid ground, and have your { $stake } back.
heist-leave-too-late = The time to leave is over: the ship is on its way.

# The getaway
heist-going = { $crew ->
    [1] a crew of one
   *[other] a crew of { $crew }
  }{ $rabble ->
    [0] {""}
    [one] {" "}and a stowaway
   *[other] {" "}and { $rabble } stowaways
  }
heist-targeted = Course set for the { $bank }: { heist-going } with { $staked } at stake.
    .text-2 = The { $bank } fills the window. Aboard: { heist-going }; at stake: { $staked }.
    .text-3 = Engines off, lights out, drifting to the { $bank }: { heist-going } with { $staked } at stake.
    .text-4 = Docking request sent to the { $bank }, signed “cleaners”: { heist-going } with { $staked } at stake.
    .text-5 = The { $bank } has no idea what is coming: { heist-going } with { $staked } at stake.
    .text-6 = Point of no return, the { $bank } straight ahead: { heist-going } with { $staked } at stake.
heist-no-getaway = There is nothing to answer now; moves are for the approach, after the station is named.
heist-guards-enough = More guards cannot better your chance at this station any more. Choose another move.
heist-intel-enough = Your odds at this station are as good as intel can make them. Choose another move.
heist-act-allin = You are jumping across alone, with all that you may stake.
heist-act-intel = You stick to the plan; a success pays for better odds at this station.
heist-act-guard = You stick to the plan, and bribe a guard for a better chance at this station.
heist-act-deposit = You stick to the plan; a success goes to your account at this station.
heist-act-withdraw = You stick to the plan; a success empties your account at this station.

# The outcome
heist-storming = { $committed ->
    [one] One space suit floats into the { $bank }…
   *[other] { $committed } space suits float into the { $bank }…
  }
    .text-2 = The airlock of the { $bank } hisses: { $committed ->
        [one] one in, nobody out yet…
       *[other] { $committed } in, none out yet…
      }
    .text-3 = Magnetic boots on. { $committed ->
        [one] One against the whole { $bank }, and the air is running out…
       *[other] { $committed } against the { $bank }, and the air is running out…
      }
    .text-4 = “Nobody move, this is a docking error!” { $committed ->
        [one] The { $bank } has one uninvited guest…
       *[other] The { $bank } has { $committed } uninvited guests…
      }
    .text-5 = A neat round hole opens in the hull of the { $bank }. { $committed ->
        [one] One heister climbs through it, all alone…
       *[other] { $committed } heisters climb through it…
      }
    .text-6 = Red lights, sirens, no gravity: { $committed ->
        [one] one heister is inside the { $bank }, upside down…
       *[other] { $committed } are inside the { $bank }, upside down…
      }
heist-storming-fewer = { $committed ->
    [0] { $heisters ->
        [1] The only heister holds on to the airlock of the { $bank } and goes no further…
       *[other] All { $heisters } hold on to the airlock of the { $bank } and go no further…
      }
    [one] One of { $heisters } heisters floats into the { $bank }; nobody else lets go of the ship…
   *[other] { $committed } of { $heisters } heisters float into the { $bank }; not everybody lets go of the ship…
  }
heist-nobody-went = Nobody left the ship. On the { $bank } nobody looked up from their soup.
heist-solo-success = { $who } floats out of the { $bank } with the money!
    .text-2 = { $who } leaves the { $bank } by the main airlock, whistling. In space nobody hears it.
    .text-3 = The cameras of the { $bank } show { $who } as a passing comet. Gone!
    .text-4 = One suit, one jetpack, no witnesses: { $who } got away from the { $bank }.
    .text-5 = { $who } was in and out of the { $bank } before the soup tube was empty.
    .text-6 = The security robot of the { $bank } wishes { $who } a pleasant flight. Gone!
heist-solo-failure = { $who } is caught in the vault of the { $bank }, floating.
    .text-2 = { $who } pressed the only red button of the { $bank }. It was the alarm.
    .text-3 = The tractor beam of the { $bank } has { $who }, and it is not letting go.
    .text-4 = { $who } forgot the magnetic boots and drifted past every guard of the { $bank }. Caught!
    .text-5 = The airlock of the { $bank } asked { $who } for the password. It was not “please”.
    .text-6 = { $who } waved at a passing satellite. It belonged to the { $bank }. Caught!
heist-all-escape = A clean orbit: { $went ->
    [2] both
   *[other] all { $went }
  } got away from the { $bank }!
    .text-2 = Warp speed! { $went ->
        [2] Both
       *[other] All { $went }
      } left the { $bank } far behind!
    .text-3 = The { $bank } weighs its vault and finds it weightless: { $went ->
        [2] both
       *[other] all { $went }
      } are gone!
    .text-4 = { $went } docked, { $went } took off again. The { $bank } is still counting!
    .text-5 = The hold is full and the tank is not empty: { $went ->
        [2] both
       *[other] all { $went }
      } made it out of the { $bank }!
    .text-6 = One small step out of the { $bank }, one giant leap for the wallet: { $went ->
        [2] both
       *[other] all { $went }
      } are free!
heist-most-escape = The tractor beam of the { $bank } was slow: { $won } of { $went } got away!
    .text-2 = That went well: { $won } of { $went } made the jump from the { $bank }!
    .text-3 = The patrol of the { $bank } took the wrong turn at the moon: { $won } of { $went } got away!
    .text-4 = Some seats stay empty, but { $won } of { $went } got off the { $bank }!
    .text-5 = { $won } of { $went } reached the ship before the { $bank } closed its gates!
    .text-6 = Steam, sparks, a ventilation shaft: { $won } of { $went } slipped out of the { $bank }.
heist-few-escape = The { $bank } had its shields up: only { $won } of { $went } got away.
    .text-2 = Laser beams from all sides: { $won } of { $went } got out of the { $bank }.
    .text-3 = The ship leaves the { $bank } almost empty: { $won } of { $went } made it.
    .text-4 = The robots of the { $bank } worked overtime: only { $won } of { $went } got past them.
    .text-5 = Somebody at the { $bank } switched gravity back on. Only { $won } of { $went } got away.
    .text-6 = Of { $went } who jumped from the { $bank }, { $won } jumped in the right direction.
heist-none-escape = It was a decoy! { $went ->
    [2] Neither of the two
   *[other] None of the { $went }
  } got away from the { $bank }.
    .text-2 = The { $bank } locks its airlocks from the outside. { $went ->
        [2] Neither of the two
       *[other] None of the { $went }
      } got away.
    .text-3 = The cleaning robots of the { $bank } were police robots. { $went ->
        [2] Neither of the two
       *[other] None of the { $went }
      } got away.
    .text-4 = { $went } docked, none took off again. The { $bank } has soup for everybody.
    .text-5 = The ship was parked in a no-parking orbit, and towed. { $went ->
        [2] Neither of the two
       *[other] None of the { $went }
      } got far from the { $bank }.
    .text-6 = The tractor beam of the { $bank } collects things. { $went ->
        [2] Neither of the two
       *[other] None of the { $went }
      } got away.
heist-rabble = Of the stowaways, { $won } of { $went } got away.
heist-crossed = Double cross! { $crossers } made off with { $loot } of what the others had won.
    .text-2 = While everybody looked at the stars, { $crossers } took { $loot } of what the others had won.
    .text-3 = The hold is too light: { $crossers } ran off with { $loot } of the others’ winnings!

# Odds and the board
heist-odds-generous = A station that returns over 100% pays back more than it takes in the long run.
heist-fact-bank = Station
heist-fact-rabble = Stowaways
heist-note-lobby = Board with !heist and an amount.
heist-note-next-time = This ship left without you; board the next one.
heist-note-storming = They are aboard the station…
heist-note-over = The stardust has settled.
heist-phase-lobby = Boarding
heist-phase-getaway = Approach
heist-phase-storming = Docking
