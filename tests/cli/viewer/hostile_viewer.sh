#!/bin/bash
# A page stays small and works, whatever the texts and times of the file are.
set -u
# shellcheck source=tests/cli/lib.sh
. tests/cli/lib.sh

# A profile whose rows are given by a Python expression of i.
profile() { # FILE COUNT ROW
	python3 - "$@" <<'PY'
import json, sys
rows = []
for i in range(int(sys.argv[2])):
    row = {"timestamp": i * 10, "duration": 5, "opcode": "MATMUL", "operands": "", "subgroup": "Tensor", "subgraph": "sg00"}
    row.update(eval(sys.argv[3]))
    rows.append(row)
with open(sys.argv[1], "w", encoding="utf-8") as file:
    json.dump({"summary": [{"total_time": 1e-3}], "instruction": rows}, file)
PY
}
page_of() { # FILE
	run show "$1.json" -o "$1.html" --set kernel=mlp,dtype=bf16
	equal "$1: a page: $err" "$status" 0
	check "$1: less than 5 MB: $(stat -c %s "$1.html")" test "$(stat -c %s "$1.html")" -lt 5000000
}
notes() { # NAME FILE TEXT
	check "$1: $(grep -o '<li>.*' "$2")" grep -qF -- "$3" "$2"
}
data() { # FILE EXPRESSION
	python3 - "$@" <<'PY'
import json, re, sys
data = json.loads(re.search(r'id="trace">(.*?)</script>', open(sys.argv[1], encoding="utf-8").read(), re.S)[1])
print(eval(sys.argv[2]))
PY
}

repository hostile

# --- texts have a limit, counted as they are on the page ---

profile operands.json 6000 '{"operands": "w%d" % i + "<" * 1000}'
page_of operands
notes "operands that do not fit are counted" operands.html ' events did not fit on this page: '
profile short.json 2001 '{"operands": "w%d" % i + "\x01" * 1000 if i < 2000 else "dst=last"}'
page_of short
equal "a short one after them fits" "$(data short.html '"dst=last" in data["words"]')" True
profile names.json 6000 '{"opcode": "n%d" % i + "<" * 1000, "nki_source_location": "<" * 900 + ".py:%d" % i}'
page_of names
notes "names that do not fit are counted" names.html 'The names or source lines of '
profile tracks.json 4000 '{"subgraph": "c%d" % i + "<" * 1000, "subgroup": "e%d" % i + "<" * 1000, "operands": "x" * 100}'
page_of tracks
notes "tracks too" tracks.html ' tracks did not fit on this page.'
notes "and the tables of engines" tracks.html 'The slowest instructions of '

# --- times ---

profile clock.json 10 '{"timestamp": 1700000000000000000 + i * 10}'
page_of clock
equal "times of the system's clock count from the first event" "$(data clock.html 'data["from"], data["to"]')" "(0, 1000000)"
profile far.json 3 '{"timestamp": [0, 1 << 61, 1 << 62][i]}'
page_of far
notes "what has no exact time is counted" far.html 'Not read of the file: 2 events without a possible time'
equal "and is not on the page" "$(data far.html 'data["to"] <= 2**52, data["tracks"][0]["count"]')" "(True, 1)"

finish
