#!/bin/bash
# rooflog show -o FILE.html: the page has every event of the file, or says what it lacks; no name gets
# into it as anything but text; then the page in a real browser (tests/browser/viewer.mjs).
set -u
# shellcheck source=tests/cli/lib.sh
. tests/cli/lib.sh

viewer() {
	python3 "$root/tests/cli/viewer/viewer.py" "$@"
}
page_says() { # NAME PAGE TEXT
	check "$1" grep -qF -- "$3" "$2"
}
page_lacks() { # NAME PAGE TEXT
	check "$1: there is a page" test -s "$2"
	equal "$1" "$(grep -cF -- "$3" "$2")" 0
}

repository viewer
viewer make profile.json 600
run show profile.json -o page.html --set kernel=mlp,dtype=bf16
equal "status: $err" "$status" 0
equal "nothing is printed" "$out" ""
check "says what it wrote: $err" grep -q 'wrote page.html' <<<"$err"
check "every event is on the page" viewer check page.html profile.json
check "the page runs its own script only" viewer safe page.html
page_says "it is titled" page.html '<h1>Timeline of <bdi>mlp</bdi></h1>'
page_says "each engine has its slowest" page.html '<summary><b>sg01 GpSimd</b> 60 instructions, active '
page_says "a source file that the commit lacks is named" page.html "Source lines of /home/me/kernels/k.py have no text: commit $(git rev-parse HEAD | cut -c1-10) has no file of this name. <code>--source-root</code> names its folder."
check "it names the keys of docs/user/viewer.md" viewer keys page.html "$root/docs/user/viewer.md"
page_says "the overview is the whole" page.html 'data-name="Run" aria-label="The whole run;'
run show profile.json -o html=again --set kernel=mlp,dtype=bf16
check "the kind can be named" cmp page.html again
run show profile.json -o - --set kernel=mlp,dtype=bf16
check "and it can be printed" cmp page.html "$scratch/.out"
gzip -k profile.json
run show profile.json.gz -o packed.html --set kernel=mlp,dtype=bf16
check "a packed file" viewer check packed.html profile.json
run show profile.json -o listed.html --json --set kernel=mlp,dtype=bf16
equal "--json says what was written" "$(jq -r '.files[].path' <<<"$out")" listed.html

# --- a part ---

run show profile.json -o part.html --from 2us --to 4us --set kernel=mlp,dtype=bf16
page_says "the part is named" part.html '<dt>Part</dt><dd><bdi>2.000 µs to 4.000 µs of '
equal "as the first fact" "$(grep -o -m1 '<dt>[A-Z][a-z]*' part.html)" '<dt>Part'
page_says "the overview is the part" part.html 'data-name="Part" aria-label="The part of the run on this page;'
part=$(python3 - part.html profile.json <<'END'
import json, re, sys
data = json.loads(re.search(r'id="trace">(.*?)</script>', open(sys.argv[1], encoding="utf-8").read(), re.S)[1])
rows = json.load(open(sys.argv[2], encoding="utf-8"))["instruction"]
inside = [row for row in rows if row["timestamp"] <= 4000 and row["timestamp"] + row["duration"] > 2000]
print(sum(track["count"] for track in data["tracks"] if track["kind"] == "engine") - len(inside), data["from"], data["to"], len(inside) > 20)
END
)
equal "it has what runs in it" "$part" "0 2000 4000 True"
refused "a part that ends before it begins" '--to must be after --from' show profile.json -o x.html --from 4us --to 2us
refused "a time that is none" 'expected a time since the start' show profile.json -o x.html --from soon
refused "a part without a page" '--from is for a page, or for --source, --opcode, --slowest and --launches|-o FILE.html' show profile.json --from 2us
refused "a part in which nothing runs" 'has no events in this part' show profile.json -o x.html --from 5s
refused "a page and source lines" '-o and --source cannot be combined' show profile.json -o x.html --source k.py:1
refused "another kind" "show writes no kind 'md'" show profile.json -o x.md
refused "a picture" "show writes only html, perfetto, not 'x.svg'|hint: -o FILE.html" show profile.json -o x.svg
refused "an unknown ending" "show writes only html, perfetto, not 'x.htm'|hint: -o FILE.html" show profile.json -o x.htm
refused "no ending" "show writes only html, perfetto, not 'x'|hint: -o FILE.html" show profile.json -o x
refused "two pages" 'show writes one page' show profile.json -o x.html -o y.html
refused "a file without events" 'has no events: native Neuron traces (NTFF), neuron-profile JSON, ' show "$root/samples/summary.json" -o x.html
refused "two files" 'show writes one run, and 2 were chosen|rooflog compare A B -o FILE.html' show profile.json "$root/samples/mlp/profile.json" -o x.html
equal "no page is left of those" "$(ls x.html y.html 2>/dev/null)" ""

