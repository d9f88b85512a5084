"""`python -m memoranda` is the command line."""

from memoranda.cli import main

if __name__ == "__main__":
    main()
