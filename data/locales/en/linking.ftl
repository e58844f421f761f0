# One person on two platforms, and one community on both.

help-link = joins your wallets of two platforms: ask on Discord, then type the code here.
option-link-code = The code that you were told elsewhere, or yes
help-unlink = parts accounts that were joined with !link; the wallet stays with the first.
help-bridge = joins a Twitch chat to a Discord channel: one room, one wallet.
option-bridge-code = The code of the other chat, or end

code-wrong = This code is wrong, was used already, or is older than ten minutes; ask for a new one.
code-tries = Too many wrong codes; try again in { $minutes ->
    [one] a minute
   *[other] { $minutes } minutes
  }.

link-not-here = Nobody can prove here who they are; link your accounts on Discord and Twitch.
link-elsewhere = Type !link on Discord first; the bot tells you a code there that you then type here.
link-code = Type !link { $code } on the other platform within ten minutes, and show the code to nobody. Then both play with one wallet.
link-same-platform = This code is for another platform than { $platform }; nobody is linked twice on one.
link-offer = This joins your wallet with that of { $who } on { $platform }. If that is you, type !link yes within a minute; if not, do nothing.
link-too-much = Your wallet would bring more along than the { $left } that can come to the other account today. A moderator can raise this limit by !set credits taken_daily.
link-seated = Both accounts sit at one table; link them when it is over.
link-no-offer = There is nothing to agree to; type !link and a code first.
link-already = One of the two is linked already; !unlink parts them.
link-most = No more than { $most } accounts can be linked with one.
link-moved = { $amount ->
    [0] Nothing had to be moved.
   *[other] { $moved } went along.
  }
link-done = You now play with the wallet of { $who } on { $platform }. { $moved } If you !unlink later, the wallet stays there, and you begin again with nothing.
link-none = Nobody is linked with you.
unlink-done = { $who } on { $platform } has a wallet of its own again, with nothing in it; the credits stay where they were.

bridge-not-here = Only a Discord channel and a Twitch chat can be joined.
bridge-elsewhere = Type !bridge on Discord, in the channel that this chat is to join; the bot tells you a code there.
bridge-code = Type !bridge { $code } in the Twitch chat within ten minutes, as its owner. It then joins this channel: its games, its settings and its wallet; and its owner and moderators count as such here too.
bridge-same-platform = A chat can only join one of another platform, which has none of its own yet.
bridge-already = This community is joined with another already; !bridge end parts them.
bridge-table = { $game } is being played here; wait for its end, or end it with !cancel { $word }.
bridge-none = No other chat is joined with this one.
bridge-done = This room is now on { $host } and { $guest }: the same games in both chats, and one wallet for everybody.
bridge-other = the other chat
bridge-ended = { $guest } and { $host } have parted: each chat has its own games again, and what was brought along went back as far as it is still there.
