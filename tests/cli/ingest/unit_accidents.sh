#!/bin/bash
# Units as people have mixed them up with Neuron figures: each is refused with the reason, warned of,
# or the field that is misread elsewhere is not used. The files are invented.
set -u
# shellcheck source=tests/cli/lib.sh
. tests/cli/lib.sh
cd "$scratch" || exit 2

who=(--dry-run --set "kernel=k,dtype=bf16,device=trn2")
node=n_$(printf '5a%.0s' {1..20})

# A fraction called a percentage, in results that another program worked out.
echo '{"schema_version":1,"measurements":{"mfu":{"value":0.0048,"unit":"percent"}}}' >baselines.json
refused "a fraction with the unit percent" "baselines.json|with unverified units" \
	ingest "${who[@]}" baselines.json
echo '{"kernel":"matmul","metrics":{"latency_us":463.0,"mfu_percent":0.0726}}' >tuned.json
refused "mfu_percent as a fraction, beside host time" "tuned.json|with unverified units" \
	ingest "${who[@]}" tuned.json

# "MFU (%)" 0.28 for 28 %, "Execution Time (us)" 0.04 for 0.04 s: a table of titles, no fields.
printf '| Metric | Value |\n|---|---|\n| MFU (%%) | 0.28 |\n| Execution Time (us) | 0.04 |\n' >README.md
refused "a table of titles" "README.md|unsupported format" ingest "${who[@]}" README.md
# The same with the profiler's names: a screen's figure has its unit.
screen='| total_time | %s |\n| mfu_estimated_percent | %s |\n| hbm_read_bytes | %s |\n'
# shellcheck disable=SC2059 # a format of ours
{
	printf "$screen" '0.04 s' 0.28 '1 MiB' >percent.md
	printf "$screen" 0.04 '28 %' '1 MiB' >time.md
	printf "$screen" '0.04 s' '28 %' '6.25 MB' >megabytes.md
	printf "$screen" '0.04 s' '28 %' '6.25 MiB' >good.md
}
refused "a percentage without its sign" "mfu_estimated_percent|0.28|without a unit" \
	ingest "${who[@]}" percent.md
refused "a time without its unit" "total_time|without a unit" ingest "${who[@]}" time.md
refused "MB for MiB" "hbm_read_bytes|in a unit that the screen does not use" \
	ingest "${who[@]}" megabytes.md
run ingest "${who[@]}" --json good.md
equal "MiB are 2^20: $err" "$(jq '.runs[0].metrics.hbm_read_bytes.value' <<<"$out")" 6553600

# MB and MiB are different units, and a bare number is none.
echo '{"kernel":"k","total_time":"45.26 us","algorithmic_bytes":"3.5 MiB"}' >timings.json
refused "MiB where powers of 1000 are read" "algorithmic_bytes|3.5 MiB" \
	ingest --dry-run timings.json
echo '{"kernel":"k","host_time":463}' >timings.json
refused "a time without a unit" "host_time|463|has no unit" ingest --dry-run timings.json

rm timings.json

# 5.66 where the profiler writes 0.0566: the recomputed figure is used, and the difference is said.
summary='"total_time":4.5256596e-05,"hardware_flops":427819008,"transpose_flops":25165824,
	"instance_type":"trn2.3xlarge"'
for mfu in 0.056565767 5.6565767; do
	echo "{\"$node\":{$summary,\"mfu_inst_estimated_percent\":$mfu}}" >summary.json
	run ingest --dry-run --json --set kernel=k,dtype=bf16,cores=2 summary.json
	check "MFU $mfu is read: $err" [ "$status" = 0 ]
	check "MFU $mfu: 5.66 % whatever the file says" \
		jq -e '.runs[0].metrics.mfu.value | . > 0.05656 and . < 0.05657' <<<"$out" >/dev/null
done
check "a percentage in place of a fraction is told: $err" \
	grep -q 'mfu: reported 5.65657.*, recomputed 0.0565' <<<"$err"

# avg_util_limit is what throttling permits, diluted by the time it does not cover: not used.
echo "{\"$node\":{$summary,\"throttle_avg_util_limit_nc0_percent\":0.003}}" >summary.json
run ingest --dry-run --json --set kernel=k,dtype=bf16,cores=2 summary.json
equal "no throttling from avg_util_limit: $err" "$(jq '[.runs[0].findings[] |
	select(.rule == "throttled")] | length' <<<"$out")" 0
equal "and no loss" "$(jq '.runs[0].metrics.throttle_loss.value' <<<"$out")" null

# CYCLES of show-session are picoseconds of each core: the slowest counts, not the sum.
cat >session.txt <<'END'
| NODE ID | EXEC TIME (NS) | EXECUTOR  | NAME |  CYCLES  |
|       0 |              0 | ND 0 NC 4 | sg00 | 46000000 |
|         |                | ND 0 NC 5 | sg01 | 18000000 |
+---------+
END
run ingest "${who[@]}" --json session.txt
equal "the slowest core in seconds: $err" "$(jq '.runs[0].metrics.total_time.value + 0' <<<"$out")" 4.6e-05

# Host time is never the kernel's: a launch that compiles, one that only dispatches.
mkdir kernel
cp -r "$root/samples/mlp/." kernel/
echo '{"host_time":"4039.86 ms","compile_time":"4312 ms"}' >kernel/timings.json
run ingest --dry-run --json kernel
equal "device time stays: $err" "$(jq '.runs[0].metrics.total_time.value + 0' <<<"$out")" 4.5256596e-05
equal "and the tool class" "$(jq -r '.runs[0].tool' <<<"$out")" neuron-profile
equal "compiles each time" "$(jq -r '[.runs[0].findings[].rule | select(test("recomp|dispatch"))] |
	join(" ")' <<<"$out")" recompiled-every-call
echo '{"host_time":"1.41 ms"}' >kernel/timings.json
run ingest --dry-run --json kernel/profile.json
equal "dispatches" "$(jq -r '[.runs[0].findings[].rule | select(test("recomp|dispatch"))] |
	join(" ")' <<<"$out")" dispatch-dominates
echo '{"host_time":"1.41 ms","total_time":"463 us"}' >kernel/timings.json
run ingest --dry-run --json kernel
check "another device time is told: $err" grep -q 'total_time is 45.26 us in the profile but 463.0 us in' <<<"$err"
finish
