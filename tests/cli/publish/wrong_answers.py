"""Each request of rooflog comment is answered wrongly: wrong_answers.py URL (of forge.py).

At most one thing is written and at most one comment is there, no token is printed, and what is not done is said.
"""
import json
import os
import subprocess
import sys
import time
import urllib.request

URL, ROOFLOG = sys.argv[1], os.environ["ROOFLOG"]
HEAD = "1" * 40
MARKER = f"<!-- rooflog:default:{HEAD} -->"
ODD = {"head": 7, "state": "open", "sha": [], "id": {}, "iid": "x", "login": [], "username": []}
ANSWERS = [*({"status": status} for status in (301, 404, 410, 422)), {"status": 204, "body": ""},
           *({"status": 200, "body": body} for body in ("", "<html>", [], {}, "null", "7", [None], [7], [[]], "[[[[", ODD, [ODD])),
           {"status": 200, "body": [], "headers": {"Link": "<nothing"}},
           {"status": 302, "headers": {"Location": "nowhere"}}, {"status": 302, "headers": {"Location": "//"}}]
HOSTS = [("github", "ada/kernels", ["--number", "12"]),
         ("github", "ada/kernels", ["--head", HEAD, "--from", "ada/kernels"]),
         ("gitlab", "7", ["--number", "12"]),
         ("gitlab", "7", ["--head", HEAD, "--from", "7"]),
         ("gitea", "ada/kernels", ["--number", "12"])]
failures = 0


def forge(path, state=None):
    data = None if state is None else json.dumps(state).encode()
    with urllib.request.urlopen(urllib.request.Request(URL + path, data=data, method="POST" if data else "GET")) as answer:
        return json.load(answer)


def fail(text):
    global failures
    failures += 1
    print("FAILED: " + text)


def run(host, repository, options, comments, faults):
    """Status, what is printed, the log and the comments of a run."""
    forge("/_reset", {"user": "robot", "comments": comments, "faults": faults,
                      "requests": [{"number": 12, "sha": HEAD, "from": repository, "base": repository}]})
    done = subprocess.run([ROOFLOG, "comment", "-", "--on", host, "--api", URL, "--repo", repository, *options],
                          input=f"news\n\n{MARKER}\n", capture_output=True, text=True, check=False,
                          env={**os.environ, "ROOFLOG_TOKEN": "good"})
    state = forge("/_state")
    return done, state["log"], [one["body"].split("\n")[0] for one in state["comments"].get("12", [])]


count, slow = 0, (0, "")
# What is tried again for seconds.
PATIENT = [{"cut": 1}, {"status": 500}, {"status": 200, "body": [], "headers": {"Link": f'<{URL}/next>; rel="next"'}},
           {"status": 403, "times": 1, "headers": {"x-ratelimit-remaining": "0", "x-ratelimit-reset": "1772874001"}}]
for host, repository, options in HOSTS:
    for comments in ({}, {"12": [{"id": 5, "author": "robot", "body": f"old\n\n{MARKER}"}]}):
        done, log, _ = run(host, repository, options, comments, [])
        requests = sorted({f"{one['method']} {one['path'].partition('?')[0]}" for one in log})
        if done.returncode or len(requests) < 3:
            fail(f"{host} {options}: {done.stderr}: {requests}")
        for request in requests:
            for answer in ANSWERS + (PATIENT if options == HOSTS[0][2] and host == "github" and not comments else []):
                count += 1
                begin = time.monotonic()
                where = f"{host} {options}, {request}, {answer}"
                done, log, there = run(host, repository, options, json.loads(json.dumps(comments)),
                                       [{"on": request, "times": 99, **answer}])
                slow = max(slow, (time.monotonic() - begin, where))
                said = done.stdout + done.stderr
                written = [one for one in log if one["method"] != "GET"]
                if done.returncode not in (0, 2) or "Sanitizer" in said:
                    fail(f"{where}: status {done.returncode}: {said[-1500:]}")
                if done.returncode == 2 and (not done.stderr.startswith("rooflog comment: ") or len(done.stderr) < 50):
                    fail(f"{where}: it says only: {done.stderr}")
                if "good" in said:
                    fail(f"{where}: the token is printed: {said}")
                # An empty list, or one of other things, is an answer.
                empty = answer.get("body") in ([], [ODD])
                if len(written) > (2 if answer.get("status") == 403 else 1) or len(there) > (2 if empty else 1):
                    fail(f"{where}: written {len(written)} times, {len(there)} comments: {said}")
                if done.returncode == 0 and there != ["news"] and "nothing to do" not in said and not written:
                    fail(f"{where}: it succeeds, and there is {there}: {said}")
print(f"{count} wrong answers, {failures} failures; the slowest took {slow[0]:.1f} s: {slow[1]}")
sys.exit(failures > 0 or count < 100)
