"""`python -m pidm` is the command `pidm`."""

from pidm.cli import main

if __name__ == "__main__":
    main()
