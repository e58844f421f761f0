"""Commands for whoever works on the code, alike on every system; `python -m scripts` lists them."""
