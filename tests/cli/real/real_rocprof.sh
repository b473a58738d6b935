#!/bin/bash
# Real results of rocprofv3 and of rocprof-compute against Python's own reading.
set -u
# shellcheck source=tests/cli/lib.sh
. tests/cli/lib.sh

data=$root/../shared/data/xplane-rocm
if [ ! -d "$data" ]; then
	echo "skipped: no ../shared/data"
	exit 0
fi
python3 "$root/tests/cli/real/rocprofv3_json.py" "$rooflog" \
	"$data/AMD-AGI+TraceLens/tests/rocprof/908_results.json.gz" &&
	python3 "$root/tests/cli/real/rocprof_compute_db.py" "$rooflog" \
		"$data/ROCm+roc-optiq/sample/rocprof_compute_23ed6f36.db"
