#!/usr/bin/env python3
"""Checks the rooms that tests/lint/rooms.txt declares, and prints their table for ARCHITECTURE.md.

usage: rooms.py          every failure, a line each; exit status 1 when there is one
       rooms.py --write  the same, after the table in ARCHITECTURE.md was written anew
"""
import collections
import os
import re
import subprocess
import sys

LAYERS = ["base", "model", "ingest", "db", "vcs", "render", "cli"]
BELOW = {"base": [], "model": ["base"], "ingest": ["base", "model"], "db": ["base", "model"],
         "vcs": ["base", "model"], "render": ["base", "model"], "cli": LAYERS[:-1]}
BEGIN, END = "<!-- rooms: written by tests/lint/rooms.py -->", "<!-- rooms end -->"
COLUMNS = ["room", "what it is for", "doors", "may use"]
failures = []


def fail(where, message):
    failures.append(f"{where}: {message}")


def declared():
    """{room: (purpose, doors, uses, prefixes)} of rooms.txt, in its order."""
    rooms = {}
    with open("tests/lint/rooms.txt", encoding="utf-8") as lines:
        for number, line in enumerate(lines, 1):
            if not line.strip() or line.startswith("#"):
                continue
            cells = [cell.strip() for cell in line.split("|")]
            where = f"tests/lint/rooms.txt:{number}"
            if len(cells) != 5:
                fail(where, "a room has five cells: room | purpose | doors | may use | prefixes")
                continue
            room, purpose = cells[:2]
            doors, uses, prefixes = (cell.split() for cell in cells[2:])
            if room in rooms:
                fail(where, f"{room} is declared twice")
            if not purpose or len(purpose) > 90:
                fail(where, "the purpose is one line of at most 90 characters")
            if len(doors) > 2:
                fail(where, f"{room} has {len(doors)} doors; two is the limit")
            rooms[room] = (purpose, doors, uses, prefixes)
    return rooms


def sources():
    """{room: its files} as git knows them, those that are new included."""
    listed = subprocess.run(["git", "ls-files", "-co", "--exclude-standard", *LAYERS],
                            stdout=subprocess.PIPE, text=True, check=True).stdout.split("\n")
    found = collections.defaultdict(list)
    for path in listed:
        if path.endswith((".c", ".h", ".def")) and os.path.exists(path):
            found[os.path.dirname(path)].append(path)
    return found


