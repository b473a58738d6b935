"""Mutants of the samples: numbers that no run can have are refused, never taken.

usage: bounds.py ROOFLOG MUTANTS [FORMAT...]: runs `ingest --dry-run --json` on MUTANTS mutants of every
format and compares each number that it gives with the range of the metric in docs/formats/metrics.md.
"""
import json
import os
import random
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from glob import glob

NUMBERS = ["1e40", "-3", "1e300", "-1e-9", "1e-200", "9" * 30, "-479405", "1e22", "5e305", "0"]


def ranges():
    """The range of every metric, from the manual: its own, or that of its unit."""
    units, known = {}, {}
    with open("docs/formats/metrics.md", encoding="utf-8") as file:
        text = file.read()
    for names, least, most in re.findall(r"^\| ([A-Za-z0-9/, ]+) \| (\S+) to (\S+) \|$", text, re.M):
        for name in names.split(", "):
            units[name] = (float(least), float(most))
    row = re.compile(r"^\| `([a-z0-9_]+|ENGINE_[a-z_]+)`, ([A-Za-z0-9/]+)(?: [↑↓])?(?:, (\S+) to (\S+))? \|", re.M)
    for key, unit, least, most in row.findall(text):
        for engine in ("tensor", "vector", "scalar", "gpsimd", "sync") if key.startswith("ENGINE") else ("",):
            name = key.replace("ENGINE", engine + "_engine")
            known[name] = (float(least), float(most)) if least else units[unit]
    return known


def mutate_text(rng, data):
    """Replaces some of the numbers of a text."""
    spans = [m.span() for m in re.finditer(rb"(?<![\w.])-?\d+(\.\d+)?([eE][-+]?\d+)?(?!\w)", data)]
    if not spans:
        return mutate_bytes(rng, data)
    for begin, end in sorted(rng.sample(spans, min(len(spans), rng.choice([1, 1, 1, 2, 4]))), reverse=True):
        data = data[:begin] + rng.choice(NUMBERS).encode() + data[end:]
    return data


def mutate_bytes(rng, data):
    """Overwrites bytes, as a damaged file has them."""
    data = bytearray(data)
    for _ in range(rng.choice([1, 1, 2, 4])):
        at = rng.randrange(len(data))
        width = rng.choice([1, 2, 4, 8])
        data[at:at + width] = rng.choice([bytes(width), b"\xff" * width, rng.randbytes(width)])
    return bytes(data)


def mutants(folder, count):
    """Mutants of a format's samples, the same in every run."""
    rng = random.Random(folder)
    files = [path for path in sorted(glob(folder + "/sample*")) if os.path.isfile(path)]
    for number in range(count if files else 0):
        path = files[number % len(files)]
        with open(path, "rb") as file:
            data = file.read()
        text = b"\0" not in data[:4096]
        yield os.path.basename(path), (mutate_text if text and rng.random() < 0.8 else mutate_bytes)(rng, data)


def nonsense(value, known):
    """Every member "value" beside a "key" whose number is outside the range of the metric."""
    if isinstance(value, dict):
        bounds = known.get(value.get("key"))
        number = value.get("value")
        if bounds and isinstance(number, (int, float)) and not bounds[0] <= number <= bounds[1]:
            yield f"{value['key']} = {number:g}"
        value = list(value.values())
    if isinstance(value, list):
        for item in value:
            yield from nonsense(item, known)


def judge(rooflog, known, folder, number, mutant):
    """0: refused, 1: read; and what is wrong."""
    args = []
    if os.path.exists(folder + "/args"):
        with open(folder + "/args", encoding="utf-8") as file:
            args = file.read().split()
    with tempfile.TemporaryDirectory() as scratch:
        name, data = mutant
        path = os.path.join(scratch, name)
        with open(path, "wb") as file:
            file.write(data)
        done = subprocess.run([rooflog, "ingest", "--dry-run", "--json", *args, path], capture_output=True,
                              stdin=subprocess.DEVNULL, timeout=60, check=False)
        if done.returncode not in (0, 2):
            return 0, [f"status {done.returncode}"]
        if done.returncode:
            return 0, []
        if os.environ.get("KEEP") and any(nonsense(json.loads(done.stdout), known)):
            with open(f"{os.environ['KEEP']}/{os.path.basename(folder)}-{number}-{name}", "wb") as file:
                file.write(data)
        return 1, sorted(set(nonsense(json.loads(done.stdout), known)))


def main():
    rooflog, count, only = sys.argv[1], int(sys.argv[2]), sys.argv[3:]
    known = ranges()
    if len(known) < 100:
        sys.exit("docs/formats/metrics.md lists too few metrics with ranges")
    total = accepted = wrong = 0
    for folder in sorted(glob("samples/formats/*/*")):
        name = os.path.basename(folder)
        if only and name not in only:
            continue
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            results = list(pool.map(lambda pair: judge(rooflog, known, folder, *pair),
                                    enumerate(mutants(folder, count))))
        found = [f"{number}: {fault}" for number, (_, faults) in enumerate(results) for fault in faults]
        total += len(results)
        accepted += sum(read for read, _ in results)
        wrong += sum(1 for _, faults in results if faults)
        if found:
            print(f"{name}: {len(found)} numbers, e.g. mutant {'; '.join(found[:3])}")
    print(f"{total} mutants, {accepted} read, {wrong} with a number out of range")
    return wrong != 0 or total == 0


sys.exit(main())
