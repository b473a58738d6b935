#!/usr/bin/env python3
"""The gate over real histories, commit by commit, as if it had been there.

    python3 bench/verdicts/replay.py [--rooflog build/release/rooflog] [--history NAME]... [--last 60] [--work FOLDER] [--json FILE]

Each history of ../shared/data/trackers is copied into a temporary git repository with one commit per historical commit, in the order
of the file or by date; the commit ids in the copies are rewritten, so that rooflog's own readers find them. Then the last commits with
data are judged one by one, as a pull request's gate would (`--against nearest`) and as a nightly gate would (`--against window`).
The time of each call is told too. Nothing is written into ../shared.
"""
import argparse, csv, datetime, glob, json, os, shutil, subprocess, sys, tempfile, time
from collections import Counter, defaultdict

HERE = os.path.dirname(os.path.abspath(__file__))
TRACKERS = os.path.join(HERE, '..', '..', '..', 'shared', 'data', 'trackers')
ENVIRONMENT = {'PATH': os.environ['PATH'], 'LC_ALL': 'C.UTF-8', 'GIT_CONFIG_NOSYSTEM': '1', 'GIT_CONFIG_GLOBAL': '/dev/null', 'NO_COLOR': '1',
               'HOME': '/nonexistent', 'GIT_AUTHOR_NAME': 'a', 'GIT_AUTHOR_EMAIL': 'a@example.org', 'GIT_COMMITTER_NAME': 'a', 'GIT_COMMITTER_EMAIL': 'a@example.org'}
BAD = ('regressed', 'suspect', 'drift', 'environment')


class Failed(Exception):
    pass


def seconds(text):
    return int(datetime.datetime.fromisoformat(text.replace('Z', '+00:00')).timestamp())


# --- histories: measurements in the order of their commits ---

class Measurement:
    """All that one entry, or file, of a history says about one commit."""

    def __init__(self, oid, when, write):
        self.oid, self.when, self.write = oid, when, write


def benchmark_action(path):
    """data.js: entries in the order in which the branch got them; that, and not their dates, is the order of the commits."""
    with open(path) as file:
        text = file.read()
    document = json.loads(text[text.index('{'):].rstrip().rstrip(';'))
    found = []
    for suite, entries in document['entries'].items():
        for entry in entries:
            def write(folder, oid, number, suite=suite, entry=entry):
                copy = dict(entry, commit=dict(entry['commit'], id=oid))
                with open(os.path.join(folder, f'{number:05}.js'), 'w') as file:
                    file.write('window.BENCHMARK_DATA = ' + json.dumps({'entries': {suite: [copy]}}))
            found.append((entry.get('date', 0), Measurement(entry['commit']['id'], seconds(entry['commit']['timestamp']), write)))
    found.sort(key=lambda one: one[0])
    return [one for _, one in found], []


