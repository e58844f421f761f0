"""Tests of the program, of its documentation and of what is measured.

Where PYTHONDONTWRITEBYTECODE is set, as in images of containers, each process of a run would compile the
libraries and all tests anew, and so would every program that a test starts: a third of the time.
"""

import os
import sys

sys.dont_write_bytecode = False
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
