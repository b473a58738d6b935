#!/bin/bash
# ingest --max-series: a few bytes of a packed file must not fill a store that others share.
set -u
# shellcheck source=tests/cli/lib.sh
. tests/cli/lib.sh
columns=kernel=op,device=gpu,time=value:ms
repository volume

table() { # FROM TO
	printf 'op,gpu,value\n'
	seq "$1" "$2" | sed 's/.*/k&,h100-sxm,1.&/'
}

store() { # ARGS...
	run ingest --quiet --commit HEAD --columns $columns "$@"
}

table 1 5 >few.csv
store few.csv
equal "a few: $err" "$status" 0
table 1 60000 | gzip -9 >bomb.csv.gz
check "is small" test "$(stat -c %s bomb.csv.gz)" -lt 400000
began=$(date +%s)
refused "a packed file of 60,000 series" 'more than 10000 new series|bomb.csv.gz|--max-series' \
	ingest --commit HEAD --columns $columns bomb.csv.gz
check "and soon" test $(($(date +%s) - began)) -lt 20
table 1 105 >limit.csv
store --max-series 100 limit.csv
equal "100 new ones and 5 that are known: $err" "$status" 0
table 106 206 >over.csv
refused "one more" 'nothing stored' ingest --max-series 100 --commit HEAD --columns $columns over.csv
store --max-series 101 over.csv
equal "when they are meant: $err" "$status" 0
commit second
sed 's/,1\./,2./' limit.csv >later.csv
store --max-series 1 later.csv
equal "series that are known are no new ones: $err" "$status" 0
table 207 208 >two.csv
refused "the option is a limit of its own" 'more than 1 new series' ingest --commit HEAD --columns $columns --max-series 1 two.csv
refused "no limit of none" 'max-series' ingest --commit HEAD --columns $columns --max-series 0 two.csv
run ingest --quiet --dry-run --commit HEAD --columns $columns bomb.csv.gz
equal "what stores nothing has no limit: $err" "$status" 0
finish
