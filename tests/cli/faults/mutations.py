"""Samples of all formats with one thing wrong: mutations.py.

`ingest --dry-run` of a mutated sample gives runs or says what is wrong with the file, by its name. It never
crashes, and its JSON has no number that is not finite.

JSON: a member is of another type, out of range, absent, or there twice. Tables and texts: a cell or a word
is replaced, a line is absent, there twice, or cut. Other files: bytes are replaced, absent, or added. Of a
folder one file is mutated. MUTANTS: how many of each file (40). SEED: other ones.
"""
import glob
import json
import os
import random
import re
import shutil
import subprocess

import trials

ROOFLOG, ROOT = os.environ["ROOFLOG"], os.environ["root"]
MUTANTS, SEED = int(os.environ.get("MUTANTS", "40")), os.environ.get("SEED", "1")
VALUES = ["null", "true", '"x"', '""', "-1", "0", "1e308", "1e-320", "1e999", "18446744073709551616", "[]", "{}", "[{}]", "[[1]]",
          '"\\u0000"', '"\\u202e"', '"' + "y" * 3000 + '"', '"12 us"', "0.5", '"nan"']
CELLS = ["", "x", "-1", "0", "nan", "inf", "1e999", "18446744073709551616", '"', "1,2", "\x01", "y" * 3000, "\xff", "12 us", "[1]", "{}"]


def members(text):
    """(start, end) of the values of members and elements in a JSON text, and the start of their names."""
    found, stack, name = [], [], None
    for match in re.finditer(r'"(?:\\.|[^"\\])*"|[{}\[\]]|[^\s{}\[\],:"]+', text):
        token, start, end = match.group(), match.start(), match.end()
        if token in "{[":
            stack.append((start, name))
            name = None
        elif token in "}]":
            begin, key = stack.pop()
            found.append((begin, end, key))
            name = None
        elif token[0] == '"' and re.match(r"\s*:", text[end:end + 20]):
            name = start
        else:
            found.append((start, end, name))
            name = None
    return found


def of_json(text, rng, count):
    # Of each shape of a path one value: what is before it, without digits.
    places = {}
    found = members(text)
    rng.shuffle(found)
    for start, end, name in found:
        key = text[name:start] if name is not None else text[start:start + 1]
        places.setdefault((key, text[start:start + 1].isdigit()), []).append((start, end, name))
    keys = sorted(places)
    for _ in range(count):
        start, end, name = rng.choice(places[rng.choice(keys)])
        how = rng.random()
        if how < .7 or name is None:
            yield text[:start] + rng.choice(VALUES) + text[end:]
        elif how < .85:
            yield text[:name] + '"renamed": ' + text[start:]
        else:
            yield text[:end] + ", " + text[name:start] + rng.choice(VALUES) + text[end:]


def of_lines(text, rng, count):
    lines = text.splitlines(keepends=True)
    for _ in range(count):
        at = rng.randrange(min(len(lines), 40)) if rng.random() < .7 else rng.randrange(len(lines))
        line, how = lines[at], rng.random()
        words = [match.span() for match in re.finditer(r'"[^"]*"|[^,;|\t\s]+', line)]
        if how < .75 and words:
            start, end = rng.choice(words)
            changed = line[:start] + rng.choice(CELLS) + line[end:]
        elif how < .82:
            changed = ""
        elif how < .88:
            changed = line * 2
        elif how < .94:
            changed = line[:rng.randrange(len(line) + 1)]
        else:
            changed = "\n" + line
        yield "".join(lines[:at]) + changed + "".join(lines[at + 1:])


def of_bytes(data, rng, count):
    # Most that tells how a file is to be read is at its beginning or end.
    for _ in range(count):
        part = rng.random()
        low, high = (0, 400) if part < .3 else (max(0, len(data) - 1500), len(data)) if part < .7 else (0, len(data))
        at = rng.randrange(low, max(low + 1, min(high, len(data))))
        how = rng.random()
        if how < .7:
            changed = bytes(rng.choice([0, 1, 0x7f, 0x80, 0xff, rng.randrange(256)]) for _ in range(rng.choice([1, 1, 1, 4])))
            yield data[:at] + changed + data[at + len(changed):]
        elif how < .8:
            yield data[:at]
        elif how < .9:
            yield data[:at] + data[at + rng.randrange(1, 20):]
        else:
            yield data[:at] + bytes(rng.randrange(1, 20)) + data[at:]


def not_finite(text):
    raise ValueError(text)


class Trial:
    def __init__(self, path, options):
        self.path, self.options, self.failures, self.refused, self.count = path, options, [], 0, 0

    def judge(self, path):
        done = subprocess.run([ROOFLOG, "ingest", "--dry-run", "--json", *self.options, path], capture_output=True,
                              stdin=subprocess.DEVNULL, check=False)
        out, err = done.stdout, done.stderr.decode(errors="replace")
        self.count += 1
        last = [line for line in err.splitlines() if not line.startswith(("warning: ", "hint: "))]
        if done.returncode == 2 and "Sanitizer" not in err:
            self.refused += 1
            if not last or os.path.basename(path) not in err or len(err) < 40:
                return f"it says only: {err}"
            if re.search("[\x00-\x08\x0b-\x1f\x7f\u202e]", err):
                return f"control characters: {err!r}"
        elif done.returncode == 0:
            try:
                json.loads(out.decode(), parse_constant=not_finite)
            except ValueError as why:
                return f"its JSON is wrong: {why}"
        else:
            return f"status {done.returncode}: {err[-1500:]}"
        return None

    def mutate(self, original, path, read):
        """Mutates a file at `path`; `read` is what is read: the file, or the folder that it is in."""
        with open(original, "rb") as file:
            data = file.read()
        rng = random.Random(SEED + original)
        if b"\0" in data:
            mutants = of_bytes(data, rng, MUTANTS)
        else:
            text = data.decode(errors="surrogateescape")
            mutants = (mutant.encode(errors="surrogateescape")
                       for mutant in (of_json if text.lstrip()[:1] in "{[" else of_lines)(text, rng, MUTANTS))
        for number, mutant in enumerate(mutants):
            with open(path, "wb") as file:
                file.write(mutant)
            failure = self.judge(read)
            if failure:
                if os.environ.get("KEEP"):
                    shutil.copy(path, f"{os.environ['KEEP']}/{number}-{os.path.basename(path)}")
                self.failures.append(f"FAILED: {original.replace(ROOT + '/', '')}, mutant {number}: {failure}")
        with open(path, "wb") as file:
            file.write(data)

    def run(self):
        folder = os.path.abspath(f"mutants-{id(self)}")
        os.mkdir(folder)
        copy = f"{folder}/{os.path.basename(self.path)}"
        if os.path.isfile(self.path):
            self.mutate(self.path, copy, copy)
            return self
        shutil.copytree(self.path, copy)
        for path in sorted(glob.glob(self.path + "/**", recursive=True)):
            if os.path.isfile(path):
                self.mutate(path, copy + path[len(self.path):], copy)
        return self


trials.run_all((Trial(path, options) for path, options in trials.samples()), 300, {"refused": "refused"})
