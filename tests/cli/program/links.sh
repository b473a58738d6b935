#!/bin/bash
# Links that lie in the work tree are not followed: a commit can bring them. Those elsewhere are the user's.
set -u
# shellcheck source=tests/cli/lib.sh
. tests/cli/lib.sh
outside=$scratch/outside
mkdir "$outside"

repository links
git config user.name a
run ingest --commit HEAD "$root/samples/mlp"
equal "ingest: $err" "$status" 0
printf 'secret\n' >"$outside/secret"

sums() {
	(cd "$outside" && find . -type f -exec sha256sum {} + | sort; find . | sort)
}

# Refuses to write or read through a link, names it and what it leads to, and leaves the target alone.
stopped() { # NAME LINK ARGS...
	local name=$1 link=$2 before
	shift 2
	before=$(sums)
	run "$@"
	equal "$name: status, $out" "$status" 2
	check "$name: names $link in: $err" grep -qF "$link is a symbolic link to $(readlink "$link")" <<<"$err"
	check "$name: says what to do: $err" grep -q 'name its target, or put a real' <<<"$err"
	check "$name: prints nothing of the target" bash -c "! grep -q secret '$scratch/.out'"
	equal "$name: the target" "$(sums)" "$before"
}

ln -s "$outside/secret" file
ln -s "$outside" folder
ln -s "$outside/new" loose
cp "$outside/secret" "$outside/present.md"
for link in file loose; do
	stopped "report --output $link" "$PWD/$link" report -o "md=$link"
	stopped "gate -o rerun=$link" "$PWD/$link" gate -o rerun="$link"
	stopped "gate -o junit=$link" "$PWD/$link" gate -o "junit=$link"
	stopped "gate --json --output $link" "$PWD/$link" gate --json --output "$link"
done
stopped "a folder on the way" "$PWD/folder" report --output folder/report.md
stopped "an absolute path" "$PWD/folder" report --output "$PWD/folder/report.md"
stopped "dots in the path" "$PWD/folder" report --output ./folder/../links/x.md
ln -s "$outside/secret" chart.svg
stopped "a chart" "$PWD/chart.svg" chart roofline --output chart.svg
stopped "a further chart" "$PWD/chart.svg" chart roofline --output one.svg -o trend=chart.svg
ln -s "$outside/secret" report-roofline.svg
stopped "a chart beside a report" "$PWD/report-roofline.svg" report --output report.md
ln -s "$outside/secret" t.mustache
stopped "a template" "$PWD/t.mustache" report --template t.mustache
stopped "a configuration" "$PWD/file" gate --config file
ln -s "$outside/present.md" devlog.md
stopped "a development log" "$PWD/devlog.md" devlog --kernel '*' devlog.md

# The site: the folder, a folder in it, a page, the templates.
stopped "a site" "$PWD/folder" site folder
stopped "a site below" "$PWD/folder" site folder/site
run site public
equal "site: $err" "$status" 0
rm -r public/data && ln -s "$outside" public/data
stopped "a folder of a site" "$PWD/public/data" site public
rm public/data
run site public
rm public/index.html && ln -s "$outside/secret" public/index.html
stopped "a page" "$PWD/public/index.html" site public
mkdir templates
ln -s "$outside/secret" templates/style.css
stopped "a template of a site" "$PWD/templates/style.css" site --trust-work-tree --templates templates public2
stopped "a folder of templates" "$PWD/folder" site --templates folder public2

# .rooflog: the configuration, acceptances, the store and what lies beside it.
ln -sf "$outside/secret" .rooflog/config
stopped "the configuration" "$PWD/.rooflog/config" gate
rm .rooflog/config
ln -s "$outside/new" .rooflog/config
stopped "init, a loose link" "$PWD/.rooflog/config" init
rm .rooflog/config
ln -s "$outside/secret" .rooflog/accept
run accept --reason because --limit '47.5 us' '*'
equal "acceptances" "$status" 2
rm .rooflog/accept
for end in -wal -shm -journal; do
	rm -f .rooflog/runs.db-*
	ln -s "$outside/new" ".rooflog/runs.db$end"
	stopped "runs.db$end" "$PWD/.rooflog/runs.db$end" log
	stopped "runs.db$end, to write" "$PWD/.rooflog/runs.db$end" ingest --commit HEAD "$root/samples/attention"
	rm ".rooflog/runs.db$end"
