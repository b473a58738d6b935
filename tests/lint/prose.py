#!/usr/bin/env python3
"""Finds the forms of tests/lint/prose.txt in comments and in the documents for developers."""
import re
import subprocess
import sys

DOCUMENTS = r"^(ARCHITECTURE|CONTRIBUTING|CODE_STYLE)\.md$|^docs/(design/|glossary\.md)"


def forms():
    with open("tests/lint/prose.txt", encoding="utf-8") as lines:
        for line in lines:
            if line.strip() and not line.startswith("#"):
                pattern, instead = line.rstrip("\n").split(" => ")
                # A form may be broken by the end of a line.
                yield re.compile(re.sub(r" (?!\{)", r"\\s+", pattern), re.I | re.M), instead


def comments_of_c(text):
    """The text with everything but comments blanked, so that offsets stay."""
    kept = [" " if c != "\n" else "\n" for c in text]
    for match in re.finditer(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', text, re.S):
        if match.group(0)[0] == "/":
            body = re.sub(r"^[ \t]*\*|\*/|/\*", lambda m: " " * len(m.group(0)), match.group(0), flags=re.M)
            kept[match.start():match.end()] = re.sub(r'"[^"\n]*"', lambda m: " " * len(m.group(0)), body)
    return "".join(kept)


def comments_of_sql(text):
    return re.sub(r"^(?:(?!--).)*", lambda m: " " * len(m.group(0)), text, flags=re.M)


def prose_of_markdown(text):
    """Without code, quotations and links' targets."""
    return re.sub(r"```.*?```|`[^`\n]*`|\]\([^)]*\)|\"[^\"\n]*\"",
                  lambda m: re.sub(r"[^\n]", " ", m.group(0)), text, flags=re.S)


def main():
    rules, failures = list(forms()), 0
    listed = subprocess.run(["git", "ls-files"], stdout=subprocess.PIPE, text=True, check=True).stdout.split("\n")
    for path in listed:
        if path.endswith((".c", ".h", ".def")):
            read = comments_of_c
        elif path.endswith(".sql") and not path.startswith(("tests/", "db/schema/")):
            read = comments_of_sql
        elif re.search(DOCUMENTS, path):
            read = prose_of_markdown
        else:
            continue
        with open(path, encoding="utf-8") as file:
            text = read(file.read())
        for pattern, instead in rules:
            for match in pattern.finditer(text):
                line, words = text.count("\n", 0, match.start()) + 1, " ".join(match.group(0).split())
                print(f'{path}:{line}: "{words}": {instead}')
                failures += 1
    print(f"prose: {failures} failures")
    return 1 if failures else 0


sys.exit(main())
