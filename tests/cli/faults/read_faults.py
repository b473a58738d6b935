"""Each read of each sample fails once: read_faults.py PRELOAD.

Runs `ingest --dry-run` of the samples of all formats with fail_calls.c, which makes one read of the file
fail as a bad disk does, or one call of SQLite for what is a database. ingest then fails and names the
file, or its answer is that without the fault. Texts are also read with fillers of 150 kB at a random
place, so that the fault comes where the reader is then.

FAULTS: how many reads of each file fail at most (12). SEED: other places.
"""
import os
import random
import re
import subprocess
import sys

import trials

PRELOAD = os.path.abspath(sys.argv[1])
ROOFLOG, ROOT = os.environ["ROOFLOG"], os.environ["root"]
FAULTS = int(os.environ.get("FAULTS", "12"))
SEED = os.environ.get("SEED", "1")
FILLERS = max(1, FAULTS // 4)
SIZE = 150_000


def run(path, options, **environment):
    environment = {"FAIL_PATH": path, **environment} if environment else {}
    preload = {"LD_PRELOAD": PRELOAD} if environment else {}
    return subprocess.run([ROOFLOG, "ingest", "--dry-run", "--json", *options, path], capture_output=True, text=True,
                          env={**os.environ, **preload, **environment}, stdin=subprocess.DEVNULL, check=False)


def filled(data, rng):
    """A text with blanks, or repeated lines, somewhere; None where a reader would not take it."""
    try:
        text = data.decode()
    except UnicodeDecodeError:
        return None
    if text.lstrip()[:1] in "{[":
        # After a comma, colon or bracket that is not within a string.
        places = [match.end() for match in re.finditer(r'"(?:\\.|[^"\\])*"|[,:{\[]', text) if match.group()[0] != '"']
        if not places:
            return None
        place = rng.choice(places)
        return (text[:place] + " " * SIZE + text[place:]).encode()
    lines = text.splitlines(keepends=True)
    place = rng.randrange(len(lines))
    filler = rng.choice([lines[place], "\n"])
    return "".join([*lines[:place], filler * (SIZE // len(filler)), *lines[place:]]).encode()


class Trial:
    def __init__(self, path, options):
        self.path, self.options, self.failures, self.count, self.read = path, options, [], 0, 0
        self.rng = random.Random(SEED + path)

    def faults_of(self, path, calls, least):
        """Makes calls fail from the `least` one on."""
        log = os.path.abspath(f"log-{os.path.basename(path)}-{id(self)}")
        without = run(path, self.options, FAIL_CALLS=calls, FAIL_LOG=log)
        if without.returncode or not os.path.exists(log):
            return
        with open(log, encoding="utf-8", errors="replace") as text:
            lines = text.read().splitlines()
        os.unlink(log)
        numbers = range(least, len(lines) + 1)
        if len(numbers) > FAULTS:
            numbers = sorted(self.rng.sample(numbers, FAULTS))
        for number in numbers:
            self.count += 1
            done = run(path, self.options, FAIL_CALLS=calls, FAIL_AT=str(number))
            where = f"{path.replace(ROOT + '/', '')}: {calls} {number} of {len(lines)} ({lines[number - 1][:70]})"
            if done.returncode == 2 and "Sanitizer" not in done.stderr:
                last = [line for line in done.stderr.splitlines() if not line.startswith(("warning: ", "hint: "))][-1]
                if os.path.basename(path) not in last or not re.search("I/O|Input/output|read", last):
                    self.failures.append(f"FAILED: {where}: it says only: {last}")
                self.read += 1
            elif (done.returncode, done.stdout) != (0, without.stdout):
                self.failures.append(f"FAILED: {where}: status {done.returncode} and another answer: {done.stderr[-600:]}")

    def run(self):
        self.faults_of(self.path, "read", 1)
        if not os.path.isfile(self.path):
            return self
        with open(self.path, "rb") as file:
            data = file.read()
        if data.startswith(b"SQLite format 3"):
            self.faults_of(self.path, "sql", 1)
        for number in range(FILLERS):
            text = filled(data, self.rng)
            if text is None:
                break
            folder = os.path.abspath(f"filled-{id(self)}-{number}")
            os.mkdir(folder)
            path = f"{folder}/{os.path.basename(self.path)}"
            with open(path, "wb") as file:
                file.write(text)
            # The format is known from the first 64 KiB.
            self.faults_of(path, "read", 17)
        return self


trials.run_all((Trial(path, options) for path, options in trials.samples()), 200, {"read": "reported"})
