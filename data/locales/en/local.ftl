# What the local chat says for itself; the words of its page are in page.ftl.

local-room = Local chat
local-no-name = A name needs at least one letter or digit; please choose another.
local-name-taken = That is the bot’s own name; please choose another.
local-name-command = A name cannot begin with “!”: enter your name first, and commands afterwards.
local-no-role = There is no such role.
local-not-in = That viewer has not entered the chat.
local-full = There are { $most } viewers in this page already; remove one first.
local-too-long = That is too long: { $most } characters are the limit.
local-too-fast = That came too fast and was not heard; please wait a few seconds.
local-crowd-size = A crowd has 0 to { $most } viewers.
local-not-understood = The page said something that is not understood; please reload it.
local-guest = Guests enter as viewers; only whoever sits at the machine of the bot may do that.
local-not-your-table = Only the one who plays at that table can hurry it.
a-viewer = Viewer
a-regular = Regular
a-subscriber = Subscriber
a-vip = VIP
a-moderator = Moderator
a-broadcaster = Broadcaster
