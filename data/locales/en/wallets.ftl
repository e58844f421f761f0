# Wallets: gifts and their limits, what moderators give and take, where credits went, and who stands where.

setting-credits-give_start = whether what everybody starts with may be given away; no keeps many new accounts from funding one
setting-credits-give_most = the largest gift; 0 is no limit
setting-credits-give_daily = what a member may give away on one day (UTC) in all; 0 is no limit
setting-credits-taken_daily = what a member may get of others on one day (UTC) in all: gifts, linked wallets and what is won of players; 0 is no limit
setting-credits-house_daily = what the house’s players may lose to one member on a day (UTC), over all games; beyond it, and with 0, they play for honour
setting-credits-give_age = how long somebody must have been known here before they may give; 0 is at once
setting-credits-grant_most = the most that one !grant or !take may move
setting-credits-grant_daily = what a moderator may give by !grant on one day (UTC) in all, also if it is taken back
setting-credits-grant_confirm = what a moderator may give by !grant on one day (UTC) in all, and what settings may make on a day beyond the defaults, before another moderator has to confirm it
setting-credits-skip_gone = whether rankings leave out who has left, as from a Discord server; no marks them

# Gifts
give-excluded = { $who } is on the list of those who earn nothing here, so nothing was given.
give-most = The largest gift here is { $most }.
give-start = { $spare ->
    [0] The first { $start }, with which everybody starts, cannot be given away; what you win or earn above them can.
   *[other] The first { $start }, with which everybody starts, cannot be given away; you can give up to { $left }.
  }
give-daily = Nobody may give away more than { $most } a day; today you can still give { $left }. A new day begins in { $wait }.
receipts-own = You could win { $credits } of others here, and may get only { $left } more of others today: gifts and what is won of other players are at most { $most } a day. Stake less, or come back in { $wait }.
receipts-other = { $who } could win { $credits } of others then, and may get only { $left } more of others today: at most { $most } a day. That changes in { $wait }.
lobby-honour = If nobody else joins, this is for honour, and your { $stake } come back: { $reason }
lobby-honour-only = players of the house play for honour only here.
lobby-honour-strategies = no player of the house plays such a game for { currency }.
lobby-honour-most = players of the house lose at most { $most } a day to anybody.
lobby-honour-limit = players of the house may lose { $left } more to you today, of { $most } a day. That changes in { $wait }.
lobby-returned = Nobody else came: the { $stake } of { $who } come back, and a player of the house plays for honour.
lobby-button-start = Start now
lobby-started = { $who } waits for nobody else.
lobby-you-started = Here we go!
lobby-start-too-late = It has begun already.
lobby-start-not-in = Only those who are in can start it: join first.
lobby-start-others = You are not alone in it: it starts by itself when the time is up.
lobby-start-company = Others are here who may want to join: the lobby closes by its clock.
lobby-start-nobody = It takes one more to play; somebody has to join first.
give-taken = Nobody may get more than { $most } in gifts a day; today { $who } can still get { $left }. A new day begins in { $wait }.
give-too-new = You may give { currency } { $hours ->
    [one] one hour
   *[other] { $hours } hours
  } after you came here first; that is in { $wait }.

# What moderators give and take
help-grant = gives a member { currency } out of nothing; why may follow. !undo takes it back.
help-take = takes { currency } from a member, who must have them; why may follow. !undo gives them back.
help-creditsset = brings a member to so many { currency }, by a grant or a take; also !credits set.
option-grant-member = Who gets them
option-grant-amount = Credits such as 69, 5k or 1m
option-grant-reason = Why, for the record
option-take-member = From whom
option-take-amount = Credits such as 69, 1k, 25%, half or all
option-take-reason = Why, for the record
option-creditsset-member = Whose credits
option-creditsset-amount = How many credits they have then, such as 500, 5k or 0
option-creditsset-reason = Why, for the record
help-granthere = grants so much to everybody who is present; also !grant here.
help-grantregulars = grants so much to each regular; also !grant regulars.
help-rain = shares so much among everybody who is present: out of your wallet, or of a moderator out of nothing.
help-creditssetall = brings everybody to so many { currency }, after !confirm; also !credits set all.
option-granthere-amount = How much each gets, such as 69, 5k or 1m
option-granthere-reason = Why, for the record
option-grantregulars-amount = How much each gets, such as 69, 5k or 1m
option-grantregulars-reason = Why, for the record
option-rain-amount = How much all get together, such as 500, 5k or 25%
option-creditssetall-amount = How many credits each has then, such as 100, 5k or 0
option-creditssetall-reason = Why, for the record
crowd-granted = { $moderator } grants { $amount } each to { $crowd }{ $reason }, { $total } together{ $by }.
crowd-by = , confirmed by { $by }
crowd-ask = { $moderator } wants to grant { $amount } each to { $crowd }{ $reason }, { $total } together, which makes more than { $most } today.
crowd-who-here = { $count ->
    [one] the one who is present
   *[other] the { $count } who are present
  }
