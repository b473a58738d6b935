#!/usr/bin/python3
"""Puts what rooflog writes for machines to parsers and to the rules of each format.

    exported.py DOCUMENT FILE... [-- DOCUMENT FILE...]...
    exported.py --mutations FOLDER

DOCUMENT is the report document (--as json) that the files were made of; the ending of a file
names its format. What is wrong is printed, a line each, beginning with FAILED. Rules are named by
the clause that they are from. The second form changes golden files and wants each change noticed."""
import csv
import functools
import io
import json
import os
import re
import sys
import warnings
import xml.etree.ElementTree as xml

import jsonschema
import junitparser
from prometheus_client import parser as prometheus
from prometheus_client.openmetrics import parser as openmetrics

from exported_mutations import MUTATIONS

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "program"))
from shown import is_hidden, shown  # noqa: E402
SCHEMAS = os.path.join(HERE, "..", "..", "..", "docs", "schema")
VERDICTS = {"improved", "unchanged", "held"}
failures = 0
where = ""


def check(right, what):
    global failures
    if not right:
        failures += 1
        print(f"FAILED: {where}: {what}"[:600])


def read(path):
    """UTF-8, or an exception: no format here allows anything else."""
    with open(path, encoding="utf-8", newline="") as file:
        return file.read()


def strict_json(text):
    """RFC 8259: no NaN, no name twice."""

    def refuse(name):
        raise ValueError(f"{name} is no JSON")

    def unique(pairs):
        check(len(dict(pairs)) == len(pairs), "a name occurs twice in an object")
        return dict(pairs)

    return json.loads(text, parse_constant=refuse, object_pairs_hook=unique)


def dig(value, *names):
    for name in names:
        value = value.get(name) if isinstance(value, dict) else None
    return value


def bad_ones(gate):
    """What keeps the gate from passing; None stands for the gate as a whole."""
    bad = [one for one in gate["comparisons"] if one["exit_status"] != 0]
    return bad or ([None] if gate["exit_status"] != 0 else [])


def name_of(one):
    if one is None:
        return "gate"
    policy = one.get("policy") or "default"
    return f"{one['series']}: {one['metric']}" + (f" ({policy})" if policy != "default" else "")


def is_one_line(text):
    return not any(map(is_hidden, text))


# --- schemas of our own ---


@functools.lru_cache
def validator(name):
    """Schemas refer to each other by the names of their files."""
    schemas = {}
    for file in sorted(os.path.join(folder, name) for folder, _, names in os.walk(SCHEMAS) for name in names):
        schema = strict_json(read(file))
        file = os.path.basename(file)
        jsonschema.Draft202012Validator.check_schema(schema)
        check(schema["$id"] == file, f"$id of {file}")
        schemas[file] = schema
    schema = schemas[f"{name}.schema.json"]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        resolver = jsonschema.RefResolver(schema["$id"], schema, schemas)
    return jsonschema.Draft202012Validator(schema, resolver=resolver)


def against_schema(name, value):
    for fault in validator(name).iter_errors(value):
        check(False, f"{fault.json_path}: {fault.message}")


def subschemas(schema, root):
    """The schema and all that it says of the same value."""
    if not isinstance(schema, dict):
        return
    yield schema
    for one in schema.get("allOf", []) + schema.get("anyOf", []) + schema.get("oneOf", []):
        yield from subschemas(one, root)
    if "$ref" in schema:
        yield from subschemas(root["$defs"][schema["$ref"].split("/")[-1]], root)


def undescribed(value, schemas, root, path):
    """Readers let unknown members be, but what is written here stands in the schema."""
    schemas = [one for schema in schemas for one in subschemas(schema, root)]
    found = set()
    if isinstance(value, list):
        for item in value:
            found |= undescribed(item, [one["items"] for one in schemas if "items" in one], root, f"{path}[]")
    if not isinstance(value, dict):
        return found
    for name, member in value.items():
        known = [one["properties"][name] for one in schemas if name in one.get("properties", {})]
        known += [one["additionalProperties"] for one in schemas if "additionalProperties" in one]
        found |= undescribed(member, known, root, f"{path}.{name}") if known else {f"{path}.{name}"}
    return found