# --- what has no room is counted ---

viewer make many.json 100000
run show many.json -o many.html --set kernel=mlp,dtype=bf16
check "120,000 events are on the page" viewer check many.html many.json 20000 0
page_says "and the others are named" many.html '20,000 of 140,000 events are not on this page, the shortest of their kind: 20,000 semaphore updates.'
check "in less than 5 MB: $(stat -c %s many.html)" test "$(stat -c %s many.html)" -lt 5000000
rm many.json

# --- hostile names ---

viewer make hostile.json 400 hostile
run show hostile.json -o hostile.html --set "kernel=</title><script>window.hacked=1</script>,dtype=bf16"
equal "hostile names: $err" "$status" 0
check "are text" viewer safe hostile.html
page_says "and are there" hostile.html '&lt;img src=x onerror=window.hacked=1&gt;'

# --- stored runs, and the text of their source lines ---

mkdir kernels
for i in {1..40}; do echo "x$i = load(a)  # </script><script>window.hacked=$i</script>"; done >kernels/k.py
git add kernels && commit kernel
run ingest --set kernel=mlp,dtype=bf16 profile.json
equal "ingest: $err" "$status" 0
echo changed >kernels/k.py
git add kernels && commit later
run show HEAD~1 -o stored.html
equal "a stored run: $err" "$status" 0
check "has all events" viewer check stored.html profile.json
check "and is safe" viewer safe stored.html
page_says "with its commit" stored.html "at <bdi>$(git rev-parse HEAD~1 | cut -c1-10)</bdi>"
page_says "and the text of that commit" stored.html 'x40 = load(a)  # \u003c/script>'
page_lacks "and no other" stored.html '"changed'
run show profile.json -o head.html
page_says "a file takes that of HEAD" head.html '"lines":["changed"]'
page_says "and says so" head.html ': the file states no commit, lines may differ'
mkdir -p deep/er && git mv kernels/k.py deep/er/k.py && commit moved
run show profile.json -o none.html
equal "a file that lies elsewhere: $err" "$status" 0
page_lacks "it is not found" none.html '"lines":['
run show profile.json -o found.html --source-root deep/er/
page_says "but where it is named" found.html '"path":"deep/er/k.py","lines":["changed"]'
page_lacks "a folder that was named is no guess" found.html 'found by its name alone'
page_lacks "nor is one that fits" head.html 'found by its name alone'
echo other >k.py && git add k.py && commit other
run show profile.json -o guess.html
page_says "a file that only its name finds may be another" guess.html 'The text of /home/me/kernels/k.py is that of k.py in commit '
page_says "so the page says it" guess.html 'found by its name alone. <code>--source-root</code> names another folder.'
git reset -q --hard HEAD~1
head -c 262145 /dev/zero | tr '\0' '#' >deep/er/k.py
git add deep && commit large
run show profile.json -o large.html --source-root deep/er
equal "a large source file: $err" "$status" 0
page_says "says its size" large.html 'Source lines of /home/me/kernels/k.py have no text: the file is too large for the page (262,145 bytes, limit 262,144).'
page_lacks "and is not said to be absent" large.html 'has no file of this name'
for i in {1..40}; do echo "line = $i" >"deep/er/k$i.py"; done
git add deep && commit many
sed 's/k\.py:\([0-9]*\)/k\1.py:1/g' profile.json >files.json
run show files.json -o files.html --source-root deep/er
equal "many source files: $err" "$status" 0
equal "16 have text" "$(grep -o '"lines":\[' files.html | wc -l)" 16
page_says "and it is said why others have none" files.html 'have no text: the page has room for 16 files of 1,048,576 bytes in total.'
git reset -q --hard HEAD~2
refused "a source root without a page" '--source-root is for a page' show profile.json --source-root deep
refused "a source root for Perfetto" '--source-root is for a page: a Perfetto trace has no text' show profile.json -o c.pftrace --source-root deep
mv profile.json kept.json
refused "a run whose file is gone" 'profile.json, which is not here|show FILE -o FILE.html' show HEAD~2 -o x.html
viewer make profile.json 500
refused "a run whose file is another" 'no longer has the run' show HEAD~2 -o x.html
rm profile.json && mkfifo profile.json
refused "a run whose file is a pipe" 'which is not here' show HEAD~2 -o x.html
rm profile.json && mv kept.json profile.json
cd "$scratch" || exit 2
mkdir alone && cd alone || exit 2
run show ../viewer/profile.json -o page.html
equal "outside of a repository: $err" "$status" 0
page_says "source lines have no text" page.html 'Source lines have no text: their commit is in no repository here.'
check "the page is complete" viewer check page.html ../viewer/profile.json

