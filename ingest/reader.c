/* The registry of readers. */
#include "ingest/reader.h"

#include <string.h>

#include "base/strbuf.h"
#include "ingest/benchmarks/asv.h"
#include "ingest/benchmarks/benchmark_action.h"
#include "ingest/benchmarks/cutlass_profiler.h"
#include "ingest/companions/devices.h"
#include "ingest/benchmarks/flashinfer.h"
#include "ingest/fusion/e2e.h"
#include "ingest/fusion/ops.h"
#include "ingest/fusion/profile.h"
#include "ingest/benchmarks/google_benchmark.h"
#include "ingest/benchmarks/kernel_tuner.h"
#include "ingest/benchmarks/kernelbench.h"
#include "ingest/frameworks/kineto.h"
#include "ingest/benchmarks/liger.h"
#include "ingest/ncu/ncu.h"
#include "ingest/neff/neff.h"
#include "ingest/neuron/bench.h"
#include "ingest/neuron/paste.h"
#include "ingest/neuron/profile.h"
#include "ingest/neuron/session.h"
#include "ingest/neuron/summary_json.h"
#include "ingest/neuron/summary_text.h"
#include "ingest/npu/npu_matmul.h"
#include "ingest/nsys/sqlite.h"
#include "ingest/nsys/stats.h"
#include "ingest/ntff/run.h"
#include "ingest/benchmarks/nvbench.h"
#include "ingest/npu/nxdi_benchmark.h"
#include "ingest/companions/params.h"
#include "ingest/benchmarks/perf_report.h"
#include "ingest/companions/profile_report.h"
#include "ingest/frameworks/proton.h"
#include "ingest/rocm/rocprof_compute.h"
#include "ingest/rocm/rocprof_csv.h"
#include "ingest/rocm/rocprof_json.h"
#include "ingest/rocm/rocprof_sqlite.h"
#include "ingest/unknown_format.h"
#include "ingest/table/table.h"
#include "ingest/companions/tiling.h"
#include "ingest/companions/timings.h"

/* Order matters where a detector is lenient: the vaguest of them, params.json, comes last. */
const struct reader *const readers[] = {
	/* AWS Neuron. */
	&neuron_profile_json_reader,
	&neuron_summary_json_reader,
	&neuron_summary_text_reader,
	&neuron_session_reader,
	&neuron_paste_reader,
	&ntff_reader,
	&neff_reader,
	&neuron_bench_reader,
	&neuron_bench_json_reader,
	&nxdi_benchmark_reader,
	&npu_matmul_reader,
	/* GPU profilers. */
	&ncu_csv_reader,
	&ncu_raw_reader,
	&ncu_text_reader,
	&nsys_sqlite_reader,
	&nsys_stats_reader,
	&rocprof_csv_reader,
	&rocprof_json_reader,
	&rocprof_compute_reader,
	&rocprof_sqlite_reader,
	&proton_reader,
	&kineto_reader,
	/* Benchmarks and their histories. */
	&nvbench_reader,
	&google_benchmark_reader,
	&cutlass_profiler_reader,
	&liger_reader,
	&flashinfer_reader,
	&kernelbench_reader,
	&kernel_tuner_reader,
	&perf_report_reader,
	&benchmark_action_reader,
	&asv_reader,
	&table_reader,
	/* Fusion profiles. */
	&fusion_profile_reader,
	&fusion_ops_reader,
	&fusion_e2e_reader,
	/* A profiling run's own files, and what lies beside profiles. */
	&profile_report_reader,
	&autotuning_reader,
	&tiling_reader,
	&timings_reader,
	&devices_reader,
	&params_reader,
	NULL,
};

static int fail_unknown(struct span head, struct error *err)
{
	struct strbuf look = {0};
	if (head.len == 0)
		return error_set(err, ERR_FORMAT, "the file is empty");
	if (span_trim(head).len == 0 && head.len < input_head_size)
		return error_set(err, ERR_FORMAT, "the file is empty but for blanks");
	sniff(&look, head);
	error_set(err, ERR_FORMAT,
		  "no reader knows this file; it looks like %s. \"rooflog formats\" lists what can "
		  "be read",
		  look.buf);
	strbuf_free(&look);
	return -1;
}

const struct reader *reader_detect(struct span head, struct error *err)
{
	for (size_t i = 0; readers[i]; i++)
		if (readers[i]->detect(head))
			return readers[i];
	fail_unknown(head, err);
	return NULL;
}

/* Whether a reader has what is asked for where only summaries are: it reads profiles that have one,
 * or are one, or what lies beside them. */
static bool reads_summaries(const struct reader *reader)
{
	static const struct reader *const all[] = {
		&neuron_profile_json_reader,
		&neuron_summary_json_reader,
		&neuron_summary_text_reader,
		&neff_reader,
		&autotuning_reader,
		&tiling_reader,
		&timings_reader,
		&devices_reader,
		&params_reader,
	};
	for (size_t i = 0; i < sizeof all / sizeof *all; i++)
		if (reader == all[i])
			return true;
	return false;
}

int reader_read(struct arena *arena, struct input *input, struct ingest_result *result,
		const struct reader **used, struct error *err)
{
	struct span head;
	*used = NULL;
	if (input_head(input, &head, err) < 0)
		return -1;
	/* What a person maps on purpose is read so, whoever else knows the file. */
	const char *columns = input_hints(input)->columns;
	struct error why = {.kind = ERR_NONE};
	*used = columns && table_fits(head, columns, &why) ? &table_reader
							   : reader_detect(head, err);
	if (!*used && why.kind && strstr(err->text, "--columns"))
		error_set(err, ERR_FORMAT,
			  "no reader knows this file, nor does --columns fit it: %s", why.text);
	if (*used && input_hints(input)->summary_only && !reads_summaries(*used)) {
		error_set(err, ERR_FORMAT,
			  "--summary-only reads summaries of neuron-profile, and this is %s",
			  (*used)->title);
		*used = NULL;
	}
	return *used ? (*used)->read(arena, input, result, err) : -1;
}
