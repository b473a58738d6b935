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

# Two sizes at once: a request is padded in both, and each parameter is tested for itself.
awk 'BEGIN { print "M,K,N,latency_ms"; state = 1
	for (m = 1; m <= 8; m *= 2) for (n = 128; n <= 2048; n *= 2) { sum = 0
		for (k = 0; k < 12; k++) { state = (state * 69069 + 12345) % 4294967296; sum += state / 4294967296 }
		if (m != 2 || n != 256) printf "%d,128,%d,%.6f\n", m, n, n / 1000 * (1 + 0.01 * (sum - 6)) } }' >pairs.csv
pairs() { run analyze buckets --over "$@" --set dtype=fp16,device=inf2 pairs.csv; }
pairs M,N --count 2
check "M is of no account: $out" grep -q '^These latencies do not depend on M: they differ by up to ' <<<"$out"
check "N is" test "$(grep -c 'do not depend' <<<"$out")" = 1
check "one size of M" grep -qx 'M: 8' <<<"$out"
check "two of N" grep -qx 'N: 1024 2048' <<<"$out"
check "holes are counted" grep -qx '19 of 20 pairs measured; the others take the time of a larger one' <<<"$out"
check "is said" grep -q 'one size of M is enough' <<<"$out"
check "in 80 columns" test "$(awk 'length > 80' <<<"$out" | wc -l)" = 0
pairs N,M --json
equal "the other way round: $err" "$(jq -c '.grids[0] | [.parameters, .measured_pairs, .exact,
	[.dependence[].depends], (.plans[0].sizes[1] | length), .plans[0].sizes[0]]' <<<"$out")" \
	'[["N","M"],19,true,[true,false],1,[128,256,512,1024,2048]]'
equal "names" "$(jq -r '.grids[0].plans[].name' <<<"$out" | paste -sd';')" \
	'best of up to 5 x 5;vLLM, N as batch;powers of two;one bucket;every measured size'
equal "the hole (2, 256) takes the next time" "$(jq -c '[.grids[0].plans[4].buckets[] |
	select(.sizes == [256, 2]) | .measured]' <<<"$out")" '[[256,4]]'
grep -v '^8,128,2048,' pairs.csv >corner.csv
run analyze buckets --over M,N --count 2 --set dtype=fp16,device=inf2 corner.csv
check "what nothing holds is not covered" grep -qx '25.00 % of requests exceed what was measured' <<<"$out"
check "two sizes of M hold more" grep -qx 'M: 4 8' <<<"$out"
check "that one is enough is not said" test "$(grep -c 'one size of M is enough' <<<"$out")" = 0
printf 'N,M,weight\n100,2,3\n2000,1,1\n' >requests.csv
pairs M,N --sizes requests.csv --json
equal "requests, their order from the titles: $err" "$(jq -c '.grids[0] | [.uniform, .plans[0].covered, .plans[0].waste,
	.plans[0].sizes[1], ([.plans[0].buckets[].share] | add)]' <<<"$out")" '[false,1,0,[128,2048],1]'
printf '100\n' >requests.csv
refused "one size only" 'requests.csv: line 1: expected M and N, or both and their weight, not "100"' \
	analyze buckets --over M,N --sizes requests.csv --set dtype=fp16,device=inf2 pairs.csv
pairs M,N -o pairs.svg -o json=pairs.json
equal "files: $err" "$status" 0
check "the chart says its buckets" grep -q 'Time lost to padding at each pair of sizes; matmul fp16 K=128: buckets 8 x ' pairs.svg
for over in 'M,' ',N' M,M M,N,K; do
	refused "--over $over" "--over $over: expected one parameter, or two different ones with a comma between them" \
		analyze buckets --over "$over" --set dtype=fp16,device=inf2 pairs.csv
done
refused "no pair" 'no runs differ in both M and K and in nothing else' analyze buckets --over M,K --set dtype=fp16,device=inf2 pairs.csv
awk 'BEGIN { print "M,K,N,latency_ms"; for (m = 1; m <= 2000; m++) printf "%d,128,%d,1\n", m, m }' >many.csv
refused "too many sizes" '2000 sizes of M were measured, and a plan over two parameters takes at most 256' \
	analyze buckets --over M,N --set dtype=fp16,device=inf2 many.csv

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
