/*
 * Devices and their peaks. Peaks come from, in this order:
 *  - the user's configuration or devices.json,
 *  - the profile itself,
 *  - the built-in table (model/run/hardware.def).
 * Each answer states its source and its confidence. An unknown device is an error that names the
 * ways to give its peaks, never a silent default.
 */
#pragma once

#include "base/base.h"
#include "model/run/metric.h"

struct run;

enum dtype {
	DTYPE_FP64,
	DTYPE_FP64_TENSOR,
	DTYPE_FP32,
	DTYPE_TF32,
	DTYPE_BF16,
	DTYPE_FP16,
	DTYPE_FP8,
	DTYPE_MXFP8,
	DTYPE_INT8,
	DTYPE_FP4,
	DTYPE_LIMIT
};
enum confidence { CONFIDENCE_LOW, CONFIDENCE_MEDIUM, CONFIDENCE_HIGH };

struct hardware {
	const char *name;    /* "trn2", "h100-sxm" */
	const char *title;   /* "AWS Trainium2" */
	const char *aliases; /* other spellings and prefixes of instance types, separated by
			      * spaces */
	bool per_core;       /* peaks are those of one physical core (Neuron) */
	double peak_flops[DTYPE_LIMIT]; /* dense FLOP/s; NAN: unknown */
	double bandwidth;               /* HBM/DRAM B/s as the profiler counts it; NAN: unknown */
	double clock;                   /* Hz at which the peaks hold; NAN unknown */
	const char *source;
	const char *stated; /* the source as struct peaks states it; NULL: same as `source` */
	enum confidence confidence;
};

struct hardware_list {
	struct hardware *items;
	size_t count;
	size_t capacity;
};

const char *hardware_confidence_name(enum confidence confidence);
/* "bfloat16", "BF16" -> "bf16"; "float32" -> "fp32"; NULL: not a known dtype. */
const char *dtype_normalise(struct span text);
/* The enum of a normalised name; DTYPE_LIMIT when unknown. */
enum dtype dtype_find(const char *name);
const char *dtype_name(enum dtype dtype);

/* The built-in table. */
const struct hardware *hardware_table(size_t *count);
/* Finds a device by name or alias in any driver's spelling ("NVIDIA A100-SXM4-80GB"), or by
 * instance type ("trn2.3xlarge" -> trn2, "trn3pds98.48xlarge" -> trn3). Looks first in `user` (may
 * be NULL), then in the built-in table; NULL if neither has it. */
const struct hardware *hardware_find(const struct hardware_list *user, const char *name);
/* Sets the error `unknown device "x"; known are ...; give its peaks in devices.json or [device "x"]
 * ...` and returns -1. */
int hardware_unknown(struct error *err, const char *name);

/* The peaks for one run. NAN: unknown. */
struct peaks {
	double core_flops; /* FLOP/s of one physical core, or of the whole device if not per_core */
	double flops;      /* core_flops times the run's physical cores; NAN while these are
			    * unknown */
	double bandwidth;  /* B/s, counted once whatever the core count */
	double clock;      /* Hz at which flops holds; NAN unknown */
	const char *dtype; /* dtype of core_flops: "bf16" for Neuron whatever the run's dtype */
	const char *flops_source; /* "profile", "configuration", "built-in table: <source>" */
	const char *bandwidth_source;
	enum confidence confidence;
	/* What no kernel exceeds whose operands are of the run's dtype: the rate of TF32 for fp32,
	 * of FP64's tensor pipe for fp64, of the fastest dtype where Neuron's is unknown. NAN: not
	 * known well enough. */
	double most_flops;
	const char *most_dtype;
	bool clock_measured; /* `most_flops` is that of the clock during the measurement */
	/* Likewise; NAN also for Neuron, where it is one stack's share, and where a cache serves a
	 * part of the bytes that are counted. */
	double most_bandwidth;
};

/* Neuron's ratios ignore the dtype: its MFU always uses the BF16 rate. For other devices the peak
 * of the run's own dtype counts. Unknown parts stay NAN/NULL. */
struct peaks hardware_peaks_of(const struct run *run, const struct hardware_list *user);
