#!/usr/bin/env python3
"""Parquet files for parquet.sh, and their rows as parquet_rows prints them.

    parquet_table.py write FOLDER          files in every encoding, FOLDER/NAME.parquet and NAME.csv
    parquet_table.py large FOLDER          dictionaries of many values
    parquet_table.py explorer PROFILE FOLDER OPTIONS   a full profile as tables
    parquet_table.py same A.csv B.csv      the same numbers, texts and nulls
"""
import csv
import json
import os
import random
import struct
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "../../../samples/tools"))

import explorer_writer
import parquet_writer

ROWS = 1500
CASES = {
    "int64": (("plain", "delta", "dictionary"), lambda i: random.choice([i, -i, 2**62, -2**63, i % 7])),
    "int32": (("plain", "delta", "dictionary"), lambda i: random.choice([i, -i, 2**31 - 1, -2**31])),
    "uint64": (("plain",), lambda i: random.choice([2**64 - 1, i, 2**63])),
    "double": (("plain", "dictionary", "split"), lambda i: random.choice([i / 3, -1e300, 0.1, i % 5])),
    "float": (("plain", "dictionary", "split"), lambda i: random.choice([i / 4, 0.5, -8])),
    "text": (("plain", "dictionary", "delta-length", "delta-bytes"),
             lambda i: random.choice(["abc%d" % i, "abc", "", "ünï%d" % (i % 9)])),
    "bool": (("plain", "rle"), lambda i: random.random() < .3),
}


def shown(value, kind):
    if value is None:
        return ""
    if kind == "text":
        return "x" + value.encode().hex()
    if kind == "bool":
        return str(value).lower()
    return str(value) if kind.endswith(("32", "64")) else repr(float(value))


def write(folder):
    random.seed(1)
    columns, texts = [], []
    for kind, (encodings, make) in CASES.items():
        for encoding in encodings:
            values = [None if random.random() < .1 else make(i) for i in range(ROWS)]
            columns.append(parquet_writer.Column("%s_%s" % (kind, encoding), kind, values, encoding))
            texts.append([shown(value, kind) for value in values])
    columns.append(parquet_writer.Column("all", "int64", range(ROWS), "delta", required=True))
    texts.append([str(i) for i in range(ROWS)])
    columns.append(parquet_writer.Column("none", "double", [None] * ROWS, "dictionary"))
    texts.append([""] * ROWS)
    for codec in (parquet_writer.UNCOMPRESSED, parquet_writer.GZIP):
        for version in (1, 2):
            name = os.path.join(folder, "codec%d-version%d" % (codec, version))
            with open(name + ".parquet", "wb") as file:
                file.write(parquet_writer.table(columns, codec=codec, version=version))
            with open(name + ".csv", "w", newline="") as file:
                csv.writer(file).writerows([[c.name for c in columns]] + list(zip(*texts)))


def large(folder):
    """Dictionaries of more values than the reader makes at once, and of fewer."""
    rows, columns, texts = 9000, [], []
    for distinct in (1, 2, 4096, 4097):
        for kind, make in (("int64", lambda i: i - 2000), ("text", lambda i: "value %d" % i)):
            values = [make(i * 7 % distinct) if i % 11 else None for i in range(rows)]
            columns.append(parquet_writer.Column("%s_%d" % (kind, distinct), kind, values, "dictionary"))
            texts.append([shown(value, kind) for value in values])
    with open(os.path.join(folder, "large.parquet"), "wb") as file:
        file.write(parquet_writer.table(columns, group_rows=rows, page_rows=1000))
    with open(os.path.join(folder, "large.csv"), "w", newline="") as file:
        csv.writer(file).writerows([[c.name for c in columns]] + list(zip(*texts)))


def explorer(path, folder, options):
    with open(path) as file:
        files = explorer_writer.tables_of(json.load(file), **json.loads(options))
    os.makedirs(folder)
    for name, data in files.items():
        with open(os.path.join(folder, name), "wb") as file:
            file.write(data)


def same_cell(a, b, single):
    if a == b:
        return True
    if not a or not b or a[0] == "x" or a.lstrip("-").isdigit():
        return False
    a, b = float(a), float(b)
    return a == b or (single and struct.pack("<f", a) == struct.pack("<f", b))


def same(one, other):
    with open(one, newline="") as a, open(other, newline="") as b:
        a, b = list(csv.reader(a)), list(csv.reader(b))
    if len(a) != len(b) or a[0] != b[0]:
        sys.exit("%d rows of %s, %d of %s" % (len(a), a[0], len(b), b[0]))
    for number, (x, y) in enumerate(zip(a[1:], b[1:]), 1):
        for name, u, v in zip(a[0], x, y):
            if not same_cell(u, v, name.startswith("float")):
                sys.exit("row %d, %s: %r, %r" % (number, name, u, v))
    print(len(a) - 1, "rows of", len(a[0]), "columns")


if __name__ == "__main__":
    {"write": write, "large": large, "explorer": explorer, "same": same}[sys.argv[1]](*sys.argv[2:])
