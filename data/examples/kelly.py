"""Stakes more the better the odds are. Started for each decision, with what it must know as arguments."""

import sys

told = sys.argv  # told[1] to told[31]
round_number, bank, credits = int(told[2]), int(told[8]), int(told[9])
chance, odds = float(told[22 + bank]), float(told[27 + bank])

if round_number == 2:
    print("!guncheck")  # go in with the others
elif odds > 0:
    print(int(credits * max(0, chance - (1 - chance) / odds)))  # Kelly's share
else:
    print(0)
