#!/bin/bash
# rooflog analyze buckets and chart latency: shapes, plans, sizes from a file, and what is refused.
set -u
# shellcheck source=tests/cli/lib.sh
. tests/cli/lib.sh

repository buckets
refused "no runs" 'no run store|rooflog ingest' analyze buckets
run ingest --set dtype=fp16,device=inf2 "$root/samples/prefill.csv"
equal "ingest: $err" "$status" 0

# Time rises by whole tiles of 128: with eight buckets the best are every second tile.
run analyze buckets --count 8 --json
equal "k=8" "$(jq -c '.shapes[0] | [.x, .time, .measured_sizes, .uniform, [.plans[0].buckets[].size]]' <<<"$out")" \
	'["M","host_time",32,true,[256,512,768,1024,1280,1536,1792,2048]]'
equal "names" "$(jq -r '.shapes[0].plans[].name' <<<"$out" | paste -sd,)" \
	'best of up to 8,vLLM sequence buckets,powers of two,one bucket,every measured size'
equal "shares" "$(jq '[.shapes[0].plans[0].buckets[].share] | add' <<<"$out")" 1
run analyze buckets --count 1
check "one bucket" grep -qE '^best of up to 1 +100.0 % +2.187 ms .* 2048$' <<<"$out"

# A file is enough, with what it leaves open stated; SERIES narrows.
run analyze buckets HEAD matmul --json
stored=$(jq -c '[.shapes[].plans[0].buckets]' <<<"$out")
run analyze buckets "$root/samples/prefill.csv" --set dtype=fp16,device=inf2 matmul --json
equal "a file: $err" "$(jq -c '[.shapes[].plans[0].buckets]' <<<"$out")" "$stored"
refused "--set without a file" "reading options such as --set and --from-path need a FILE" analyze buckets --set dtype=fp16

# A file of sizes: weights, a share beyond the largest measured size.
printf 'size,weight\n64,3\n5000,1\n' >sizes.csv
run analyze buckets --sizes sizes.csv --json
equal "covered" "$(jq -c '.shapes[0] | [.uniform, .plans[0].covered, .plans[0].waste, [.plans[0].buckets[].size]]' <<<"$out")" \
	'[false,0.75,0,[64]]'
run analyze buckets --sizes sizes.csv
check "said" grep -q '^25.00 % of requests exceed 2048, the largest measured size$' <<<"$out"
printf '5000\n' >sizes.csv
run analyze buckets --sizes sizes.csv
equal "nothing covered: $err" "$status" 0
check "unknown" grep -qE '^best of up to 5 +0.000 % +unknown +unknown +unknown ' <<<"$out"

# Another product at one size only is left out; another at two is a shape of its own.
printf 'M,K,N,latency_ms\n64,128,512,0.25\n64,256,512,0.25\n128,256,512,0.26\n' >more.csv
run ingest --set dtype=fp16,device=inf2 more.csv
equal "more: $err" "$status" 0
refused "two vary" 'K, M and N differ between these runs: choose one of them with --over' analyze buckets
run analyze buckets --over M
equal "shapes" "$(grep -c ' measured sizes, ' <<<"$out")" 2
equal "left out" "$err" 'skipped 1 shape measured at a single size'

# Latencies that only noise tells apart: one bucket, and it is said.
awk 'BEGIN { print "M,K,N,latency_ms"; state = 1
	for (n = 136; n <= 1024; n += 8) { sum = 0
		for (k = 0; k < 12; k++) { state = (state * 69069 + 12345) % 4294967296; sum += state / 4294967296 }
		printf "128,128,%d,%.5f\n", n, 1.87 + 0.008 * (sum - 6) } }' >noise.csv
run analyze buckets --count 4 --set dtype=fp16,device=inf2 noise.csv
check "said: $out" grep -q '^These latencies do not depend on N: they differ by ' <<<"$out"
check "one bucket" grep -qE '^best of up to 4 +100.0 % +1.8[67][0-9]* ms +.0.00 % .* 1024$' <<<"$out"
run analyze buckets --count 4 --set dtype=fp16,device=inf2 noise.csv --json
equal "in JSON" "$(jq -c '.shapes[0] | [.dependence.depends, (.plans[0].buckets | length)]' <<<"$out")" '[false,1]'
run analyze buckets --over M
check "prefill depends: $out" test "$(grep -c 'do not depend' <<<"$out")" = 0

refused "bad k" '--count 0: expected a whole number from 1 to 64' analyze buckets --count 0
refused "bad k" '--count many: expected a whole number' analyze buckets --count many
refused "empty sizes" 'no size has a positive weight' analyze buckets --over M --sizes /dev/null
refused "two commits" 'two commits: HEAD and HEAD' analyze buckets HEAD HEAD
refused "only K" 'no run has both a time and a positive value for parameter scope' analyze buckets --over scope
refused "--over elsewhere" '--over is for the latency chart' chart roofline --over M --output x.svg
refused "another command's chart" "analyze buckets draws this chart|hint: rooflog analyze buckets -o buckets.svg" \
	chart buckets --over M --output x.svg
refused "what kind" "unknown kind of output for 'x.gif'" analyze buckets --over M -o x.gif
refused "a scheduler's file" "writes no kind 'scheduler'" \
	analyze buckets --over M -o scheduler=x.json
refused "ending" "unknown kind of output for 'x.gif'" chart latency --over M --output x.gif
for ending in svg png pdf; do
	run chart latency --over M --output "latency.$ending" -c chart.dark=true
	equal "chart $ending: $err" "$status" 0
	check "latency.$ending" test -s "latency.$ending"
done
check "boundaries" grep -q 'multiples of 128' latency.svg
run chart latency --over N --output n.svg --kernel matmul
check "no boundary within" test -s n.svg
printf '300\n900\n' >sizes.csv
run analyze buckets --over M --count 2 --sizes sizes.csv -o buckets.svg -o json=buckets.txt
equal "files: $err" "$status" 0
equal "nothing is printed" "$out" ""
equal "JSON" "$(jq -c '[.shapes[].plans[0].buckets | length] | max' buckets.txt)" 2
check "the requests are those of the file" grep -q 'best of up to 2.*\|weights from --sizes' buckets.svg
check "and so are the buckets" grep -q 'buckets 320 1024' buckets.svg
finish
