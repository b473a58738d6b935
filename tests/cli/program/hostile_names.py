"""hostile_names.py ROOFLOG: in an empty repository, the working directory.

Fills a store with hostile kernels, variants, parameters, hosts, commit subjects, authors and reasons,
runs every command in every format, and wants that nothing of them reaches a reader as a character
that does not show, and that JSON gives every name back as it was."""
import csv
import html
import io
import json
import os
import re
import subprocess
import sys

from shown import is_hidden

ROOFLOG = sys.argv[1]
COMMITS = 12
# What a CSV may hold: one line without C0 controls.
KERNELS = [
    "plain", "c1\u009b31mred\u0085", "bidi\u202egnp.exe\u202c", "isolate\u2066x\u2069\u200f", "zero\u200bwidth", "zerowidth",
    "\ufeffmark", "mark", "soft\u00adhyphen", "tags\U000e0041\U000e0042", "vary\ufe0f", "\u3164filler\u115f", "non\u00a0breaking",
    "e\u0301accent", "joined\u200dword\u2060s", "line\u2028separator\u2029", "g\u0435mm", "gemm", "\u0430\u0441\u0435", "ace",
    "private\ue000use", "=1+1", "+sum(1)", "-2+3", "@cmd", "<script>alert(1)</script>", "a|b`c", "GH-1", "see #1 @someone o/r#2",
    "1f0e3dad99908345f7439f8ffabdffc4f0a1b2c3", "https://x.org www.y.org", "<!-- x -->", "行列積カーネル" * 9, "\uff37" * 61,
]
# What only JSON can hold.
CONTROLLED = ["esc\u001b]0;t\u0007", "bs\u0008\u0008\u0008x", "cr\rx", "del\u007f", "tab\tx", "nl\nx"]
MARKDOWN = "md comment summary nightly weekly compare".split()
FORMATS = ("jsonl csv junit sarif gitlab github openmetrics badge md html text json "
           "comment summary nightly weekly compare").split()
SEEN = {"json": 0, "hidden": 0, "outputs": 0, "written": 0, "comments": 0}
failures = []


def git(*arguments, text=""):
    subprocess.run(["git", *arguments], input=text.encode(), check=True)


def make_history():
    stream = ""
    for i in range(COMMITS):
        subject = f"c{i} \u202e{KERNELS[i + 1]} \u009b\u001b[2J \u200b #{i} GH-2 @someone \U000e0041"
        stream += (f"commit refs/heads/hostile\nmark :{i + 1}\n"
                   f"author ev\u202eil\u200b\u009b <a@example.org> {1772355600 + i * 86400} +0000\n"
                   f"committer ev\u202eil\u009b <a@example.org> {1772355600 + i * 86400} +0000\n"
                   f"data {len(subject.encode())}\n{subject}\n")
    git("fast-import", "--quiet", text=stream)
    git("checkout", "-q", "hostile")
    os.makedirs(".rooflog")
    with open(".rooflog/accept", "w", encoding="utf-8") as file:
        file.write("plain | total_time | 5 s | never | e\u2066ve | be\u202ecause\u200b\n")
    git("add", "-f", ".rooflog/accept")
    git("commit", "-q", "-m", "ac\u202ecept")


def run(*arguments, columns="80", locale="C.UTF-8"):
    done = subprocess.run([ROOFLOG, *arguments], capture_output=True, stdin=subprocess.DEVNULL,
                          env={**os.environ, "COLUMNS": columns, "LC_ALL": locale, "SOURCE_DATE_EPOCH": "1773874000"})
    if done.returncode < 0 or done.returncode > 6:
        failures.append(f"{arguments}: status {done.returncode}")
    return done


def ingest():
    commits = subprocess.run(["git", "rev-list", "--reverse", "HEAD"], capture_output=True, text=True, check=True).stdout.split()
    rows = io.StringIO()
    table = csv.writer(rows)
    table.writerow(["commit", "op", "kind", "note", "ms"])
    for i, commit in enumerate(commits):
        for k, kernel in enumerate(KERNELS):
            value = (k + 1) * (1.3 if i >= COMMITS and k % 3 == 0 else 1 + i % 3 / 1000)
            for variant in ("var\u202eiant\u200b", "vari\u2060ant")[:1 + (k % 5 == 0)]:
                table.writerow([commit, kernel, variant, "va\u009bl\u2060ue", value + len(variant) / 100])
    with open("rows.csv", "w", encoding="utf-8", newline="") as file:
        file.write(rows.getvalue())
    done = run("ingest", "--columns", "commit,kernel=op,variant=kind,param:note,time=ms:ms", "--set", "device=h100-sxm", "rows.csv")
    if done.returncode:
        failures.append(f"ingest: {done.stderr.decode()}")
    # Readers make blanks of control characters; they are not in names any more.
    for name in CONTROLLED:
        with open("bench.json", "w", encoding="utf-8") as file:
            json.dump({"context": {"date": "2026-11-22T00:00:00", "host_name": "ho\u202est\u009b\u001b[1m", "executable": "/x\u200b/e\u202ex",
                                   "num_cpus": 1, "mhz_per_cpu": 1, "library_build_type": "release"},
                       "benchmarks": [{"name": name, "run_type": "iteration", "iterations": 1, "real_time": 1000, "cpu_time": 1,
                                       "time_unit": "us"}]}, file)
        if check(run("ingest", "--commit", "HEAD", "bench.json"), "ingest").returncode:
            failures.append(f"ingest of {name!r}")


