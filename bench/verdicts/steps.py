#!/usr/bin/env python3
"""What the nightly gate and the log say of steps in real histories.

    python3 bench/verdicts/steps.py [--rooflog build/release/rooflog] [--history NAME]... [--draw 12] [--seed 1] [--json FILE]

Nights: a clear step is found here without rooflog: of the eight commits with data on either side none is beyond the middle between the
two medians, and the medians differ by 3 % and by eight robust widths at least. For each that is for the worse, the night in which the
nightly gate (`--against window`) turns red. A red night whose next three commits with data are all back on the good side of the
middle is a false one.

Draws: confirmed changes of `log --view series` are drawn by chance, half of them below 6 %; for each the commit at which the squared
error of two constants, in twelve commits on either side and in the logarithm, is least.
"""
import argparse, json, math, os, random, shutil, tempfile
from collections import Counter, defaultdict
from statistics import median

from replay import HERE, HISTORIES, TRACKERS, Replay, key_of

RED = ('regressed', 'drift')
SIDE, WIDTHS, LEAST, NIGHTS = 8, 8, .03, 20


def middle_of_step(before, after, sign):
    """The middle between the two sides of a clear step for the worse; None: it is not one."""
    low, high = median(before), median(after)
    if not low > 0 or sign * (high / low - 1) < LEAST:
        return None
    width = max(1.4826 * median(abs(x - low) for x in before), 1.4826 * median(abs(x - high) for x in after), 1e-4 * low)
    middle = (low + high) / 2
    clear = all(sign * (x - middle) < 0 for x in before) and all(sign * (x - middle) > 0 for x in after)
    return middle if clear and abs(high - low) >= WIDTHS * width else None


def nights_of(values, verdicts, sign):
    """{night in which a clear step is red: count}, how many are red or suspect in the first night, and what became of red nights."""
    places = sorted(values)
    numbers = [median(values[place]) for place in places]
    nights, named, fates = Counter(), 0, Counter()
    for i in range(SIDE, len(numbers) - SIDE + 1):
        if middle_of_step(numbers[i - SIDE:i], numbers[i:i + SIDE], sign) is not None:
            said = [verdicts.get(place) for place in places[i:i + NIGHTS]]
            named += said[0] in RED + ('suspect', 'environment')
            nights[next((k + 1 for k, word in enumerate(said) if word in RED), 'never')] += 1
    red = False
    for i, place in enumerate(places):
        word = verdicts.get(place)
        if word in RED and not red and 8 <= i < len(numbers) - 3:
            middle = (median(numbers[max(0, i - 12):i - 3]) + numbers[i]) / 2
            back = sum(sign * (x - middle) <= 0 for x in numbers[i + 1:i + 4])
            fates['false' if back == 3 else 'mixed' if back else 'stayed'] += 1
        red = word in RED if word else red
    return nights, named, fates


def ask_nights(replay, values):
    verdicts, compared = defaultdict(dict), 0
    for index in sorted({place for series in values.values() for place in series})[1:]:
        for one in replay.gate(index, 'window')['comparisons']:
            if one['candidate'].get('value') is not None:
                verdicts[key_of(one)][index] = one['verdict']
                compared += 1
    nights, named, fates = Counter(), 0, Counter()
    for key, series in values.items():
        found = nights_of(series, verdicts[key], -1 if replay.name == 'Reactant.jl' else 1)
        nights, named, fates = nights + found[0], named + found[1], fates + found[2]
    return {'comparisons': compared, 'red in night': {str(k): n for k, n in sorted(nights.items(), key=lambda one: str(one[0]).zfill(5))},
            'steps': sum(nights.values()), 'named in the first night': named, 'red nights': dict(fates)}


def changes_of(replay, values):
    """Confirmed changes: series, place of the first commit after it, effect."""
    document = json.loads(replay.run(replay.rooflog, 'log', '--view', 'series', '--json').stdout)
    place = {oid: i for i, oid in enumerate(replay.commits)}
    by_name = defaultdict(list)
    for key in values:
        by_name[key[0]].append(key)
    for one in document['series']:
        # Rows leave out the parameters that all series share; a name that several series have is left out here.
        keys = by_name.get(one['name'], [])
        if len(keys) == 1:
            for change in one['changes']:
                if change['confirmed']:
                    yield keys[0], place[(change.get('commit') or change['first_after'])['oid']], change['effect']


def best_split(series, at):
    """The place whose two sides fit best, near `at`."""
    places = sorted(series)
    i = places.index(at)
    near = places[max(0, i - 12):i + 12]
    numbers = [math.log(median(series[place])) for place in near]

    def error(part):
        mean = sum(part) / len(part)
        return sum((x - mean) ** 2 for x in part)
    k = min(range(1, len(near)), key=lambda k: error(numbers[:k]) + error(numbers[k:]))
    return near[k]


def draw(found, count, seed):
    chance = random.Random(seed)
    small = [one for one in found if abs(one[3]) < .06]
    large = [one for one in found if abs(one[3]) >= .06]
    return chance.sample(small, min(count // 2, len(small))) + chance.sample(large, min(count - count // 2, len(large)))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--rooflog', default=os.path.join(HERE, '..', '..', 'build', 'release', 'rooflog'))
    parser.add_argument('--history', action='append', choices=sorted(HISTORIES), help='default: all')
    parser.add_argument('--draw', type=int, default=12)
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('--json', help='write all figures there')
    options = parser.parse_args()
    if not os.path.isdir(TRACKERS):
        print('skipped: no ../shared/data')
        return
    work, results, found, all_values = tempfile.mkdtemp(prefix='rooflog-steps-'), {}, [], {}
    try:
        for name in options.history or HISTORIES:
            replay = Replay(os.path.abspath(options.rooflog), name, work)
            replay.ingest()
            values = all_values[name] = replay.values()
            found += [(name,) + change for change in changes_of(replay, values)]
            results[name] = ask_nights(replay, values)
            print(name, json.dumps(results[name]), flush=True)
    finally:
        shutil.rmtree(work, ignore_errors=True)
    print(f'{len(found)} confirmed changes')
    for name, key, place, effect in draw(found, options.draw, options.seed):
        series = all_values[name][key]
        best = best_split(series, place)
        places = sorted(series)
        i = places.index(place)
        near = [median(series[one]) / median(series[places[i - 1]]) for one in places[max(0, i - 6):i + 6]]
        print(f'{name} {key[0][:60]} {effect:+.1%}: {"same commit" if best == place else f"{places.index(best) - i:+d} commits"}; '
              + ' '.join(f'{"| " if k == min(i, 6) else ""}{x:.3f}' for k, x in enumerate(near)))
    if options.json:
        with open(options.json, 'w') as file:
            json.dump(results, file, indent=1)


if __name__ == '__main__':
    main()
