#!/bin/bash
# -c KEY=VALUE: keys of the configuration for one call, read by the parser of the file and with its
# checks; also where the configuration is that of the commit that is compared with.
set -u
# shellcheck source=tests/cli/lib.sh
. tests/cli/lib.sh

repository keys
mkdir .rooflog
printf '[gate]\n\tconfirm = false\n\tnoise = 1 %%\n' >.rooflog/config
git add .rooflog/config
commit rules
git update-ref refs/remotes/origin/main HEAD
git symbolic-ref refs/remotes/origin/HEAD refs/remotes/origin/main
nights 20
git update-ref refs/remotes/origin/main HEAD
git checkout -q -b change
commit slower
series gemm 'i > 22 ? 1.05*e : e'
measured 0
verdict_of() { # NAME VERDICT ARGS...
	run gate --json "${@:3}"
	equal "$1: $err" "$(jq -r '.gate.comparisons[0].verdict' <<<"$out")" "$2"
}
verdict_of "the rules of the base" regressed
verdict_of "a key for one call" unchanged -c gate.relative=8% -c gate.tolerance=9%
verdict_of "with blanks, in any case" unchanged -c 'GATE.Relative=8 %' -c gate.TOLERANCE=9%
verdict_of "the last one counts" regressed -c gate.relative=8% -c gate.relative=1%
verdict_of "a rule" unchanged -c rule.time.relative=8% -c rule.time.tolerance=9%
verdict_of "a name with dots and blanks" unchanged -c 'rule.all of v1.2.relative=8%' -c 'rule.all of v1.2.tolerance=9%'
status=0
out=$("$rooflog" -c gate.relative=8% -c gate.tolerance=9% gate --json 2>&1) || status=$?
equal "before the command" "$(jq -r '.gate.comparisons[0].verdict' <<<"$out")" unchanged
out=$("$rooflog" -c gate.relative=8% gate -c gate.tolerance=9% --json 2>&1)
equal "on both sides of it" "$(jq -r '.gate.comparisons[0].verdict' <<<"$out")" unchanged
# Keys before the command come first.
out=$("$rooflog" -c gate.relative=1% -c gate.tolerance=9% gate -c gate.relative=8% --json 2>&1)
equal "after the command wins" "$(jq -r '.gate.comparisons[0].verdict' <<<"$out")" unchanged
run gate -c gate.relative=8%
check "no other configuration is spoken of: $out$err" [ "$(grep -ci config <<<"$out$err")" = 0 ]
printf '[gate]\n\tconfirm = false\n\tnoise = 1 %%\n\trelative = 50 %%\n' >.rooflog/config
git commit -qam "loosens its rules"
series gemm '1.05*e' 24 24
measured 1
run gate -c gate.noise=1%
check "that of the change still is: $out$err" grep -q 'config' <<<"$out$err"
run report --as comment -c project.name=theirs
check "a report: $err" grep -qF '<!-- rooflog:theirs:' <<<"$out"
for command in gate show log report 'compare HEAD~1 HEAD' 'chart trend' bisect doctor calibrate; do
	for key in gate.nosie=1% gates.noise=1% gate.noise=much rule.noise=1%; do
		# shellcheck disable=SC2086 # words are meant
		run $command -c $key
		check "$command -c $key: $status $out$err" grep -q -- '-c .*unknown\|-c .*expected\|-c .*a rule needs a name' <<<"$out$err"
	done
done
for key in gate.noise noise=1% =1% .noise=1% gate.=1% 'ga te.noise=1%' gate.no_ise=1%; do
	refused "the form of $key" "-c $key: expected KEY=VALUE" gate -c "$key"
done
refused "what [gate \"x\"] was" '-c gate.time.relative=3%: write [rule "time"]' gate -c gate.time.relative=3%
refused "what [report] was" '-c report.url=x: write [project] charts' gate -c report.url=x
refused "and its project" 'write [project] name' gate -c report.project=x
# Outside of a repository there is no file to name.
cd "$scratch" || exit 2
of_time='-c rule.x.metric=total_time -c rule.x.at-least=2us'
for keys in "$of_time -c rule.x.at-most=1us" "$of_time -c rule.x.absolute=1us" '-c rule.x.refines=y'; do
	# shellcheck disable=SC2086 # words are meant
	refused "$keys" "-c ${keys##*-c }: [rule \"x\"]" log --store keys/.rooflog/runs.db $keys
done
run show --store keys/.rooflog/runs.db -c work.gemm.flops=8
check "the source of a formula: $out" grep -q 'formula  *flops = 8 (-c)' <<<"$out"
finish
