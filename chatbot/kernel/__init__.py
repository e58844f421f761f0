"""What every game is made of. Pure: no I/O, no asyncio, no clock, no luck but the one handed in."""
