# Who may use a command, how often, and when games are open at all.

# Permissions
help-permit = says who may use a command, or lets only members of that role and above use it.
option-permit-command = The command
option-permit-role = The least role that may use it; left out, you are told which it is
permit-all = { $word } is for everybody.
permit-is = { $word } is for { $role }.
permit-opening = { $word } is for { $role } in all that it does: opening, joining, questions. To limit only who opens a game: { $set } and { $permit }

# Cooldowns
help-cooldown = says how often a command may be used, or changes it: seconds for the room, seconds for each member, and uses of each member in 24 hours, such as 5/60/3.
slash-cooldown = says how often a command may be used, or changes it.
option-cooldown-command = The command
option-cooldown-value = Seconds for the room/for each member/uses in 24 hours, such as 5/60/3; off or default
setting-cooldowns = how often the command may be used: seconds for the whole room, seconds for each member, and uses of each member in 24 hours; what is usual counts only where answers are read by all, as on Twitch
expects-cooldown = off, a time for each member (30 or 30s), or times for the room and for each member (5/60 or 5s/1m), with uses in 24 hours if you like (5/60/3); at most { $longest } seconds and { $most } uses
cooldown-none = { $word } can be used as often as anybody likes.
cooldown-room = { $word } rests for { $wait } in the whole room after each use.
cooldown-member = { $word } rests for { $wait } for each member after their use.
cooldown-uses = { $word } can be used { $uses ->
    [one] once
   *[other] { $uses } times
  } by each member in 24 hours.
limit-room = { $word } rests here; it can be used again in { $wait }.
limit-member = You have just used { $word }; you can use it again in { $wait }.
limit-uses = You have used { $word } as often as anybody may in 24 hours ({ $uses }); you can use it again in { $wait }.
limit-of-moderators = { $word } is for moderators of the room, and has no cooldown.
limit-never = { $word } can have no cooldown: it has to be there whenever somebody needs it.
lasting-seconds = { $seconds ->
    [one] { $seconds } second
   *[other] { $seconds } seconds
  }
lasting-minutes = { $seconds ->
    [0] { $minutes } min
   *[other] { $minutes } min { $seconds } s
  }
lasting-hours = { $minutes ->
    [0] { $hours } h
   *[other] { $hours } h { $minutes } min
  }

# When games are open
setting-room-only_live = whether games can be started only while the stream is on; games that are being played go on
setting-room-proofs = whether the hashes and seeds that prove the draws are shown at every table; otherwise !fair and !verify show them on request
setting-room-threads = whether a table of a long game gets a thread in Discord, in which it is told; its board and its result stay in the channel
only-live = Games can be started here only while the stream is on.
games-paused = No new games for now: a moderator has paused them. What is being played goes on.
game-off = { $game } is switched off here.