done
mv .rooflog/runs.db "$outside/real.db"
ln -s "$outside/real.db" .rooflog/runs.db
stopped "the store" "$PWD/.rooflog/runs.db" log
stopped "the store, to write" "$PWD/.rooflog/runs.db" ingest --commit HEAD "$root/samples/attention"
rm .rooflog/runs.db
ln -s "$outside/new.db" .rooflog/runs.db
stopped "a loose link as the store" "$PWD/.rooflog/runs.db" ingest --commit HEAD "$root/samples/mlp"
stopped "a loose link as the store" "$PWD/.rooflog/runs.db" init
rm -r .rooflog
ln -s "$outside" .rooflog
stopped "the store's folder" "$PWD/.rooflog" ingest --commit HEAD "$root/samples/mlp"
stopped "the store's folder" "$PWD/.rooflog" init
rm .rooflog

# From a folder below, and from another work tree of the clone, whose store lies in this one.
mkdir below
ln -s "$outside" .rooflog
(cd below && run ingest --commit HEAD "$root/samples/mlp"; echo "$status") >"$scratch/below"
equal "from below" "$(cat "$scratch/below")" 2
git worktree add -q "$scratch/linked"
(cd "$scratch/linked" && run ingest --commit HEAD "$root/samples/mlp"; echo "$status") >"$scratch/below"
equal "from a linked work tree" "$(cat "$scratch/below")" 2
rm .rooflog

# --- what goes on to work ---
mkdir "$scratch/mount" && ln -s "$scratch/mount" "$scratch/data"
export ROOFLOG_STORE=$scratch/data/store/runs.db
run ingest --commit HEAD "$root/samples/mlp"
equal "a store on a linked mount: $err" "$status" 0
check "is there" test -f "$scratch/mount/store/runs.db"
ln -s "$scratch/mount/store/runs.db" "$scratch/link.db"
run log --store "$scratch/link.db"
equal "a link to a store: $err" "$status" 0
ln -s "$scratch/later.db" "$scratch/loose.db"
ROOFLOG_STORE=$scratch/loose.db run ingest --commit HEAD "$root/samples/mlp"
equal "a link to a store that is to come: $err" "$status" 0
check "is there" test -f "$scratch/later.db"
ln -s "$scratch/mount/page.md" "$scratch/page"
printf 'old\n' >"$scratch/mount/page.md"
run report --as md --output "$scratch/page"
equal "a link elsewhere: $err" "$status" 0
check "stays" test -L "$scratch/page"
check "and its target is written" grep -q '^#' "$scratch/mount/page.md"
run report --as md --output /dev/stdout
check "standard output: $err" grep -q '^#' <<<"$out"
"$rooflog" report --as md --output /dev/stdout >"$scratch/redirected"
check "redirected" grep -q '^#' "$scratch/redirected"
run report --as md --output /dev/null
equal "/dev/null: $err" "$status" 0
ln -s "$PWD" "$scratch/tree"
run report --output "$scratch/tree/by-link.md"
equal "a link to the work tree: $err" "$status" 0
(cd "$scratch/tree" && run report --output by-link.md; echo "$status") >"$scratch/below"
equal "a work tree that is entered by a link" "$(cat "$scratch/below")" 0
ln -s "$outside" "$scratch/tree/again"
stopped "and a link in it" "$PWD/again" report --output "$scratch/tree/again/x.md"
cp -r "$root/samples/attention" "$outside/profiles"
ln -s "$outside/profiles" profiles
run ingest --commit HEAD profiles
equal "profiles are read through links: $err" "$status" 0

