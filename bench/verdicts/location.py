#!/usr/bin/env python3
"""At which commit `rooflog stats detect` says that a step happened, and how often anybody could know.

    python3 bench/verdicts/location.py --rooflog build/release/rooflog [--seed 1] [--count 6000]

Each history has one step of 8, 15 or 40 noise widths after 6 to 25 commits; 5 to 20 follow it. Three repeats a commit share most of
their noise. One history in four is repaired by its last commit; in one in four a commit, anywhere, is off by twelve widths.
Printed for each kind: the share that names the commit, one beside it, another one, and none; of those with an outlier, the
share that three onlookers find who are told both levels and the noise: who assumes that outliers are spread widely, who takes all heights for
equally probable, and who knows that it is one commit off by exactly twelve.
"""
import argparse, collections, math, random, subprocess, sys

SPREAD = 0.895  # of the median of a commit's repeats, in noise widths


def repeats(rng, level, noise):
    session = rng.gauss(0, noise * .8)
    return [level * (1 + session + rng.gauss(0, noise * .6)) for _ in range(3)]


def history(rng):
    noise, widths = rng.choice([.002, .005, .01]), rng.choice([8, 15, 40])
    before, after = rng.randint(6, 25), rng.randint(5, 20)
    kind = rng.choice(['clean', 'clean', 'repaired', 'outlier'])
    level = rng.uniform(5, 500)
    odd = rng.randrange(before + after) if kind == 'outlier' else -1
    commits = []
    for at in range(before + after + (kind == 'repaired')):
        here = level * (1 + widths * noise) if before <= at < before + after else level
        if at == odd:
            here *= 1 + rng.choice([-1, 1, 1]) * 12 * noise
        commits.append(repeats(rng, here, noise))
    return dict(kind=kind, at=before, widths=widths, noise=noise, level=level, commits=commits)


def normal(x, middle):
    return -((x - middle) / SPREAD) ** 2 / 2


def log_sum(parts):
    top = max(parts)
    return top + math.log(sum(math.exp(one - top) for one in parts))


def with_outliers(x, middle, density):
    u = (x - middle) / SPREAD
    return math.log(.98 * math.exp(-u * u / 2) / math.sqrt(2 * math.pi) + .02 * density(u))


def wide(u):
    return 1 / (math.pi * 4 * (1 + u * u / 16))


def flat(u):
    return 1 / 60 if abs(u) < 30 else 1e-6


def likeliest(one, onlooker):
    x = [(sorted(commit)[1] / one['level'] - 1) / one['noise'] for commit in one['commits']]
    levels = 0, one['widths']
    away = 12, 12 * (1 + one['widths'] * one['noise'])
    if onlooker != 'knows':
        usual = [[with_outliers(v, levels[side], onlooker) for side in (0, 1)] for v in x]
    else:
        usual = [[normal(v, levels[side]) for side in (0, 1)] for v in x]
        odd = [[log_sum([math.log(sign[1]) + normal(v, levels[side] + sign[0] * away[side]) for sign in ((1, 2 / 3), (-1, 1 / 3))])
                for side in (0, 1)] for v in x]
    scores = []
    for at in range(1, len(x)):
        sides = [int(k >= at) for k in range(len(x))]
        total = sum(usual[k][side] for k, side in enumerate(sides))
        scores.append(total if onlooker != 'knows' else
                      log_sum([total - usual[k][side] + odd[k][side] for k, side in enumerate(sides)]))
    return scores.index(max(scores)) + 1


def detected(rooflog, histories):
    rows = ['series,index,value']
    for name, one in enumerate(histories):
        rows += [f'{name},{index},{value:.7g}' for index, commit in enumerate(one['commits']) for value in commit]
    done = subprocess.run([rooflog, 'stats', 'detect', '--protocol', 'multi'], input='\n'.join(rows) + '\n', capture_output=True, text=True)
    if done.returncode:
        sys.exit(f'detect failed with status {done.returncode}: {done.stderr}')
    said = collections.defaultdict(list)
    for line in done.stdout.split():
        name, index, direction = line.split(',')
        if direction == '+':
            said[int(name)].append(int(index))
    return said


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--rooflog', required=True)
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('--count', type=int, default=6000)
    options = parser.parse_args()
    rng = random.Random(f'{options.seed} location')
    histories = [history(rng) for _ in range(options.count)]
    said = detected(options.rooflog, histories)
    kinds = collections.defaultdict(collections.Counter)
    for name, one in enumerate(histories):
        off = min((abs(index - one['at']) for index in said[name]), default=None)
        kinds[one['kind']]['none' if off is None else min(off, 2)] += 1
    for kind, counts in sorted(kinds.items()):
        share = {word: counts[key] / sum(counts.values()) for key, word in ((0, 'exact'), (1, 'beside'), (2, 'other'), ('none', 'none'))}
        print(f'{kind:9s} n={sum(counts.values()):5d} ' + ' '.join(f'{word} {part:.3f}' for word, part in share.items()), flush=True)
    odd = [one for one in histories if one['kind'] == 'outlier']
    for word, onlooker in ('wide', wide), ('flat', flat), ('knows', 'knows'):
        print(f'outlier, onlooker {word:6s} exact {sum(likeliest(one, onlooker) == one["at"] for one in odd) / len(odd):.3f}', flush=True)


if __name__ == '__main__':
    main()
