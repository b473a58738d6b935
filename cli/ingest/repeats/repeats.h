/*
 * Runs of one series and commit are repeats of one measurement, unless FLOP, the shapes of tensors,
 * the kernel's hash or the file name shows that they did unlike work.
 *
 * Never add what is done with runs that are not repeats.
 */
#pragma once

#include "db/store/store.h"
#include "model/run/run.h"

/* FLOP counts are in the order in which they are compared. */
enum repeat_trait {
	REPEAT_HASH,
	REPEAT_MODEL_FLOPS,
	REPEAT_HARDWARE_FLOPS,
	REPEAT_ALGORITHMIC_FLOPS,
	REPEAT_SHAPE,
	REPEAT_FILE,
	REPEAT_FOLDER,
	REPEAT_TRAITS
};

/* A run among others of its series and commit. All but `texts` and `known` is the caller's. */
struct repeat {
	const struct run *run; /* source and variant are not NULL */
	const char *series;
	unsigned needs; /* of its reader: whether the name of its file or folder says what it did */
	bool known;     /* the texts are read */
	const char *texts[REPEAT_TRAITS]; /* NULL: unknown, or not compared */
};

/* The runs of a group with the lowest and the highest value of each trait: a run that is like both
 * is like all between them. So neither the order of the runs matters nor a run that knows less. */
struct repeat_ends {
	const struct repeat *low[REPEAT_TRAITS], *high[REPEAT_TRAITS];
};

/* "hash", "flop", "shape", "file" or "folder": the word of --split-by, and the parameter's name. */
const char *repeats_word(enum repeat_trait trait);
/* "kernel hash", for messages. */
const char *repeats_title(enum repeat_trait trait);
/* The run's first trait with this word; NULL: unknown. */
const char *repeats_value(struct arena *arena, const char *word, const struct run *run);

/* "attention fused s=512" */
const char *repeats_series_name(struct arena *arena, const struct run *identity);

/* Reads the texts, once. */
void repeats_read(struct arena *arena, struct repeat *one);
bool repeats_have_traits(const struct repeat *group, size_t count);
/* Adds a run, whose texts are read, to its group. */
void repeats_extend(struct repeat_ends *ends, const struct repeat *one);
/* A run of the group that did unlike work, and the trait that shows it; NULL: all are repeats. */
const struct repeat *repeats_unlike(const struct repeat_ends *ends, const struct repeat *one,
				    enum repeat_trait *trait);

/* A stored series that has commits whose runs are not repeats. */
struct mixed_series {
	const struct run *identity;
	size_t commits;          /* with such runs */
	const char *commit;      /* the newest of them, full id */
	enum repeat_trait trait; /* what shows it there */
	const char *values[2];   /* of two runs there */
};
struct mixed_list {
	struct mixed_series *items;
	size_t count, capacity;
};
/* Finds them in the whole store, among runs of clean work trees. File names are not compared: the
 * store does not keep which reader has read a run. */
int repeats_find_mixed(struct store *store, struct arena *arena, struct mixed_list *list,
		       struct error *err);
