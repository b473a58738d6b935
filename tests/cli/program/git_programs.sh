#!/bin/bash
# Nothing that a repository's own configuration names is run, and nothing is fetched: each program and hook
# below leaves a mark when it runs. Once with libgit2, and with the git program for each reason to use it.
set -u
# shellcheck source=tests/cli/lib.sh
. tests/cli/lib.sh
programs=$scratch/programs marks=$scratch/marks
mkdir "$programs" "$marks"

program() { # NAME: the path of a program that leaves a mark
	printf '#!/bin/sh\n: >"%s/%s"\n' "$marks" "$1" >"$programs/$1"
	chmod +x "$programs/$1"
	echo "$programs/$1"
}

# Every variable of git-config(1) that names a program or a hook, and what makes others run one.
plant() {
	local variable hook
	for variable in core.fsmonitor core.sshCommand core.gitProxy core.askPass core.editor core.pager \
		core.alternateRefsCommand sequence.editor pager.status pager.diff-tree pager.rev-list \
		pager.cat-file pager.ls-tree pager.config diff.external diff.mark.command diff.mark.textconv \
		merge.mark.driver filter.mark.clean filter.mark.smudge filter.mark.process \
		'filter.a=b.clean' gpg.program gpg.openpgp.program gpg.x509.program gpg.ssh.program \
		gpg.ssh.defaultKeyCommand credential.helper interactive.diffFilter remote.origin.uploadpack \
		remote.origin.receivepack remote.origin.vcs uploadpack.packObjectsHook submodule.sub.update \
		trailer.sign.command trailer.sign.cmd browser.mark.cmd man.mark.cmd difftool.mark.cmd \
		mergetool.mark.cmd guitool.mark.cmd sendemail.toCmd sendemail.ccCmd; do
		git config "$variable" "$(program "$variable")"
	done
	for variable in status rev-parse rev-list cat-file diff-tree ls-tree merge-base config; do
		git config "alias.$variable" "!$(program "alias.$variable")"
	done
	git config submodule.sub.update "!$(program submodule.sub.update)"
	for variable in trace2.normalTarget trace2.perfTarget trace2.eventTarget; do
		git config "$variable" "$marks/$variable"
	done
	while read -r variable value; do
		git config "$variable" "$value"
	done <<-END
		log.showSignature true
		status.submoduleSummary true
		core.untrackedCache true
		core.splitIndex true
		gc.auto 1
		maintenance.auto true
		protocol.allow always
		protocol.ext.allow always
		filter.mark.required true
		diff.mark.cachetextconv true
		web.browser mark
		help.autocorrect immediate
		fetch.writeCommitGraph true
	END
	mkdir -p hooks
	for hook in reference-transaction post-index-change fsmonitor-watchman pre-auto-gc post-checkout \
		pre-commit post-rewrite; do
		cp "$(program "hook.$hook")" "hooks/$hook"
		cp "$programs/hook.$hook" "$(git rev-parse --git-path hooks)/$hook"
	done
	git config core.hooksPath "$PWD/hooks"
}