def check_json(text, document):
    against_schema("report-1", strict_json(text))
    schema = validator("report-1").schema
    for path in sorted(undescribed(strict_json(text), [schema], schema, "$")):
        check(False, f"{path} is not in the schema")


def check_jsonl(text, document):
    comparisons = document["gate"]["comparisons"]
    lines = text.split("\n")
    check(lines.pop() == "", "the last line does not end")
    check(len(lines) == len(comparisons), f"{len(lines)} lines for {len(comparisons)} comparisons")
    schema = validator("comparison-1")
    for line, one in zip(lines, comparisons):
        value = strict_json(line)
        for fault in schema.iter_errors(value):
            check(False, f"{fault.json_path}: {fault.message}")
        for name in ("schema", "generated_at", "candidate_commit"):
            value.pop(name, None)
        check(value == one, f"{one['series']}: the line is not the comparison")


def check_brief(text, document):
    gate = document["gate"]
    brief = strict_json(text)
    check(len(text.encode()) <= 4096, f"{len(text.encode())} bytes")
    for fault in validator("brief-1").iter_errors(brief):
        check(False, f"{fault.json_path}: {fault.message}")
    for name in ("verdict", "exit_status"):
        check(brief[name] == gate[name], f"{name} is not the gate's")
    check(brief["verdicts"] == {one["verdict"]: one["count"] for one in gate["verdicts"]}, "the counts are others")
    check(len(brief["comparisons"]) + brief["more"] == len(gate["comparisons"]), "comparisons are missing")
    for row, one in zip(brief["comparisons"], gate["comparisons"]):
        series = row["series"].removesuffix("...") if len(one["series"].encode()) > 240 else row["series"]
        check(one["series"].startswith(series), f"{row['series']} is not the series")
        for name in ("metric", "verdict", "change"):
            check(row[name] == one.get(name), f"{name} is not the comparison's")
        for name in ("low", "high"):
            check(row[name] == (one.get("interval") or {}).get(name), f"{name} is not the interval's")


# --- CSV: RFC 4180 ---


def check_csv(text, document):
    comparisons = document["gate"]["comparisons"]
    paths = {
        "series": ["series"], "kernel": ["kernel"], "params": ["params_text"], "verdict": ["verdict"], "class": ["class"],
        "baseline": ["baseline", "value"], "candidate": ["candidate", "value"], "change": ["change"],
        "change_low": ["interval", "low"], "change_high": ["interval", "high"], "p": ["p"], "q": ["q"],
        "noise": ["noise"], "exit_status": ["exit_status"], "reason": ["reason"],
        "why": ["why", "text"], "baseline_commit": ["baseline", "commit", "oid"],
    }
    # 2.1, 2.2: every record ends with CRLF; 2.5 to 2.7: what has a quote, comma, CR or LF is quoted.
    bare = re.sub('"(?:[^"]|"")*"', "", text)
    check('"' not in bare, "a quote outside of a quoted cell")
    check(re.sub("\r\n", "", bare).find("\n") < 0 and re.sub("\r\n", "", bare).find("\r") < 0,
          "a line that does not end with CRLF")
    check(text.endswith("\r\n"), "the last line does not end")
    rows = list(csv.reader(io.StringIO(text, newline=""), strict=True))
    head = rows.pop(0)
    # 2.4: the same number of cells in each line.
    check(len(rows) == len(comparisons), f"{len(rows)} lines for {len(comparisons)} comparisons")
    for row, one in zip(rows, comparisons):
        check(len(row) == len(head), f"{len(row)} cells below {len(head)} names")
        cells = dict(zip(head, row))
        for name, path in paths.items():
            expected = dig(one, *path)
            if isinstance(expected, (int, float)):
                check(cells[name] != "" and float(cells[name]) == expected,
                      f"{name} {cells[name]} is not {expected!r}")
            else:
                expected = shown(expected or "")
                check(cells[name] == ("'" + expected if expected[:1] in tuple("=+-@\t\r") else expected),
                      f"{name} {cells[name]!r} is not {expected!r}")
        for cell in row:
            check(cell[:1] not in tuple("=+-@\t\r") or re.fullmatch(r"-[0-9.e+-]+", cell),
                  f"a spreadsheet computes {cell!r}")