# --- native traces ---

while read -r native; do
	run show "$native" -o native.html
	equal "$native: $err" "$status" 0
	check "$native: is safe" viewer safe native.html
	"$rooflog" inspect "$native" --events >events.jsonl
	counts=$(python3 - native.html events.jsonl <<'END'
import json, re, sys
data = json.loads(re.search(r'id="trace">(.*?)</script>', open(sys.argv[1], encoding="utf-8").read(), re.S)[1])
seen = {"engine": 0, "queue": 0, "semaphore": 0}
for line in open(sys.argv[2], encoding="utf-8"):
    one = json.loads(line)
    if not one.get("in_window") or one.get("left_out_by_vendor") or one.get("time_ps", 0) is None or one.get("time_ps", 0) < 0:
        continue
    kind = {"instruction": "engine", "dma": "queue", "semaphore": "semaphore", "event": "semaphore"}.get(one["kind"])
    if kind:
        seen[kind] += 1
for track in data["tracks"]:
    seen[track["kind"]] -= track["count"]
print(data["tick"], *seen.values())
END
)
	equal "$native: all records" "$counts" "1e-12 0 0 0"
done < <(printf '%s\n' "$root"/samples/formats/neuron/ntff/sample-*.ntff
	find "$root/../shared/data/neuron" -name '*_exec_*.ntff' 2>/dev/null | sort | head -4)

# --- a part at the terminal ---

cd "$scratch/viewer" || exit 2
run show profile.json --source /./ --set kernel=mlp,dtype=bf16 --json
whole=$out
run show profile.json --source /./ --from 0s --set kernel=mlp,dtype=bf16 --json
equal "all of the time has what the run has: $err" "$(jq -c '[.attributions[] | [.name, .count.value, .time.text]]' <<<"$out")" "$(jq -c '[.attributions[] | [.name, .count.value, .time.text]]' <<<"$whole")"
run show profile.json --source /./ --from 2us --to 4us --set kernel=mlp,dtype=bf16 --json
part=$(python3 - profile.json "$out" <<'END'
import json, sys
rows = json.load(open(sys.argv[1], encoding="utf-8"))["instruction"]
wanted = {}
for row in rows:
    spent = min(4000, row["timestamp"] + row["duration"]) - max(2000, row["timestamp"])
    if spent > 0 and "nki_source_location" in row:
        one = wanted.setdefault(row["nki_source_location"], [0, 0])
        one[0] += 1
        one[1] += spent
found = {one["name"]: [one["count"]["value"], round(one["time"]["value"] * 1e9)] for one in json.loads(sys.argv[2])["attributions"]}
print(len(wanted) > 5, found == wanted)
END
)
equal "a part has what runs in it" "$part" "True True"
run show profile.json --opcode 'MAT*' --from 2us --to 4us --set kernel=mlp,dtype=bf16
check "and as a table: $out" grep -Eq '^MATMUL +[0-9]+ ' <<<"$out"

# --- for Perfetto ---

run show profile.json -o run.pftrace --set kernel=mlp,dtype=bf16
equal "a trace for Perfetto: $err" "$status" 0
check "has every event" python3 "$root/tests/cli/viewer/perfetto.py" check run.pftrace profile.json
run show profile.json -o perfetto=again --set kernel=mlp,dtype=bf16
check "the kind can be named" cmp run.pftrace again
run show hostile.json -o hostile.pftrace --set kernel=mlp,dtype=bf16
check "hostile names are texts" python3 "$root/tests/cli/viewer/perfetto.py" valid hostile.pftrace
refused "a part in which nothing runs" 'has no events in this part' show profile.json -o x.pftrace --from 5s
run show "$root/samples/formats/neuron/ntff/sample-v5-trn2-two-cores.ntff" -o native.pftrace
native=$(python3 "$root/tests/cli/viewer/perfetto.py" valid native.pftrace)
check "picoseconds are kept in arguments: $native" grep -q ' True$' <<<"$native"
check "and the rounding is said: $err" grep -q 'rounded to nanoseconds' <<<"$err"

# --- GPUs ---

