#!/usr/bin/env python3
"""Compares the text of `rooflog inspect --disasm` with the operands in the vendor's JSON of the capture.

usage: ntff_operands.py ROOFLOG NTFF JSON ...   (pairs)

Both texts are brought into one form: names of semaphores, which only the NEFF has, are dropped, places
on the chip become addresses, and what our text says in fewer words is spelled out. Then they must be
equal. Prints a table by opcode; exits with 1 when any text differs.
"""
import collections
import json
import re
import subprocess
import sys

DTYPES = {"bf16": "bfloat16"}
ROW = re.compile(r"^ +(\d+) +(\d+|-) +\S+ +\S+  (\S+)(.*)$")


def programs(rooflog, path):
    out = subprocess.run([rooflog, "inspect", "--disasm", path], stdout=subprocess.PIPE, check=True, text=True).stdout
    words, core, engine = {}, None, None
    for line in out.splitlines():
        title = re.match(r"^(\S+), (\S+) engine: ", line)
        row = ROW.match(line)
        if title:
            core, engine = title.groups()
        elif row:
            words[core, engine, int(row.group(1))] = (row.group(3), row.group(4).strip())
    return words


def address(match):
    return hex(int(match.group(2), 16) + (0x2000000 if match.group(1) == "psum" else 0))


def places(text):
    return re.sub(r"\b(sbuf|psum)\+(0x[0-9a-f]+)", address, text)


def dtypes(text):
    return re.sub(r"\b(bf16)(?=@)", lambda m: DTYPES[m.group(1)], text)


def vendor_form(opcode, text):
    text = re.sub(r"(S\[\d+\]) \([^)]*\)", r"\1", text).replace("$", "")
    text = re.sub(r"accumulator_cmd=IDLE|imm=\[0x0\]|transpose_mode=DISABLED", "", text)
    if opcode == "ACTIVATE":
        text = re.sub(r" imm=0\.0+\b", "", text)
    if opcode == "NOTIFY":
        text = text.replace("notification=EXPLICIT", "").replace("trace=START", "")
    return " ".join(text.split())


def side(text, name, on_chip):
    """A side of a DMA as the vendor writes it."""
    dtype, place, steps, counts, size = re.search(
        name + r"=(\w+)@([^\[]+)\[([\d,]+)\]\[([\d,]+)\]\*(\d+)", text).groups()
    table = re.match(r"tensor(\d+)\+(0x[0-9a-f]+)", place)
    if table:
        where = "%s_table_offset_imm=%s %s_table_index=%s" % (name, table.group(2), name, table.group(1))
    else:
        base = re.sub(r"sbuf\+(0x[0-9a-f]+)", lambda m: hex(int(m.group(1), 16) + on_chip), place)
        where = "%s_addr_imm=%s" % (name, base)
    return dtype, size, "[%s][%s]" % (steps, counts), where


def dma_form(text, on_chip):
    head, _ = text.split("src=")
    semaphore, increment = re.search(r"S\[(\d+)\]\+=(\d+)@complete", text[len(head):]).groups()
    source, target = side(text, "src", on_chip), side(text, "dst", on_chip)
    cast = "" if source[0] == target[0] else "in_dtype=%s out_dtype=%s " % tuple(
        DTYPES.get(one, one) for one in (source[0], target[0]))
    return ("%s semaphore=%s sem_increment=%s src_elem_size=%s dst_elem_size=%s src_pattern=%s dst_pattern=%s "
            "%s src_shape_reg=0 %s dst_shape_reg=0 %scompute_op=NONE" % (
                head.strip(), semaphore, increment, source[1], target[1], source[2], target[2], source[3], target[3],
                cast)).strip()


def activate_form(text):
    text = re.sub(r" bias=(\w+@)", r" bias_ptr=\1", text)
    text = re.sub(r" bias=([\d.e+-]+)", lambda m: " bias_imm=%f" % float(m.group(1)), text)
    return re.sub(r" scale=([\d.e+-]+)", lambda m: " scale=%f" % float(m.group(1)), text)


