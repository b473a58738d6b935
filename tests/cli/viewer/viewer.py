"""viewer.py make FILE COUNT [hostile]   writes a profile of COUNT instructions
viewer.py late FILE OTHER               writes the profile with 20 us in which nothing runs, in its middle
viewer.py check PAGE FILE [LEFT [BARE]] the page has the events of the profile, but for LEFT of them, and
                                        their operands, but for those of BARE
viewer.py keys PAGE FILE                the page names the keys that the Markdown file does
viewer.py safe PAGE                     the page runs nothing but its own script"""
import base64
import hashlib
import html
import json
import random
import re
import sys

DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
ENGINES = {"Tensor": "MATMUL", "Vector": "TENSOR_REDUCE", "Scalar": "ACTIVATE", "GpSimd": "IOTA", "Sync": "DMA_DIRECT2D"}
HOSTILE = ["</script><script>window.hacked=1</script>", "<!--<script>", "a\u202eb", "\" onload=x '", "<img src=x onerror=window.hacked=1>",
           "{{title}}", "{{{data}}}", "\u2028\u2029", "__proto__", "]]>", "&lt;b&gt;"]


def make(path, count, hostile):
    draw = random.Random(7)
    instructions, dma, semaphores, now = [], [], [], {}
    engines = list(ENGINES)
    for i in range(count):
        engine = engines[i % 5]
        core = "sg0%d" % (i // 5 % 2)
        start = now.get((engine, core), 0) + draw.randrange(40)
        duration = draw.randrange(5, 900)
        now[engine, core] = start + duration
        waits = i % 7 == 0
        row = {"timestamp": start, "duration": duration, "subgraph": core, "subgroup": engine,
               "label": "TensorMatrix" if engine == "Tensor" and i % 2 else engine,
               "opcode": "EVENT_SEMAPHORE" if waits else ENGINES[engine],
               "operands": " src=bf16@0x%x[1,0,0][512,1,1] dst=fp32@0x%x[1,1,1][512,1,1] 128*128 " % (
                   draw.randrange(4096) * 64, 0x2000000 + draw.randrange(512) * 2048)}
        if i % 3:
            row["nki_source_location"] = "/home/me/kernels/k.py:%d" % (i % 40 + 1)
        if hostile:
            row["operands"] = HOSTILE[i % len(HOSTILE)]
            row["opcode"] = HOSTILE[i % 3] + str(i % 2)
            row["nki_source_location"] = HOSTILE[i % 5] + ":%d" % (i % 40 + 1)
        instructions.append(row)
    for i in range(count // 5):
        dma.append({"timestamp": i * 20, "duration": 35, "subgraph": "sg00", "subgroup": "Q%d-E%d" % (i % 3, 64 + i % 8),
                    "queue_type": HOSTILE[0] if hostile else "hardware_dynamic", "transfer_size": 2048 + i % 3, "aggregated": "no"})
        semaphores.append({"timestamp": i * 19, "id": HOSTILE[1] if hostile else str(i % 4), "value": i % 9, "subgraph": "sg00"})
    last = max(row["timestamp"] + row["duration"] for row in instructions)
    with open(path, "w", encoding="utf-8") as file:
        json.dump({"summary": [{"total_time": (last + 5) / 1e9, "instance_type": "trn2.3xlarge", "tensor_engine_active_time": 1e-6}],
                   "instruction": instructions, "dma": dma, "semaphore_update": semaphores}, file)


def late(path, other):
    with open(path, encoding="utf-8") as file:
        profile = json.load(file)
    rows = profile["instruction"] + profile["dma"] + profile["semaphore_update"]
    half = max(row["timestamp"] for row in rows) // 2
    for row in rows:
        if row["timestamp"] < half < row["timestamp"] + row.get("duration", 0):
            row["duration"] = half - row["timestamp"]
        elif row["timestamp"] >= half:
            row["timestamp"] += 20000
    profile["summary"][0]["total_time"] += 20e-6
    with open(other, "w", encoding="utf-8") as file:
        json.dump(profile, file)


def data_of(page):
    found = re.search(r'<script type="application/json" id="trace">(.*?)</script>', page, re.S)
    return json.loads(found[1])


def numbers(text):
    number = shift = 0
    out = []
    for c in text:
        digit = DIGITS.index(c)
        number |= (digit & 31) << shift
        shift += 5
        if digit < 32:
            out.append(number)
            number = shift = 0
    return out


def events_of(data):
    flat, operands, i = numbers(data["operands"]), [""], 0
    while i < len(flat):
        operands.append(" ".join(data["words"][word] for word in flat[i + 1:i + 1 + flat[i]]))
        i += 1 + flat[i]
    assert len(operands) == data["operand_count"] + 1
    for track in data["tracks"]:
        at = 0
        columns = [numbers(track[name]) for name in ("begins", "lengths", "names", "operands", "sources")]
        for column in columns:
            assert len(column) == track["count"], (track["name"], len(column), track["count"])
        for begin, length, name, text, source in zip(*columns):
            at += begin
            yield (track["kind"], track["core"], track["name"], at, length >> 1, bool(length & 1), data["names"][name],
                   operands[text], data["sources"][source])


def check(page, profile, left, bare):
    data = data_of(page)
    wanted, found, without = {}, {}, 0
    for row in profile["instruction"]:
        key = ("engine", row["subgraph"], row["subgroup"].lower(), row["timestamp"], row["duration"], row["opcode"] == "EVENT_SEMAPHORE",
               row["opcode"], row.get("nki_source_location", ""))
        wanted.setdefault(key, []).append(row["operands"].strip())
    for row in profile["dma"]:
        key = ("queue", row["subgraph"], row["subgroup"], row["timestamp"], row["duration"], False, row["queue_type"], "")
        wanted.setdefault(key, []).append("%d B" % row["transfer_size"])
    for row in profile["semaphore_update"]:
        key = ("semaphore", row["subgraph"], "semaphore " + row["id"], row["timestamp"], 0, False, "= %d" % row["value"], "")
        wanted.setdefault(key, []).append("")
    for *key, operands, source in events_of(data):
        key = (*key, source)
        assert key in wanted, key
        if operands not in wanted[key]:
            assert not operands, (key, operands, wanted[key])
            without += 1
        found[key] = found.get(key, 0) + 1
    count = sum(found.values())
    everything = sum(map(len, wanted.values()))
    assert count == everything - left, (count, everything, left)
    assert all(found[key] <= len(wanted[key]) for key in found)
    assert sum(track["left"] for track in data["tracks"]) == left
    assert without == bare, (without, bare)
    assert data["tick"] == 1e-9


def keys(page, text):
    table = text[text.index("| key"):].split("\n\n")[0]
    documented = set(re.findall("`(\\w+)`", table))
    assert len(documented) > 9, documented
    legend = re.search('<span class="keys">(.*)</span>', page)[1]
    assert documented <= set(re.findall("<kbd>(.*?)</kbd>", legend)), documented
    assert "wheel" in legend and "drag" in legend


def safe(page):
    policy = html.unescape(re.search(r'http-equiv="Content-Security-Policy" content="([^"]*)"', page)[1])
    assert policy.startswith("default-src 'none'; "), policy
    assert "unsafe" not in policy and "http" not in policy and "*" not in policy, policy
    style = re.findall(r"<style>(.*?)</style>", page, re.S)
    tags = re.findall(r"<script[^>]*>", page)
    assert tags == ['<script type="application/json" id="trace">', "<script>"], tags
    script = page[page.index("<script>") + 8:page.rindex("</script>")]
    assert len(style) == 1 and page.count("</script") == 2
    for kind, text in (("style", style[0]), ("script", script)):
        digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
        assert f"{kind}-src 'sha256-{digest}'" in policy, (kind, digest, policy)
    bare = page.replace(script, "").replace(style[0], "")
    bare = re.sub(r'(<script type="application/json" id="trace">).*?(</script>)', r"\1\2", bare, flags=re.S)
    assert not re.search(r"<(img|iframe|object|embed|link (?!rel=\"icon\")|a (?!class=\"skip\"))", bare), "markup"
    assert not re.search(r"<[^>]* (on[a-z]+|style|src)=", bare), "attributes"
    assert "<" not in re.search(r'id="trace">(.*?)</script>', page, re.S)[1]
    for hidden in "\u202e\u2028\u2029":
        assert hidden not in page, hidden


def main():
    if sys.argv[1] == "make":
        make(sys.argv[2], int(sys.argv[3]), len(sys.argv) > 4)
        return
    if sys.argv[1] == "late":
        late(*sys.argv[2:])
        return
    with open(sys.argv[2], encoding="utf-8") as file:
        page = file.read()
    if sys.argv[1] == "safe":
        safe(page)
        return
    with open(sys.argv[3], encoding="utf-8") as file:
        if sys.argv[1] == "keys":
            keys(page, file.read())
            return
        left, bare = [*map(int, sys.argv[4:]), 0, 0][:2]
        check(page, json.load(file), left, bare)


main()
