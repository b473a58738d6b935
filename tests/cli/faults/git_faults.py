"""git fails: git_faults.py PRELOAD.

Runs commands while one call of libgit2 fails (fail_calls.c), or one call of the program git: it fails, says
nothing, says something else, or is killed (git_program). The command then fails and says so, or its
answer is that without the fault, for what libgit2 can't tell git is asked; if it is another one, a warning
says so. The store is as it was after a failure.

FAULTS: how many calls of each command fail at most in each of these ways (4). SEED: other calls.
"""
import difflib
import json
import os
import random
import re
import shutil
import subprocess
import sys

import trials

PRELOAD = os.path.abspath(sys.argv[1])
ROOFLOG, ROOT = os.environ["ROOFLOG"], os.environ["root"]
FAULTS, SEED = int(os.environ.get("FAULTS", "4")), os.environ.get("SEED", "1")
ONLY = os.environ.get("ONLY", "")
HISTORY = ROOT + "/samples/history"
HOWS = ["fails", "silent", "garbage", "killed"]
COMMANDS = [
    ["ingest", HISTORY + "/06"],
    ["ingest", HISTORY + "/02", "--commit", "HEAD~1", "--replace"],
    ["gate"],
    ["gate", "side", "--against", "main~1"],
    ["log"],
    ["log", "--view", "history"],
    ["show"],
    ["show", "HEAD~2"],
    ["compare", "HEAD~3", "side"],
    ["compare", "v1", "HEAD"],
    ["report"],
    ["bisect"],
    ["bisect", "--good", "HEAD~4", "--bad", "HEAD~1"],
    ["baseline", "set", "good", "HEAD~2"],
    ["accept"],
    ["rm", "--commit", "HEAD~1", "--reason", "why"],
    ["devlog", "docs/kernels/attention.md", "--params", "s=512"],
    ["store", "prune", "--keep", "2", "--dry-run"],
    ["doctor"],
    ["store", "push"],
    ["store", "pull"],
]
base = os.path.abspath("base")


def run(folder, arguments, **environment):
    return subprocess.run([ROOFLOG, *arguments], cwd=folder, env={**os.environ, **environment}, capture_output=True,
                          text=True, errors="replace", stdin=subprocess.DEVNULL, check=False)


def prepare():
    """A repository with tags, a branch, uncommitted files, packed objects and a remote with runs."""
    shell = lambda script: subprocess.run(["sh", "-ec", script], cwd=base, check=True, capture_output=True)
    subprocess.run(["sh", HISTORY + ".sh", base, "1", "5"], check=True, capture_output=True)
    shell("git branch -M main; git tag v1 HEAD~3; git tag -a -m x v2 HEAD~2; git repack -q -a -d; git pack-refs --all;"
          "git switch -q -c side; echo x >x; git add x; git commit -q -m side; git switch -q main; git clone -q --bare . "
          "../remote; git remote add origin ../remote; git fetch -q; echo x >>kernels/attention.py")
    for arguments in (["ingest", HISTORY + "/06", "--commit", "side"], ["store", "push"],
                      ["ingest", HISTORY + "/05-again"]):
        done = run(base, arguments)
        if done.returncode:
            sys.exit(f"FAILED: {arguments}: {done.stderr}")


def difference(one, other):
    return "\n".join(difflib.unified_diff(one.splitlines(), other.splitlines(), n=0, lineterm=""))


