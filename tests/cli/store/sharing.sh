#!/bin/bash
# rooflog store push and pull: runs of all clones come together in one ref of the remote, whoever pushes at the same
# time; nothing else of the remote changes.
set -u
# shellcheck source=tests/cli/lib.sh
. tests/cli/lib.sh

lines() { # STORE: what it has, but not in which order
	"$rooflog" --store "$1" store export | sed '$d' | sort | sha256sum
}
refs() { git --git-dir "$scratch/remote.git" for-each-ref --format='%(refname) %(objectname)' | grep -v rooflog; }
clone() { # NAME
	git clone -q "$scratch/remote.git" "$scratch/$1" && cd "$scratch/$1" || exit 2
}

# --- two clones ---
repository first
nights 7
git init -q --bare "$scratch/remote.git"
git remote add origin "$scratch/remote.git"
git push -q origin HEAD:main
git --git-dir "$scratch/remote.git" symbolic-ref HEAD refs/heads/main
series attention '1*e'
measured 0
run ingest --quiet "$root/samples/mlp"
before=$(refs)
run store push
equal "push: $err" "$status" 0
check "says how much: $err" grep -q ' 9 runs pushed to origin' <<<" $err"
run store push --json
as_schema "push --json" program/moved-1.schema.json <<<"$out"
equal "nothing is left" "$(jq -c '[.pushed, .runs]' <<<"$out")" '[0,0]'
clone second
run store pull
equal "pull: $err" "$status" 0
equal "the same is here" "$(lines .rooflog/runs.db)" "$(lines "$scratch/first/.rooflog/runs.db")"
run gate --json
one=$out
cd "$scratch/first" || exit 2
run gate --json
equal "commands answer the same" "$(jq 'del(.generated_at)' <<<"$out")" "$(jq 'del(.generated_at)' <<<"$one")"
run rm --kernel attention --commit HEAD~3 --reason "wrong clock"
run baseline set good HEAD~2
run store push
equal "an edit is pushed: $err" "$status" 0
cd "$scratch/second" || exit 2
series norm '2*e'
measured 5
run store push
check "runs go there, and the edit comes: $err" grep -q '1 edit and 1 baseline merged' <<<"$err"
cd "$scratch/first" || exit 2
run store pull --json
equal "what the other one measured is here" "$(jq .runs <<<"$out")" 8
equal "both have the same" "$(lines .rooflog/runs.db)" "$(lines "$scratch/second/.rooflog/runs.db")"
equal "one file has the edits" "$(git ls-tree -r --name-only refs/rooflog/fetched | grep -c '^edits/')" 1
equal "no other ref of the remote changed" "$(refs)" "$before"
check "nor one of the clone" test -z "$(git for-each-ref --format='%(refname)' | grep -v '^refs/\(heads\|remotes\|rooflog\)/')"
check "no index is left" test ! -e .git/rooflog.index
mkdir -p sub && touch .git/rooflog.index.lock
series late '4*e'
measured 9
cd sub || exit 2
run store push
equal "from a folder, after a push that was killed: $err" "$status" 0
check "it pushes: $err" grep -q '8 runs pushed' <<<"$err"
cd .. || exit 2