crowd-who-rain = { $count ->
    [one] the one who is present
   *[other] the { $count } who are present
  }
crowd-who-regulars = { $count ->
    [one] the one regular
   *[other] the { $count } regulars
  }
crowd-who-all = { $count ->
    [one] the one member
   *[other] all { $count } members
  }
crowd-nobody-here = Nobody else is present here, so nothing was paid.
crowd-unknown = Payments to many are for: { $known }.
crowd-nobody = Nobody has a wallet here yet.
crowd-no-regulars = There is no other regular. Name some with !regular @name.
crowd-too-many = These are { $count } people, and one payment reaches at most { $most }.
crowd-most = Together that is { $total }, and { $most } may be moved at once.
rained = { $who } lets it rain: { $amount } for each of { $count }.{ $full ->
    [0] {""}
   *[other] {" "}{ $full } may receive no more today.
  }
rain-too-little = That is less than one for each of { $count }.
rain-nobody = Nobody who is present may receive so much today, so nothing was given.
credits-set-all-ask = This brings { $count ->
    [one] one wallet
   *[other] { $count } wallets
  } to { $amount } each.
credits-set-all = { $moderator } sets { $crowd } to { $amount } each{ $reason }{ $by }.
credits-set-all-same = Everybody has { $amount } already.
credits-set-same = { $who } has { $balance } already.
granted = { $moderator } grants { $who } { $amount }{ $reason }.
granted-confirmed = { $moderator } grants { $who } { $amount }{ $reason }, confirmed by { $by }.
grant-ask = { $moderator } wants to grant { $who } { $amount }{ $reason }, which makes more than { $most } today.
grant-changed = The balance of { $who } has changed meanwhile, so nothing was granted.
taken = { $moderator } takes { $amount } from { $who }{ $reason }.
because = {" "}({ $reason })
grant-amount = “{ $text }” is no amount: write 69, 5k or 1m.
grant-signed = “{ $text }” is no grant. To take credits away: { $command }
grant-spaced = “{ $text }” can be read in two ways: write { $number } if it is one amount, or -- before the reason.
grant-share = “{ $text }” is a share, of which there is none here: write 69, 5k or 1m.
grant-most = That is more than may be moved at once: { $most }.
grant-daily = A moderator may grant no more than { $most } a day; today you can still grant { $left }. A new day begins in { $wait }.
take-short = { $who } has only { $balance }, so nothing was taken.

# What makes credits because somebody chose it
help-auditmint = what makes { currency } here because somebody chose it, newest first: grants, imports, points, and settings that pay more than the defaults; who chose it, what it made and for whom; also !audit mint.
option-auditmint-count = How many to list
raise-ask = { $who } wants to change { $changes }. This would make about { $credits } a day more than usual, if { $members } members come.
raise-most = This would make about { $credits } a day more than usual, if { $members } members come. More than { $most } a day only the broadcaster can let be made.
raise-changed = Something else has changed meanwhile, so nothing was changed.
raise-tomorrow = What pays more by this reaches you from tomorrow (UTC) on; today you get what you got before, or what is usual if that is less.
raise-exempt = { $who } is the broadcaster, so this pays them more at once.
raise-not-you = You have raised what this game pays today, so you can play it again in { $wait }.
consented = { $by } has confirmed that; !audit mint lists it.
audit-mint = What makes { currency } here by somebody’s choice, newest first: { $rows }
audit-mint-none = Nobody has chosen anything here that makes { currency }.
audit-mint-grant = #{ $number } { $moderator } to { $who }, { $ago }: { $amount }{ $reason }{ $by }{ $undone }
audit-mint-import = #{ $number } { $moderator }, { $ago }: import of { $amount } for { $members ->
    [one] one member
   *[other] { $members } members
  }{ $reason }{ $undone }
