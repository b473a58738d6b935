#!/usr/bin/env python3
"""C text without comments and without the insides of strings: FILE:LINE:TEXT for each line of the files
whose names are read from standard input."""
import re
import sys

PIECE = re.compile(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', re.DOTALL)


def blank(match):
    text = match.group()
    return "\n" * text.count("\n") if text[0] == "/" else text[0] * 2


def main():
    for name in sys.stdin.read().split("\n"):
        if not name:
            continue
        with open(name, encoding="utf-8") as file:
            code = PIECE.sub(blank, file.read())
        lines = code.split("\n")[:-1]
        sys.stdout.writelines(f"{name}:{number}:{line}\n" for number, line in enumerate(lines, 1))


main()
