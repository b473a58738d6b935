"""Stores that several machines filled and edited become one: in any order, in any grouping, and twice.

usage: moving.py ROOFLOG FOLDER ROUNDS [SERVER]    (in a repository with commits)

With the address of a server, one of the machines and one of the merged stores are there.
"""
import itertools
import json
import os
import random
import subprocess
import sys

rooflog, folder, rounds = sys.argv[1], sys.argv[2], int(sys.argv[3])
server = sys.argv[4] if len(sys.argv) > 4 else None
commits = subprocess.check_output(["git", "rev-list", "--reverse", "HEAD"], text=True).split()
kernels = ["attention", "mlp", "norm", "softmax"]
failures = 0
made = set()  # stores that are there


def check(holds, what):
    global failures
    if not holds:
        failures += 1
        print("FAILED:", what)


def call(store, *words, now=None, may_fail=False):
    env = {**os.environ, **({"SOURCE_DATE_EPOCH": str(now)} if now else {})}
    done = subprocess.run([rooflog, "--store", store, *words], env=env, capture_output=True, text=True, stdin=subprocess.DEVNULL)
    if done.returncode not in (0, 1) and "no measurements" not in done.stderr and not may_fail:
        check(False, f"{' '.join(words)}: {done.returncode} {done.stderr}")
    return done.stdout


def content(store):
    """All lines but the last, whose sum depends on their order."""
    lines = call(store, "store", "export").splitlines()
    return sorted(lines[:-1])


def answers(store):
    found = []
    for words in (["log", "--json"], ["gate", "--json"], ["log", "--view", "history", "--json"], ["log", "--view", "series", "--json"]):
        document = json.loads(call(store, *words) or "null")
        if document:
            document.pop("generated_at", None)
        found.append(json.dumps(document))
    return found


def csv_of(rng, name):
    path = os.path.join(folder, name)
    with open(path, "w", encoding="utf-8") as file:
        print("commit,op,gpu,value", file=file)
        for commit in rng.sample(commits, rng.randint(1, len(commits))):
            for kernel in rng.sample(kernels, rng.randint(1, 3)):
                print(f"{commit},{kernel},h100-sxm,{rng.randint(900, 1100) / 1000}", file=file)
    return path


def fill(rng, store, files, clock):
    """What a machine does: it ingests, and now and then somebody edits."""
    for _ in range(rng.randint(2, 7)):
        now = next(clock)
        what = rng.choice(["ingest", "ingest", "ingest", "rm", "mv", "undo", "set", "pin", "forget"])
        if what == "ingest" or store not in made:
            made.add(store)
            call(store, "ingest", "--history", "--columns", "commit,kernel=op,device=gpu,time=value:ms", rng.choice(files), now=now)
        elif what == "rm":
            call(store, "rm", "--kernel", rng.choice(kernels), "--all-commits", "--reason", "wrong", now=now, may_fail=True)
        elif what == "mv":
            call(store, "mv", rng.choice(kernels), rng.choice(kernels) + rng.choice("ab"), now=now, may_fail=True)
        elif what == "undo":
            call(store, rng.choice(["rm", "mv"]), "--undo", now=now, may_fail=True)
        elif what == "set":
            call(store, "baseline", "set", "good", rng.choice(commits), now=now, may_fail=True)
        elif what == "forget":
            call(store, "baseline", "rm", rng.choice(["good", "v1"]), now=now, may_fail=True)
        else:
            call(store, "baseline", "pin", rng.choice(["v1", "v2"]), rng.choice(commits), now=now, may_fail=True)


def merged(name, *stores):
    path = name if "://" in name else os.path.join(folder, name)
    if os.path.exists(path):
        os.remove(path)
    for store in stores:
        call(path, "store", "merge", store)
    return path


def one_round(number):
    rng = random.Random(number)
    clock = itertools.count(1772874000 + number * 100000, 7)
    files = [csv_of(rng, f"{number}-{i}.csv") for i in range(4)]
    stores = [f"{server}#{number}-{i}" if server and i == 1 else os.path.join(folder, f"{number}-{i}.db") for i in range(3)]
    for _ in range(2):
        for store in rng.sample(stores, 3):
            fill(rng, store, files, clock)
    a, b, c = stores
    wanted_store = merged("abc.db", a, b, c)
    wanted, told = content(wanted_store), answers(wanted_store)
    where = f"round {number}"
    check(len(wanted) > len(commits), f"{where}: nothing was stored")
    others = {"cba": merged("cba.db", c, b, a), "bac": merged("bac.db", b, a, c),
              "(ab)(bc)": merged("x.db", merged("ab.db", a, b), merged("bc.db", b, c)),
              "a(bc)a": merged("y.db", a, merged("bc.db", b, c), a), "twice": merged("z.db", wanted_store, wanted_store, b)}
    lines = os.path.join(folder, "lines.jsonl")
    call(wanted_store, "store", "export", "-o", lines)
    copied = os.path.join(folder, "copied.db")
    if os.path.exists(copied):
        os.remove(copied)
    call(copied, "store", "import", lines)
    others["imported"] = copied
    if server:
        others["on a server"] = merged(f"{server}#{number}", c, a, b)
    for name, store in others.items():
        found = content(store)
        check(found == wanted, f"{where}, {name}: {len(set(found) ^ set(wanted))} lines differ")
        for one, other in zip(answers(store), told):
            check(one == other, f"{where}, {name}: commands answer otherwise")
        call(store, "doctor")
    every = [json.loads(line) for line in wanted]
    runs = {one["run"] for one in every if "run" in one}
    for store in stores:
        own = {json.loads(line)["run"] for line in content(store) if line.startswith('{"run"')}
        check(own <= runs, f"{where}: {len(own - runs)} runs of {store} are lost")


def main():
    for number in range(rounds):
        one_round(number)
    print(f"{rounds} rounds, {failures} failures")
    return 1 if failures else 0


sys.exit(main())
