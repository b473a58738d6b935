#!/usr/bin/env python3
"""One night over 300 kernels, ten of them slower by 3 to 15 %: what `rooflog stats judge --together` flags.

    python3 bench/verdicts/night.py --judge "build/release/rooflog stats judge" [--nights 40] [--first 0] [--q .10]

The nights are those of ../shared/tools/stats/mult_sim.py. Each kernel has 31 commits on record and one measurement of the candidate;
what is a suspect then is measured once more, and what is regressed after that is flagged. --first: the number of the first night
(mult_sim.py has 0 to 39). Printed for 1 and 5 repeats a measurement: false flags a night, share of the ten found, re-runs a night.
"""
import argparse, math, os, subprocess, sys, zlib

STATS = os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', '..', '..', 'shared', 'tools', 'stats')
SLOWER, KERNELS, RECORD = 10, 300, 31


def generator():
    """The names that mult_sim.py defines before its own loop, which runs on import."""
    sys.path.insert(0, STATS)
    with open(os.path.join(STATS, 'mult_sim.py')) as source:
        head = source.read().split('\nfor k in ')[0]
    names = {'__file__': os.path.join(STATS, 'mult_sim.py')}
    exec(compile(head, 'mult_sim.py', 'exec'), names)
    return names


def night_of(sim, repeats, night):
    """(candidate and second included) values of each kernel, drawn as mult_sim.py does."""
    np = sim['np']
    r = np.random.default_rng([zlib.crc32(b'mult'), repeats, night])
    effects = np.zeros(KERNELS)
    effects[:SLOWER] = np.exp(r.uniform(math.log(.03), math.log(.15), SLOWER))
    kernels = []
    for i in range(KERNELS):
        families = sim['FAMS']
        family = families[int(r.integers(len(families)))] if i < SLOWER else families[i % len(families)]
        values = sim['series'](family, repeats, r, float(r.choice([.002, .005, .01, .02])))
        values[RECORD:] *= 1 + effects[i]
        kernels.append(values)
    return kernels


def judged(command, kernels, suspects):
    rows = ['case,index,value']
    for i, values in enumerate(kernels):
        for index in range(RECORD + (2 if i in suspects else 1)):
            rows += [f'{i},{index},{float(value)!r}' for value in values[index]]
    done = subprocess.run(f'{command} --base {RECORD - 1}', shell=True, input='\n'.join(rows) + '\n', capture_output=True, text=True)
    if done.returncode:
        sys.exit(f'the judge failed with status {done.returncode}: {done.stderr}')
    said = dict(line.split(',') for line in done.stdout.split('\n') if line)
    if len(said) != len(kernels):
        sys.exit(f'the judge answered {len(said)} of {len(kernels)} kernels')
    return said


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--judge', required=True)
    parser.add_argument('--nights', type=int, default=40)
    parser.add_argument('--first', type=int, default=0)
    parser.add_argument('--q', default='.10')
    options = parser.parse_args()
    if not os.path.isdir(STATS):
        print('skipped: no ../shared/tools')
        return
    sim, command = generator(), f'{options.judge} --together --q {options.q}'
    for repeats in 1, 5:
        false = found = again = 0
        for night in range(options.first, options.first + options.nights):
            kernels = night_of(sim, repeats, night)
            suspects = {int(name) for name, verdict in judged(command, kernels, ()).items() if verdict == 'suspect'}
            flagged = {int(name) for name, verdict in judged(command, kernels, suspects).items() if verdict == 'regressed'}
            again += len(suspects)
            found += sum(i < SLOWER for i in flagged)
            false += sum(i >= SLOWER for i in flagged)
        nights = options.nights
        print(f'k={repeats}: {nights} nights, {KERNELS} kernels, {SLOWER} slower: false flags a night {false / nights:.2f}, '
              f'found {found / nights / SLOWER:.3f}, re-runs a night {again / nights:.1f}', flush=True)


if __name__ == '__main__':
    main()