# The files keep their size and content, so that git must read them to know that they are unchanged.
stale() {
	touch -d '2026-03-05 10:00:00' ./*.txt
}

all_commands() {
	stale
	run ingest --commit HEAD --columns "$map" "$scratch/rows.csv"
	equal "$1: ingest, $err" "$status" 0
	stale
	run ingest "$root/samples/mlp"
	equal "$1: ingest of the work tree, $err" "$status" 0
	stale
	run gate -o rerun="$scratch/list" HEAD
	run report --output "$scratch/report.md"
	equal "$1: report, $err" "$status" 0
	run bisect --dry-run
	run log
	equal "$1: log, $err" "$status" 0
	run site "$scratch/site"
	equal "$1: site, $err" "$status" 0
	run accept --reason because --limit '47.5 us' '*'
	run doctor
	run init
	equal "$1: what ran" "$(ls "$marks")" ""
	rm -rf "$marks" && mkdir "$marks"
}

map=kernel=op,device=gpu,time=ms:ms
printf 'op,gpu,ms\ngemm,h100-sxm,1\n' >"$scratch/rows.csv"

repository origin
printf '*.txt filter=mark diff=mark merge=mark\nb.txt filter=a=b\n' >.gitattributes
mkdir .rooflog
printf '# none\n' >.rooflog/accept
printf '[gate]\nconfirm = false\n' >.rooflog/config
echo one >a.txt
echo two >b.txt
git add . && commit files
for i in 2 3 4; do
	echo "$i" >a.txt
	git add . && commit "change $i" "2026-03-0${i}T09:00:00Z"
done
git config uploadpack.allowFilter true
cd .. || exit

git clone -q origin libgit2
(cd libgit2 && plant)
cd libgit2 || exit
all_commands libgit2

cd .. && git clone -q origin extended
cd extended || exit
plant
git config core.repositoryFormatVersion 1
git config extensions.worktreeConfig true
git config --worktree core.fsmonitor "$(program worktree.fsmonitor)"
all_commands extensions
run doctor
check "git answers: $out" grep -q 'git program\|by git\|git (' <<<"$out"

cd .. && git clone -q --depth 2 "file://$PWD/origin" shallow
cd shallow || exit
plant
all_commands shallow

# Objects that are missing would be fetched.
for url in ssh://example.invalid/x git://example.invalid/x "ext::$(program ext)" "file://$scratch/origin"; do
	cd "$scratch" && rm -rf partial
	git clone -q --filter=blob:none --no-checkout "file://$scratch/origin" partial
	cd partial || exit
	git checkout -q HEAD -- a.txt b.txt .gitattributes
	plant
	git config core.repositoryFormatVersion 1
	git config remote.origin.url "$url"
	git config --unset remote.origin.vcs
	stale
	run ingest "$root/samples/mlp"
	run ingest --commit HEAD~1 --columns "$map" "$scratch/rows.csv"
	run gate HEAD
	run doctor
	equal "missing objects, ${url%%:*}: what ran" "$(ls "$marks")" ""
	rm -rf "$marks" && mkdir "$marks"
done

# The user's own filters are not the repository's: without it the file would seem to be changed.
cd "$scratch" && git clone -q origin own
cd own || exit
git config core.repositoryFormatVersion 1
git config extensions.worktreeConfig true
printf '#!/bin/sh\n: >"%s/own"\ncat\n' "$marks" >"$programs/own"
chmod +x "$programs/own"
git config --file "$scratch/own.config" filter.mark.clean "$programs/own"
stale
GIT_CONFIG_GLOBAL=$scratch/own.config run ingest "$root/samples/mlp"
equal "the user's filter: $err" "$status" 0
equal "it ran" "$(ls "$marks")" own
equal "and nothing differs" "$("$rooflog" log --json | jq -c '.runs | [.. | .dirty? | select(. != null)] | unique')" '[false]'
rm "$marks/own"
git config filter.mark.clean "touch $marks/repositorys"
stale
GIT_CONFIG_GLOBAL=$scratch/own.config run ingest "$root/samples/mlp"
equal "the repository's of the same name does not: $err" "$(ls "$marks")" ""
for name in GIT_CONFIG=/dev/null GIT_CONFIG="$scratch/own.config"; do
	stale
	export GIT_DIR=.git "${name?}"
	run ingest "$root/samples/mlp"
	unset GIT_DIR GIT_CONFIG
	equal "nor with $name: $err" "$(find "$marks" -name "repo*")" ""
	rm -f "$marks"/*
done

# A commit can bring the files of a bare repository, which git takes for one.
cd "$scratch" && repository outer
git clone -q --bare "$scratch/origin" kernels
git config --file kernels/config core.bare true
cd kernels || exit
refused "a repository in the work tree" "bare repository inside the work tree $scratch/outer|GIT_DIR=" log
GIT_DIR=. run log
equal "the caller's word: $err" "$(grep -c 'inside the work tree' <<<"$err")" 0
git config --file config core.bare false
git config --file config core.worktree "$scratch/outer"
refused "that says it had a work tree" "bare repository inside the work tree $scratch/outer" log
cd "$scratch" && git clone -q --bare origin alone.git
cd alone.git || exit
run log
check "a bare repository alone: $err" grep -q 'no run store' <<<"$err"
mkdir "$scratch/layout" && cd "$scratch/layout" || exit
git clone -q --bare "$scratch/origin" .bare
echo 'gitdir: ./.bare' >.git
run log
check "one beside the work trees of its own: $err" grep -q 'no run store' <<<"$err"
cd .bare && run log
check "the same, inside: $err" grep -q 'no run store' <<<"$err"
finish