audit-mint-crowd = #{ $number } { $moderator }, { $ago }: { $changes }, { $amount } together{ $reason }{ $by }{ $undone }
audit-mint-policy = #{ $number } { $moderator }{ $as }, { $ago }: { $changes }{ $reason }{ $by }{ $undone }, has made { $amount }{ $receivers }{ $over }
audit-mint-by = , confirmed by { $who }
audit-mint-undone = , taken back
audit-mint-exempt = {" "}(broadcaster)
audit-mint-over = , until it was changed { $ago }
audit-mint-receivers = {" "}({ $rows })
audit-mint-receiver = { $who } { $amount }

# Where credits went
help-history = where your { currency } came from and went, newest first, with what you had after each; for moderators also somebody else’s.
slash-history = where your { currency } came from and went, newest first.
option-history-count = How many entries
option-history-member = Whose credits; yours if left out
history = { $who } has { $balance }. { $rows }
history-none = Nothing has come to { $who } or gone yet.
history-unclear = “{ $text }” is neither a number of entries from 1 to { $most } nor a name that is known here; write it like this: { $example }
history-others = Whose { currency } went where is for themselves and for { $role }.
history-row = { $when }: { $what } { $change } → { $balance }
history-game = { $game } { $table }
history-game-beside = { $game } { $table } (with { $parts })
history-beside = { $why } { $change }
history-part = { $game } { $table }, { $why }
history-open = { $game } { $table } (still being played)
history-gift-to = given to { $who }
history-gift-from = gift of { $who }
why-several = { $reasons }

why-welcome = start
why-welcome-more = start beyond the usual
why-welcome-returned = start given twice, taken back
why-season = new season
why-season-more = new season beyond the usual
why-grant = granted by a moderator
why-take = taken by a moderator
why-undo = taken back by a moderator
why-import = brought from another bot
why-repair = books corrected by the operator
why-inherit = brought along under this name
why-link = wallets joined or parted
why-watch = watching
why-watch-more = watching beyond the usual
why-talk = talking
why-talk-more = talking beyond the usual
why-follow = following
why-follow-more = following beyond the usual
why-subscribe = subscribing
why-subscribe-more = subscribing beyond the usual
why-cheer = cheering
why-cheer-more = cheering beyond the usual
why-raid = raiding
why-raid-more = raiding beyond the usual
why-claim = daily claim
why-claim-more = claim beyond the usual
why-upkeep = upkeep
why-allowance = lent by the house
why-voucher = stake paid with points
why-bankroll = made up to the house
why-cover = made up by the house
why-refund = stake returned
why-gift = gift
why-stake = stake
why-stake-returned = stake returned
why-winnings = winnings
why-loss = lost
why-won = winnings
why-back = stake returned

# Who stands where
help-rank = your place among all, or somebody else’s, and how far it is to the next.
help-career = what games remember of you, or of somebody else, such as the heist’s job, accounts, guards and odds.
slash-career = what games remember of you or of somebody else, such as jobs and accounts.
option-rank-member = Whose place; yours if left out
option-career-member = Whose career; yours if left out
rank = { $who } is in place { $place } of { $members } with { $balance }{ $gap }. { $details }
rank-gap = , { $gap } behind the next
rank-presence = Watched { $hours ->
    [0] { $minutes } min
   *[other] { $hours } h { $minutes } min
  }, { $messages ->
    [one] one message
   *[other] { $messages } messages
  }.
rank-title = Rank: { $title }.
rank-next-title = { $title } from { $amount }.
rank-regular = A regular here.
rank-no-regular = Not a regular yet.
rank-gone = Not here any more.
rank-none = { $who } is left out of the ranking here.
career-none = No game here keeps careers.

# Stakes that were paid with points of a platform
voucher-other-stake = This table is played for another stake than your points pay.
voucher-no-lobby = { $game } cannot be joined with points.
voucher-already-in = You are in already.
voucher-returned = { $why } You get your points back.
voucher-spent = Your stake was paid with points, which are spent since the lobby closed: if you stay out, nothing comes back to you. You are in again by another move.
