#!/usr/bin/env python3
"""usage: against_schema.py NAME <DOCUMENT    whether it is as $defs/NAME of docs/schema/data-1.schema.json says

Members that belong to a definition of their own (judge, record, row ...) are held against it, too.
"""
import json
import os
import sys
import warnings

import jsonschema

FOLDER = os.path.join(os.path.dirname(__file__), "../../../docs/schema")
INSIDE = {"explained": {"row": "rule", "record": "record", "acceptance": "acceptance"},
          "explanation": {"explained": "explained"}}


def schemas():
    for name in os.listdir(FOLDER):
        with open(os.path.join(FOLDER, name), encoding="utf-8") as file:
            yield name, json.load(file)


def faults(name, value, every):
    root = every["data-1.schema.json"]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        resolver = jsonschema.RefResolver(root["$id"], root, every)
    for fault in jsonschema.Draft202012Validator(root["$defs"][name], resolver=resolver).iter_errors(value):
        yield f"{name}: {fault.json_path}: {fault.message[:200]}"
    for member, inside in INSIDE.get(name, {}).items():
        children = value.get(member)
        for child in children if isinstance(children, list) else [children] if children else []:
            yield from faults(inside, child, every)


found = list(faults(sys.argv[1], json.load(sys.stdin), dict(schemas())))
print("\n".join(found) or "as the schema says")
sys.exit(1 if found else 0)
