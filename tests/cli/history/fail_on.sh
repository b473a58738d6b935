#!/bin/bash
# What fails a gate: --fail-on, fail-on of [gate] and of rules, and --exit-code; the first run of a
# repository, and later ones in which nothing could be judged.
set -u
# shellcheck source=tests/cli/lib.sh
. tests/cli/lib.sh

ends() { # NAME STATUS ARGS...
	local name=$1 wanted=$2
	shift 2
	run gate "$@"
	equal "$name: $out$err" "$status" "$wanted"
}
says() { # NAME WORDS
	check "$1: \"$2\" in: $out$err" grep -qF -- "$2" <<<"$out$err"
}

# --- the first run, and what comes after it ---
repository first
series gemm '1 * e'
measured
ends "the first run" 0
says "the first run" 'baseline recorded for 1 series at'
says "the first run" 'the next commit is compared with this one'
ends "the first night" 0 --against window
ends "the first run, finely" 4 --exit-code
ends "where that fails" 1 --fail-on no-baseline
ends "its own number" 4 --fail-on no-baseline --exit-code
ends "with the default" 1 --fail-on default,no-baseline
ends "any class" 1 --fail-on any
run gate --json
equal "in the document" "$(jq -c '.gate | [.verdict, .exit_status, .exit_code, .passed, .fail_on]' <<<"$out")" \
	'["baseline recorded",0,4,true,["regression","missing","suspect","unproven","environment"]]'
equal "its class" "$(jq -c '[.gate.verdicts[], .gate.comparisons[] | .class]' <<<"$out")" '["no-baseline","no-baseline"]'
for told in 'csv ,no-baseline,no-baseline,' 'jsonl "class":"no-baseline"' 'junit class: no-baseline' \
	'openmetrics verdict="no-baseline",class="no-baseline"}'; do
	run gate --as "${told%% *}"
	says "its class as ${told%% *}" "${told#* }"
done
run gate --explain --json
equal "its class, explained" "$(jq -c '[.explained[].class]' <<<"$out")" '["no-baseline"]'
run gate --against window --as badge
equal "on the badge" "$(jq -r '"\(.message) \(.color) \(.isError)"' <<<"$out")" 'pass, baseline recorded lightgrey false'
run gate --as comment
says "in the comment" '### 🆕 Baseline recorded: 1 series'
run gate --as junit
equal "in a test report" "$status $(grep -c '<failure\|<error' <<<"$out")" "0 0"
git checkout -q --orphan alone
commit alone
git tag nothing
commit more
series gemm '1 * e' 2
measured 1
ends "nothing was measured where it begins" 1 --against nothing
says "that is no first run" 'no baseline: nothing to compare 1 series with'
ends "at night" 4 --against nothing --exit-code
ends "unless what is missing may be" 0 --against nothing --fail-on suspect
ends "the default by its name" 1 --against nothing --fail-on default

# --- uncommitted changes are never a baseline ---
repository dirty
echo 1 >file
git add file
run ingest "$root/samples/attention"
equal "ingest: $err" "$status" 0
ends "a first run with uncommitted changes" 0
says "records nothing" 'no baseline: nothing to compare'

# --- a night in which nothing can be decided ---
repository noisy
nights 19
series noisy '(i % 5) * e + 1'
measured
ends "it passes" 0 --against window
says "with a warning" 'warning: nothing could be decided; 1 of 1 series judged: 1 unclear'
ends "unless the list says otherwise" 1 --against window --fail-on undecided
says "with the same warning" 'warning: nothing could be decided; 1 of 1'
ends "its number" 3 --against window --exit-code
equal "in the document" "$("$rooflog" gate --against window --json | jq -c .gate.warning)" '"warning: nothing could be decided"'
run gate --against window --as summary
says "in a summary" '### ❔ 1 of 1 series unclear: noisy'
says "with the warning" '- warning: nothing could be decided.'
for suffix in md html; do
	run report --as nightly --output night.$suffix
	check "on the night's page" grep -q 'warning: nothing could be decided' night.$suffix
	check "its heading counts what is unclear" grep -q 'No new regression tonight; 1 unclear' night.$suffix