# --- JUnit: the schema of Jenkins is checked by xmllint, beside this ---


def outcome_of(one):
    status = one["exit_status"]
    if status == 0:
        # What is for context decides nothing, and so no test passes by it.
        return "passed" if one["verdict"] in VERDICTS and not one.get("context") else "skipped"
    return "failure" if status == 1 else "error"


def check_junit(text, document):
    gate = document["gate"]
    root = xml.fromstring(text.encode())
    suite = root.find("testsuite")
    whole = not any(one["exit_status"] for one in gate["comparisons"]) and gate["exit_status"]
    expected = ([(name_of(None), "error")] if whole else []) + [
        (name_of(one), outcome_of(one)) for one in gate["comparisons"]]
    cases = suite.findall("testcase")
    found = []
    for case in cases:
        kinds = [child.tag for child in case if child.tag in ("failure", "error", "skipped")]
        check(len(kinds) <= 1, "a case with two outcomes")
        found.append((case.get("name"), kinds[0] if kinds else "passed"))
        for child in case:
            if child.tag != "system-out":
                check(child.get("message") and child.get("type"), "an outcome without words")
                check(is_one_line(child.get("message")), "a message of several lines")
        time = case.get("time")
        check(time is None or re.fullmatch(r"[0-9]+\.[0-9]+", time), f"time {time}")
    check(found == [(shown(name), kind) for name, kind in expected],
          f"cases {[f for f, e in zip(found, expected) if f[0] != shown(e[0]) or f[1] != e[1]]}")
    check(len({(case.get("classname"), case.get("name")) for case in cases}) == len(cases),
          "a case occurs twice")
    for of in (root, suite):
        for attribute, kind in (("failures", "failure"), ("errors", "error")):
            check(int(of.get(attribute)) == sum(kind == k for _, k in expected), attribute)
        check(int(of.get("tests")) == len(cases), "tests")
    check(int(suite.get("skipped")) == sum(k == "skipped" for _, k in expected), "skipped")
    # Every number comes back as it was.
    for case, one in zip(cases[len(cases) - len(gate["comparisons"]):], gate["comparisons"]):
        values = dict(line.split(": ", 1) for line in case.findtext("system-out").split("\n") if ": " in line)
        check(values.get("class") == one["class"], f"class of {one['series']}")
        for name, path in (("candidate", ["candidate", "value"]), ("change", ["change"])):
            number = dig(one, *path)
            check((number is None) == (name not in values) and
                  (number is None or float(values[name]) == number), f"{name} of {one['series']}")
    check(len(junitparser.JUnitXml.fromstring(text.encode())) == 1, "junitparser sees no suite")
    # No test is green when the gate is not, and the other way round.
    check((int(root.get("failures")) + int(root.get("errors")) > 0) == (gate["exit_status"] != 0),
          "the tests do not say what the gate says")


# --- SARIF 2.1.0 ---

LEVELS = {1: "error", 5: "error", 3: "warning", 6: "warning", 4: "note"}


def check_uri(uri):
    # RFC 3986, 4.2: a relative reference with an escaped path.
    check(re.fullmatch(r"(?:[A-Za-z0-9._~/-]|%[0-9A-F]{2})+", uri) and not uri.startswith("/"), f"uri {uri}")


def check_message(message):
    # 3.11.8: not empty. 3.11.5: braces are doubled, there are no placeholders. 3.11.6: no links.
    text = message["text"]
    check(set(message) == {"text"} and text, "a message")
    check("{" not in text.replace("{{", "") and "}" not in text.replace("}}", ""), f"braces in {text}")
    check("](" not in text, f"a link in {text}")
    check(is_one_line(text), f"a message of several lines {text!r}")