def asv(folder):
    """A file a measurement; the file's date is the commit's."""
    found = []
    for path in sorted(glob.glob(os.path.join(folder, '[0-9]*.json'))):
        with open(path) as file:
            text = file.read()
        document = json.loads(text)

        def write(target, oid, number, text=text, old=document['commit_hash']):
            with open(os.path.join(target, f'{number:05}.json'), 'w') as file:
                file.write(text.replace(old, oid))
        measured = int(os.path.basename(path).split('_')[0])
        found.append((document['date'], measured, Measurement(document['commit_hash'], document['date'] // 1000, write)))
    found.sort(key=lambda one: one[:2])
    return [one for _, _, one in found], []


def nightly(folder):
    """A JSON object a commit and scene: the rate and the times of the step's parts become rows of a table."""
    found = {}
    for path in sorted(glob.glob(os.path.join(folder, '*.jsonl'))):
        scene = os.path.splitext(os.path.basename(path))[0]
        with open(path) as file:
            for line in file:
                row = json.loads(line)
                key = seconds(row['timestamp']), row['commit']
                found.setdefault(key, []).extend(
                    (f'{scene}/{name}', value) for name, value in row.items() if name.startswith('step') and name != 'steps_per_second')
    measurements = []
    for (when, oid), rows in sorted(found.items()):
        def write(target, oid, number, rows=rows):
            with open(os.path.join(target, f'{number:05}.csv'), 'w') as file:
                table = csv.writer(file)
                table.writerow(['commit', 'kernel', 'time'])
                table.writerows((oid, name, repr(value)) for name, value in rows)
        measurements.append(Measurement(oid, when, write))
    return measurements, ['--columns', 'commit,kernel,host_time=time:ns']


HISTORIES = {
    'newton': (asv, 'newton-asv-rtx5090'),
    'mujoco_warp': (nightly, 'google-deepmind+mujoco_warp/nightly'),
    'CUDA.jl': (benchmark_action, 'JuliaGPU+CUDA.jl/bench/data.js'),
    'Reactant.jl': (benchmark_action, 'EnzymeAD+Reactant.jl/benchmarks_tflops/data.js'),
    'tensordict': (benchmark_action, 'pytorch+tensordict/dev/bench/data.js'),
}


# --- the repository and its store ---

class Replay:
    def __init__(self, rooflog, name, work):
        read, path = HISTORIES[name]
        self.rooflog, self.name, self.work = rooflog, name, os.path.join(work, name)
        shutil.rmtree(self.work, ignore_errors=True)
        os.makedirs(self.work)
        self.measurements, self.options = read(os.path.join(TRACKERS, path))
        self.make_repository()

    def run(self, *words, when=None, allowed=(0,)):
        environment = dict(ENVIRONMENT, SOURCE_DATE_EPOCH=str(when or 1800000000))
        done = subprocess.run(words, cwd=self.work, env=environment, capture_output=True, text=True)
        if done.returncode not in allowed:
            raise Failed(f'{" ".join(words[:6])} ended with {done.returncode}: {done.stderr[-2000:]}')
        return done

    def make_repository(self):
        """One commit per historical commit, each the child of the one before, with its own date, whatever order that gives."""
        self.old = list(dict.fromkeys(one.oid for one in self.measurements))
        when = {one.oid: one.when for one in reversed(self.measurements)}
        stream = ''.join(f'commit refs/heads/main\ncommitter a <a@example.org> {when[oid]} +0000\ndata {len(oid)}\n{oid}\n'
                         for oid in self.old)
        self.run('git', 'init', '-q', '-b', 'main', '.')
        done = subprocess.run(['git', 'fast-import', '--quiet'], cwd=self.work, env=ENVIRONMENT, input=stream, text=True, capture_output=True)
        if done.returncode:
            raise Failed(done.stderr)
        new = self.run('git', 'rev-list', '--first-parent', '--reverse', 'main').stdout.split()
        self.new = dict(zip(self.old, new))
        self.commits = new

    def ingest(self):
        """The first measurements of all commits in one call, then the second ones ...: what is measured again is a measurement of its
        own. A history may have several files of one commit that are not the same again (two machines): that is told by the series."""
        passes = defaultdict(list)
        known = Counter()
        for one in self.measurements:
            passes[known[one.oid]].append(one)
            known[one.oid] += 1
        self.passes, self.ingested = len(passes), []
        start = time.monotonic()
        for number, measurements in sorted(passes.items()):
            folder = os.path.join(self.work, f'copies{number}')
            os.makedirs(folder)
            for i, one in enumerate(measurements):
                one.write(folder, self.new[one.oid], i)
            done = self.run(self.rooflog, 'ingest', '--history', *self.options, folder, when=1800000000 + 3600 * number)
            self.ingested.append(done.stdout + done.stderr)
        self.ingest_seconds = time.monotonic() - start

    def gate(self, index, against):
        start = time.monotonic()
        done = self.run(self.rooflog, 'gate', '--against', against, '--json', self.commits[index], allowed=(0, 1, 3, 4, 5, 6))
        document = json.loads(done.stdout)['gate']
        document['seconds'] = time.monotonic() - start
        document['index'] = index
        if document['exit_status'] != done.returncode:
            raise Failed(f'{self.commits[index]}: exit status {done.returncode}, the document says {document["exit_status"]}')
        return document

    def values(self):
        """{series: {place: [value, ...]}} of what is stored, by the metric that the gate judges."""
        place = {oid: i for i, oid in enumerate(self.commits)}
        found = defaultdict(lambda: defaultdict(list))
        for kernel in sorted(self.kernel_starts()):
            done = self.run(self.rooflog, 'log', '--json', '--kernel', kernel, allowed=(0, 2))
            if done.returncode and 'no run has kernel' not in done.stderr:
                raise Failed(done.stderr)
            for run in json.loads(done.stdout or '{"runs": []}')['runs']:
                head = run['metrics'][run['timing']['key'] if run.get('timing') else 'algorithmic_rate']
                found[run['kernel'], run['params_text']][place[run['commit']['oid']]].append(head['value'])
        return found

    def kernel_starts(self):
        """Patterns that cut the log into documents of a bearable size."""
        if self.name != 'mujoco_warp':
            return {'*'}
        return {os.path.basename(path)[:-len('.jsonl')] + '/*' for path in glob.glob(os.path.join(TRACKERS, HISTORIES[self.name][1], '*.jsonl'))}


# --- figures ---

def key_of(comparison):
    return comparison['kernel'], comparison['params_text']


def alarms(document, verdicts=BAD):
    return {key_of(one) for one in document['comparisons'] if one['verdict'] in verdicts}


def measured(document):
    return {key_of(one) for one in document['comparisons'] if one['candidate'].get('value') is not None}


def onsets(documents, verdicts):
    """Alarms of series that had none when they were judged last."""
    red, count = set(), 0
    for document in documents:
        now = alarms(document, verdicts)
        count += len(now - red)
        red = (red - measured(document)) | now
    return count


def overlap(documents, verdicts=BAD):
    """Mean Jaccard index of the alarm sets of neighbouring commits, of the series that both have, where at least one has alarms."""
    shares = []
    for before, after in zip(documents, documents[1:]):
        both = measured(before) & measured(after)
        a, b = alarms(before, verdicts) & both, alarms(after, verdicts) & both
        if a | b:
            shares.append(len(a & b) / len(a | b))
    return sum(shares) / len(shares) if shares else None


def median(values):
    values = sorted(values)
    middle = len(values) // 2
    return values[middle] if len(values) % 2 else (values[middle - 1] + values[middle]) / 2


def following(series, index, count):
    """The medians of the next commits with data of the series."""
    places = sorted(place for place in series if place > index)[:count]
    return [median(series[place]) for place in places]


def fate(series, index, before, now):
    """Whether the next three commits stay beyond half of the effect."""
    later = following(series, index, 3)
    if len(later) < 3:
        return 'not known yet'
    beyond = sum((value - (before + now) / 2) * (now - before) > 0 for value in later)
    return 'stayed' if beyond == 3 else 'went away' if beyond == 0 else 'mixed'


def fates(documents, values, verdicts):
    counts = Counter()
    for document in documents:
        for one in document['comparisons']:
            if one['verdict'] in verdicts and one['candidate'].get('value') is not None:
                counts[fate(values[key_of(one)], document['index'], one['baseline']['value'], one['candidate']['value'])] += 1
    return dict(counts)


def naive(replay, values, indices, share=.05):
    """What a fixed limit of 5 % against the commit before says: flags, comparisons, and what became of the flags."""
    wanted, counts = set(indices), Counter()
    rate = replay.name == 'Reactant.jl'
    for series in values.values():
        places = sorted(series)
        for a, b in zip(places, places[1:]):
            if b not in wanted:
                continue
            before, now = median(series[a]), median(series[b])
            counts['comparisons'] += 1
            change = now / before - 1
            if (-change if rate else change) > share:
                counts['flags'] += 1
                counts[fate(series, b, before, now)] += 1
            elif (-change if rate else change) < -share:
                counts['improved'] += 1
    return dict(counts)


def figures(documents, values):
    counts, statuses = Counter(), Counter()
    waived = Counter()
    events = confirmed = cleared = 0
    for document in documents:
        statuses[document['exit_status']] += 1
        # The same row asked to let pass what is undecided, or a series missing or stale.
        waived[any(one['verdict'] in BAD + ('failed', 'incomparable') for one in document['comparisons'])] += 1
        verdicts = Counter(one['verdict'] for one in document['comparisons'])
        for key, count in document['counts'].items():
            counts[key] += count
        if any(verdicts[name] != document['counts'].get(name.replace('-', '_'), 0) for name in verdicts):
            raise Failed(f'commit {document["index"]}: the counts {document["counts"]} are not those of the comparisons {dict(verdicts)}')
        events += verdicts['environment'] > 0
        for one in document['comparisons']:
            again = (one['measurements'] or 0) > 1 and one['method'] == 'record'
            confirmed += again and one['verdict'] == 'regressed'
            cleared += again and one['verdict'] not in BAD
    judged = counts['judged']
    red = counts['regressed'] + counts['drift']
    bad = red + counts['suspect']
    return {
        'commits': len(documents), 'counts': dict(counts), 'exit_statuses': {str(k): v for k, v in sorted(statuses.items())},
        'environment_calls': events, 'calls_with_alarms': waived[True],
        'flags_per_1000': 1000 * bad / judged if judged else None, 'red_per_1000': 1000 * red / judged if judged else None,
        'overlap': overlap(documents), 'overlap_red': overlap(documents, ('regressed', 'drift')),
        'new_red': onsets(documents, ('regressed', 'drift')), 'red_calls': statuses[1],
        'worse_to_better': (counts['regressed'] + counts['suspect']) / counts['improved'] if counts['improved'] else None,
        'suspects_later': fates(documents, values, ('suspect',)), 'regressed_later': fates(documents, values, ('regressed',)),
        'improved_later': fates(documents, values, ('improved',)),
        'measured_again': {'confirmed': confirmed, 'not bad': cleared},
        'seconds_a_call': sum(one['seconds'] for one in documents) / len(documents),
    }


def detected(replay, values):
    """rooflog stats detect over all series: changes, and how many commits they were looked for in."""
    names = {key: f's{i}' for i, key in enumerate(sorted(values))}
    path = os.path.join(replay.work, 'detect.csv')
    with open(path, 'w') as file:
        file.write('series,index,value\n')
        for key, name in names.items():
            for place in sorted(values[key]):
                for value in values[key][place]:
                    file.write(f'{name},{place},{value!r}\n')
    start = time.monotonic()
    document = json.loads(replay.run(replay.rooflog, 'stats', 'detect', '--json', path).stdout)['series']
    elapsed = time.monotonic() - start
    keys = {name: key for key, name in names.items()}
    changes, commits = [], 0
    for one in document:
        commits += one['commits']
        for change in one['changes']:
            changes.append(dict(change, series=keys[one['series']]))
    up = sum(one['effect'] > 0 for one in changes)
    return {'series': len(values), 'points': commits, 'changes': len(changes), 'per_1000': 1000 * len(changes) / commits,
            'up': up, 'down': len(changes) - up, 'seconds': elapsed, 'list': changes}


def replayed(rooflog, name, work, last, modes):
    replay = Replay(rooflog, name, work)
    replay.ingest()
    values = replay.values()
    with_data = sorted({place for series in values.values() for place in series})
    indices = with_data[-last:] if last else with_data
    # The very first commit has nothing to be compared with.
    indices = [index for index in indices if index != with_data[0]]
    result = {'history': name, 'commits': len(replay.commits), 'measurements': len(replay.measurements), 'series': len(values),
              'stored': sum(len(one) for series in values.values() for one in series.values()),
              'not_positive': sum(not value > 0 for series in values.values() for one in series.values() for value in one),
              'ingest_seconds': replay.ingest_seconds}
    documents = {}
    for against in modes:
        documents[against] = [replay.gate(index, against) for index in indices]
        result[against] = figures(documents[against], values)
    result['fixed 5 %'] = naive(replay, values, indices)
    result['detect'] = detected(replay, values)
    return replay, values, documents, result


def tell(result):
    def number(value, digits=2):
        return '--' if value is None else f'{value:.{digits}f}'
    print(f'\n{result["history"]}: {result["series"]} series, {result["commits"]} commits, {result["measurements"]} measurements, '
          f'{result["stored"]} values stored ({result["not_positive"]} of them not above 0), ingested in {result["ingest_seconds"]:.1f} s')
    for against in ('nearest', 'window'):
        if against not in result:
            continue
        one = result[against]
        counts = ', '.join(f'{count} {name}' for name, count in one['counts'].items() if count and name != 'series')
        print(f'  against {against}, {one["commits"]} commits: {counts}')
        print(f'    exit statuses {one["exit_statuses"]}; calls with an environment event {one["environment_calls"]}; '
              f'calls with an alarm {one["calls_with_alarms"]}; {one["seconds_a_call"]:.2f} s a call')
        print(f'    flags (regressed, drift, suspect) per 1000 judged {number(one["flags_per_1000"])}, red ones {number(one["red_per_1000"])} ({one["new_red"]} that were not red before); '
              f'overlap of neighbouring alarms {number(one["overlap"])} (red {number(one["overlap_red"])}); '
              f'worse : better {number(one["worse_to_better"])}')
        print(f'    by the next three commits: suspects {one["suspects_later"]}, regressed {one["regressed_later"]}, improved {one["improved_later"]}; '
              f'measured again {one["measured_again"]}')
    print(f'  a fixed limit of 5 % against the commit before: {result["fixed 5 %"]}')
    found = result['detect']
    print(f'  detect: {found["changes"]} changes in {found["points"]} points, {found["per_1000"]:.2f} per 1000, {found["up"]} up, {found["down"]} down, '
          f'{found["seconds"]:.2f} s', flush=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--rooflog', default=os.path.join(HERE, '..', '..', 'build', 'release', 'rooflog'))
    parser.add_argument('--history', action='append', choices=sorted(HISTORIES), help='default: all')
    parser.add_argument('--last', type=int, default=60, help='commits with data to judge; 0: all')
    parser.add_argument('--work', help='keep the repositories there')
    parser.add_argument('--json', help='write all figures there')
    options = parser.parse_args()
    if not os.path.isdir(TRACKERS):
        print('skipped: no ../shared/data')
        return
    work = options.work or tempfile.mkdtemp(prefix='rooflog-replay-')
    results = []
    try:
        for name in options.history or HISTORIES:
            result = replayed(os.path.abspath(options.rooflog), name, work, options.last, ('nearest', 'window'))[3]
            tell(result)
            results.append(result)
    finally:
        if not options.work:
            shutil.rmtree(work, ignore_errors=True)
    if options.json:
        with open(options.json, 'w') as file:
            json.dump(results, file, indent=1)


if __name__ == '__main__':
    main()
