#!/usr/bin/env python3
"""Creeping regressions against a pinned release and against the best level on record: what `rooflog stats judge --drift` flags.

    python3 bench/verdicts/drift.py --judge "build/release/rooflog stats judge"

The series are those of ../shared/tools/stats/suite.py: 24 that creep, 288 clean ones of 120 commits; STATS_SEED gives others of the same
families. Printed for each reference: how many creeping series were flagged, how far they had drifted by then (median, in standard
deviations of a commit), and how many clean series were ever flagged, per 1000 commits from the 30th of each series on.
"""
import argparse, collections, os, statistics, subprocess, sys

STATS = os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', '..', '..', 'shared', 'tools', 'stats')
FIRST = 29


def flagged(command, series):
    """First flagged index of each series that has one."""
    rows = ['series,index,value']
    for one in series:
        rows += [f"{one['id']},{index},{value!r}" for index, repeats in enumerate(one['values']) for value in repeats]
    done = subprocess.run(command, shell=True, input='\n'.join(rows) + '\n', capture_output=True, text=True)
    if done.returncode:
        sys.exit(f'the judge failed with status {done.returncode}: {done.stderr}')
    return {line.rsplit(',', 1)[0]: int(line.rsplit(',', 1)[1]) for line in done.stdout.split('\n') if line}


def drift_at(one, index):
    level = 1.0
    for commit, change in one['truth']:
        level *= 1 + change if commit <= index else 1
    return (level - 1) / one['meta']['sd']


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--judge', required=True)
    options = parser.parse_args()
    if not os.path.isdir(STATS):
        print('skipped: no ../shared/tools')
        return
    sys.path.insert(0, STATS)
    import suite
    creeping, clean = suite.creep(), suite.clean()
    commits = sum(len(one['values']) - FIRST for one in clean)
    for reference in 'release', 'best':
        command = f'{options.judge} --drift {reference}'
        found = flagged(command, creeping)
        drifts = [drift_at(one, found[one['id']]) for one in creeping if one['id'] in found]
        wrong = flagged(command, clean)
        families = collections.Counter(one['meta']['family'] for one in clean if one['id'] in wrong)
        print(f"{reference:7s} flagged {len(found)} of {len(creeping)} creeping series, at a median drift of "
              f"{statistics.median(drifts) if drifts else float('nan'):.2f} sd; {len(wrong)} of {len(clean)} clean series flagged, "
              f"{1000 * len(wrong) / commits:.3f} per 1000 commits {dict(families) or ''}", flush=True)


if __name__ == '__main__':
    main()
