/* Device, bandwidth, compute units, attributes and the names of measured peaks. */
#include "ingest/rocm/rocprof_system.h"

#include "ingest/table/tables.h"

const char *const rocprof_peak_columns[CEILING_PEAKS] = {
	"HBMBw",        "MALLBw",      "L2Bw",          "L1Bw",         "LDSBw",
	"FP32Flops",    "FP64Flops",   "MFMABF16Flops", "MFMAF16Flops", "MFMAF32Flops",
	"MFMAF64Flops", "MFMAF8Flops", "MFMAF4Flops",   "MFMAI8Ops"};

static bool is_absent(const char *text)
{
	return !text || strcmp(text, "NA") == 0 || csv_is_absent(span_of(text));
}

/* "MI300X_A1" is a stepping of the MI300X. */
static const char *model_of(struct arena *arena, const char *text)
{
	if (is_absent(text) || strlen(text) > 100)
		return NULL;
	return arena_strndup(arena, text, span_find(span_of(text), "_A"));
}

static int read_number(struct arena *arena, const struct rocprof_system *system, const char *name,
		       double *number, struct error *err)
{
	char excerpt[lines_excerpt_size];
	const char *text = system->text(system->context, arena, name);
	*number = NAN;
	if (is_absent(text) || span_number(span_of(text), number))
		return 0;
	return error_set(err, ERR_FORMAT, "%s is \"%s\", not a number", name,
			 lines_excerpt(excerpt, span_of(text)));
}

static void add_value(struct companion *companion, enum metric metric, double number,
		      enum provenance provenance)
{
	if (number > 0)
		companion->values[companion->value_count++] =
			(struct companion_value){metric, {number, provenance}};
}

/* Versions before 3 state the bandwidth in GB/s. Version 3 states what it computes it from: at each
 * clock of the memory a channel moves 32 bytes (src/utils/specs.py of rocprof-compute).
 * Utilizations divide by the compute units of a die. */
static int read_values(struct arena *arena, const struct rocprof_system *system,
		       struct companion *companion, struct error *err)
{
	enum { BANDWIDTH, CLOCK, CHANNELS, UNITS, DIES, WAVES, NUMBERS };
	static const char *const names[NUMBERS] = {"hbm_bw",     "max_mclk", "num_hbm_channels",
						   "cu_per_gpu", "num_xcd",  "max_waves_per_cu"};
	double numbers[NUMBERS];
	for (int i = 0; i < NUMBERS; i++)
		if (read_number(arena, system, names[i], &numbers[i], err) < 0)
			return -1;
	companion->values = arena_array(arena, 3, sizeof *companion->values);
	if (isnan(numbers[BANDWIDTH]))
		add_value(companion, METRIC_PEAK_BANDWIDTH,
			  numbers[CLOCK] * 1e6 * 32 * numbers[CHANNELS], PROVENANCE_DERIVED);
	else
		add_value(companion, METRIC_PEAK_BANDWIDTH, numbers[BANDWIDTH] * 1e9,
			  PROVENANCE_REPORTED);
	if (numbers[DIES] > 0)
		add_value(companion, METRIC_UNITS_PER_DIE, numbers[UNITS] / numbers[DIES],
			  PROVENANCE_DERIVED);
	add_value(companion, METRIC_WAVE_SLOTS, numbers[WAVES], PROVENANCE_REPORTED);
	return 0;
}

int rocprof_system_describe(struct arena *arena, const struct rocprof_system *system,
			    struct companion *companion, struct error *err)
{
	static const char *const copied[] = {"gpu_arch",          "cu_per_gpu",      "max_sclk",
					     "max_mclk",          "rocm_version",    "num_xcd",
					     "compute_partition", "memory_partition"};
	if (read_values(arena, system, companion, err) < 0)
		return -1;
	companion->device = model_of(arena, system->text(system->context, arena, "gpu_model"));
	companion->attributes = arena_array(arena, sizeof copied / sizeof *copied + CEILING_PEAKS,
					    sizeof *companion->attributes);
	for (size_t i = 0; i < sizeof copied / sizeof *copied; i++) {
		const char *text = system->text(system->context, arena, copied[i]);
		if (!is_absent(text) && strlen(text) < 200)
			companion->attributes[companion->attribute_count++] =
				(struct run_attribute){copied[i], text};
	}
	return 0;
}
