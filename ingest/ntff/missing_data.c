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

static bool knows_sizes(const struct run *run)
{
	return !isnan(run->given[METRIC_INPUTS_OUTPUTS_WEIGHTS_BYTES].number);
}

static bool knows_transposes(const struct run *run)
{
	return !isnan(run->given[METRIC_TRANSPOSE_FLOPS].number);
}

static bool knows_traffic(const struct run *run)
{
	return !isnan(run->given[METRIC_HBM_READ_BYTES].number);
}

static bool knows_model_flops(const struct run *run)
{
	return !isnan(run->given[METRIC_MODEL_FLOPS].number);
}

static bool knows_spills(const struct run *run)
{
	return !isnan(run->given[METRIC_SPILL_SAVE_BYTES].number);
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
	bool (*is_known)(const struct run *run);
	enum supplier supplier;
} rows[] = {
	{"the kernel's hash", knows_hash, SUPPLIER_NEFF},
	{"compiler_version", knows_compiler, SUPPLIER_NEFF},
	{"the tensors", knows_tensors, SUPPLIER_NEFF},
	{"their sizes (traffic_ratio, mbu_min_read)", knows_sizes, SUPPLIER_NEFF},
	{"transpose_flops", knows_transposes, SUPPLIER_PROFILE},
	{"the direction of HBM traffic", knows_traffic, SUPPLIER_PROFILE},
	{"model_flops", knows_model_flops, SUPPLIER_PROFILE},
	{"spills", knows_spills, SUPPLIER_PROFILE},
	{"source lines", knows_lines, SUPPLIER_PROFILE},
};

/* The values that this supplier would add. What a joined NEFF did not state, only a profile can. */
static const char *list(struct arena *arena, const struct run *run, enum supplier wanted)
{
	struct strbuf sb = {0};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		enum supplier supplier = knows_hash(run) ? SUPPLIER_PROFILE : rows[i].supplier;
		if (supplier == wanted && !rows[i].is_known(run))
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
		strbuf_addf(&sb,
			    "the trace does not say %s: the NEFF%s does, ingested with the trace",
			    neff, which_neff(arena, run));
	if (profile)
		strbuf_addf(&sb,
			    "%s %s: the profile that neuron-profile makes of the trace and its "
			    "NEFF does, where the compiler recorded it%s",
			    neff ? "; nor" : "the trace does not say", profile,
			    has_formula || knows_model_flops(run)
				    ? ""
				    : ", and a [work] formula gives the FLOP");
	return sb.len ? strbuf_into(&sb, arena) : NULL;
}
