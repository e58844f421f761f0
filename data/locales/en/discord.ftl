# What the Discord door says for itself.

discord-my-moves = My moves
discord-moves = What you can do now:
discord-no-moves = There is nothing for you to do right now.
discord-done = Done.
discord-over = Finished
discord-row = { $who } — { $detail }
discord-more = and { $more } more
discord-hidden = { $hidden } face down
discord-earlier = ({ $earlier } before) { $cards }
discord-picture = { $title }: the cards on the table, as they are written above
discord-nowhere = I do not know where you are playing; type a command in a channel of a server first.
discord-no-whisper = I have an answer for you alone and cannot send it to you; use the slash command: only you see what it answers.
discord-unknown-command = That command is not offered any more; type / again and choose from the list.
discord-too-long = That is longer than a command may be.
