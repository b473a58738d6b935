"""Edits a store at random and compares it with one that is made from what is left: taking_back_fuzz.py STEPS.

Runs in a repository of twelve commits. The model is a list of runs, each with the file that brought it,
its kernel now, and whether it is removed; edits are lists of what they changed.
"""
import json
import os
import random
import re
import shutil
import subprocess
import sys

STEPS, SEED = int(sys.argv[1]), int(os.environ.get("SEED", "1"))
rng = random.Random(SEED)
ROOFLOG = os.environ["ROOFLOG"]
MAP = "commit,kernel=op,device=gpu,time=value:ms"
KERNELS = ["attention", "mlp", "gemm", "norm*"]
NEW = KERNELS + ["attn2", "op[0]"]
START = 1772874000
COMMANDS = ["log --json", "log --view history --json", "log --view series", "gate --json", "gate HEAD~2 --json",
            "gate --json --against window", "report --json", "report --json --as nightly", "show HEAD --json",
            "report --json HEAD~1", "compare HEAD~2 HEAD --json", "log --json --kernel mlp",
            "log --json --kernel attn2 --max-count 3"]
commits = subprocess.run(["git", "log", "--first-parent", "--reverse", "--format=%H"], check=True,
                         capture_output=True, text=True).stdout.split()
runs = []        # {"file", "commit", "kernel", "is", "value", "id", "removed"}
removals = []    # of rm, --replace and --again: (removed, added)
renamings = []   # {index of run: kernel before}
files = 0


def rooflog(store, minute, *words):
    return subprocess.run([ROOFLOG, *words, "--store", store, "--config", "../alias.config"], capture_output=True, text=True, check=False,
                          stdin=subprocess.DEVNULL, env={**os.environ, "SOURCE_DATE_EPOCH": str(START + 60 * minute)})


def must(store, minute, *words):
    result = rooflog(store, minute, *words)
    if result.returncode:
        sys.exit(f"seed {SEED}: {words}: {result.returncode} {result.stderr}")
    return result


def write(number, rows):
    with open(f"in{number}.csv", "w", encoding="utf-8") as file:
        file.write("commit,op,gpu,value\n")
        file.writelines(f"{row['commit']},{row['kernel']},h100-sxm,{row['value']}\n" for row in rows)


def ingest(store, number, *options):
    """A file is ingested in the minute of its number."""
    result = must(store, number, "ingest", "--history", "--json", "--columns", MAP, *options, f"in{number}.csv")
    return json.loads(result.stdout)["runs"]


def new_rows():
    """At most one kernel of a commit, since two that become one would be repeats within a file."""
    at = rng.sample(commits, rng.randint(1, 5))
    return [{"commit": commit, "kernel": rng.choice(KERNELS), "file": files, "removed": False,
             "value": f"{rng.gauss(2, .02) * rng.choice([1, 1, 1, 1.4]):.9f}"} for commit in at]


def add(*options):
    global files
    files += 1
    rows = new_rows()
    write(files, rows)
    places = {(row["commit"], row["kernel"]) for row in rows}
    replaced = [i for i, run in enumerate(runs) if not run["removed"] and (run["commit"], run["is"]) in places]
    added = list(range(len(runs), len(runs) + len(rows)))
    printed = {f"{1e3 * one['metrics']['total_time']['value']:.9f}": one["id"]
               for one in ingest("edited.db", files, *options)}
    for row in rows:
        runs.append({**row, "is": row["kernel"], "id": printed[row["value"]]})
    if options and replaced:
        for i in replaced:
            runs[i]["removed"] = True
        removals.append((replaced, added))


def remove(chosen):
    for i in chosen:
        runs[i]["removed"] = True
    removals.append((chosen, []))


def remove_run():
    live = [i for i, run in enumerate(runs) if not run["removed"]]
    chosen = rng.sample(live, min(len(live), rng.randint(1, 3)))
    if chosen:
        must("edited.db", 1000, "rm", *[runs[i]["id"] for i in chosen], "--reason", "a reason")
        remove(chosen)


def remove_commit():
    one = rng.choice(runs)
    # The last commit has the anchor, which is no part of the model.
    kernel = rng.choice([None, one["is"]]) if one["commit"] != commits[-1] else one["is"]
    chosen = [i for i, run in enumerate(runs) if not run["removed"] and run["commit"] == one["commit"]
              and kernel in (None, run["is"])]
    # The pattern of the filter is no other kernel's name.
    if chosen and not (kernel and any(c in kernel for c in "*?")):
        must("edited.db", 1000, "rm", "--commit", one["commit"], *(["--kernel", kernel] if kernel else []))
        remove(chosen)