def faults_of(text, kind):
    """Characters that do not show. A document's lines end by CR LF in CSV; colors are SGR sequences."""
    if kind == "color":
        text = re.sub("\x1b\\[[0-9;]*m", "", text)
    return [hex(ord(c)) for c in text if is_hidden(c) and c != "\n" and not (c == "\r" and kind == "csv")]


def check_text(what, data, kind=""):
    SEEN["outputs"] += 1
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as fault:
        failures.append(f"{what}: {fault}")
        return
    SEEN["written"] += "U+202E" in text or "\\u202e" in text
    found = faults_of(text, kind)
    if kind in ("html", "svg", "js"):
        # As a browser shows it: entities and escapes of scripts are read. Only templates write &#160;, between
        # a mark and its word; names that hold it are "&amp;#160;".
        own = text.replace("&#160;", " ")
        read = re.sub(r"\\u([0-9a-f]{4})", lambda at: chr(int(at[1], 16)), html.unescape(own))
        found += [c for c in faults_of(read, kind) if c != "0x200e"]
    if kind in ("html", "svg", "js", "css"):
        found = [c for c in found if c != "0x9"]
    SEEN["hidden"] += len(found)
    if found:
        failures.append(f"{what}: {len(found)} characters that do not show: {sorted(set(found))}")
    if kind == "md" and "<!-- x" in text:
        failures.append(f"{what}: who looks for a comment of rooflog finds a name")
    SEEN["comments"] += kind == "md" and "&lt;!-- x" in text
    if kind == "csv":
        for row in csv.reader(io.StringIO(text, newline="")):
            failures.extend(f"{what}: a formula {cell!r}" for cell in row
                            if cell[:1] in tuple("=+@-\t\r") and not re.fullmatch("[-+0-9.e]+", cell))


def check(done, what, kind=""):
    check_text(f"{what}: stdout", done.stdout, kind)
    check_text(f"{what}: stderr", done.stderr)
    return done


def strings_of(value):
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for name, member in value.items():
            yield name
            yield from strings_of(member)
    elif isinstance(value, list):
        for member in value:
            yield from strings_of(member)


def check_json(arguments, exact):
    """Parses, and has the kernels' names: exactly, or as a part of labels."""
    done = check(run(*arguments), " ".join(arguments))
    text = done.stdout.decode()
    try:
        documents = [json.loads(line) for line in text.splitlines()] if "jsonl" in arguments else [json.loads(text)]
    except ValueError as fault:
        failures.append(f"{arguments}: {fault}")
        return
    SEEN["json"] += 1
    found = set(strings_of(documents))
    for name in KERNELS:
        if name not in found and (exact or not any(name in one for one in found)):
            failures.append(f"{arguments}: {name!r} does not come back")


def check_terminal():
    for arguments in (["log"], ["log", "--view", "series"], ["log", "--view", "history"], ["show"], ["show", "--details"],
                      ["gate"], ["gate", "--all"], ["gate", "--explain", "*"], ["gate", "--selftest"], ["compare", "HEAD~1", "HEAD"],
                      ["compare", "--by", "variant"], ["compare", "--by", "variant", "--all-metrics"], ["calibrate"], ["bisect"],
                      ["accept", "--list"], ["baseline"], ["bisect", "--good", "HEAD~3", "--bad", "HEAD", "+sum*"], ["devices"], ["formats"], ["doctor"], ["report", "--as", "contract"], ["report", "--as", "devlog"],
                      ["report", "--as", "contract", "--language", "zh"], ["devlog"], ["fusion"], ["buckets"], ["gate", "--as", "text"]):
        for columns, locale in (("40", "C.UTF-8"), ("80", "C"), ("200", "C.UTF-8")):
            check(run(*arguments, columns=columns, locale=locale), " ".join(arguments))
        check(run(*arguments, "--color", "always"), " ".join(arguments) + " in color", "color")