done
ends "a change is told so by its word alone" 0
check "without the warning: $out" [ "$(grep -c warning: <<<"$out")" = 0 ]
series quiet '1 * e'
measured 1
ends "one that is decided is enough" 0 --against window
check "for no warning: $out" [ "$(grep -c warning: <<<"$out")" = 0 ]
equal "nor in the document" "$("$rooflog" gate --against window --json | jq -c .gate.warning)" null

# --- suspects, undecided series, what is missing ---
repository words
nights 19
series steady '1 * e'
series slower '1 * e' 1 19
series slower '1.3 * e' 20
series gone '1 * e' 1 19
series young '1 * e' 19
measured
ends "the worst counts" 5 --exit-code
ends "missing" 1
ends "suspect" 1 --fail-on suspect
ends "suspect, finely" 3 --fail-on suspect --exit-code
ends "at night a suspect waits" 0 --against window --fail-on regression
ends "unless the list has it" 1 --against window --fail-on suspect
ends "regression" 0 --fail-on regression
says "why it passes" 'passes: fail-on does not list missing'
ends "none" 0 --fail-on none
says "the same word" 'passes: fail-on does not list missing'
ends "none has no number" 0 --fail-on none --exit-code
ends "blanks and repeats do not matter" 1 --fail-on ' suspect , regression,suspect'
ends "the last list counts" 0 --fail-on suspect --fail-on none
ends "a class has all of its verdicts" 1 --fail-on undecided
ends "a single verdict" 0 --fail-on regressed,failed,drift,impossible,incomparable,environment,unproven,new
ends "default and more" 1 --fail-on default,stale
ends "the default of a night" 1 --against window --fail-on default
ends "default lacks what is undecided" 3 --exit-code --fail-on suspect
run gate --fail-on suspect --json
equal "what fails" "$(jq -c '[.gate.comparisons[] | select(.exit_status > 0) | [.kernel, .verdict, .exit_status]]' <<<"$out")" \
	'[["slower","suspect",3]]'
equal "and the rest of the document" "$(jq -c '.gate | [.exit_status, .exit_code, .passed, .fail_on]' <<<"$out")" \
	'[1,5,false,["suspect"]]'
run gate --fail-on suspect --as github
equal "annotations are of what fails" "$(grep -c '^::' <<<"$out")" 1
run gate --fail-on none -o rerun=-
equal "the list of reruns does not depend on it" "$status $(jq -r .kernel <<<"$out" | sort | paste -sd ' ')" "0 slower"
for list in '' ' ' ',' suspects 'none,suspect' 'suspect,' 'suspect missing' SUSPECT; do
	refused "the list \"$list\"" "expected a list of regression, missing, suspect, unproven, environment, undecided, no-baseline, stale, regressed, failed, drift, incomparable, impossible, new, default, any, none" \
		gate --fail-on "$list"
done

# --- the configuration ---
configure '[gate]\nfail-on = undecided, missing\n'
ends "configured" 1
equal "its list" "$("$rooflog" gate "${configured[@]}" --json | jq -c .gate.fail_on)" '["missing","undecided"]'
ends "the command line wins" 0 --fail-on regression
ends "so does --exit-code" 5 --exit-code
configure '[gate]\nfail-on = none\n'
ends "configured to pass" 0
ends "at night, too" 0 --against window
configure '[gate]\nfail-on = none\n[rule "slow"]\nkernel = slow*\nfail-on = default\n'
ends "rules win" 1
equal "for their own series" "$("$rooflog" gate "${configured[@]}" --json | jq -c '[.gate.comparisons[] | select(.exit_status > 0) | .kernel]')" '["slower"]'
check "the explanation says so" grep -qF 'fails on regression or missing or suspect or unproven or environment' \
	< <("$rooflog" gate "${configured[@]}" --explain slower | tr -s ' \n' ' ')
ends "the command line wins over rules" 0 --fail-on regression
configure '[gate]\nfail-on = slower\n'
refused "a mistyped list" 'fail-on = slower: expected a list of regression, missing' gate
configure '[gate]\nfail-on =\n'
refused "an empty list" 'expected a list of regression, missing' gate
configure '[rule "slow"]\nkernel = slow*\nfail-on = regression\n'
ends "a rule lets its suspects pass" 0
says "why" 'passes: fail-on of its rule does not list it'
ends "--exit-code counts what happened" 3 --exit-code
configure '[gate]\nsuspect = pass\n'
refused "what a verdict as a key was" 'use fail-on = LIST instead' gate
finish
