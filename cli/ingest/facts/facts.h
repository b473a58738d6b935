/*
 * What is stated about profiles and does not stand in them: by a params.json, by --set and by
 * --from-path. The options of reading, too, which are the same in every command that takes FILE.
 *
 * A source never replaces what an earlier one says; the order is params.json, --set, path.
 *
 * Never add what a file itself says, or a rule for what follows from it.
 */
#pragma once

#include "base/base.h"
#include "cli/config/config.h"
#include "ingest/input/input.h"
#include "model/run/run.h"

/* How files are read, and what is stated about all of them. Zero: nothing is. */
struct reading_options {
	struct text_list set;  /* "kernel=mlp,dtype=bf16,s=512" */
	const char *from_path; /* "{variant}_{dtype}/s{s}.json"; NULL: none */
	struct input_hints hints;
	size_t threads; /* 0: the number of processors */
	bool no_tools;  /* vendors' tools are not run */
};
/* The option rows of a struct reading_options. */
extern const struct option reading_option_rows[];
/* Whether any option of reading was given. */
bool facts_reads(const struct reading_options *reading);
/* ERR_USAGE for values that cannot be, before any file is opened. */
int facts_check_reading(struct arena *arena, const struct reading_options *reading,
			struct error *err);

/* NULL: not stated. */
struct facts {
	const char *kernel, *variant, *dtype, *device, *instance_type, *cores, *tool;
	struct stated_params {
		struct run_param *items;
		size_t count, capacity;
	} params;
};

/* States one fact. A name is that of a fact, also as the last part of a path ("config.kernel"), or
 * else a parameter; "param:kernel" is a parameter of such a name. */
void facts_add(struct arena *arena, struct facts *facts, const char *name, const char *value);
/* The same for all that a params.json says. Cores and tool are parameters there. */
void facts_add_params(struct arena *arena, struct facts *facts, const struct run_param *params,
		      size_t count);
/* What --set states. ERR_USAGE for what is not NAME=VALUE, and for values that cannot be. */
int facts_parse(struct arena *arena, const struct text_list *set, struct facts *facts,
		struct error *err);
/* ERR_USAGE for a device that is short for several: "a100". */
int facts_check_device(const struct hardware_list *user, const char *device, struct error *err);
/* Adds what `more` states and `facts` does not. Contradictions stay as they are. */
void facts_fill(struct arena *arena, struct facts *facts, const struct facts *more);

/*
 * The pattern of --from-path is compared with the last components of a file's path, as many as it
 * has. "{name}" is one character or more, of one component, that can be the value of this fact;
 * "*" is any text within a component and "?" one character.
 */
/* ERR_USAGE for a pattern that names nothing, or has a brace too many. */
int facts_check_pattern(const char *pattern, struct error *err);
/* What the pattern takes from the path: 1, or 0 if the path does not match. ERR_USAGE if it matches
 * in two ways that state different facts. */
int facts_of_path(struct arena *arena, const char *pattern, const char *path, struct facts *facts,
		  struct error *err);