# --- many at once, from clones of their own, and from one clone ---
export pushed=$scratch/pushed
mkdir "$pushed"
parallel() { # KIND COUNT
	local i pids=()
	for ((i = 1; i <= $2; i++)); do
		(
			cd "$scratch/$1" 2>/dev/null || { git clone -q "$scratch/remote.git" "$scratch/$1$i" && cd "$scratch/$1$i"; } || exit 1
			store=$pushed/$1$i.db
			printf 'commit,op,gpu,value\n%s,%s,h100-sxm,%d\n' "$(git rev-parse HEAD)" "$1$i" "$((i + 1))" >"$pushed/$1$i.csv"
			"$rooflog" --store "$store" ingest --quiet --columns commit,kernel=op,device=gpu,time=value:ms "$pushed/$1$i.csv" &&
				"$rooflog" --store "$store" store push
		) >"$pushed/$1$i.log" 2>&1 &
		pids+=($!)
	done
	for i in "${pids[@]}"; do
		wait "$i" || echo failed
	done
}
equal "20 clones push: $(cat "$pushed"/other*.log 2>/dev/null)" "$(parallel other 20)" ""
equal "20 push from one clone" "$(parallel second 20)" ""
cd "$scratch/first" || exit 2
run store pull
equal "pull: $err" "$status" 0
run list kernels --json
equal "all runs are there" "$(jq '[.kernels[] | select(.kernel | test("^(other|second)"))] | length' <<<"$out")" 40
check "each was stored once" test "$("$rooflog" store export | jq -r 'select(.run) | .run' | sort | uniq -d | wc -l)" = 0
ids=$(git ls-tree -r --name-only refs/rooflog/fetched | grep '^ids/' | while read -r file; do
	git show "refs/rooflog/fetched:$file"
done | grep '^r ' | sort | uniq -d)
equal "no run is in two files" "$ids" ""

# --- large stores are several files ---
cd "$scratch/second" || exit 2
python3 - "$(git rev-parse HEAD)" >large.csv <<'END'
import sys
print("commit,op,gpu,value")
for i in range(40000):
    print(f"{sys.argv[1]},op{i},h100-sxm,{1 + i / 1e6}")
END
run --store large.db ingest --quiet --max-series 50000 --columns commit,kernel=op,device=gpu,time=value:ms large.csv
equal "ingest: $err" "$status" 0
run --store large.db store push
equal "push of 40,000: $err" "$status" 0
run --store again.db store pull
equal "pull: $err" "$status" 0
check "from files of at most 16 MiB" test "$(git ls-tree -r -l refs/rooflog/fetched | awk '$4 > 16 * 1024 * 1024 + 1e6' | wc -l)" = 0
check "which are several" test "$(git ls-tree -r -l refs/rooflog/fetched | awk '$4 > 2e6' | grep -c runs/)" -ge 2
equal "all are there" "$(lines again.db)" "$(lines large.db)"

# --- what goes wrong ---
refused "no such remote" "nosuch" store push nosuch
refused "an option as remote" "git: " store pull -- --upload-pack=touch
check "it is not run" test ! -e touch
mkdir "$scratch/none" && cd "$scratch/none" || exit 2
cp "$scratch/second/again.db" s.db
refused "no repository" "git" --store s.db store push
cd "$scratch/second" || exit 2
kept=$(lines again.db)
blob=$(echo "r xyz" | git hash-object -w --stdin)
bad() { # NAME TEXTS PATH TEXT
	local tree oid
	oid=$(printf '%b' "$4" | git hash-object -w --stdin)
	tree=$(printf '100644 blob %s\t%s\n' "$oid" "${3##*/}" | git mktree)
	tree=$(printf '040000 tree %s\t%s\n' "$tree" ab | git mktree)
	tree=$(printf '040000 tree %s\t%s\n' "$tree" "${3%%/*}" | git mktree)
	git push -qf origin "$(git commit-tree -m x "$tree"):refs/rooflog/runs"
	refused "$1" "$2" --store again.db store pull
	equal "$1: the store stays as it was" "$(lines again.db)" "$kept"
}
name=$(printf 'ab%062d' 0)
bad "ids that are none" "a list of ids is damaged" "ids/ab/$name" 'r xyz\n'
bad "ids without runs" "has no file of runs" "ids/ab/$name" "r $(printf 'c%063d' 0)\n"
bad "edits that are none" "is not what its name says" "edits/ab/$name.jsonl" 'nonsense\n'
git push -qf origin "$blob:refs/rooflog/runs" 2>/dev/null && refused "no commit" "git" --store again.db store pull
finish
