"""What heists with a double cross are made of.

At the Municipal 100 credits become 100 + 80 = 180 and 69 become 69 + 55 = 124; at the City, with 20 heisters
or more, 100 become 100 + 110 = 210 and 69 become 69 + floor(75.9) = 144.
"""

from __future__ import annotations

from chatbot.games.heist.rules.moves import Act
from chatbot.games.heist.rules.rules import Heist

CROSS, FINGER = Act.DOUBLE_CROSS, Act.FINGER
WITH_TWO_RABBLE = Heist(rabble=2, payday=False)
BOTH_STAKE = (True, True)  # 69 each, of 240
