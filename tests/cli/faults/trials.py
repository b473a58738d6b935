"""What tests of faults share: the samples of all formats, and trials, two at a time."""
import concurrent.futures
import glob
import os
import sys

ROOT = os.environ["root"]


def samples():
    """(path, options of ingest) of each sample: a file or a folder."""
    for path in sorted(glob.glob(ROOT + "/samples/formats/*/*/sample*")):
        options = []
        if os.path.exists(os.path.dirname(path) + "/args"):
            with open(os.path.dirname(path) + "/args", encoding="utf-8") as text:
                options = text.read().split()
        yield path, options


def run_all(trials, least, counted):
    """Runs trials, prints their `failures`, and ends the program: with status 1 if there are any, or if fewer than
    `least` things were tried (`count`). run() returns the trial. `counted`: other members to add up, and their words."""
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        trials = list(pool.map(lambda trial: trial.run(), trials))
    failures = [failure for trial in trials for failure in trial.failures]
    count = sum(trial.count for trial in trials)
    print("\n".join(failures + [f"{len(trials)} trials, {count} faults, " + "".join(
        f"{sum(getattr(trial, name) for trial in trials)} {words}, " for name, words in counted.items()) +
        f"{len(failures)} failures"]))
    sys.exit(bool(failures) or count < least)