def check_result(result, one, rules, gate):
    status = one["exit_status"] if one else gate["exit_status"]
    allowed = {"ruleId", "ruleIndex", "level", "message", "locations", "partialFingerprints", "properties"}
    check(set(result) <= allowed, f"{set(result) - allowed} in a result")
    check_message(result["message"])
    # 3.27.6: the index is that of the rule; 3.27.10: the level is one of four.
    if "ruleIndex" in result:
        check(rules[result["ruleIndex"]]["id"] == result["ruleId"], "ruleIndex")
    check(result["ruleId"] == (one or gate)["verdict"], "ruleId")
    check(result["level"] == LEVELS[status], f"level {result['level']} for status {status}")
    # 3.27.12, 3.28, 3.29.3, 3.30.5: a place, lines count from 1; 3.33: where in words.
    (place,) = result["locations"]
    check_uri(place["physicalLocation"]["artifactLocation"]["uri"])
    check(place["physicalLocation"]["region"]["startLine"] >= 1, "startLine")
    check(place["logicalLocations"][0]["fullyQualifiedName"] == name_of(one), "fullyQualifiedName")
    check(not one or result["properties"].get("class") == one["class"], "class")
    for number in ("candidate", "baseline"):
        if one:
            check(result["properties"][number] == dig(one, number, "value"), number)
    # 3.27.17: strings by name, whose last component may be a version.
    check(all(isinstance(text, str) and text for text in result["partialFingerprints"].values()),
          "partialFingerprints")


def check_sarif(text, document):
    gate = document["gate"]
    log = strict_json(text)
    # 3.13.2 to 3.13.4: version, $schema and runs.
    check(set(log) == {"version", "$schema", "runs"} and log["version"] == "2.1.0", "the log")
    check(list(log)[0] == "version", "the version is not first")
    (run,) = log["runs"]
    driver = run["tool"]["driver"]  # 3.14.6, 3.18.2, 3.19.8: a tool with a name
    check(driver["name"] == "rooflog", "the tool's name")
    check(set(run) == {"tool", "automationDetails", "columnKind", "results"}, "the run")
    check(run["columnKind"] == "utf16CodeUnits", "columnKind")  # 3.14.17
    rules = driver["rules"]
    check(len({rule["id"] for rule in rules}) == len(rules), "a rule occurs twice")  # 3.19.23
    for rule in rules:
        check_message(rule["shortDescription"])
    bad = bad_ones(gate)
    check(len(run["results"]) == len(bad), f"{len(run['results'])} results for {len(bad)}")
    for result, one in zip(run["results"], bad):
        check_result(result, one, rules, gate)
    prints = [json.dumps(result["partialFingerprints"]) for result in run["results"]]
    check(len(set(prints)) == len(prints), "two results have the same fingerprints")


# --- GitLab: docs.gitlab.com, "Code Quality report format" ---


def check_gitlab(text, document):
    gate = document["gate"]
    issues = strict_json(text)
    bad = bad_ones(gate)
    check(not text.startswith("\ufeff"), "a byte order mark")
    check(len(issues) == len(bad), f"{len(issues)} issues for {len(bad)}")
    for issue, one in zip(issues, bad):
        check(set(issue) == {"description", "check_name", "fingerprint", "severity", "location"}, "members")
        check(issue["description"] and is_one_line(issue["description"]), "description")
        check(issue["severity"] in ("info", "minor", "major", "critical", "blocker"), issue["severity"])
        path = issue["location"]["path"]
        check(path and not path.startswith(("/", "./")) and ".." not in path.split("/"), f"path {path}")
        check(isinstance(issue["location"]["lines"]["begin"], int), "lines.begin")
        check(issue["check_name"] == "rooflog-" + (one or gate)["verdict"], "check_name")
    prints = [issue["fingerprint"] for issue in issues]
    check(len(set(prints)) == len(prints), "two issues have the same fingerprint")


# --- GitHub: as the runner's ActionCommand.TryParseV2 reads a line ---


def unescaped(text, names):
    for name in names:
        text = text.replace("%%%02X" % ord(name), name)
    return text.replace("%25", "%")


