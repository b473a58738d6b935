#!/usr/bin/env python3
"""usage: documents.py NAME... <DOCUMENT    whether it is one JSON document as its schema in docs/schema says

Its first member is "schema": "rooflog-NAME/1", with a NAME of those given, each member is described,
and nothing follows. Prints the NAME, or what is wrong.
"""
import json
import os
import sys
import warnings

import jsonschema

FOLDER = os.path.join(os.path.dirname(__file__), "../../../docs/schema")


def read(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file)


SCHEMAS = {name: read(os.path.join(folder, name)) for folder, _, names in os.walk(FOLDER) for name in names}


def resolved(schema, root):
    """What a schema says of the same value, each part with the file that it is from."""
    if "$ref" in schema:
        name, _, path = schema["$ref"].partition("#/$defs/")
        file = SCHEMAS[name] if name else root
        yield from resolved(file["$defs"][path] if path else file, file)
    for kind in ("allOf", "anyOf", "oneOf"):
        for one in schema.get(kind, []):
            yield from resolved(one, root)
    yield schema, root


def undescribed(value, schemas, path):
    parts = [part for schema, root in schemas for part in resolved(schema, root)]
    if isinstance(value, list):
        items = [(part["items"], root) for part, root in parts if "items" in part]
        for i, item in enumerate(value):
            yield from undescribed(item, items, f"{path}[{i}]")
    if not isinstance(value, dict):
        return
    for name, member in value.items():
        known = [(part["properties"][name], root) for part, root in parts if name in part.get("properties", {})]
        known = known or [(part["additionalProperties"], root) for part, root in parts
                          if isinstance(part.get("additionalProperties"), dict)]
        if known:
            yield from undescribed(member, known, f"{path}.{name}")
        else:
            yield f"{path}.{name} is not described"


def faults(document, names):
    first, schema = next(iter(document.items()), ("nothing", None))
    name = str(schema).removeprefix("rooflog-").removesuffix("/1")
    if first != "schema" or schema != f"rooflog-{name}/1" or name not in names:
        yield f"it begins with {first}: {schema}"
        return
    root = SCHEMAS[f"{name}-1.schema.json"]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        resolver = jsonschema.RefResolver(root["$id"], root, SCHEMAS)
    for fault in jsonschema.Draft202012Validator(root, resolver=resolver).iter_errors(document):
        yield f"{name}: {fault.json_path}: {fault.message[:200]}"
    yield from undescribed(document, [(root, root)], name)


text = sys.stdin.read()
value, end = json.JSONDecoder().raw_decode(text)
found = list(faults(value, sys.argv[1:])) if isinstance(value, dict) else ["it is no object"]
if text[end:] != "\n":
    found.append("something follows")
print("\n".join(dict.fromkeys(found)) if found else value["schema"])
sys.exit(1 if found else 0)
