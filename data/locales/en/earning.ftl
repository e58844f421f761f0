# What members earn by being there, and whom their moderators name.

earned-follow = Thank you for the follow, { $who }: { $credits } for you.
earned-subscribe = Thank you for subscribing, { $who }: { $credits } for you.
earned-cheer = Thank you for the bits, { $who }: { $credits } for you.
earned-raid = Thank you for the raid, { $who }: { $credits } for you.
claimed = { $who } claims { $credits }; the next claim is in { $time }.
claimed-already = You have claimed already; the next claim is in { $time }.
claim-none = There is nothing to claim here.
claim-live-only = You can claim only while the stream is on.
upkeep-taken = Today’s upkeep: { $credits }, { $percent }% of what you hold above { $above }.
earns-nothing = You are on the list of those who earn nothing here; a moderator can take you off it with !exclude and your name and off.

regular-now = { $who } is a regular now.
regular-not = { $who } is no regular any more.
excluded-now = { $who } earns nothing here from now on, and is left out of rankings.
excluded-not = { $who } earns and ranks here like everybody else.
named-already = { $who } is that already; nothing was changed.

help-claim = gives you the daily { currency }, once in every period.
help-regular = makes a member a regular, or takes it back.
help-exclude = lets a member (such as another bot) earn nothing and rank nowhere, or takes it back.
option-regular-member = who
option-regular-off = off takes it back
option-exclude-member = who
option-exclude-off = off takes it back

expects-name = a name of at most { $most } characters
expects-account = “{ $key }” is no account: it is written like twitch:4242.
unit-percent = {" "}(percent)
unit-messages = {" "}(messages)

setting-regulars = an account that is a regular, and a name to show
setting-excluded = whether an account earns nothing and is not ranked; no lets a known bot take part
setting-earning-watch = what watching earns in each period of watch_minutes while the stream is on
setting-earning-watch_offline = the same while no stream is on, for members who talk
setting-earning-watch_minutes = how long such a period is
setting-earning-watch_active = how recently members must have talked to be paid for watching; 0: being there is enough
setting-earning-talk = what every talk_messages messages earn while the stream is on
setting-earning-talk_offline = the same while no stream is on
setting-earning-talk_messages = how many messages are paid together
setting-earning-talk_gap = how far apart two messages of a member must be to count both
setting-earning-follow = what following the channel earns, once ever
setting-earning-subscribe = what a subscription earns, each time it is announced
setting-earning-cheer = what 100 bits earn; fewer earn their share, rounded down
setting-earning-raid = what the leader of a raid earns
setting-earning-raid_viewers = what every 10 viewers who come along add to it
setting-earning-claim = what !claim gives; 0: nothing can be claimed
setting-earning-claim_hours = the length of the periods in each of which it can be claimed once
setting-earning-claim_live = whether it can be claimed only while the stream is on
setting-earning-daily_most = the most that a member earns on one day by watching, talk and raids together; 0: no limit
setting-earning-upkeep = what an active member pays once a day of what they hold above upkeep_above; 0: nothing
setting-earning-upkeep_above = the credits that cost no upkeep
setting-earning-stacking = of several roles, whether the highest percentage counts, or what all of them add
setting-earning-regular = what a regular gets of all this
setting-earning-subscriber = what a subscriber gets of all this
setting-earning-vip = what a VIP gets of all this
setting-earning-moderator = what a moderator gets of all this
setting-earning-broadcaster = what the streamer gets of all this