def write_form(text):
    writes = re.findall(r"(0x[0-9a-f]+)=(0x[0-9a-f]+)\*(\d+)", text)
    return "data=%s size=%s dst=%s" % tuple(",".join(write[i] for write in writes) for i in (1, 2, 0))


def branch_form(text):
    match = re.match(r"(.*?)(ALWAYS|EQ)(?: (\w+) R\[0\],0)? to=([+-]\d+)( debugHint=\d+)? -> pc -?\d+$", text)
    if not match:
        return text
    wait, compare, dtype, distance, hint = match.groups()
    operands = " dtype=%s cmp0=R[0] cmp1=%s" % (dtype, "0x0" if dtype == "uint32" else "0") if dtype else ""
    return "%scmp_op=%s%s label_id=%d%s" % (wait, compare, operands, int(distance) * 64 % 2**32, hint or "")


def our_form(opcode, text, on_chip):
    if opcode == "DMA_DIRECT2D":
        return dma_form(text, on_chip)
    if opcode == "ACTIVATE":
        text = activate_form(text)
    if opcode == "MATMUL":  # the vendor leaves the type of the target out, and the transpose of some
        text = re.sub(r"dst=\w+@", "dst=", text).replace(" transpose_mode=ENABLED", "")
    if opcode == "TENSOR_SCALAR":
        pointer = ["PTR" if "+" in one else "INSTRUCTION" for one in re.search(r"imm=(\S+)", text).group(1).split(",")]
        text = re.sub(r"(imm=\S+)", lambda m: m.group(1).replace("0x0", "0") + " imm_src=" + ",".join(pointer), text)
    if opcode == "WRITE":
        return write_form(text)
    if opcode == "COMPARE_BRANCH":
        return branch_form(text)
    if opcode == "NOTIFY":
        text = re.sub(r" \(program \w+\)", "", text)
    if opcode == "EVENT_SEMAPHORE_RANGE_CLEAR":
        text = re.sub(r"S\[(\d+)\.\.(\d+)\]=0", r"mode=SEMAPHORE_ZERO first=\1 last=\2", text)
    if opcode == "SET_ORDERING_MODE":
        text = "ordering_mode=" + text
    if opcode == "EVENT_SEMAPHORE":
        waits = re.match(r"(S\[\d+\]>=\d+)( S\[10\]>=\d+)?$", text)
        text = waits.group(1) + " setter=0" + (waits.group(2) or "") if waits and "@" not in text else "setter=0 " + text
    if opcode == "DRAIN":
        text = re.sub(r"\[\d+\]=[0-9a-f]{8}", "", text)
    if opcode == "ACT_TABLE_LOAD":  # where the number of the table is in the word is not known
        text = (text + " table_sel=0").strip()
    return dtypes(places(text)).strip()


def main():
    rooflog, files = sys.argv[1], sys.argv[2:]
    equal, differ, examples = collections.Counter(), collections.Counter(), {}
    for ntff, path in zip(files[::2], files[1::2]):
        words = programs(rooflog, ntff)
        with open(path, encoding="utf-8") as file:
            theirs = json.load(file)
        on_chip = 0x802000000000 if "trn2" in json.dumps(theirs["summary"][0]) else 0xfffc0000000
        for row in theirs["instruction"]:
            core = row["fully_qualified_subgraph"].lstrip("/")
            opcode, text = words[core, row["subgroup"].lower(), row["pc"]]
            left, right = our_form(opcode, text, on_chip), vendor_form(opcode, row["operands"])
            if opcode == "MATMUL":
                right = right.replace(" transpose_mode=ENABLED", "")
            if opcode == row["opcode"] and left == right:
                equal[opcode] += 1
            else:
                differ[row["opcode"]] += 1
                examples.setdefault(row["opcode"], "  ours   %s %s\n  vendor %s %s" % (opcode, left, row["opcode"], right))
    print("%-30s %8s %8s" % ("opcode", "equal", "differ"))
    for opcode in sorted(equal.keys() | differ.keys()):
        print("%-30s %8d %8d" % (opcode, equal[opcode], differ[opcode]))
        if opcode in examples:
            print(examples[opcode])
    return 1 if differ or not equal else 0


if __name__ == "__main__":
    sys.exit(main())
