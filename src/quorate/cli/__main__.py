"""``python -m quorate.cli``."""

from quorate.cli import main

main()
