#!/bin/bash
# Every real Neuron file at hand: ingested, or refused for the right reason. Reported and
# recomputed ratios agree to 1e-6; the start-up dominated sweep is recognised as such.
set -u
# shellcheck source=tests/cli/lib.sh
. tests/cli/lib.sh

data=$root/../shared/data/neuron
if [ ! -d "$data" ]; then
	echo "skipped: no ../shared/data"
	exit 0
fi
cd "$scratch" || exit 2

# What a file that no reader takes is: the words its refusal must contain.
reason_of() {
	case $1 in
	*.neff) echo NEFF ;;
	*.csv | *.tsv) echo 'unsupported format' ;;
	*.md | *.log | *.txt) echo 'unsupported format' ;;
	*.json) echo 'JSON' ;;
	*) echo 'unsupported format' ;;
	esac
}

accepted=0 refused=0 mismatched=0 startup=0 sweep=0
while IFS= read -r file; do
	name=${file#"$data"/}
	run ingest --dry-run --json --set kernel=k,dtype=bf16 --set "device=$(
		case $name in
		*yahavb*) echo trn3 ;;
		*pantheon* | *ui-paste*) echo trn1 ;;
		*AnchovyPark*) echo inf2 ;;
		*) echo trn2 ;;
		esac
	)" "$file"
	if [ "$status" = 0 ]; then
		accepted=$((accepted + 1))
		runs=$(jq '.runs | length' <<<"$out")
		format=$(jq -r '.runs[0].format' <<<"$out")
		printf 'read     %-24s %2s run(s)  %s\n' "$format" "$runs" "$name"
		check "$name has a time" jq -e 'all(.runs[]; (.metrics.total_time.value // .metrics.host_time.value) > 0)' \
			<<<"$out" >/dev/null
		case $name in
		*AnchovyPark*profile_*)
			sweep=$((sweep + 1))
			jq -e '.runs[0].findings[] | select(.rule == "startup-dominated")' \
				<<<"$out" >/dev/null && startup=$((startup + 1))
			;;
		esac
		worst=$(jq '[.runs[].findings[] | select(.rule == "reported-mismatch") | .value.value] |
			max // 0' <<<"$out")
		if [ "$worst" != 0 ]; then
			mismatched=$((mismatched + 1))
			printf '         ratios differ by %s: %s\n' "$worst" "$name"
			case $name in
			*matmul_benchmark_trn3*) check "dev build within 1e-3" \
				awk "BEGIN { exit !($worst < 1e-3) }" ;;
			*) equal "$name: ratios" "$worst" 0 ;;
			esac
		fi
	else
		refused=$((refused + 1))
		equal "$name: status of a refusal" "$status" 2
		check "$name: refused with its name: $err" grep -qF "$(basename "$name")" <<<"$err"
		check "$name: refused as $(reason_of "$name"): $err" \
			grep -qiF "$(reason_of "$name")" <<<"$err"
		case $name in
		*profile_full.json | *neuron_profile_results*.json | *pairs/*summary.json | \
			*asst4-trainium2*.txt | *.ntff | *matmul_benchmark_trn3.log | *03-profile-session-summary.txt)
			equal "$name is of a known format" "$err" "" ;;
		esac
	fi
done < <(find "$data" -type f \( -name '*.json' -o -name '*.txt' -o -name '*.log' -o -name '*.md' \
	-o -name '*.csv' -o -name '*.tsv' \) | sort
	find "$data" -name '*.ntff' | sort
	find "$data" -name '*.neff' | sort | head -n 3)

echo "$accepted read, $refused refused, $mismatched with ratios that differ"
equal "sweep profiles with the start-up finding" "$startup" "$sweep"
check "the sweep is there" [ "$sweep" -ge 30 ]
finish
