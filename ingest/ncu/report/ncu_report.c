/* The reader of native reports of Nsight Compute, without ncu. */
#include "ingest/ncu/report/container.h"
#include "ingest/ncu/report/launch.h"
#include "ingest/ncu/run.h"
#include "ingest/reader.h"

static int read_results(struct ncu_profile *profile, struct native_report *report,
			struct input *input, struct error *err)
{
	struct wire result;
	int rc = native_report_open(report, profile->arena, input, err);
	if (rc < 0)
		return -1;
	while ((rc = native_report_next(report, &result, err)) > 0)
		if (native_report_add(profile, report, result, err) < 0)
			return -1;
	return rc;
}

static int read_report(struct arena *arena, struct input *input, struct ingest_result *result,
		       struct error *err)
{
	struct ncu_profile profile = {.arena = arena, .is_report = true};
	struct native_report report = {0};
	int rc = read_results(&profile, &report, input, err);
	native_report_close(&report);
	if (rc < 0)
		return -1;
	if (profile.count == 0)
		return error_set(err, ERR_FORMAT,
				 "no kernels were profiled: the report has no result; check "
				 "--kernel-name, and profile child processes (--target-processes "
				 "all)");
	return ncu_profile_finish(&profile, ".", err) < 0 ? -1
							  : ncu_runs(&profile, &result->runs, err);
}

const struct reader ncu_report_reader = {
	.name = "ncu-report",
	.title = "Nsight Compute report (.ncu-rep)",
	.needs = NEEDS_DEVICE,
	.detect = native_report_is_known,
	.read = read_report,
};
