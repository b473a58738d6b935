/*
 * A run: one measured execution of one kernel, as plain data in an arena.
 *
 * `given` holds what the file says (normalised to SI base units and fractions),
 * `derived` what model/run/derive.c recomputes from it; run_value() picks. All texts
 * are UTF-8; a NULL text is unknown. Times are seconds from the start of the
 * execution.
 *
 * Never add anything that reads a file, a store or a history.
 */
#pragma once

#include "base/base.h"
#include "model/message/message.h"
#include "model/run/hardware.h"
#include "model/run/metric.h"

enum { TIMELINE_BINS = 256, SPREAD_NUMBERS = 1024 };

struct run_param {
	const char *name;
	const char *value; /* as written: "512", "bf16" */
};

/* One engine (tensor, vector, scalar, gpsimd, sync) or the DMA, over all physical cores. */
struct run_engine {
	const char *name;              /* "tensor" ... "dma" */
	double active_time;            /* union of the active intervals, s */
	bool has_timeline;             /* false: the source has no intervals */
	float timeline[TIMELINE_BINS]; /* busy fraction of each 1/256 of total_time */
};

enum tally_kind {
	TALLY_OPCODE,    /* instructions by opcode */
	TALLY_SOURCE,    /* instructions by nki_source_location */
	TALLY_DMA_QUEUE, /* DMA packets by queue type */
	TALLY_MEMORY,    /* device memory by usage: only bytes */
	TALLY_KERNEL,    /* kernel launches of a program by name */
	TALLY_TUNING,    /* explored configurations by their parameters: seconds of one execution */
	/* About the opcode or source line above it, of Nsight Compute's source page: */
	TALLY_FIGURE, /* a count: "samples", "stall_long_sb", "global_sectors_excess" ... */
	TALLY_TEXT,   /* the text of a source line; without a count */
	TALLY_LIMIT
};

struct run_tally {
	enum tally_kind kind;
	const char *name;
	double count;
	double seconds; /* sum of durations */
	double bytes;   /* NAN where the kind has none */
	double flops;   /* NAN where the kind has none */
};

/* A window in which the hardware allowed only `limit` of the full rate. */
struct run_throttle {
	int core;
	const char *type; /* "activity_0", "activity_1", "unknown" ... */
	double start, duration;
	double limit; /* k / n, 0 to 1 */
};

/* One physical core's share of the work. */
struct run_core {
	const char *name; /* subgraph name, "sg00" */
	double cycles;    /* neuroncore_cycle_count of the core */
	double instructions;
	double flops; /* matmul FLOP executed on this core; NAN unknown */
	double tensor_active_time;
};

struct run_tensor {
	const char *name;
	const char *role;  /* "IN", "OUT", "WEIGHT" */
	const char *shape; /* "[128 512]" */
	double bytes;
};

/* The attribute with the SHA-256 of the kernel's file. It is computed when the run is ingested: no
 * file can state it. */
#define RUN_KERNEL_DIGEST "kernel_sha256"

/* Attributes of runs that "run --candidate" measured: the candidate's name; the id of the run that
 * it started from; "fresh" if each process got inputs of its own. */
#define RUN_CANDIDATE "candidate"
#define RUN_PARENT "parent"
#define RUN_INPUTS "inputs"

/* A textual fact, e.g. a version or a name. Keys are those of the source ("compiler_version"). */
struct run_attribute {
	const char *key;
	const char *text;
};

/* A warning stored with the run: the profiler's own, or ours about the file. */
struct run_note {
	const char *category; /* "Missing Data" as the profiler says, or "rooflog" */
	const char *message;
};

/* Distribution of a metric over the repeated executions that the run summarizes. The run's own
 * value is their median if the source has it, else the mean. Repeats of one run are not independent
 * evidence about the code. */
struct run_spread {
	enum metric metric;
	double count; /* number of repeats; NAN: unknown, like every figure that the source lacks */
	double minimum, median, mean, maximum;
	double deviation;      /* standard deviation of the sample */
	const double *numbers; /* the first number_count repeats in order; NULL when not known */
	size_t number_count;   /* at most SPREAD_NUMBERS */
};

