#!/usr/bin/env python3
"""usage: pager.py ROOFLOG REPOSITORY

Runs commands on a terminal with a pager that marks each line, and checks what went through it."""
import os
import pty
import subprocess
import sys

ROOFLOG = os.path.abspath(sys.argv[1])
MARK = "PAGED "
failures = []


def on_terminal(arguments, **variables):
    """The text that a terminal shows, and the exit status."""
    child, terminal = pty.fork()
    if child == 0:
        for name in ("PAGER", "ROOFLOG_PAGER", "NO_COLOR"):
            os.environ.pop(name, None)
        os.environ.update({"TERM": "xterm", **variables})
        os.execv(ROOFLOG, [ROOFLOG, *arguments])
    text = b""
    while True:
        try:
            part = os.read(terminal, 65536)
        except OSError:  # the last one has closed it
            break
        if not part:
            break
        text += part
    _, status = os.waitpid(child, 0)
    os.close(terminal)
    return text.decode(), os.waitstatus_to_exitcode(status)


def check(name, right, seen):
    if not right:
        failures.append(name)
        print(f"FAILED: {name}: {seen[:300]!r}")


def main():
    os.chdir(sys.argv[2])
    marks = {"ROOFLOG_PAGER": f"sed 's/^/{MARK}/'"}
    paged = (["show"], ["log"], ["log", "attention"], ["compare", "HEAD~1", "HEAD"], ["gate", "--explain", "attention"],
             ["list", "metrics"], ["help", "gate"], ["help", "filters"], ["gate", "-h"])
    for arguments in paged:
        text, status = on_terminal(arguments, **marks)
        check(f"{arguments} is paged", text.startswith(MARK) and status == 0, text)
    for arguments in (["gate", "--fail-on", "none"], ["show", "--json"], ["show", "--no-pager"], ["--no-pager", "log"],
                      ["compare", "HEAD~1", "HEAD", "--as", "json"]):
        text, status = on_terminal(arguments, **marks)
        check(f"{arguments} is not paged", MARK not in text and text and status == 0, text)
    for variables in ({"ROOFLOG_PAGER": ""}, {"ROOFLOG_PAGER": "cat"}, {"PAGER": "cat"}, {**marks, "TERM": "dumb"}):
        text, status = on_terminal(["show"], **variables)
        check(f"{variables} is no pager", MARK not in text and "attention" in text and status == 0, text)
    text, _ = on_terminal(["show"], PAGER=marks["ROOFLOG_PAGER"])
    check("PAGER is the second choice", text.startswith(MARK), text)
    text, _ = on_terminal(["show"], PAGER="cat", **marks)
    check("ROOFLOG_PAGER is the first", text.startswith(MARK), text)
    text, status = on_terminal(["show", "nothing"], **marks)
    check("an error is not paged and keeps its status", MARK not in text and status == 2, text)
    text, status = on_terminal(["show"], ROOFLOG_PAGER="no-such-pager 2>/dev/null")
    check("a pager that is not there ends the output", "attention" not in text, text)
    text, status = on_terminal(["show"], PATH="/nowhere")
    check("without less there is no pager", "attention" in text and status == 0, text)
    piped = subprocess.run([ROOFLOG, "show"], env={**os.environ, **marks}, stdout=subprocess.PIPE, check=True)
    check("a pipe is not paged", MARK.encode() not in piped.stdout and piped.stdout, piped.stdout.decode())
    wide, _ = on_terminal(["show"], COLUMNS="60", **marks)
    check("the width is that of the terminal", max(len(line) for line in wide.splitlines()) <= 60 + len(MARK), wide)
    print(f"pager: {len(failures)} failures")
    return 1 if failures else 0


sys.exit(main())
