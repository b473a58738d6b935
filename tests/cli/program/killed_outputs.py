"""Kills commands that write files, at random moments and as soon as a temporary file is seen. Every file is
then as it was before or as it was to become, and the next run leaves nothing but its files.

Usage: killed_outputs.py ROOFLOG COUNT, in a repository with a store of several commits."""
import hashlib, os, random, shutil, signal, subprocess, sys, time

rooflog, count = sys.argv[1], int(sys.argv[2])
random.seed(count)
out = os.path.abspath("out")
new, old = subprocess.check_output(["git", "rev-list", "-2", "HEAD"], text=True).split()


def gate(commit):
    return ["gate", "-o", "junit=out/gate.xml", "-o", "csv=out/gate.csv", "-o",
            "summary=out/gate.md", "-o", "jsonl=out/gate.jsonl", commit]


COMMANDS = {
    "report": lambda commit: ["report", "--output", "out/report.html", commit],
    "gate": gate,
    "site": lambda commit: ["site", "out/site", commit],
    "new site": lambda commit: ["site", "out/site", commit],
}


def files():
    found = {}
    for folder, _, names in os.walk(out):
        for name in names:
            path = os.path.join(folder, name)
            with open(path, "rb") as file:
                found[os.path.relpath(path, out)] = hashlib.sha256(file.read()).hexdigest()
    return found


def run(arguments):
    done = subprocess.run([rooflog] + arguments,
                          stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    if done.returncode == 2:
        sys.exit(f"{arguments}: {done.stderr}")


def clean():
    shutil.rmtree(out, ignore_errors=True)
    os.mkdir(out)


def is_temporary(path):
    return ".rooflog-" in path


def temporaries():
    found = []
    for folder, folders, names in os.walk(out):
        found += [os.path.join(folder, name) for name in folders + names if is_temporary(name)]
    return found


def kill(arguments, seconds, on_sight):
    child = subprocess.Popen([rooflog] + arguments, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    end = time.monotonic() + seconds
    while child.poll() is None and time.monotonic() < end:
        if on_sight and temporaries():
            break
    child.send_signal(signal.SIGKILL)
    return child.wait() == -signal.SIGKILL


wanted, took = {}, {}
for name, command in COMMANDS.items():
    for commit in (old, new):
        clean()
        begun = time.monotonic()
        run(command(commit))
        took[name] = time.monotonic() - begun
        wanted[name, commit] = files()
torn = kills = left = remained = 0
for i in range(count):
    name = random.choice(list(COMMANDS))
    clean()
    if name != "new site":
        run(COMMANDS[name](old))
    on_sight = i % 2 == 1
    # A few in a row: what one left is there for the next.
    for _ in range(random.randint(1, 3)):
        kills += kill(COMMANDS[name](new), 1 if on_sight else random.uniform(0, 1.1 * took[name]), on_sight)
    left += len(temporaries())
    for path, digest in files().items():
        if not is_temporary(path) and digest not in (wanted[name, old].get(path), wanted[name, new].get(path)):
            print(f"torn: {name}, {path}")
            torn += 1
    run(COMMANDS[name](new))
    after = files()
    if after != wanted[name, new] or temporaries():
        print(f"after {name}: {sorted(set(after.items()) ^ set(wanted[name, new].items()))[:5]} {temporaries()[:5]}")
        remained += 1
print(f"{count} rounds, {kills} kills; {left} temporary files and folders were left, {remained} after the next run; "
      f"{torn} files torn")
sys.exit(torn + remained > 0)