def check_github(text, document, most=10):
    bad = bad_ones(document["gate"])
    lines = text.split("\n")
    check(lines.pop() == "", "the last line does not end")
    check(len(lines) == min(most, len(bad)), f"{len(lines)} annotations for {len(bad)}")
    for line, one in zip(lines, bad):
        found = re.fullmatch(r"::(error|warning|notice) ((?:[^:\r\n])*)::([^\r\n]*)", line)
        check(found, f"no workflow command: {line!r}")
        if not found:
            continue
        pairs = dict(pair.split("=", 1) for pair in found[2].split(","))
        check(set(pairs) <= {"file", "line", "title"} and "title" in pairs, f"properties {list(pairs)}")
        check(not re.search("%(?!25|0D|0A|3A|2C)", found[2]), f"escapes in {found[2]}")
        check(not re.search("%(?!25|0D|0A)", found[3]), f"escapes in {found[3]}")
        check(is_one_line(unescaped(found[3], "\r\n")), "a message of several lines")
        if not pairs["title"].startswith("rooflog"):
            title = unescaped(pairs["title"], "\r\n:,")
            check(len(title.encode()) <= 255, f"a title of {len(title.encode())} bytes")
            check(title.startswith((one["verdict_text"] if one else document["gate"]["word"]) + ": "), title)
    if len(bad) > most:
        check(f"{len(bad) - most + 1} more" in lines[-1], "how many more there are")


# --- OpenMetrics 1.0 ---


def check_openmetrics(text, document):
    families = {family.name: family for family in openmetrics.text_string_to_metric_families(text)}
    check(text.endswith("# EOF\n"), "the end")
    # The older format, text 0.0.4, has no other types and no escaped quotes in HELP.
    types = re.findall("^# TYPE [^ ]+ (.*)$", text, re.M)
    check(set(types) <= {"gauge"}, f"types {set(types)}")
    check(not re.search('^# HELP .*"', text, re.M), "a quote in HELP")
    older = [sample for family in prometheus.text_string_to_metric_families(text) for sample in family.samples]
    newer = [sample for family in families.values() for sample in family.samples]
    check([(s.name, s.labels, s.value) for s in older] == [(s.name, s.labels, s.value) for s in newer],
          "the two formats of Prometheus differ")
    gate, runs = document.get("gate"), document.get("runs")
    of_runs, of_gate = {}, {}
    for run in runs or []:
        for key, one in run["metrics"].items():
            of_runs.setdefault((key, run.get("series") or run["kernel"]), one["value"])
    for one in gate["comparisons"] if gate else []:
        if dig(one, "candidate", "value") is not None:
            of_gate.setdefault((one["metric"], one["series"]), one["candidate"]["value"])
    found = {}
    for family in families.values():
        check(family.name.startswith("rooflog_"), family.name)
        check(not family.unit or family.name.endswith("_" + family.unit), f"unit of {family.name}")
        for sample in family.samples:
            check(sample.timestamp is None, "a timestamp")
            found.setdefault(family.name, []).append((sample.labels, sample.value))
    judged = ("rooflog_candidate", "rooflog_change_ratio", "rooflog_comparison", "rooflog_gate_exit_status")
    values = [value for name, list_ in found.items() if not name.startswith(judged) for _, value in list_]
    # A gate's document has the runs of the worst series only, which are left out here.
    check(sorted(values) in [sorted(value for value in expected.values() if value is not None)
                             for expected in (of_runs, of_gate)], "the values are not those of the document")
    if gate:
        check({labels["verdict"]: value for labels, value in found.get("rooflog_comparisons", [])} ==
              {one["verdict"]: one["count"] for one in gate["verdicts"]}, "counts of verdicts")
        check(found["rooflog_gate_exit_status"] == [({}, gate["exit_status"])], "the exit status")
        check(sorted((labels["series"], labels["verdict"], labels.get("class") or "") for labels, _ in
                     found.get("rooflog_comparison_info", [])) ==
              sorted({(shown(one["series"]), one["verdict"], one["class"] or "", one["metric"], one["policy"]):
                      (shown(one["series"]), one["verdict"], one["class"] or "") for one in gate["comparisons"]}.values()),
              "verdicts and classes")
        series = {labels["series"] for labels, _ in found.get("rooflog_comparison_exit_status", [])}
        check(series == {shown(one["series"]) for one in gate["comparisons"]}, "names do not come back")


