# What keepers of a room do: settings and their switches, what was changed, and taking it back.

help-settings = shows the settings of a group, or explains one of them; alone, the room’s own and all groups.
help-set = changes a setting, or takes it back with “default”; a table that stands keeps the settings that it was opened with.
slash-set = changes a setting, or takes it back with “default”.
help-enable = lets a game be opened here again.
help-disable = keeps a game from being opened here; a table that stands goes on.
help-alias = lets a word of your own stand for a command and what belongs behind it; “off” takes it away.
help-talk = how much is said here: quiet, normal or full.
help-pause = lets no game be opened here until it is taken back; tables that stand go on.
help-unpause = lets games be opened here again.
option-settings-group = A game, or another group such as room
option-settings-key = One setting, to have it explained
option-set-group = A game, or another group such as room
option-set-key = The setting
option-set-value = The new value, or default; -- and a reason
option-enable-game = The game
option-disable-game = The game
option-alias-new = The new word
option-alias-old = The command that it stands for, or off
option-talk-level = How much is said

# Settings
group-unknown = There are no settings called “{ $text }”; there are: { $known }.
settings-groups = Others: !settings and one of { $groups }.
settings-none = { $game }: nothing was set yet. For example: { $example }
settings-more = { $game } also has: { $keys }.
setting-explained = { $key } is { $value }: { $help }. It takes { $expected }; the default is { $default }. Example: { $example }
setting-same = { $game }: { $key } is { $new } already, so nothing changes.
preset-same = { $game }: the preset { $preset } is chosen already, with nothing changed on top of it.
value-default = its default
value-none = nothing
setting-room-paused = whether no game can be opened for now
setting-games = whether the game can be opened here
setting-aliases = what the word stands for
expects-command = a command, with whatever belongs behind it
alias-wrong = “{ $word }” cannot stand for a command: it takes one plain word of letters and digits, of at most { $most } characters.
alias-taken = “{ $word }” is a command already, so it cannot stand for another.
alias-there = “{ $word }” stands for “{ $old }” already; take that away first, with off.

# What was changed, and taking it back
help-audit = what keepers changed here, newest first, with the numbers that !undo takes.
help-undo = takes back what a keeper changed last, or what !audit shows with this number.
option-audit-count = How many to list
option-undo-number = The number that !audit shows; the newest if left out
audit-empty = Keepers have changed nothing here yet.
deed = #{ $number } { $who }, { $ago }: { $changes }{ $why }
deed-undo = #{ $number } { $who }, { $ago }, taking something back: { $changes }{ $why }
deed-why = {" "}({ $why })
changes = { $changes }
change-setting = { $group } { $key }: { $old } → { $new }
change-money = { currency } of { $who }: { $old } → { $new }
change-season = season of { $subject }: { $old } → { $new }
change-forgetting = a member was forgotten
change-link = link of { $subject }: { $old } → { $new }
ago = { $span } ago
span-days = { $count } d
span-hours = { $count } h
span-minutes = { $count } min
span-seconds = { $count } s
undo-done = Taken back (#{ $number }): { $changes }.
undo-nothing = There is nothing left here that could be taken back.
undo-unknown = There is no #{ $number } here; !audit shows the numbers.
undo-undone = #{ $number } was taken back already.
undo-impossible = #{ $number } cannot be taken back.
undo-changed = #{ $number } cannot be taken back, for this was changed again since: { $change }.
undo-short = #{ $number } cannot be taken back, for { $who } has only { $balance } left.
