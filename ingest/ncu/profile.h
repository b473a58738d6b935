/*
 * The content of a file of Nsight Compute in any of its forms: launches of kernels with the
 * quantities of ncu_metrics.def and the rules that ncu wrote about them. The forms (csv.h, text.h)
 * add cells as they find them. Numbers are parsed at the end, because only the whole file shows
 * which decimal sign it uses; those of a native report, which has no such sign, at once, so that
 * memory holds no cells.
 *
 * Never add what only one form has.
 */
#pragma once

#include "base/base.h"
#include "ingest/ncu/metrics.h"
#include "model/roofline/roofline.h"

enum {
	ncu_launch_limit = 100000,
	ncu_cell_limit = 8 * 1024 * 1024,
	ncu_rule_limit = 64, /* per launch */
	ncu_tensor_limit = 64,
};

/* What distinguishes launches. Members are valid UTF-8,
 * and empty if the file does not state them. */
struct ncu_identity {
	size_t block; /* index of the header in the file under which the launch appears */
	struct span id, process_id;
	struct span symbol;
	struct span grid, block_size;
	struct span device; /* index, as a text */
};

struct ncu_rule {
	struct ncu_rule *next;
	const char *name;     /* "CPIStall"; the section if rules have no name */
	const char *text;     /* one line */
	struct span estimate; /* of the speedup, as in the file; may be empty */
	double speedup;       /* estimated, percent; NAN without an estimate */
	enum advice_scope scope;
	size_t order;
};

/* Operations of the tensor pipe for one combination of types. */
struct ncu_tensor {
	struct ncu_tensor *next;
	struct span types;
	bool per_cycle;
	double number;
};

struct ncu_launch {
	struct ncu_identity identity;
	struct span process, device_name, cc; /* may be empty */
	double *numbers;                      /* by quantity; NAN unknown; averages in a summary */
	uint16_t sources[NCU_QUANTITY_COUNT]; /* rank of the row that gave the number, 0 none */
	double invocations;                   /* in a summary; else NAN */
	double *minimum, *maximum;            /* in a summary; else NULL */
	struct ncu_tensor *tensor;
	struct ncu_rule *rules; /* linked list, the last rule first */
	size_t rule_count, tensor_count;
	const char *bottleneck;      /* from the rule SOLBottleneck; NULL without it */
	struct span collected_twice; /* a metric with two values, of which the first counts; empty:
					none */
	struct span first_metric;
	uint64_t hash;
};

struct ncu_cell;

struct ncu_profile {
	struct arena *arena;
	bool is_report; /* native: entries have the number of their result in place of a line */
	struct ncu_launch **launches;
	size_t count, capacity;
	uint32_t *slots; /* hash table: 1 + index of a launch, 0 free */
	size_t slot_count;
	struct ncu_cell *cells;
	size_t cell_count, cell_capacity;
	struct ncu_numerals numerals;
	size_t blocks;         /* number of headers, of a table or a kernel */
	size_t processes;      /* number of lines "==PROF== Connected" */
	struct span errors[8]; /* texts after "==ERROR==" */
	size_t error_count;
};

/* Which figure of a metric a value is. */
enum ncu_which { NCU_VALUE, NCU_MINIMUM, NCU_MAXIMUM };

/* One value as in the file. */
struct ncu_entry {
	struct span section, name, unit, text;
	bool has_unit; /* false: without a column of units, the value is in base units */
	size_t line;
	enum ncu_which which;
};

/* One rule as in the file. */
struct ncu_rule_entry {
	struct span name, text;
	struct span estimate; /* the speedup in percent; may be empty */
	enum advice_scope scope;
};

/* The text as one line in the arena; "" if it is not valid UTF-8. */
const char *ncu_one_line(struct arena *arena, struct span text);

/* The launch with this identity, added if it is new; NULL and *err if there are too many. */
struct ncu_launch *ncu_profile_launch(struct ncu_profile *profile,
				      const struct ncu_identity *identity, struct error *err);
/* Adds a launch even if the identity exists already; NULL and *err if there are too many. */
struct ncu_launch *ncu_profile_new(struct ncu_profile *profile, const struct ncu_identity *identity,
				   struct error *err);
/* Adds a value. The texts of the entry must stay, but for a native report's: those are read here.
 */
int ncu_profile_add(struct ncu_profile *profile, struct ncu_launch *launch,
		    const struct ncu_entry *entry, struct error *err);
/* Adds a rule; names and texts are copied, `estimate` must remain valid. */
void ncu_profile_rule(struct ncu_profile *profile, struct ncu_launch *launch,
		      const struct ncu_rule_entry *entry);
/* Stores the bottleneck from the text of the rule SOLBottleneck. */
void ncu_profile_bottleneck(struct ncu_launch *launch, struct span text);
/* Whether it is a line of ncu's own log ("==PROF== ..."); if so, stores what it reports. */
bool ncu_profile_log(struct ncu_profile *profile, struct span line);
/* A number for each quantity, all NAN. */
double *ncu_profile_unknowns(struct arena *arena);
/* Parses all numbers, once the whole file was read. */
int ncu_profile_finish(struct ncu_profile *profile, const char *locale, struct error *err);