class Trial:
    def __init__(self, number, arguments):
        self.folder, self.arguments, self.failures, self.count, self.fell_back = \
            os.path.abspath(f"trial-{number}/base"), arguments, [], 0, 0
        self.name = " ".join(arguments).replace(ROOT + "/", "")
        self.rng = random.Random(SEED + self.name)
        self.log = os.path.abspath(f"trial-{number}/calls")

    def restore(self):
        shutil.rmtree(os.path.dirname(self.folder), ignore_errors=True)
        shutil.copytree(base, self.folder, symlinks=True)
        shutil.copytree(os.path.dirname(base) + "/remote", os.path.dirname(self.folder) + "/remote")
        open(self.log, "w", encoding="utf-8").close()

    def store(self):
        """What is in it, without the times of ingest."""
        lines = [json.loads(line) for line in run(self.folder, ["store", "export"]).stdout.splitlines()]
        return "\n".join(str({key: value for key, value in line.items() if key not in ("ingest", "ingested_at", "sha256")})
                         for line in lines)

    def sweep(self, calls, **environment):
        """Makes calls of a kind fail, and git ones in a way."""
        self.restore()
        before = self.store()
        without = run(self.folder, self.arguments, **environment)
        after = self.store()
        with open(self.log, encoding="utf-8", errors="replace") as text:
            lines = text.read().splitlines()
        if without.returncode not in (0, 1) or not lines and "GIT_DIR" in environment:
            self.failures.append(f"FAILED: {self.name}, {calls}: {len(lines)} calls, {without.stderr}")
        numbers = range(1, len(lines) + 1)
        if len(numbers) > FAULTS:
            numbers = sorted({1, len(lines), *self.rng.sample(numbers, FAULTS - 2)})
        for number in numbers:
            for how in HOWS if calls == "the program" else [""]:
                if how == "silent" and re.search(" (status|config|for-each-ref|ls-remote) ", lines[number - 1]):
                    continue  # silence is an answer of these
                self.restore()
                done = run(self.folder, self.arguments, **environment, FAIL_AT=str(number), GIT_AT=str(number), GIT_HOW=how)
                self.judge(done, f"call {number}, {lines[number - 1][-100:]} {how}", without, before, after)

    def judge(self, done, where, without, before, after):
        self.count += 1
        where = f"{self.name}, {where}"
        lines = [line for line in done.stderr.splitlines() if not line.startswith(("warning: ", "hint: "))]
        if done.returncode == 2 and "Sanitizer" not in done.stderr:
            if not lines or "rooflog" not in lines[-1] or len(lines[-1]) < 30:
                self.failures.append(f"FAILED: {where}: it says only: {done.stderr}")
            if self.store() != before:
                self.failures.append(f"FAILED: {where}: it fails, and the store has changed: {done.stderr}")
        elif (done.returncode, done.stdout) != (without.returncode, without.stdout):
            if self.name == "doctor" and ("FAIL " in done.stdout or "git backend   git (libgit2: " in done.stdout or
                                          "cannot use the git repository" in done.stdout):
                return
            if any(line.startswith("warning: ") and line not in without.stderr
                   for line in done.stderr.splitlines()):
                return
            self.failures.append(f"FAILED: {where}: status {done.returncode} and another answer: "
                                 f"{difference(without.stdout, done.stdout)}{done.stderr[-800:]}")
        else:
            self.fell_back += 1
            if self.store() != after:
                self.failures.append(f"FAILED: {where}: it succeeds, and the store is another one: "
                                     f"{difference(after, self.store())[:600]}")

    def run(self):
        self.sweep("libgit2", LD_PRELOAD=PRELOAD, FAIL_CALLS="git", FAIL_LOG=self.log)
        path = {"PATH": os.path.abspath("bin") + ":" + os.environ["PATH"], "GIT_PATH": os.environ["PATH"], "GIT_LOG": self.log}
        self.sweep("the program", **path)
        # libgit2 is not used where GIT_DIR is set.
        self.sweep("the program", GIT_DIR=".git", **path)
        shutil.rmtree(os.path.dirname(self.folder))
        return self


prepare()
os.mkdir("bin")
shutil.copy(ROOT + "/tests/cli/faults/git_program", "bin/git")
os.chmod("bin/git", 0o755)
trials.run_all((Trial(number, command) for number, command in enumerate(COMMANDS) if ONLY in " ".join(command)),
               0 if ONLY else 150, {"fell_back": "without a difference"})