run show "$root/samples/formats/frameworks/kineto/sample.json" -o gpu.html
equal "a trace of PyTorch: $err" "$status" 0
check "runs its own script only" viewer safe gpu.html
page_says "its tracks are streams" gpu.html '"kind":"engine","core":"GPU 0","name":"stream 7","count":7'
page_says "copies are beside them" gpu.html '"kind":"queue","core":"","name":"unknown stream copies","count":1'
page_says "what ran are kernels" gpu.html '<b>stream 7</b> 7 kernels, active '
page_lacks "which have no source lines" gpu.html 'NEURON_FRAMEWORK_DEBUG'
cat >clock.json <<'END'
{"schemaVersion": 1, "traceEvents": [
{"ph": "X", "cat": "kernel", "name": "a", "ts": 1700000000000000.123, "dur": 1.5, "args": {"device": 0, "stream": 7, "grid": [8, 1, 1], "block": [256, 1, 1], "registers per thread": 32}},
{"ph": "X", "cat": "kernel", "name": "b", "ts": 1700000000000002.124, "dur": 1.5, "args": {"device": 0, "stream": 9}}]}
END
run show clock.json -o clock.html --set dtype=bf16,device=h100-sxm
equal "times of the system's clock are exact to the nanosecond: $err" "$(grep -o '"from":[^,]*,"to":[^,]*' clock.html)" '"from":0,"to":3501'
page_says "with grid and block" clock.html '"256x1x1,"'

# --- two runs ---

cd "$scratch/viewer" || exit 2
viewer make before.json 600
viewer late before.json after.json
run compare before.json after.json -o pair.html --set kernel=mlp,dtype=bf16
equal "two runs on a page: $err" "$status" 0
check "says what it wrote: $err" grep -q 'wrote pair.html' <<<"$err"
check "runs its own script only" viewer safe pair.html
check "has all events of the second" viewer check pair.html after.json
page_says "and both times" pair.html '<dt>Before</dt><dd><bdi>before.json: '
page_says "what both lack is said once" pair.html '<li>Source lines of /home/me/kernels/k.py have no text'
pair=$(python3 - pair.html after.json <<'END'
import json, re, sys
data = json.loads(re.search(r'id="trace">(.*?)</script>', open(sys.argv[1], encoding="utf-8").read(), re.S)[1])
count = lambda side: sum(track["count"] + track["left"] for track in side["tracks"])
longer = [(part[3] - part[2]) - (part[1] - part[0]) for part in data["matches"]]
gap = max(longer)
one, = data["idle"]
print(count(data) == count(data["baseline"]), len(data["matches"]) > 1, abs(gap - 20e-6) < 2e-6, abs(one[1] - one[0] - 20000) < 900)
END
)
equal "what matches, and the stretch that was added" "$pair" "True True True True"
run compare before.json after.json -o - --as html --set kernel=mlp,dtype=bf16
check "it can be printed" cmp pair.html "$scratch/.out"
refused "a page as JSON" 'json is not written as HTML' compare before.json after.json -o x.html --json
refused "two pages of variants" 'cannot be combined with --by' compare --by variant before.json -o x.html
refused "a page and a table" 'cannot be combined with another output' compare before.json after.json -o x.html -o x.md
run compare before.json after.json -o part.html --from 2us --to 4us --set kernel=mlp,dtype=bf16
equal "a part of both: $err" "$(grep -o '"from":2000,"to":4000' part.html | wc -l)" 2
refused "a part without a page" '--from is for a page' compare before.json after.json --from 2us
refused "a part that ends before it begins" '--to must be after --from' compare before.json after.json -o x.html --from 4us --to 2us
refused "a source root without a page" '--source-root is for a page' compare before.json after.json --source-root k
run ingest --set kernel=mlp,dtype=bf16 --commit HEAD~1 before.json
run ingest --set kernel=mlp,dtype=bf16 --commit HEAD after.json
run ingest --set kernel=other,dtype=bf16 --commit HEAD~1 before.json
run ingest --set kernel=other,dtype=bf16 --commit HEAD after.json
refused "two series" 'a page shows one series, and 2 are on both sides|compare A B SERIES -o FILE.html' compare HEAD~1 HEAD -o x.html
run compare HEAD~1 HEAD mlp -o stored-pair.html
equal "two commits: $err" "$status" 0
check "with all events" viewer check stored-pair.html after.json
page_says "are called by their commits" stored-pair.html '<dt>After</dt><dd><bdi>HEAD: '
equal "no page is left of those" "$(ls x.html x.md 2>/dev/null)" ""
run show after.json -o folded.html --set kernel=mlp,dtype=bf16

# --- in a browser ---

cd "$scratch/viewer" || exit 2
browsers
check "pages in a browser" \
	node "$root/tests/browser/viewer.mjs" stored.html many.html hostile.html folded.html pair.html "$modules" ${PICTURES:+"$PICTURES"}
check "a page for everyone" node "$root/tests/browser/audit.mjs" "$modules" stored.html pair.html
finish
