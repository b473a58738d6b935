#!/usr/bin/env python3
"""Finds the forms of tests/lint/prose.txt in comments, documents, templates and the program's messages."""
import re
import subprocess
import sys

NOT_WRITTEN_HERE = r"^(CHANGELOG\.md|bench/|samples/|tests/)"
MESSAGES = r"^(base|ingest|render|model|cli|db|vcs)/"


def forms():
    """Each pattern with what to write instead, and whether it holds for comments, too."""
    comments = True
    with open("tests/lint/prose.txt", encoding="utf-8") as lines:
        for line in lines:
            if line.startswith("[allowed]"):
                break
            if line.startswith("["):
                comments = False
            elif line.strip() and not line.startswith("#"):
                pattern, instead = line.rstrip("\n").split(" => ")
                # A form may be broken by the end of a line.
                yield re.compile(re.sub(r" (?!\{)", r"\\s+", pattern), re.I | re.M), instead, comments


def allowed():
    """(file, form) pairs that are right although a pattern matches, each with its reason."""
    with open("tests/lint/prose.txt", encoding="utf-8") as lines:
        for line in lines.read().partition("[allowed]\n")[2].split("\n"):
            if line.strip() and not line.startswith("#"):
                path, form, _ = line.rstrip("\n").split(" | ")
                yield path, form


def blank(match):
    return re.sub(r"[^\n]", " ", match.group(0))


def name(match):
    """Code in a sentence is a word, which begins no sentence."""
    return re.sub(r"[^\n]", "_", match.group(0))


TOKENS = re.compile(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', re.S)


def comments_of_c(text):
    """The text with everything but comments blanked, so that offsets stay."""
    kept = [" " if c != "\n" else "\n" for c in text]
    for match in TOKENS.finditer(text):
        if match.group(0)[0] == "/":
            body = re.sub(r"^[ \t]*\*|\*/|/\*", blank, match.group(0), flags=re.M)
            kept[match.start():match.end()] = re.sub(r'"[^"\n]*"', blank, body)
    return "".join(kept)


def messages_of_c(text):
    """The literals with a blank, which people read; code between two of them is a word, and quotations are."""
    kept, end = [], 0
    for match in TOKENS.finditer(text):
        kept.append(re.sub(r"\S", "_", text[end:match.start()]))
        body, end = match.group(0), match.end()
        if body[0] == '"' and " " in body and "SELECT " not in body:
            kept.append(" " + re.sub(r"\\[nt]", "  ", re.sub(r'\\"[^"]*\\"', name, body[1:-1])) + " ")
        else:
            kept.append(blank(match))
    return "".join(kept)


def comments_of_sql(text):
    return re.sub(r"^(?:(?!--).)*", lambda m: " " * len(m.group(0)), text, flags=re.M)


def prose_of_markdown(text):
    """Without code, quotations and links' targets."""
    text = re.sub(r"```.*?```|<!--.*?-->", blank, text, flags=re.S)
    return re.sub(r"`[^`\n]*`|\"[^\"\n]*\"", name, re.sub(r"\]\([^)]*\)", blank, text))


def prose_of_template(text):
    """Without mustache, elements, scripts and styles."""
    text = re.sub(r"<(script|style)\b.*?</\1>|<[^<>]*>|\{\{[#/^!>].*?\}\}", blank, text, flags=re.S)
    return re.sub(r"\{\{.*?\}\}|`[^`\n]*`", name, text)


def views_of(path, text):
    """The texts of a file that are read, each with whether it is a comment."""
    if path.endswith((".c", ".h", ".def")):
        yield comments_of_c(text), True
        if re.search(MESSAGES, path):
            yield messages_of_c(text), False
    elif path.endswith(".sql") and not path.startswith(("tests/", "db/schema/")):
        yield comments_of_sql(text), True
    elif path.startswith("templates/"):
        yield prose_of_template(text), False
    elif path.endswith(".md") and not re.search(NOT_WRITTEN_HERE, path):
        yield prose_of_markdown(text), False


def main():
    rules, exceptions, used, failures = list(forms()), set(allowed()), set(), 0
    listed = subprocess.run(["git", "ls-files"], stdout=subprocess.PIPE, text=True, check=True).stdout.split("\n")
    for path in listed:
        if not path.endswith((".c", ".h", ".def", ".sql", ".md", ".html")):
            continue
        with open(path, encoding="utf-8") as file:
            content = file.read()
        for text, comment in views_of(path, content):
            for pattern, instead, of_comments in rules:
                for match in pattern.finditer(text) if of_comments or not comment else ():
                    line, words = text.count("\n", 0, match.start()) + 1, " ".join(match.group(0).split())
                    if (path, words) in exceptions:
                        used.add((path, words))
                        continue
                    print(f'{path}:{line}: "{words}": {instead}')
                    failures += 1
    for path, words in sorted(exceptions - used):
        print(f'tests/lint/prose.txt: "{words}" is not in {path}')
        failures += 1
    print(f"prose: {failures} failures")
    return 1 if failures else 0


sys.exit(main())