def check_formats():
    for name in FORMATS:
        kind = name if name in ("csv", "html") else "md" if name in MARKDOWN else ""
        check(run("gate", "--as", name), f"gate {name}", kind)
        if name not in ("text", "compare"):
            check(run("report", "--as", name), f"report --as {name}", kind)
    for name in ("report", "contract", "devlog", "comment", "summary", "nightly", "weekly"):
        for form in ("md", "html", "json"):
            run("report", "-o", f"{name}=x.{form}")
            if os.path.exists(f"x.{form}"):
                with open(f"x.{form}", "rb") as file:
                    check_text(f"report {name} {form}", file.read(), form if form != "json" else "")
                os.remove(f"x.{form}")
    for chart in ("roofline", "occupancy", "timeline", "latency", "distribution", "trend"):
        for ending in ("svg", "png", "pdf"):
            check(run("chart", chart, "--output", f"x.{ending}"), f"chart {chart}")
            if ending == "svg" and os.path.exists("x.svg"):
                check_file("x.svg")
                os.remove("x.svg")
    check(run("site", "pages"), "site")
    for folder, _, names in os.walk("pages"):
        for name in names:
            check_text(f"name of {name}", name.encode())
            check_file(os.path.join(folder, name))


def check_file(path):
    with open(path, "rb") as file:
        check_text(path, file.read(), path.rsplit(".", 1)[-1])


def check_log():
    """A development log, as a difference and as written."""
    with open("log.md", "w", encoding="utf-8") as file:
        file.write("# Log\n\n## Development log\n\n### V1: a\n\n**Performance**:\n")
    for arguments in (["--new", "--dry-run"], ["--new"]):
        check(run("devlog", "log.md", *arguments, "--kernel", "bidi*"), "devlog")
    check_file("log.md")


def check_messages():
    """Names from the command line, of files and in settings, in messages."""
    bad = "x\u202e\u009b31m\u001b[2J\u200b\U000e0041.json"
    with open(bad, "w", encoding="utf-8") as file:
        file.write('{"a": 1}')
    for arguments in ([bad], ["gate", "--as", bad], ["gate", "--" + bad], ["ingest", "--commit", "HEAD", bad],
                      ["ingest", "--commit", "HEAD", "no" + bad], ["ingest", "--commit", bad, bad], ["show", bad], ["log", bad],
                      ["gate", "--store", bad], ["gate", "--config", bad], ["report", bad], ["report", "--template", "./" + bad],
                      ["chart", bad], ["chart", "trend", "--output", bad], ["site", bad + "/x"], ["inspect", bad], ["stats", "detect", bad],
                      ["stats", "judge", bad], ["analyze", "buckets", bad], ["accept", bad], ["compare", "--by", bad], ["devlog", bad],
                      ["gate", "--kernel", bad], ["log", "--kernel", bad], ["baseline", "set", bad, "HEAD"], ["bisect", bad]):
        check(run(*arguments), f"message of {arguments[:2]!r}")
    with open("series.csv", "w", encoding="utf-8") as file:
        file.write("series,index,value\n" + "".join(f"na\u202em\u009be,{i},{1 + (i > 15) + i % 3 / 1000}\n" for i in range(30)))
    for command in ("detect", "judge"):
        check(run("stats", command, "series.csv"), command)
        check(run("stats", command, "--json", "series.csv"), command)
    with open(".rooflog/config", "w", encoding="utf-8") as file:
        file.write("[rule \"na\u202eme\u200b\"]\n\tmetric = x\u009b\u202ey\n")
    check(run("gate"), "a setting")
    os.remove(".rooflog/config")


def check_documents():
    for arguments in (["log", "--json"], ["gate", "--json"], ["gate", "--as", "jsonl"], ["show", "--json"],
                      ["gate", "--explain", "*", "--json"]):
        check_json(arguments, exact=True)
    for arguments in (["log", "--view", "series", "--json"], ["log", "--view", "history", "--json"], ["calibrate", "--json"],
                      ["compare", "HEAD~1", "HEAD", "--as", "json"]):
        check_json(arguments, exact=False)
    for arguments in (["bisect", "--json"], ["doctor", "--json"], ["accept", "--json"], ["baseline", "--json"],
                      ["gate", "--selftest", "--json"], ["gate", "-o", "rerun=-"], ["compare", "--by", "variant", "--json"]):
        check(run(*arguments), " ".join(arguments))


make_history()
ingest()
check_documents()
check_terminal()
check_formats()
check_log()
check_messages()
if SEEN["comments"] < 8:
    failures.append(f"only {SEEN['comments']} outputs have a name that begins like a comment")
if SEEN["written"] < 200:
    failures.append(f"only {SEEN['written']} outputs have a hostile name, written out")
for line in failures[:40]:
    print("FAILED:", line[:300])
print(f"{SEEN['outputs']} outputs, {SEEN['written']} with U+202E written out, {SEEN['json']} JSON documents; characters that do not show: {SEEN['hidden']}; "
      f"failures: {len(failures)}")
sys.exit(bool(failures))