/* The work by the configured formulas (model/roofline/work_formulas.h). */
struct run_work {
	double flops, bytes; /* NAN: no formula, or one that cannot be computed for the run */
	const char *flops_formula, *bytes_formula; /* NULL: none */
	const char *source;                        /* file and line of the formulas */
	const char *fault; /* why a number is missing; NULL: nothing is wrong */
};

/* Values that no run can have (struct bounds). They follow from values that are possible, each
 * alone, or come from an older store. */
struct run_excess {
	size_t count;
	enum metric metric; /* the first one */
	double number;
};

struct run {
	/* Identity: what was measured, where and when. */
	const char *kernel;
	const char *variant; /* "" when there is only one */
	const char *dtype;   /* "bf16", "fp32" ... as hardware.h normalises it */
	struct run_param *params;
	size_t param_count; /* sorted by name */
	const char *device; /* a name of the hardware table: "trn2"; from a reader: as the file says
			       it */
	const char *instance_type;
	int cores;           /* physical cores of the logical core; 0 unknown */
	const char *tool;    /* tool class: "neuron-profile", "ncu", "nsys"; never mixed */
	const char *node;    /* which of several results of one file: "n_<hash>", else "" */
	const char *commit;  /* full oid; from a reader: as the file writes it, NULL unknown */
	bool dirty;          /* the work tree had uncommitted changes */
	int64_t ingested_at; /* Unix seconds */
	int64_t ingest; /* the same number for the runs that one call stored; 0: not from a store,
			   or of a store of an older program; see run_by_measurement() */
	const char *source;      /* path as given on the command line */
	const char *kernel_hash; /* NEFF hash: equal hashes are byte-identical kernels */
	int64_t row;             /* row id in the store; 0: not from a store */

	/* What. */
	struct value given[METRIC_COUNT];
	/* At metric_computed(); NAN until run_derive(), and the last one always. */
	double derived[COMPUTED_COUNT + 1];
	struct peaks peaks;          /* of run_derive(); all 0 before */
	struct run_excess excess;    /* what run_derive() left unknown */
	const struct run_work *work; /* NULL: no formula fits; never stored */
	struct run_engine *engines;
	size_t engine_count;
	struct run_tally *tallies;
	size_t tally_count;
	struct run_throttle *throttles;
	size_t throttle_count;
	struct run_core *core_work;
	size_t core_count;
	struct run_tensor *tensors;
	size_t tensor_count;
	struct run_attribute *attributes;
	size_t attribute_count;
	/* Values joined from accompanying files are not part of the run's content: a run is
	 * identified by what was measured with it. These counts are the numbers of joined
	 * attributes and tallies, which are at the end of their lists; the flags mark joined
	 * values. */
	size_t joined_attributes, joined_tallies;
	bool joined[METRIC_COUNT];
	bool joined_hash; /* kernel_hash is joined: the run identifies its kernel by its own UUID */
	struct run_note *notes;
	size_t note_count;
	struct run_spread *spreads; /* at most one per metric */
	size_t spread_count;
};

struct run_list {
	struct run **items;
	size_t count;
	size_t capacity;
};

/* A new run without any value: every number is NAN. */
struct run *run_new(struct arena *arena);
void run_list_add(struct arena *arena, struct run_list *list, struct run *run);
void run_list_add_all(struct arena *arena, struct run_list *list, const struct run_list *more);

/* The number to use: recomputed if possible, else as given; NAN: unknown. */
struct value run_value(const struct run *run, enum metric metric);
double run_number(const struct run *run, enum metric metric);
void run_set(struct run *run, enum metric metric, double number, enum provenance provenance);

/* Capacity that a list of a run must have if it is allocated with `count` items at once: the
 * run_add_...() functions append to it. */
