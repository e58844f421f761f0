# The streamer’s words, what credits are called, help, hints, and what may have been meant.

# What credits are called where no number stands before it; a community may call them otherwise.
currency = credits
# Which of the plural forms goes with a number: the first, the second … of those that are written with / between them.
credits-form = { $amount ->
    [one] 1
   *[other] 2
  }
credits-called = { $amount } { $unit }

setting-room-language = the language that the bot speaks here; auto is that of the program
setting-room-hints = whether somebody who plays a game for the first time is told in one line how it goes
setting-room-suggestions = whether a mistyped command is answered: with the one that may have been meant, or on the local page that there is none
setting-credits-name_en = what credits are called in English: the forms for one and for more, or one for both
setting-credits-name_ko = what credits are called in Korean
setting-credits-ranks = what members are called by their credits in !rank and !credits; none shows no ranks
expects-titles = none, or at most { $most } amounts that rise, each with a name of at most { $longest } characters and commas between, such as { $example }
expects-forms = a name of at most 20 letters or emoji for each plural form, with / between them, such as { $example }

# Texts
help-text = the streamer’s own words: lists what can be reworded, shows one text with its placeholders, changes it, or adds another that is told in turns with it.
slash-text = lists the streamer’s own words, shows one, or changes it.
option-text-key = Which text, such as entry or results
option-text-text = Text; or: add TEXT, remove 2, default
setting-texts = somebody’s own text in the place of the usual one; what is in braces is filled in
expects-text = a text of at most { $most } characters, with the placeholders of the usual one; several with || between them
text-list = Texts: { $keys }. { $count ->
    [0] None is changed here.
   *[other] Your own here: { $changed }.
  } !text and a name shows one with its placeholders, and !text NAME "…" changes it.
text-shown = { $key }: { $text }{ $count ->
    [0] {""}
   *[other] {" "}— to be filled in: { $places }
  }
text-set = { $key } is changed, and reads like this: { $preview }
text-back = { $key } is as usual again: { $preview }
text-added = { $key } has { $count ->
    [one] a text of your own now
   *[other] { $count } texts of your own now, told in turns
  }; the new one reads like this: { $preview }
text-there = { $key } has this text already, so nothing changes.
text-removed = Text { $number } of { $key } is removed ({ $count } left): { $text }
text-not-there = { $key } has { $count ->
    [0] no text of your own
    [one] one text of your own
   *[other] { $count } texts of your own, numbered from 1
  }; !text and the name shows them.
text-most = { $key } can have { $most } texts of your own; remove one first.
text-numbered = { $number }. { $text }
text-without = It leaves out { $places }.
text-unknown = There is no text called “{ $key }”; !text lists those that are changed most.
text-wrong-place = Nothing is filled in for “{ $place }” in { $key }; there are: { $known }.
text-length = A text has 1 to { $most } characters; write default for the usual one.

# What may have been meant
unknown-but-near = { $told } Did you mean { $near }?
did-you-mean = Did you mean { $word }?

# First steps
hint-game = New to { $game }? !help { $word } tells how it goes. You have { $balance } now.
hint-stake = The first number is not the stake: that is given as in !{ $word } stake=50.
hint-whispered = New to { $game }? !help { $word } tells how it goes; whisper me what is secret. You have { $balance } now.

# Help
help-useful = Also: { $services }. Everything else: !help more.
help-keeping = For moderators: { $services }.
help-limits = Here: { $rows }.
help-example = (For example: { $example })
help-group = { $group } has the settings { $keys }. !settings { $group } shows them, and !help { $group } with one of them explains it.
help-entries = { $group }: { $help }. !settings { $group } shows what is set here.
option-help-setting = One of its settings, to have it explained
limit-default_stake = the usual stake is { $value }
limit-min_stake = stakes from { $value }
limit-max_stake = stakes up to { $value }
limit-min_crew = it takes { $value } people
limit-lobby = { $value } seconds to join
limit-cooldown = { $value ->
    [one] one second
   *[other] { $value } seconds
  } of rest after each
example-credits = !credits @ann
example-give = !give @ann 50
example-top = !top 10
example-help = !help heist
example-settings = !settings heist
example-set = !set heist lobby 60
example-preset = !preset heist small
example-cancel = !cancel heist
example-text = !text entry "{"{who}"} sneaks in with {"{stake}"}."
example-enable = !enable heist
example-disable = !disable heist
example-alias = !alias loot heist
example-talk = !talk quiet
example-permit = !permit give regular
example-cooldown = !cooldown give 30
example-grant = !grant @ann 100 won the drawing contest
example-granthere = !grant here 50 for the longest stream
example-grantregulars = !grant regulars 20
example-rain = !rain 500
example-creditssetall = !credits set all 100 -- a new season
example-creditsset = !credits set @ann 500 -- lost by a crash
example-take = !take @ann 100 was paid twice
example-exclude = !exclude @ann
example-regular = !regular @ann
example-undo = !undo

# Blanks: what stands in a form such as !set GROUP KEY VALUE for a word of one’s own; each is one word
blank-mention = @name
blank-game = GAME
blank-command = COMMAND
blank-setting = SETTING
blank-group = GROUP
blank-key = KEY
blank-value = VALUE
blank-text = TEXT
blank-amount = AMOUNT
blank-reason = REASON
blank-number = NUMBER
blank-table = TABLE
blank-round = ROUND
blank-name = NAME
blank-code = CODE
blank-new = NEW
blank-old = OLD
blank-room = ROOM
blank-member = MEMBER
blank-uses = USES
blank-stake = STAKE
blank-cards = CARDS
blank-card = CARD
