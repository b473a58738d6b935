/* A table with one row per value that a trace may lack. */
#include "ingest/ntff/ntff.h"

static bool knows_hash(const struct run *run)
{
	return run->kernel_hash != NULL;
}

static bool knows_compiler(const struct run *run)
{
	return run_attribute(run, "compiler_version") != NULL;
}

static bool knows_tensors(const struct run *run)
{
	return run->tensor_count > 0;
}

static bool knows_lines(const struct run *run)
{
	for (size_t i = 0; i < run->tally_count; i++)
		if (run->tallies[i].kind == TALLY_SOURCE)
			return true;
	return false;
}

enum supplier { SUPPLIER_NEFF, SUPPLIER_PROFILE };

static const struct {
	const char *what;
	enum supplier supplier;
	bool (*is_known)(const struct run *run); /* NULL: it is the metric */
	enum metric metric;
} rows[] = {
	{"the kernel's hash", SUPPLIER_NEFF, .is_known = knows_hash},
	{"compiler_version", SUPPLIER_NEFF, .is_known = knows_compiler},
	{"the tensors", SUPPLIER_NEFF, .is_known = knows_tensors},
	{"their sizes (traffic_ratio, mbu_min_read)", SUPPLIER_NEFF,
	 .metric = METRIC_INPUTS_OUTPUTS_WEIGHTS_BYTES},
	{"transpose_flops", SUPPLIER_PROFILE, .metric = METRIC_TRANSPOSE_FLOPS},
	{"the direction of HBM traffic", SUPPLIER_PROFILE, .metric = METRIC_HBM_READ_BYTES},
	{"model_flops", SUPPLIER_PROFILE, .metric = METRIC_MODEL_FLOPS},
	{"spills", SUPPLIER_PROFILE, .metric = METRIC_SPILL_SAVE_BYTES},
	{"source lines", SUPPLIER_PROFILE, .is_known = knows_lines},
};

/* The values that this supplier would add. What a joined NEFF did not state, only a profile can. */
static const char *list(struct arena *arena, const struct run *run, enum supplier wanted)
{
	struct strbuf sb = {0};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		enum supplier supplier = knows_hash(run) ? SUPPLIER_PROFILE : rows[i].supplier;
		bool known = rows[i].is_known ? rows[i].is_known(run)
					      : !isnan(run->given[rows[i].metric].number);
		if (supplier == wanted && !known)
			strbuf_addf(&sb, "%s%s", sb.len ? ", " : "", rows[i].what);
	}
	return sb.len ? strbuf_into(&sb, arena) : NULL;
}

/* " with the UUID 2128843d...", the known part of it. */
static const char *which_neff(struct arena *arena, const struct run *run)
{
	const char *uuid = run_attribute(run, "uuid"), *start = run_attribute(run, "uuid_start");
	if (uuid)
		return arena_printf(arena, " with the UUID %s", uuid);
	return start ? arena_printf(arena, " with the UUID %s...", start) : "";
}

const char *ntff_run_missing_data(struct arena *arena, const struct run *run)
{
	struct strbuf sb = {0};
	const char *neff = list(arena, run, SUPPLIER_NEFF);
	const char *profile = list(arena, run, SUPPLIER_PROFILE);
	bool has_formula = run->work && !isnan(run->work->flops);
	if (neff)
		strbuf_addf(&sb, "the trace lacks %s: ingest it together with its NEFF%s", neff,
			    which_neff(arena, run));
	if (profile)
		strbuf_addf(&sb,
			    "%s %s: use the profile that neuron-profile writes from trace and "
			    "NEFF, if the compiler recorded it%s",
			    neff ? "; it also lacks" : "the trace lacks", profile,
			    has_formula || !isnan(run->given[METRIC_MODEL_FLOPS].number)
				    ? ""
				    : ", or give a [work] formula for the FLOP");
	return sb.len ? strbuf_into(&sb, arena) : NULL;
}
