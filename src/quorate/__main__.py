"""``python -m quorate``: the command line, where its script is not on the path."""

if __name__ == "__main__":  # worker processes import this file, and need no commands
    from quorate.cli import main

    main(prog_name="quorate")
