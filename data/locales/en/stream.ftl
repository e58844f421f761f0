# The overlay of a stream, as the broadcaster is told of it.

help-overlay = tells you alone the address of the overlay that shows the games on your stream.
stream-address = Put this into OBS as a browser source of 1920 × 1080: { $address } – show it to nobody.
stream-renewed = The former address of the overlay is dead. Put this into OBS instead: { $address } – show it to nobody.
option-overlay-new = To replace the address, of which the former is dead at once
stream-elsewhere = That is for you alone, and this chat is read by everybody. Run chatbot overlay on the computer of the bot.
stream-nowhere = Nothing is shown to streams here: start the bot by chatbot run.

# What viewers can buy for channel points

help-rewards = shows and changes what viewers can buy for channel points, which stakes for them (Twitch).
option-rewards-action = What is to be done; left out, all rewards are listed
option-rewards-text = To make one: GAME POINTS STAKE [SECONDS] [TITLE]; to change or remove one: its title
example-rewards = !rewards make heist 500 100
rewards-usage = Type !rewards make GAME POINTS STAKE and perhaps seconds and a title; !rewards change TITLE and cost, stake, cooldown or title with what is new; or !rewards remove TITLE.
rewards = Sold for channel points: { $rows }
rewards-none = Nothing is sold for channel points here yet; !rewards make heist 500 100 makes a reward.
rewards-row = { $title }, { $cost ->
    [one] one point
   *[other] { $cost } points
}: { $game } with { $stake }{ $seconds ->
    [0] {""}
    [one] , once in a second
   *[other] , once in { $seconds } seconds
}
rewards-row-stakeless = { $title }, { $cost ->
    [one] one point
   *[other] { $cost } points
}: it is not known what it stakes, so remove it
rewards-removed = { $title } is not sold any more.
rewards-title = A title has 1 to { $most } characters.
rewards-no-lobby = Points can stake only in games with a lobby: { $known }.
rewards-unknown = I have made no reward with that title; !rewards lists them.
rewards-stakeless = It is not known what that reward stakes; remove it, and make it again.
rewards-waiting = Somebody has bought that reward, and it is not settled yet. Try again when the lobby is closed.
rewards-title-taken = This channel has a reward with that title already; add another title.
rewards-too-many = This channel has as many rewards as Twitch allows; remove one first.
rewards-no-affiliate = Twitch refuses it: only affiliates and partners have channel points, and a reward can be changed only by the program that made it.
rewards-trouble = Twitch did not do it, and nothing was changed; please try again later.
rewards-off = I may not sell anything for this channel’s points yet. On the computer of the bot, the streamer turns it on by chatbot connect twitch --broadcaster --points.
rewards-elsewhere = Channel points are Twitch’s; use this command in the chat there.