# --- links among profiles ---
# A link that is found is followed within its folder; one that leads out is a leak of the user's files.
hidden() { # NAME: nothing printed or stored shows the secret
	check "$1: the secret is not shown in: $out$err" bash -c "! grep -q SECRET '$scratch/.out' '$scratch/.err'"
	run log --json
	check "$1: nor stored" bash -c "! grep -q SECRET '$scratch/.out'"
}
export ROOFLOG_STORE=$scratch/found.db
printf '{"token":"SECRET-TOKEN-42","kernel":"mlp"}\n' >"$outside/secret.json"
printf 'kernel,time_ms\nmlp,SECRET\n' >"$outside/secret.csv"
printf 'op,gpu,value\ngemm,h100-sxm,1.3\n' >"$scratch/m.csv"
columns=kernel=op,device=gpu,time=value:ms
mkdir found && cp "$scratch/m.csv" found
ln -s "$outside/secret.json" found/params.json
ln -s "$outside/secret.csv" found/x.csv
ln -s ../../outside/secret.json found/y.json
run ingest --commit HEAD --columns $columns found
equal "a folder with links: $err" "$status" 0
check "says what it skipped: $err" grep -q 'skipped 3 files, e.g. found/params.json: symbolic links are followed only to files in the folder' <<<"$err"
hidden "links in a folder"
run ingest --dry-run --json --columns $columns found
equal "each is listed" "$(jq -c '[.skipped[].path]' <<<"$out")" '["found/params.json","found/x.csv","found/y.json"]'
refused "a link beside a profile" 'found/params.json is a symbolic link that leads out of found' \
	ingest --commit HEAD --columns $columns found/m.csv
hidden "a link beside a profile"
rm found/params.json
mkdir found/in && printf '{"s": 64}\n' >found/params.json
ln -s ../params.json found/in/params.json
cp "$scratch/m.csv" found/in/n.csv
ln -s in/n.csv found/o.csv
run ingest --commit HEAD --dry-run --json --columns $columns found
equal "a link within the folder is followed: $err" "$(jq -c '[.runs[].params[] | .value]' <<<"$out")" '["64","64","64"]'
# A path that the caller names is followed, unless a commit brought the link.
ln -s "$outside" brought
ln -s "$outside/secret.csv" brought.csv
ln -s brought/secret.csv mine.csv
run ingest --commit HEAD --columns kernel,time=time_ms:ms mine.csv
check "an untracked link is the user's own: $err" grep -q 'mine.csv: no row with a positive value' <<<"$err"
git add -f brought brought.csv
git commit -q -m links
for path in brought brought.csv brought/secret.csv "$PWD/brought.csv" mine.csv; do
	refused "a link of the repository, $path" 'is a symbolic link in the repository, which a change could point anywhere: give its target instead' ingest --commit HEAD "$path"
	hidden "$path"
done
(
	cd "$scratch" && git init -q sub && cd sub && ln -s "$outside/secret.csv" m.csv && git add m.csv && git commit -q -m m
)
git -c protocol.file.allow=always submodule --quiet add "$scratch/sub" sub >/dev/null 2>&1
refused "a link of a submodule" 'is a symbolic link in the repository, which a change could point anywhere: give its target instead' ingest --commit HEAD sub/m.csv
hidden "a link of a submodule"

# A file with a second name is replaced; the other name keeps what it had.
ln "$outside/secret" hard.md
run report --output hard.md
equal "a second name of a file: $err" "$status" 0
equal "the other one is as before" "$(cat "$outside/secret")" secret
# The log of a store lies beside the file that the link leads to. Without write permission for that folder,
# an unfinished log is refused, not left out. Who runs as root asks as another user.
unset ROOFLOG_STORE
mkdir "$scratch/shown" "$scratch/kept" && chmod 755 "$scratch" && repository logged
run ingest --quiet "$root/samples/mlp"
equal "a store: $err" "$status" 0
python3 - .rooflog/runs.db "$scratch/kept/s.db" <<'END'
import shutil
import sqlite3
import sys
store, kept = sys.argv[1:]
db = sqlite3.connect(store)
db.execute("PRAGMA journal_mode = WAL")
db.execute("INSERT INTO baseline (name, oid, set_at, pinned) VALUES ('x', ?, 1, 0)", ("a" * 40,))
db.commit()
for end in "", "-wal":
    shutil.copyfile(store + end, kept + end)
END
ln -s ../kept/s.db "$scratch/shown/s.db"
cp "$rooflog" "$scratch/program"
chmod 644 "$scratch"/kept/*
chmod 555 "$scratch/kept"
as_other=()
[ "$(id -u)" = 0 ] && as_other=(setpriv --reuid 65534 --regid 65534 --clear-groups env HOME=/)
cd "$scratch/shown" || exit
if "${as_other[@]}" true 2>/dev/null; then
	said=$("${as_other[@]}" "$scratch/program" log --store s.db 2>&1)
	check "the log of a store behind a link: $said" grep -q "unfinished log ($scratch/kept/s.db-wal)" <<<"$said"
else
	echo "skipped: another user cannot run programs here"
fi
chmod 755 "$scratch/kept"
finish
