#!/bin/bash
# inspect of a report of Nsight Compute: launches as a table and as JSON lines, with every metric of the file.
set -u
# shellcheck source=tests/cli/lib.sh
. tests/cli/lib.sh
report=$root/samples/formats/nvidia/ncu-report/sample.ncu-rep
cd "$scratch" || exit 2

run inspect "$report"
equal "status: $err" "$status" 0
check "how many" grep -q 'report of Nsight Compute, 3 launches' <<<"$out"
check "a launch" grep -qE '^ +2  void wgmma_gemm<128, 128>\(Params\)  128 1 1  256 1 1  42.96 us +26 +4$' <<<"$out"
run inspect "$report" --top 1
check "--top" grep -q '2 more; --top N lists more launches' <<<"$out"
equal "one row" "$(grep -c ' us ' <<<"$out")" 1

run inspect "$report" --events
equal "a line for each launch" "$(jq -r .launch <<<"$out" | paste -sd,)" 1,2,3
equal "names and sizes" "$(jq -c '[.kernel, .grid, .block]' <<<"$out" | tail -1)" \
	'["scale_rows(float *, int)",[256,2,1],[256,1,1]]'
equal "a number, a text, an infinite one" "$(jq -c '.metrics | [.["gpu__time_duration.sum"],
	.device__attribute_display_name, .["lts__t_sector_hit_rate.pct"]]' <<<"$out" | head -1)" \
	'[40960,"NVIDIA H100 80GB HBM3",null]'
equal "numbers of metrics" "$(jq '.metrics | length' <<<"$out" | paste -sd,)" 25,25,25
check "no code of the program" [ "${out#*secret}" = "$out" ]
gzip -c "$report" >packed.gz
equal "packed" "$("$rooflog" inspect packed.gz --events | sha256sum)" "$(sha256sum <<<"$out")"
"$rooflog" inspect - --events <"$report" >piped
equal "from a pipe" "$(sha256sum <piped)" "$(sha256sum <<<"$out")"

for option in --json --disasm --paths '--events --from 1us'; do
	# shellcheck disable=SC2086 # two words
	refused "$option" "only --top and --events" inspect "$report" $option
done
head -c "$(($(stat -c %s "$report") - 400))" "$report" >cut.ncu-rep
run inspect cut.ncu-rep --events
equal "a report that was cut off: status" "$status" 2
check "says so: $err" grep -q 'cut.ncu-rep: .*cut off' <<<"$err"
equal "and what is before the cut is printed" "$(wc -l <<<"$out")" 2
finish
