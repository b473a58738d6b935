/*
 * What one file of Nsight Compute holds, whatever its form: launches of kernels with the quantities
 * of ncu_metrics.def and with the rules that ncu wrote about them. The forms (ncu_csv.h,
 * ncu_text.h) add cells as they find them; numbers are read when all of the file has been seen,
 * since only then its decimal sign is known.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "base/base.h"
#include "ingest/ncu/metrics.h"

enum {
	ncu_launch_limit = 100000,
	ncu_cell_limit = 8 * 1024 * 1024,
	ncu_rule_limit = 64, /* of one launch */
	ncu_tensor_limit = 64,
};

/* How launches are told apart; empty where the file does not say. Clean UTF-8. */
struct ncu_identity {
	size_t block; /* which header of the file it stands under */
	struct span id, process_id;
	struct span symbol;
	struct span grid, block_size;
	struct span device; /* index */
};

struct ncu_rule {
	struct ncu_rule *next;
	const char *name;     /* "CPIStall", or the section where rules have no name */
	const char *text;     /* one line */
	struct span estimate; /* of the speedup, as it stands there; may be empty */
	double speedup;       /* estimated, in per cent; NAN none */
	size_t order;
};

/* Operations of the tensor pipe with one combination of types. */
struct ncu_tensor {
	struct ncu_tensor *next;
	struct span types;
	bool per_cycle;
	double number;
};

struct ncu_launch {
	struct ncu_identity identity;
	struct span process, device_name, cc; /* may be empty */
	double numbers[NCU_QUANTITY_COUNT];   /* NAN unknown; averages in a summary */
	uint16_t sources[NCU_QUANTITY_COUNT]; /* which name gave the number, 0 none */
	double invocations;                   /* of a summary; NAN elsewhere */
	double *minimum, *maximum;            /* of a summary; NULL elsewhere */
	struct ncu_tensor *tensor;
	struct ncu_rule *rules; /* the last first */
	size_t rule_count, tensor_count;
	const char *bottleneck; /* the phrase of the rule SOLBottleneck; NULL none */
	struct span first_metric;
	uint64_t hash;
};

struct ncu_cell;

struct ncu_profile {
	struct arena *arena;
	struct ncu_launch **launches;
	size_t count, capacity;
	uint32_t *slots; /* 1 + index of a launch, 0 free */
	size_t slot_count;
	struct ncu_cell *cells;
	size_t cell_count, cell_capacity;
	struct ncu_numerals numerals;
	size_t blocks;         /* headers, of a table or of a kernel */
	size_t processes;      /* "==PROF== Connected" */
	struct span errors[8]; /* what follows "==ERROR==" */
	size_t error_count;
};

/* One value as it stands there. */
struct ncu_entry {
	struct span section, name, unit, text;
	bool has_unit; /* false: there is no column of units, and base units are meant */
	size_t line;
	enum { NCU_VALUE, NCU_MINIMUM, NCU_MAXIMUM } which;
};

/* One line of clean text in the arena; "" when it is not UTF-8. */
const char *ncu_one_line(struct arena *arena, struct span text);

/* The launch with this identity, new if need be; NULL and *err when there are too many. */
struct ncu_launch *ncu_profile_launch(struct ncu_profile *profile,
				      const struct ncu_identity *identity, struct error *err);
/* Always a new one. */
struct ncu_launch *ncu_profile_new(struct ncu_profile *profile, const struct ncu_identity *identity,
				   struct error *err);
int ncu_profile_add(struct ncu_profile *profile, struct ncu_launch *launch,
		    const struct ncu_entry *entry, struct error *err);
/* `estimate` of the speedup in per cent, as text that stays; it may be empty. */
void ncu_profile_rule(struct ncu_profile *profile, struct ncu_launch *launch, struct span name,
		      struct span text, struct span estimate);
/* The text of the rule SOLBottleneck. */
void ncu_profile_bottleneck(struct ncu_launch *launch, struct span text);
/* Whether it is a line of ncu's own ("==PROF== ..."); what it says of the session is kept. */
bool ncu_profile_log(struct ncu_profile *profile, struct span line);
/* Reads all numbers. */
int ncu_profile_finish(struct ncu_profile *profile, const char *locale, struct error *err);
