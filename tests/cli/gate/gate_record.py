"""A table of measurements for tests of the gate: one row a commit and kernel, with noise that is the
same in every call. Commits come from standard input, oldest first.

gate_record.py KERNEL=LEVEL_MS:NOISE[:STEP@COMMIT[:REPEATS]]...
"""
import math
import sys

state = 12345


def noise():
    global state
    total = 0.0
    for _ in range(12):
        state = (state * 6364136223846793005 + 1442695040888963407) % 2**64
        total += (state >> 11) / 2**53
    return total - 6


commits = sys.stdin.read().split()
print("commit,op,impl,type,gpu,m,ms")
for spec in sys.argv[1:]:
    kernel, _, rest = spec.partition("=")
    parts = rest.split(":")
    level, spread = float(parts[0]), float(parts[1])
    step, at = (parts[2] if len(parts) > 2 and parts[2] else "1@0").split("@")
    repeats = int(parts[3]) if len(parts) > 3 else 1
    for index, commit in enumerate(commits):
        here = level * (float(step) if index >= int(at) else 1) * math.exp(spread * noise())
        for _ in range(repeats):
            print(f"{commit},{kernel},v1,bf16,h100-sxm,64,{here * math.exp(spread / 4 * noise()):.9f}")
