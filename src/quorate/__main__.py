"""``python -m quorate``: the command line, where its script is not on the path."""

from quorate.cli import main

if __name__ == "__main__":
    main(prog_name="quorate")