size_t run_list_room(size_t count);
void run_add_engine(struct arena *arena, struct run *run, struct run_engine engine);
void run_add_tally(struct arena *arena, struct run *run, struct run_tally tally);
void run_add_throttle(struct arena *arena, struct run *run, struct run_throttle throttle);
void run_add_core(struct arena *arena, struct run *run, struct run_core core);
void run_add_tensor(struct arena *arena, struct run *run, struct run_tensor tensor);
void run_add_attribute(struct arena *arena, struct run *run, const char *key, const char *text);
void run_add_note(struct arena *arena, struct run *run, const char *category, const char *message);
/* Adds a warning of our own, that is a note of the category "rooflog". */
void run_warn(struct arena *arena, struct run *run, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
void run_add_spread(struct arena *arena, struct run *run, struct run_spread spread);
/* A spread of which nothing is known, to be filled in. */
struct run_spread run_spread_unknown(enum metric metric);
/* Sets the metric from its repeats: the run's value is their median, and their spread is added.
 * NANs among the numbers are ignored; without any number nothing is set. */
void run_set_samples(struct arena *arena, struct run *run, enum metric metric,
		     const double *numbers, size_t count, enum provenance provenance);
/* Sets or replaces a parameter and keeps the list sorted by name. */
void run_set_param(struct arena *arena, struct run *run, const char *name, const char *value);

/* Orders runs by measurement, oldest first; 0 if both are of the same one. Different calls of
 * ingest are different measurements; runs of older stores are distinguished by the second. */
int run_by_measurement(const struct run *a, const struct run *b);
/* Sorts pointers to runs in that order. */
void run_sort_by_measurement(struct run **runs, size_t count);

/* Look-ups by name; NULL if not found. */
const char *run_attribute(const struct run *run, const char *key);
const char *run_param(const struct run *run, const char *name);
const struct run_engine *run_engine(const struct run *run, const char *name);
/* Whether the file marks the kernel's result as wrong: its figures then belong to other work. */
bool run_is_incorrect(const struct run *run);
const struct run_spread *run_spread(const struct run *run, enum metric metric);

/* The metric that is the run's time: total_time (on the device) if known, else host_time, else
 * METRIC_COUNT. Times of different bases are never compared: a tool class has one basis. */
enum metric run_time_metric(const struct run *run);
/* The number of that metric; NAN unknown. */
double run_time(const struct run *run);
/* The metric by which the run's speed is stated: its time, else the rate that its producer states,
 * else METRIC_COUNT. */
enum metric run_headline(const struct run *run);
/* "33.09 us", "1.250 ms host" or "10.50 TFLOP/s"; "unknown" without a headline. */
const struct message *run_headline_message(struct arena *arena, const struct run *run);

/* Whether its opcodes and source lines have samples and counts in place of times. */
bool run_is_sampled(const struct run *run);
/* The count of a figure of the tally at `index`; NAN: it has none. */
double run_tally_figure(const struct run *run, size_t index, const char *name);
/* The stall that most of its samples have, "long_sb", and their number; NULL: there are none. */
const char *run_tally_stall(const struct run *run, size_t index, double *samples);
/* The text of a source line; "": unknown. */
const char *run_tally_text(const struct run *run, size_t index);

/* Whether two counts of FLOP can be of the same work: counters of the hardware vary by up to 1 %.
 * True if either is unknown. */
bool run_flops_agree(double a, double b);

/* Refuses (ERR_FORMAT) a number outside its bounds, wherever it is in the run, and names it with
 * its unit and the bounds. Every run that a file gives passes this before it is used. */
int run_check_bounds(const struct run *run, struct error *err);

/* "b=1, s=512": the parameters in order; "" when there are none. */
const char *run_params_text(struct arena *arena, const struct run *run);

/* SHA-256 in hex of everything that was measured (values, engines, tallies ...) but not joined,
 * independent of key order and compression of the file; with_identity also of kernel, variant,
 * params, dtype, device, commit ... The latter is the run's id in the store. */
void run_hash(const struct run *run, bool with_identity, char hex[65]);
/* Both hashes at once, content and id; NULL: not wanted. */
void run_hashes(const struct run *run, char content[65], char id[65]);

/* The canonical text of what makes runs comparable: kernel, variant, params, dtype, device,
 * instance type, cores and tool. Runs with different keys are incomparable. */
const char *run_series_key(struct arena *arena, const struct run *run);