def includes(path):
    with open(path, encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            match = re.match(r'\s*#\s*include\s+"([^"]+)"', line)
            if match:
                yield number, match.group(1)


def is_allowed(user, used, uses):
    """Whether `used` is among `uses`: a room, or a layer's name followed by /* for all of its rooms."""
    layer = used.split("/")[0]
    if layer != user.split("/")[0] and layer not in BELOW[user.split("/")[0]]:
        return False
    return used in uses or layer + "/*" in uses


def check_includes(rooms, files):
    edges = collections.defaultdict(set)
    unused = {room: set(uses) for room, (_, _, uses, _) in rooms.items()}
    for room in rooms:
        for path in files.get(room, []):
            for number, included in includes(path):
                used = os.path.dirname(included)
                if used == room:
                    continue
                where = f"{path}:{number}"
                if used not in rooms:
                    fail(where, f"{included} lies in no room of tests/lint/rooms.txt")
                    continue
                if os.path.basename(included) not in rooms[used][1]:
                    fail(where, f"{included} is private; the doors of {used}/ are: {' '.join(rooms[used][1])}")
                if not is_allowed(room, used, rooms[room][2]):
                    fail(where, f"{room} may not use {used} (tests/lint/rooms.txt)")
                unused[room] -= {used, used.split("/")[0] + "/*"}
                edges[room].add(used)
    for room, left in unused.items():
        for used in sorted(left):
            fail("tests/lint/rooms.txt", f"{room} does not use {used}")
    return edges


def check_cycles(edges):
    state = {}

    def visit(room, path):
        if state.get(room) == "done":
            return
        if room in path:
            fail("tests/lint/rooms.txt", "a cycle: " + " -> ".join(path[path.index(room):] + [room]))
            return
        for used in sorted(edges.get(room, ())):
            visit(used, path + [room])
        state[room] = "done"

    for room in sorted(edges):
        visit(room, [])


def opening(path):
    """The comment at the head of a file, as one line."""
    with open(path, encoding="utf-8") as file:
        match = re.match(r"/\*(.*?)\*/", file.read(), re.S)
    return " ".join(line.strip(" *\t") for line in match.group(1).split("\n")).strip() if match else ""


def check_doors(rooms, files):
    for room, (_, doors, _, _) in rooms.items():
        if room not in files:
            fail("tests/lint/rooms.txt", f"there is no room {room}")
        for door in doors:
            path = f"{room}/{door}"
            if path not in files.get(room, []):
                fail("tests/lint/rooms.txt", f"{room} has no file {door}")
        if doors and os.path.exists(f"{room}/{doors[0]}") and "Never add" not in opening(f"{room}/{doors[0]}"):
            fail(f"{room}/{doors[0]}:1", "a room's first door says what the room is for and what must never be "
                 'added to it ("Never add ...")')
    for room in files:
        if room not in rooms:
            fail(files[room][0], f"{room} is not declared in tests/lint/rooms.txt")


def check_prefixes(rooms):
    """No prefix is declared by two rooms."""
    owner = {}
    for room, (_, _, _, prefixes) in rooms.items():
        for prefix in prefixes:
            if prefix in owner:
                fail("tests/lint/rooms.txt", f"{prefix} is the prefix of {owner[prefix]} and of {room}")
            owner[prefix] = room
    return owner


def exported(build):
    """(symbol, source) of every function that an object of the build exports."""
    for layer in LAYERS:
        base = f"{build}/CMakeFiles/rooflog_{layer}.dir/"
        objects = [os.path.join(at, name) for at, _, names in os.walk(base) for name in names
                   if name.endswith(".o")]
        objects = [o for o in objects if os.path.exists(o[len(base):-2])]
        if not objects:
            continue
        listing = subprocess.run(["nm", "-A", "--defined-only", "-g", *objects], stdout=subprocess.PIPE,
                                 text=True, check=True).stdout
        for line in listing.splitlines():
            where, kind, symbol = line.rsplit(" ", 2)
            if kind in "TtWi":
                yield symbol, where.split(":")[0][len(base):-2]


def check_symbols(owner, build):
    """Each exported function belongs to the room whose prefix is the longest that fits it."""
    count = 0
    for symbol, source in exported(build):
        room = os.path.dirname(source)
        if symbol == "main" or symbol.startswith(("__asan", "__odr_asan", "asan.")):
            continue
        count += 1
        fitting = [p for p in owner if symbol == p or (p.endswith("_") and symbol.startswith(p))]
        found = owner[max(fitting, key=len)] if fitting else None
        if found != room:
            what = f"begins with a prefix of {found}" if found else "has a prefix that no room declares"
            fail(source, f"{symbol}() is in {room} and {what}")
    if not count:
        fail("tests/lint/rooms.txt", f"no exported function was found in {build}")
    return count


def table(rooms):
    yield "| " + " | ".join(COLUMNS) + " |"
    yield "|" + "---|" * len(COLUMNS)
    for room, (purpose, doors, uses, _) in rooms.items():
        cells = [f"`{room}/`", purpose, " ".join(f"`{door}`" for door in doors) or "--", " ".join(uses) or "--"]
        yield "| " + " | ".join(cells) + " |"


def check_table(rooms, write):
    with open("ARCHITECTURE.md", encoding="utf-8") as file:
        text = file.read()
    if BEGIN not in text or END not in text:
        fail("ARCHITECTURE.md", f"has no lines \"{BEGIN}\" and \"{END}\"")
        return
    head, rest = text.split(BEGIN, 1)
    tail = rest.split(END, 1)[1]
    wanted = head + BEGIN + "\n" + "\n".join(table(rooms)) + "\n" + END + tail
    if wanted != text and write:
        with open("ARCHITECTURE.md", "w", encoding="utf-8") as file:
            file.write(wanted)
    elif wanted != text:
        fail("ARCHITECTURE.md", "the table of rooms is not that of tests/lint/rooms.txt: rooms.py --write")


def main():
    rooms, files = declared(), sources()
    check_doors(rooms, files)
    check_cycles(check_includes(rooms, files))
    owner = check_prefixes(rooms)
    symbols = check_symbols(owner, os.environ.get("BUILD_DIR", "build/dev"))
    check_table(rooms, "--write" in sys.argv[1:])
    for failure in failures:
        print(failure)
    print(f"rooms: {len(rooms)} rooms, {symbols} exported functions, {len(failures)} failures")
    return 1 if failures else 0


sys.exit(main())
