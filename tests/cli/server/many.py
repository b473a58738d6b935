#!/usr/bin/env python3
"""Many writers and readers of one store on a server, some of which are killed, while the server is stopped now and then.

usage: many.py ROOFLOG STORE FOLDER [WRITERS [READERS [KILLS [STOPS]]]]

Nothing may be lost or doubled: whatever a writer reported is there, what was killed is there as a whole or not at all,
and trying it again completes it. FOLDER has server_down and server_up, which stop and start the server.
"""
import collections
import json
import os
import random
import signal
import subprocess
import sys
import threading
import time

rooflog, store, folder = sys.argv[1:4]
writers, readers, kills, stops = (int(word) for word in (sys.argv[4:] + ["20", "10", "40", "2"])[:4])
rng = random.Random(20261129)
commits = subprocess.run(["git", "rev-list", "--first-parent", "HEAD"], capture_output=True, text=True, check=True).stdout.split()
RUNS = 5
faults = []


def environment(machine):
    home = os.path.join(folder, f"home-{machine}")
    os.makedirs(home, exist_ok=True)
    return dict(os.environ, HOME=home, ROOFLOG_STORE=store)


def write_file(number):
    path = os.path.join(folder, f"m{number}.csv")
    with open(path, "w") as file:
        file.write("commit,op,gpu,value\n")
        for i in range(RUNS):
            file.write(f"{commits[i % len(commits)]},kernel{number},h100-sxm,{1 + number / 1000 + i / 7}\n")
    return path


def ingest(machine, path):
    return subprocess.Popen([rooflog, "ingest", "--history", "--columns", "commit,kernel=op,device=gpu,time=value:ms", path],
                            env=environment(machine), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)


def ask(machine, *words):
    done = subprocess.run([rooflog, *words], env=environment(machine), capture_output=True, text=True)
    return done.returncode, done.stdout, done.stderr


def stored():
    """How often each run of a kernel is stored, by a machine without a copy."""
    status, out, err = ask(f"fresh-{rng.random()}", "store", "export")
    if status:
        sys.exit(f"export: {err}")
    lines = [json.loads(line) for line in out.splitlines()]
    return collections.Counter((line["series"]["kernel"], line["commit"]) for line in lines if "run" in line)


def check(name, numbers, found):
    wanted = {(f"kernel{n}", commits[i % len(commits)]) for n in numbers for i in range(RUNS)}
    lost, doubled = wanted - set(found), {run for run, count in found.items() if count > 1}
    if lost or doubled:
        faults.append(f"{name}: {len(lost)} runs lost, {len(doubled)} doubled, e.g. {sorted(lost | doubled)[:2]}")


# --- writers and readers at once, half of them with a copy in common ---
begun = time.monotonic()
paths = [write_file(n) for n in range(writers)]
running = [ingest("shared" if n % 2 else n, path) for n, path in enumerate(paths)]
failed_reads = []


def read(number):
    for command in (["log", "--json"], ["gate", "--json"], ["log", "--view", "series", "--json"]):
        status, _, err = ask("shared" if number % 2 else f"reader{number}", *command)
        if status not in (0, 1) and "no run" not in err and "has no measurements" not in err:
            failed_reads.append(err)


threads = [threading.Thread(target=read, args=(n,)) for n in range(readers)]
for thread in threads:
    thread.start()
for n, process in enumerate(running):
    err = process.communicate()[1].decode()
    if process.returncode:
        faults.append(f"writer {n}: {err}")
for thread in threads:
    thread.join()
faults += [f"reader: {err}" for err in failed_reads]
print(f"{writers} writers of {RUNS} runs and {3 * readers} readers: {time.monotonic() - begun:.1f} s")
check("at once", range(writers), stored())

# --- killed ---
at, survived, killed = writers, 0, 0
for n in range(at, at + kills):
    path = write_file(n)
    process = ingest(rng.choice(["shared", "x", "y"]), path)
    time.sleep(rng.random() * 0.06)
    process.send_signal(signal.SIGKILL)
    process.wait()
    survived += process.returncode == 0
    killed += process.returncode != 0
found = stored()
for n in range(at, at + kills):
    there = sum((f"kernel{n}", commits[i % len(commits)]) in found for i in range(RUNS))
    if there not in (0, RUNS):
        faults.append(f"killed ingest {n}: {there} of {RUNS} runs are there")
print(f"{killed} of {kills} ingests killed, {sum((f'kernel{n}', commits[0]) in found for n in range(at, at + kills))} stored all the same")
for n in range(at, at + kills):
    process = ingest(rng.choice(["shared", "x", "y"]), os.path.join(folder, f"m{n}.csv"))
    err = process.communicate()[1].decode()
    if process.returncode:
        faults.append(f"again after a kill, {n}: {err}")
check("after kills", range(at + kills), stored())

# --- the server is stopped under writers ---
at += kills
for stop in range(stops):
    numbers = range(at, at + 6)
    at += 6
    running = [ingest(rng.choice(["shared", n]), write_file(n)) for n in numbers]
    time.sleep(rng.random() * 0.1)
    subprocess.run([os.path.join(folder, "server_down")], check=False)
    subprocess.run([os.path.join(folder, "server_up")], check=True)
    reported = []
    for n, process in zip(numbers, running):
        err = process.communicate()[1].decode()
        if process.returncode == 0:
            reported.append(n)
        elif "rooflog" not in err:
            faults.append(f"stopped server, writer {n}: {err}")
    check("server stopped", reported, stored())
    for n in numbers:
        ingest("shared", os.path.join(folder, f"m{n}.csv")).communicate()
    print(f"server stopped under 6 writers: {len(reported)} of them waited for it and stored")
check("at the end", range(at), stored())
for machine in ("shared", "x"):
    status, out, err = ask(machine, "doctor", "--json")
    bad = [check for check in json.loads(out)["checks"] if not check["ok"]]
    if bad:
        faults.append(f"doctor: {bad}")
for fault in faults:
    print(f"FAILED: {fault}")
sys.exit(1 if faults else 0)
