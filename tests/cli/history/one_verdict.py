"""Asks every command for the verdicts of one commit, and compares what they say with gate --json.

one_verdict.py ROOFLOG AGAINST... runs in a repository. For each AGAINST ("" is the default) and each commit
of standard input it asks gate, report, their formats, the explanation and the site, and prints a line for
each output that says something else. Statuses, words, verdicts, changes and reasons are compared as far as
an output has them. An AGAINST that begins with = must have the verdicts of the one before it.

At HEAD the changes are compared, too: those of the site and of the nightly gate are the log's.
"""
import csv
import html
import io
import json
import os
import re
import subprocess
import sys
import tempfile

ROOFLOG = sys.argv[1]
# A page is compared by a template that prints its document's members.
SITE = "{{#gate}}{{word}}\t{{verdict}}\t{{exit_status}}\t{{{reason}}}\n{{/gate}}{{#series}}{{{kernel}}}\t{{{judged}}}\t{{verdict}}\t{{change_text}}\t{{{reason}}}\n{{/series}}\f\n{{#recent}}{{{name}}}\t{{#commit}}{{oid}}{{/commit}}\n{{/recent}}"
ALONE = ("no baseline", "baseline recorded")
RECENT = 12  # changes on the first page of a site
REPORT = "{{#gate}}{{word}}\t{{verdict}}\t{{exit_status}}\t{{{reason}}}\n{{#comparisons}}{{{kernel}}}\t{{{title}}}\t{{verdict}}\t{{change_text}}\t{{{reason}}}\n{{/comparisons}}{{/gate}}"
UNTOLD = object()
# Names of verdicts that texts for people have as values of fail-on only.
MACHINE = re.compile(r"(?<!fail-on does not list )\b(regressed|undecided|incomparable|no-baseline|improved|stale|suspect)\b(?!=)")
TITLES = {"total_time": "Total time", "host_time": "Host time"}


def ask(*arguments):
    done = subprocess.run([ROOFLOG, *arguments], capture_output=True, text=True, stdin=subprocess.DEVNULL)
    if done.returncode not in (0, 1):
        raise SystemExit(f"{' '.join(arguments)}: status {done.returncode}: {done.stderr}")
    return done


class Said:
    """What one output says: of the gate a word, a status and a reason, of each comparison the same and its change."""

    def __init__(self, word=None, verdict=None, status=None, reason=None):
        self.word, self.verdict, self.status, self.reason, self.rows = word, verdict, status, reason, {}

    def add(self, kernel, metric, verdict, change=UNTOLD, reason=UNTOLD):
        """Of a series with several rules for one metric the first comparison, which is the worst."""
        row = (verdict, "" if change in (None, "unknown", "--") else change, reason)
        self.rows.setdefault((kernel, metric), row)

    def differences(self, wanted, complete):
        for name in ("word", "verdict", "status", "reason"):
            mine, other = getattr(self, name), getattr(wanted, name)
            if mine is not None and mine != other:
                yield f"{name}: {mine!r}, not {other!r}"
        missed = set(wanted.rows) - set(self.rows) if complete else ()
        if missed:
            yield f"not told: {sorted(missed)}"
        for key, row in self.rows.items():
            for mine, other in zip(row, wanted.rows.get(key, ("no comparison",) * 3)):
                if mine is not UNTOLD and mine != other:
                    yield f"{key[0]} {key[1]}: {mine!r}, not {other!r}"


def of_document(document):
    gate = document.get("gate")  # where nothing could be compared a report has the runs alone
    if not gate:
        return None
    said = Said(gate["word"], gate["verdict"], gate["exit_status"], gate["reason"])
    for one in gate["comparisons"]:
        said.add(one["kernel"], one["title"], one["verdict"], one["change_text"], one["reason"])
    return said


def of_template(text):
    if not text.strip():
        return None
    first, *rows = text.strip("\n").split("\n")
    word, verdict, status, reason = first.split("\t")
    said = Said(word, verdict, int(status), reason)
    for row in rows:
        if row.split("\t")[2]:  # else a series of the history that the gate did not look at
            said.add(*row.split("\t"))
    return said


def of_text(text, titles, words):
    """The table: mark and verdict, name, perhaps rule and metric, then figures of which the change is one.
    Its verdicts are those of `words`, which has the machine's name of each."""
    lines = text.split("\n")
    said = Said(lines[0].split(":")[0])
    at = next(i for i, line in enumerate(lines) if line.startswith("verdict "))
    named = lines[at].index("series")
    for line in lines[at + 1:]:
        if not line or line.startswith("(in parentheses"):
            break
        cells = [cell.strip() for cell in line[named:].split("  ") if cell]
        metric = next((cell.split(": ")[-1] for cell in cells[1:] if "_time" in cell), None)
        change = next((cell for cell in cells if cell[0] in "+-" and cell.endswith("%")), "")
        verdict = line[:named].strip()
        verdict = (verdict[1:-1] if verdict.startswith("(") else verdict).split(" ", 1)[1]
        said.add(cells[0], titles[cells[0]] if not metric else TITLES[metric],
                 words[verdict], change)
    return said


def of_table(rows):
    said = Said()
    for row in rows:
        said.add(row["kernel"], TITLES[row["metric"]], row["verdict"], row.get("change_text", UNTOLD), row["reason"])
    return said


