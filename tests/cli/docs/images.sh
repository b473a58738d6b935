#!/bin/bash
# The pictures of the README and of docs/user/charts.md are what the program draws from the samples. GOLDEN_UPDATE=1 redraws.
set -u
# shellcheck source=tests/cli/lib.sh
. tests/cli/lib.sh

repository images
run ingest "$root/samples/attention" "$root/samples/mlp" "$root/samples/mlp-neuronxcc"
equal "ingest: $err" "$status" 0

draw() { # FILE CHART OPTIONS...
	local file=$1 command=chart
	shift
	case $1 in buckets | fusion) command=analyze ;; esac
	run "$command" "$@" --output "$scratch/$file"
	equal "$file: $err" "$status" 0
	if [ "${GOLDEN_UPDATE:-}" = 1 ]; then
		mkdir -p "$root/docs/images"
		cp "$scratch/$file" "$root/docs/images/$file"
	fi
	check "$file is as in docs/images" cmp "$scratch/$file" "$root/docs/images/$file"
}

draw roofline.svg roofline
draw roofline-dark.svg roofline --dark
draw occupancy.svg occupancy --kernel mlp --variant nkilib
draw occupancy-dark.svg occupancy --kernel mlp --variant nkilib --dark

pair() { # NAME CHART OPTIONS...: for light and for dark
	local name=$1
	shift
	draw "$name.svg" "$@"
	draw "$name-dark.svg" "$@" -c chart.dark=true
}

# What there must be two commits for, and what is drawn from tables.
repository later
run ingest --commit HEAD "$root/samples/history/03"
equal "ingest: $err" "$status" 0
refused "no baseline" "no timelines to compare" \
	chart timeline --output "$scratch/x.svg"
commit second
run ingest --commit HEAD "$root/samples/history/05"
equal "ingest: $err" "$status" 0
pair timeline timeline
pair distribution distribution
id=$("$rooflog" report --as json | jq -r '.runs[] | select(.params_text | test("s=512")).id')
run chart timeline --output "$scratch/x.svg" "${id:0:8}"
equal "one run by its id: $err" "$status" 0
check "is alone" grep -q '<desc>[^;]*; [^;]*s=512: +1.8[0-9]* µs from [^;]*</desc>' "$scratch/x.svg"
repository tables
run ingest --set dtype=fp16,device=inf2 "$root/samples/prefill.csv"
equal "ingest: $err" "$status" 0
pair latency latency
pair buckets buckets
run ingest --commit HEAD --set device=bi-v150,dtype=fp16 "$root/samples/formats/fusion/fusion-profile/sample-shapes.json"
equal "ingest: $err" "$status" 0
pair fusion fusion
repository trends
configure '[gate]\n\tnoise = 1 %%\n'
nights 59
series jumps 'e * (i > 48 ? 1.1 : 1)'
series mends '3 * e * (i > 20 && i <= 42 ? 1.2 : 1)' 1
series steady '0.2 * e'
series young 'e / 2' 55
# shellcheck disable=SC2119
measured
pair trend trend
cd ../images || exit 2

# Charts of one call are those of a call each; a chart that needs more of the document gets it.
cd ../later || exit 2
run chart roofline --dark --output "$scratch/1.svg" -o occupancy="$scratch/2.svg" \
	-o timeline="$scratch/3.svg" -o trend="$scratch/4.svg" -o distribution="$scratch/5.svg"
equal "five charts: $err" "$status" 0
equal "says so" "$(grep -c '^wrote ' <<<"$err")" 5
number=0
for name in roofline occupancy timeline trend distribution; do
	number=$((number + 1))
	run chart "$name" --dark --output "$scratch/alone.svg"
	equal "$name: $err" "$status" 0
	check "$name is as it is alone" cmp "$scratch/$number.svg" "$scratch/alone.svg"
done
check "other charts are others" test "$(sha256sum "$scratch"/[1-5].svg | cut -d ' ' -f 1 | sort -u | wc -l)" = 5

# Of the report document charts are drawn from no more than they show: the same as from all of it.
run report --output "$scratch/report.md"
equal "report: $err" "$status" 0
for name in roofline occupancy timeline; do
	run chart "$name" --output "$scratch/alone.svg"
	check "$name is that of the report" cmp "$scratch/alone.svg" "$scratch/report-$name.svg"
done

rm "$scratch"/[1-5].svg
refused "what cannot be drawn" "no timelines to compare" \
	chart roofline --output "$scratch/1.svg" -o timeline="$scratch/2.svg" HEAD~1
check "leaves no file" test ! -e "$scratch/1.svg"
refused "no such chart" "chart writes no kind 'pie'|roofline, occupancy" \
	chart roofline --output "$scratch/1.svg" -o pie="$scratch/2.svg"
refused "no file" "unknown kind of output for 'trend'" chart roofline --output "$scratch/1.svg" -o trend
refused "no picture" "2.txt must end in .svg" \
	chart roofline --output "$scratch/1.svg" -o trend="$scratch/2.txt"
refused "one file" "-o roofline=$scratch/1.svg and -o trend=$scratch/1.svg would both write to" \
	chart roofline --output "$scratch/1.svg" -o trend="$scratch/1.svg"
ln -s "$scratch" "$scratch/linked"
ln -s 1.svg "$scratch/link.svg"
for same in "$scratch/./1.svg" "$scratch/../${scratch##*/}/1.svg" "$scratch/linked/1.svg"; do
	refused "one file by two names" "would both write to $same" \
		chart roofline --output "$scratch/1.svg" -o trend="$same"
done
check "nothing is written" test ! -e "$scratch/1.svg"
echo old >"$scratch/1.svg"
refused "a file and a link to it" "would both write to $scratch/link.svg" \
	chart roofline --output "$scratch/1.svg" -o trend="$scratch/link.svg"
equal "the file is as it was" "$(cat "$scratch/1.svg")" old
rm "$scratch/1.svg" "$scratch/link.svg" "$scratch/linked"
refused "a folder that is not there" "cannot write $scratch/none/2.svg" \
	chart roofline --output "$scratch/1.svg" -o occupancy="$scratch/none/2.svg"
check "no part is written" test ! -e "$scratch/1.svg"
refused "an option of none" "--over is for the latency chart" \
	chart roofline --over M --output "$scratch/1.svg" -o trend="$scratch/2.svg"
cd ../tables || exit 2
run chart latency --over M --output "$scratch/1.svg" -o roofline="$scratch/2.svg"
equal "an option of one of them: $err" "$status" 0
cd ../images || exit 2

# The same scene through Cairo is a picture and a document.
run chart roofline --output "$scratch/roofline.png"
check "PNG" test "$(head -c 8 "$scratch/roofline.png" | od -An -tx1 | tr -d ' ')" = 89504e470d0a1a0a
run chart roofline --output "$scratch/roofline.pdf"
check "PDF" test "$(head -c 5 "$scratch/roofline.pdf")" = "%PDF-"
finish