def again():
    number = rng.randint(1, files)
    own = [i for i, run in enumerate(runs) if run["file"] == number and run["removed"]]
    ingest("edited.db", number, "--again")
    for i in own:
        runs[i]["removed"] = False
    if own:
        removals.append(([], own))


def rename():
    old = rng.choice(runs)["is"]
    new = rng.choice([name for name in NEW if name != old])
    chosen = [i for i, run in enumerate(runs) if run["is"] == old]
    if all(runs[i]["removed"] for i in chosen):
        return
    must("edited.db", 1000, "mv", old, new)
    renamings.append({i: old for i in chosen})
    for i in chosen:
        runs[i]["is"] = new


def undo_removal():
    if removals:
        must("edited.db", 1000, "rm", "--undo")
        removed, added = removals.pop()
        for i in removed + added:
            runs[i]["removed"] = i in added


def undo_renaming():
    if renamings:
        must("edited.db", 1000, "mv", "--undo")
        for i, name in renamings.pop().items():
            runs[i]["is"] = name


def drop(store):
    for suffix in ["", "-wal", "-shm"]:
        if os.path.exists(store + suffix):
            os.unlink(store + suffix)


def rebuild():
    drop("new.db")
    ingest("new.db", 0)
    for number in range(1, files + 1):
        own = [run for run in runs if run["file"] == number]
        left = [{**run, "kernel": run["is"]} for run in own if not run["removed"]]
        if left:
            write(number, left)
            ingest("new.db", number)
            write(number, own)


def answers(store):
    """What commands print, with runs named by what they are: a renamed one keeps its id."""
    names = {one["id"]: f"{one['kernel']} {one['commit']['oid']} {one['metrics']['total_time']['value']}"
             for one in json.loads(must(store, 1000, "log", "--json").stdout)["runs"]}

    def name(match):
        found = [name for id, name in names.items() if id.startswith(match[0])]
        return found[0] if len(found) == 1 else match[0]
    for words in COMMANDS:
        result = rooflog(store, 1000, *words.split())
        yield words, result.returncode, re.sub(r"\b[0-9a-f]{8,64}\b", name, result.stdout)


def same(what, edited, new):
    for (words, status, text), (_, wanted, expected) in zip(edited, new):
        if (status, text) != (wanted, expected):
            for name, content in ("edited.txt", text), ("new.txt", expected):
                with open(name, "w", encoding="utf-8") as file:
                    file.write(content)
            difference = subprocess.run(["diff", "new.txt", "edited.txt"], capture_output=True, text=True, check=False)
            sys.exit(f"seed {SEED}, {what}: rooflog {words}: status {status}, expected {wanted}\n"
                     + difference.stdout[:3000])


def configure(text):
    """Outside of the work tree it is the caller's word."""
    with open("../alias.config", "w", encoding="utf-8") as file:
        file.write(text)


def compare_alias(step):
    """A series is called otherwise by [alias] as by mv."""
    old = rng.choice([run["is"] for run in runs if not run["removed"]] or ["anchor"])
    new = rng.choice([name for name in NEW if name != old])
    configure(f'[alias "{old}"] as = {new}\n')
    aliased = list(answers("edited.db"))
    configure("")
    drop("moved.db")
    shutil.copy("edited.db", "moved.db")
    must("moved.db", 1000, "mv", old, new)
    same(f"step {step}, [alias \"{old}\"] as = {new}", aliased, answers("moved.db"))


def compare(step):
    rebuild()
    same(f"step {step}", answers("edited.db"), answers("new.db"))
    compare_alias(step)
    doctor = must("edited.db", 1000, "doctor").stdout
    if f"{len(runs) + 1} of {len(runs) + 1} runs intact" not in doctor:
        sys.exit(f"seed {SEED}, step {step}: {len(runs) + 1} runs: {doctor}")


configure("")
write(0, [{"commit": commits[-1], "kernel": "anchor", "value": "1"}])
ingest("edited.db", 0)
STEPS_OF = [(add, 5), (lambda: add("--replace"), 2), (remove_run, 3), (remove_commit, 2), (again, 2), (rename, 2),
            (undo_removal, 3), (undo_renaming, 2)]
for step in range(STEPS):
    choices, weights = zip(*STEPS_OF)
    (add if not runs else rng.choices(choices, weights)[0])()
    if step % 15 == 14 or step == STEPS - 1:
        compare(step)
print(f"{STEPS} steps, {len(runs)} runs, {sum(not run['removed'] for run in runs)} left, {files} files")