def of_explanation(document):
    said = Said(None, document["verdict"], document["exit_status"], document["reason"])
    for one in document["explained"]:
        said.add(one["kernel"], TITLES[one["metric"]], one["verdict"], UNTOLD, one["reason"])
    return said


def of_night(document):
    """The lists of a night and of a week: what they name has the verdict of the gate."""
    said = of_document(document)
    for part in (document.get("night") or {}), (document.get("week") or {}):
        for listed in part.values():
            for row in listed.get("rows", []) if isinstance(listed, dict) else []:
                if "verdict" in row:
                    said.add(row["name"], row["title"], row["verdict"], row.get("change_text"), row["reason"])
    return said


def said_of_report(folder, how, commit):
    template = os.path.join(folder, "report.md")
    with open(template, "w") as file:
        file.write(REPORT)
    return of_template(ask("report", *how, "--as", "html", "--template", template, commit).stdout)


def said_of_site(folder, how, commit):
    """What the first page says, and its changes as pairs of kernel and commit."""
    templates, pages = os.path.join(folder, "templates"), os.path.join(folder, "pages")
    os.mkdir(templates)
    with open(os.path.join(templates, "site-index.html"), "w") as file:
        file.write(SITE)
    ask("site", *how, "--templates", templates, pages, commit)
    with open(os.path.join(pages, "index.html")) as file:
        verdicts, changes = html.unescape(file.read()).split("\f\n")
    return of_template(verdicts), {tuple(line.split("\t")) for line in changes.splitlines()}


def outputs(commit, against, folder):
    """Every output, as (its name, what it says, whether it has all comparisons)."""
    how = ["--against", against] if against else []
    document = json.loads(ask("gate", *how, "--json", commit).stdout)
    wanted = of_document(document)
    words = {one["verdict_text"]: one["verdict"] for one in document["gate"]["comparisons"]}
    titles = dict(wanted.rows.keys())
    ended = ask("gate", *how, commit)
    yield "gate --json", wanted, True
    yield "gate", of_text(ended.stdout, titles, words), True
    yield "gate, its status", Said(status=ended.returncode), False
    for kind in ("md", "summary", "comment", "compare") + (("nightly", "weekly") if against == "window" else ()):
        made = ask("gate", *how, "--as", kind, commit)
        yield f"gate --as {kind}, its status", Said(status=made.returncode), False
        machine = MACHINE.search(made.stdout)
        yield f"gate --as {kind}, {machine and made.stdout[max(0, machine.start() - 30):machine.end() + 30]!r}", Said("a word for machines" if machine else None), False
    yield "gate --as jsonl", of_table(map(json.loads, ask("gate", *how, "--as", "jsonl", commit).stdout.splitlines())), True
    yield "gate --as csv", of_table(csv.DictReader(io.StringIO(ask("gate", *how, "--as", "csv", commit).stdout))), True
    yield "gate --explain", of_explanation(json.loads(ask("gate", *how, "--explain", "*", "--json", commit).stdout)), True
    for kind in ("report", "summary", "comment") + (("nightly", "weekly") if against == "window" else ()):
        document = json.loads(ask("report", "--as", kind, *(how or ["--against", "nearest"]), "--json", commit).stdout)
        yield f"report --as {kind}", of_night(document), True
    yield "report", of_document(json.loads(ask("report", *how, "--json", commit).stdout)), True
    yield "report --template", said_of_report(folder, how, commit), True
    yield "site", said_of_site(folder, how, commit)[0], len(titles) == len(wanted.rows)


def changes_differ():
    """Sentences about changes that the log does not have."""
    head = ask("log", "--view", "history", "--json").stdout
    logged = {(one["name"], change["first_after"]["oid"]): change["confirmed"]
              for one in json.loads(head)["series"] for change in one["changes"]}
    with tempfile.TemporaryDirectory() as folder:
        shown = said_of_site(folder, [], "HEAD")[1]
    if len(logged) <= RECENT:
        for kernel, oid in sorted(shown ^ {key for key, confirmed in logged.items() if confirmed}):
            yield f"site and log: {kernel} changed at {oid[:10]}"
    # What only the newest two commits show is the gate's suspicion, and no level yet.
    newest = subprocess.run(["git", "log", "--first-parent", "--format=%H", "-2"], capture_output=True, text=True, check=True).stdout
    for one in json.loads(ask("gate", "--against", "window", "--json").stdout)["gate"]["comparisons"]:
        changed = (one.get("change_of_level") or {}).get("first_after")
        if changed and changed["oid"] not in newest and (one["kernel"], changed["oid"]) not in logged:
            yield f"gate and log: {one['kernel']} changed at {changed['oid'][:10]}"


def main():
    asked = 0
    differences = []
    for commit in sys.stdin.read().split():
        before = None
        for against in sys.argv[2:]:
            same, against = against.startswith("="), against.lstrip("=")
            wanted = None
            with tempfile.TemporaryDirectory() as folder:
                for name, said, complete in outputs(commit, against, folder):
                    wanted = wanted or said
                    asked += 1
                    if not said:
                        assert wanted.verdict in ALONE, name
                        continue
                    differences += [f"{commit[:10]} against {against or 'the default'}: {name}: {text}"
                                    for text in said.differences(wanted, complete)]
            if same:
                differences += [f"{commit[:10]} against {against}: {text}" for text in wanted.differences(before, True)]
            before = wanted
    differences += changes_differ()
    print("\n".join(differences + [f"{asked} outputs asked, {len(differences)} differences"]))
    sys.exit(len(differences) > 0)


main()
