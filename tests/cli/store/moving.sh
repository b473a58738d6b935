#!/bin/bash
# rooflog store: what one store gives, another has; merging is a union; a file that is not whole, or that says what
# no store can hold, changes nothing.
set -u
# shellcheck source=tests/cli/lib.sh
. tests/cli/lib.sh

answers() { # STORE
	local words
	for words in "log --json" "log --view history --json" "log --view edits --json" "baseline list --json" "gate --json" \
		"report --json" "show HEAD --json"; do
		# shellcheck disable=SC2086 # words
		run --store "$1" $words
		echo "$words: $status $(sed -E 's/"generated_at": "[^"]*"//' <<<"$out" | sha256sum)"
	done
}
untouched() { # NAME: the store c.db is as it was
	equal "$1: the store stays as it was" "$("$rooflog" --store c.db store export | sha256sum)" "$kept"
}

# --- all that a store can have: lists, timelines, repeats, edits, baselines ---
repository moving
nights 7
series attention '1*e'
series mlp '2*e'
measured 0
commit more
run ingest --quiet "$root/samples/mlp" "$root/samples/attention" "$root/samples/formats"/neuron/*/*.json --keep-going
equal "ingest of samples: $err" "$status" 0
SOURCE_DATE_EPOCH=1772990000 run rm --series 'mlp' --commit HEAD~2 --reason "wrong clock"
SOURCE_DATE_EPOCH=1772990100 run mv attention attention2
equal "mv: $err" "$status" 0
run baseline set good HEAD~3
run baseline pin v1 HEAD~1
run log --view edits --json
equal "there are edits" "$(jq '.edits | length' <<<"$out")" 2
store=.rooflog/runs.db

run store export -o all.jsonl
equal "export: $err" "$status" 0
check "says how much: $err" grep -qE '[0-9]+ runs written to all.jsonl' <<<"$err"
run store export
equal "the same on standard output" "$(sha256sum <<<"$out")" "$(sha256sum <all.jsonl)"
check "each line is as its schema says" python3 - all.jsonl "$root/docs/schema/program/store-1.schema.json" <<'END'
import json, sys, jsonschema
validator = jsonschema.Draft202012Validator(json.load(open(sys.argv[2])))
for line in open(sys.argv[1], encoding="utf-8"):
    validator.validate(json.loads(line))
END
check "with timelines, repeats and edits" python3 - all.jsonl <<'END'
import json, sys
lines = [json.loads(line) for line in open(sys.argv[1], encoding="utf-8")]
runs = [one for one in lines if "run" in one]
assert any("timeline" in engine for one in runs for engine in one.get("engines", []))
for name in ("engines", "tallies", "cores", "tensors", "attributes", "notes"):
    assert any(name in one for one in runs), name
assert any(one["removed"] for one in runs)
assert [one["edit"] for one in lines if "edit" in one] == ["rm", "mv"]
assert {one["baseline"]: one["pinned"] for one in lines if "baseline" in one} == {"good": False, "v1": True}
end = lines[-1]["end"]
assert end["runs"] == len(runs) and end["commits"] == 9, end
END
told=$(answers $store)
for how in "--store c.db store import all.jsonl" "store copy d.db" "store copy $store e.db" "--store f.db store merge $store"; do
	# shellcheck disable=SC2086 # words
	run $how
	equal "$how: $err" "$status" 0
done
out=$("$rooflog" --store g.db store import --json - <all.jsonl)
as_schema "import --json" program/moved-1.schema.json <<<"$out"
for copy in c d e f; do
	equal "$copy.db is the same" "$("$rooflog" --store $copy.db store export | sha256sum)" "$(sha256sum <all.jsonl)"
	equal "commands answer the same of $copy.db" "$(answers $copy.db)" "$told"
	run --store $copy.db doctor
	check "doctor of $copy.db: $out" grep -q 'checksums .* intact' <<<"$out"
done
run --store c.db store merge $store d.db
check "nothing is new: $err" grep -qE '^(rooflog: )?0 runs added to c.db, [0-9]+ known already' <<<"$err"
run --store c.db rm --undo
equal "an edit that came is undone: $err" "$status" 0
run store merge c.db --json
as_schema "merge --json" program/moved-1.schema.json <<<"$out"
equal "an edit that was undone elsewhere is" "$(jq -c '[.runs, .edits]' <<<"$out")" '[0,1]'
run log --view edits --json
equal "it is undone here" "$(jq -c '[.edits[] | .undone_at != null]' <<<"$out")" '[false,true]'

# --- a part ---
run store export -o part.jsonl --kernel 'attention2'
equal "a part: $err" "$status" 0
equal "has its runs only" "$(jq -r 'select(.run) | .series.kernel' part.jsonl | sort -u)" attention2
equal "neither edits nor baselines" "$(jq -c 'select(.edit or .baseline)' part.jsonl)" ""
run --store part.db store import part.jsonl
run --store part.db log --json
equal "it is a store" "$(jq -r '.runs[].kernel' <<<"$out" | sort -u)" attention2
refused "no such kernel" "nosuch" store export --kernel nosuch

# --- any order, any grouping, twice ---
cd "$scratch/moving" || exit 2
repository union
nights 7
mkdir "$scratch/machines"
told=$(python3 "$root/tests/cli/store/moving.py" "$rooflog" "$scratch/machines" 6 2>&1)
equal "stores of three machines: $told" "$?" 0

# --- what is refused ---
cd "$scratch/moving" || exit 2
kept=$("$rooflog" --store c.db store export | sha256sum)
changed() { # NAME TEXTS PYTHON: the lines, changed; the end says so
	python3 - "$3" >bad.jsonl <<'END'
import hashlib, json, sys
lines = [json.loads(line) for line in open("all.jsonl", encoding="utf-8")]
end = lines.pop()
run = next(one for one in lines if "engines" in one)
commit = next(one for one in lines if "tree" in one)
edit = next(one for one in lines if "edit" in one)
baseline = next(one for one in lines if "baseline" in one)
run["run"] = run["run"][:-1] + ("0" if run["run"][-1] != "0" else "1")
exec(sys.argv[1])
text = "".join(json.dumps(one) + "\n" for one in lines)
end["end"] = {"commits": sum("tree" in one for one in lines), "runs": sum("run" in one for one in lines),
              "edits": sum("edit" in one for one in lines), "baselines": sum("baseline" in one for one in lines)}
end["sha256"] = hashlib.sha256(text.encode()).hexdigest()
sys.stdout.write(text + json.dumps(end) + "\n")
END
	refused "$1" "$2" --store c.db store import bad.jsonl
	untouched "$1"
}
changed "an id" "bad.jsonl:|run is missing or not valid" 'run["run"] = "xyz"'
changed "a commit" "commit is missing or not valid" 'run["commit"] = "HEAD"'
changed "a commit that is nowhere" "unknown commit" 'run["commit"] = "0" * 40'
changed "a commit that is its own parent" "parent is missing or not valid" 'commit["parent"] = commit["commit"]'
changed "other parents" "parents is missing or not valid" 'commit["parents"] = "a b"'
changed "a position" "position is missing" 'commit["position"] = 1e300'
changed "a time" "time is missing" 'commit["time"] = -1'
changed "an ingest" "ingest is missing" 'run["ingest"] = 2 ** 60'
changed "a metric" "no metric nosuch; a newer one wrote the run" 'run["numbers"]["nosuch"] = [1, "measured"]'
changed "an origin" "total_time is missing" 'run["numbers"]["total_time"] = [1, "guessed"]'
changed "an engine" "engines: active_time" 'run["engines"][0]["active_time"] = "1"'
changed "a timeline" "engines: timeline" 'run["engines"][0]["timeline"] = [2] * 256'
changed "a short timeline" "engines: timeline" 'run["engines"][0]["timeline"] = [0]'
changed "a tally" "tallies: kind" 'run["tallies"][0]["kind"] = "x"'
changed "cores" "cores is missing or not valid" 'run["series"]["cores"] = -5'
changed "an engine without a name" "engines: name" 'run["engines"] = [{}]'
changed "an engine that is none" "engines: name" 'run["engines"] = [1]'
changed "an attribute without a key" "attributes: key" 'run["attributes"] = [{}]'
changed "upper case" "run is missing or not valid" 'run["run"] = "A" * 64'
changed "a run twice in an edit" "runs is missing or not valid" 'edit["runs"] *= 2'
changed "parameters" "params is missing" 'run["series"]["params"] = {"b": 1}'
changed "an edit" "edit is missing" 'edit["edit"] = "drop"'
changed "an effect" "effect is missing" 'edit["runs"][0]["effect"] = "gone"'
changed "a baseline" "set_at is missing" 'baseline["set_at"] = "now"'
changed "another schema" "the schema is rooflog-store/2" 'lines[0]["schema"] = "rooflog-store/2"'
changed "no schema" "the first line, and no other, names rooflog-store/1" 'lines.pop(0)'
changed "an empty line of JSON" "neither a commit, a run" 'lines.append({})'
head -c 20000 all.jsonl >bad.jsonl
refused "a part of a file" "bad.jsonl:" --store c.db store import bad.jsonl
untouched "a part of a file"
sed '$d' all.jsonl >bad.jsonl
refused "without an end" "the end is missing" --store c.db store import bad.jsonl
sed '5d' all.jsonl >bad.jsonl
refused "without a line" "lines are missing" --store c.db store import bad.jsonl
sed 's/"subject":"more"/"subject":"less"/' all.jsonl >bad.jsonl
refused "a changed line" "was changed" --store c.db store import bad.jsonl
untouched "a changed line"
echo >>all.jsonl
refused "more after the end" "more follows the end" --store c.db store import all.jsonl
refused "no file" "cannot open nosuch.jsonl" --store c.db store import nosuch.jsonl
cp c.db own.jsonl
refused "an export into the store" "is the store itself" --store own.jsonl store export -o own.jsonl
refused "no store" "nosuch.db: no such store" --store c.db store merge nosuch.db
refused "itself" "is the store that runs would be added to" --store c.db store merge ./c.db
refused "a file that is no store" "bad.jsonl" --store c.db store merge bad.jsonl
untouched "stores that are none"
python3 -c 'import sqlite3
with sqlite3.connect("d.db") as db:
    db.execute("UPDATE numbers SET packed = zeroblob(length(packed)) WHERE run_id = (SELECT max(run_id) FROM numbers)")'
refused "a damaged run" "doctor --repair" --store c.db store merge d.db
untouched "a damaged store"
run --store d.db doctor --repair
run --store h.db store merge d.db
check "what is set aside is skipped, and said: $err" grep -q '1 damaged run was skipped' <<<"$err"
run --store d.db store export -o runs.parquet
check "also in tables: $err" grep -q '1 damaged run was skipped' <<<"$err"
run --store d.db store merge c.db
check "it is restored from another store: $err" grep -q '1 run added' <<<"$err"
run --store d.db store export -o d.jsonl
check "with all edits" test "$(jq -c 'select(.edit)' d.jsonl | sort | sha256sum)" = "$("$rooflog" --store c.db store export | jq -c 'select(.edit)' | sort | sha256sum)"
finish
