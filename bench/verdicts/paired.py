#!/usr/bin/env python3
"""Sessions of `rooflog run --against` under a simulated clock: how often they are wrong, and what they find.

    python3 bench/verdicts/paired.py --rooflog build/release/rooflog --clocked FILE [--sessions 200] [--equal 1000]

Each session is the real command in a repository of two commits. CLOCKED (bench/tools/clocked.c) reads its times from a file: the noise of
the machine, multiplied by what the version costs. The machines:

    quiet      1 % of noise, log-normal, as in all of them
    drift      each process takes 0.5 % longer than the one before
    wave       3 % up and down in 9 processes
    walk       a random walk of 1 % a process
    outliers   every tenth process takes 1.2 to 3 times as long
    two modes  two of five processes take 8 % longer
    throttled  15 % longer from the 9th to the 17th process
    sticky     10 % longer or not, changing once in ten processes

The same machines judge two customs: hyperfine's, ten runs of one and then ten of the other, which differ if the ratio of the means is
further from 1 than its printed uncertainty; and benchstat's, the same runs by the Mann-Whitney test at 5 %.
"""
import argparse, json, math, multiprocessing, os, shutil, subprocess, sys, tempfile

import numpy as np
from scipy.stats import mannwhitneyu

MACHINES = ['quiet', 'drift', 'wave', 'walk', 'outliers', 'two modes', 'throttled', 'sticky']
EFFECTS = [0, .02, .05]
PROCESSES, LINE, CUSTOM = 96, 24, 10


def clock(machine, seed):
    """The factors of the machine, one a process."""
    r = np.random.default_rng([seed, MACHINES.index(machine)])
    x = np.exp(r.normal(0, .01, PROCESSES))
    t = np.arange(PROCESSES)
    if machine == 'drift':
        x *= 1 + .005 * t
    elif machine == 'wave':
        x *= 1 + .03 * np.sin(r.uniform(0, 2 * math.pi) + t * .7)
    elif machine == 'walk':
        x *= np.exp(np.cumsum(r.normal(0, .01, PROCESSES)))
    elif machine == 'outliers':
        x *= np.where(r.random(PROCESSES) < .1, r.uniform(1.2, 3, PROCESSES), 1)
    elif machine == 'two modes':
        x *= np.where(r.random(PROCESSES) < .4, 1.08, 1)
    elif machine == 'throttled':
        x *= np.where((t >= 8) & (t < 17), 1.15, 1)
    elif machine == 'sticky':
        x *= np.where(np.cumsum(r.random(PROCESSES) < .1) % 2 == 1, 1.1, 1)
    return x


def repository(folder, clocked):
    """Two commits; the factor of the second is not committed, so that it can change."""
    os.makedirs(folder)
    git = ['git', '-c', 'user.name=a', '-c', 'user.email=a@b', '-C', folder]
    shutil.copy(clocked, os.path.join(folder, 'clocked'))
    for name, text in (('factor', '1\n'), ('.gitignore', 'out\n.rooflog/*.db*\n')):
        with open(os.path.join(folder, name), 'w') as file:
            file.write(text)
    subprocess.run(git[:5] + ['init', '-q', folder], check=True)
    subprocess.run(git + ['add', '-A'], check=True)
    subprocess.run(git + ['commit', '-qm', 'base'], check=True)


def session(task):
    rooflog, folder, machine, effect, seed = task
    folder = os.path.join(folder, f'worker-{multiprocessing.current_process()._identity[0]}')
    if not os.path.isdir(folder):
        repository(folder, os.path.join(os.path.dirname(folder), 'clocked'))
    with open(os.path.join(folder, 'factor'), 'w') as file:
        file.write(f'{1 + effect}\n')
    times = os.path.join(folder, 'out', 'clock')
    os.makedirs(os.path.dirname(times), exist_ok=True)
    with open(times, 'w') as file:
        for number in [0] + list(clock(machine, seed)):
            file.write(f'{number:<{LINE - 1}.17g}\n')
    done = subprocess.run([rooflog, 'run', '--quiet', '--json', '--warmup', '0', '--tool', 'none', '--fail-on', 'none', '--against', 'HEAD',
                           '--', './clocked', 'factor'], cwd=folder, env=dict(os.environ, CLOCK=times), capture_output=True, text=True)
    if done.returncode:
        sys.exit(f'rooflog failed with status {done.returncode}: {done.stderr}')
    shutil.rmtree(os.path.join(folder, 'out'))
    for name in os.listdir(os.path.join(folder, '.rooflog')):
        if '.db' in name:
            os.remove(os.path.join(folder, '.rooflog', name))
    said = json.loads(done.stdout)
    return said['result'], said['pairs'] + said['controls']


def customs(machine, effect, seed):
    """Whether hyperfine's and benchstat's custom say that the versions differ."""
    x = clock(machine, seed)
    a, b = x[:CUSTOM], x[CUSTOM:2 * CUSTOM] * (1 + effect)
    ratio = b.mean() / a.mean()
    uncertainty = ratio * math.hypot(a.std(ddof=1) / a.mean(), b.std(ddof=1) / b.mean())
    return abs(ratio - 1) > uncertainty, mannwhitneyu(a, b).pvalue < .05


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--rooflog', required=True)
    parser.add_argument('--clocked', required=True)
    parser.add_argument('--sessions', type=int, default=200)
    parser.add_argument('--equal', type=int, default=1000, help='sessions of two equal versions')
    args = parser.parse_args()
    rooflog = os.path.realpath(args.rooflog)
    with tempfile.TemporaryDirectory() as folder, multiprocessing.Pool(os.cpu_count()) as pool:
        shutil.copy(args.clocked, os.path.join(folder, 'clocked'))
        print('| machine | slower by | sessions | says slower | faster | same | unclear | unfit | pairs, mean | hyperfine: differs | benchstat: differs |')
        print('|---|---|---|---|---|---|---|---|---|---|---|')
        for machine in MACHINES:
            for effect in EFFECTS:
                count = args.sessions if effect else args.equal
                seeds = range(count)
                said = pool.map(session, [(rooflog, folder, machine, effect, seed) for seed in seeds], 4)
                old = np.mean([customs(machine, effect, seed) for seed in seeds], axis=0)
                share = {word: 100 * sum(one == word for one, _ in said) / count for word in ('slower', 'faster', 'same', 'unclear', 'unfit')}
                print(f'| {machine} | {100 * effect:.0f} % | {count} | ' + ' | '.join(f'{share[word]:.1f} %' for word in share) +
                      f' | {np.mean([pairs for _, pairs in said]):.1f} | {100 * old[0]:.1f} % | {100 * old[1]:.1f} % |', flush=True)


if __name__ == '__main__':
    main()