# --- shields.io, endpoint badge ---


def check_hud(text, document):
    """Records of oss_ci_benchmark_v3: the measured values of runs, or what a gate judged."""
    measured = [(run["kernel"], key, one["value"]) for run in document.get("runs") or []
                for key, one in run["metrics"].items() if one["provenance"] != "derived" and one["value"] is not None]
    judged = [(one["kernel"], one["metric"], one["candidate"]["value"])
              for one in document.get("gate", {}).get("comparisons", [])
              if (one.get("candidate") or {}).get("value") is not None]
    records = [strict_json(line) for line in text.splitlines()]
    check(not text or text.endswith("\n"), "the last line does not end")
    values = [(one["model"]["name"], one["metric"]["name"], *one["metric"]["benchmark_values"]) for one in records]
    check(values == measured or (judged and values == judged), "the records are not the values")
    for one in records:
        check(isinstance(one["metric"]["extra_info"]["unit"], str), "unit")
        check(all(isinstance(value["extra_info"]["value"], str) for value in one["inputs"].values()), "inputs")
        check(set(one) == {"benchmark", "model", "metric", "inputs", "runners"}, f"members {sorted(one)}")


def check_badge(text, document):
    badge = strict_json(text)
    check(set(badge) == {"schemaVersion", "label", "message", "color", "isError"}, "members")
    check(badge["schemaVersion"] == 1, "schemaVersion")
    check(all(isinstance(badge[name], str) and badge[name] for name in ("label", "message", "color")), "texts")
    check(badge["color"] in ("brightgreen", "yellow", "orange", "red", "lightgrey"), badge["color"])
    gate = document.get("gate")
    check(badge["isError"] == (not gate or gate["exit_status"] != 0), "isError")
    check((badge["color"] == "brightgreen") == bool(gate and gate["exit_status"] == gate.get("exit_code", 0) == 0), "colour")
    check(not gate or badge["message"].startswith(gate["word"]), badge["message"])


# --- rules that never fail are none: what is changed must be noticed ---


def put(path, text, document):
    global where
    where = path
    try:
        hidden = {hex(ord(c)) for c in text if c not in "\t\r\n" and is_hidden(c)}
        # The samples' documents are as a generator wrote them.
        check(not hidden or path.endswith(".json"), f"characters that do not show: {sorted(hidden)}")
        if os.path.basename(path).startswith("each."):
            check_github(text, document, most=10**9)
        else:
            globals()["check_" + where.rsplit(".", 1)[1]](text, document)
    except Exception as fault:  # a parser that refuses the file
        check(False, f"{type(fault).__name__}: {fault}")


def mutations(folder):
    """How many of the changes are not noticed."""
    global failures
    missed = []
    for file, old, new in MUTATIONS:
        sample, form = file.split(".")
        text = read(os.path.join(folder, sample, "document." + form))
        document = strict_json(read(os.path.join(folder, sample, "document.json")))
        failures, output = 0, sys.stdout
        sys.stdout = io.StringIO()
        put(file, text.replace(old, new), document)
        sys.stdout = output
        if old not in text or not failures:
            missed.append(f"{file}: {old!r} as {new!r}")
    failures = len(missed)
    for one in missed:
        print(f"FAILED: not noticed: {one}")
    print(f"{len(MUTATIONS)} changes, {failures} not noticed")


def main(arguments):
    if arguments[0] == "--mutations":
        mutations(arguments[1])
        return 1 if failures else 0
    document = None
    for path in arguments:
        if path == "--":
            document = None
        elif document is None:
            document = strict_json(read(path))
        else:
            put(path, read(path), document)
    return 1 if failures else 0


sys.exit(main(sys.argv[1:]))
