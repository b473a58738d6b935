/* The lists of a run as arrays of objects: one table for writing and reading. */
#pragma once

#include "base/json/json.h"
#include "model/run/run.h"

/* The words for store_effect, by its values. */
enum { EFFECTS = 4 };
extern const char *const jsonl_effects[EFFECTS];

/* Adds the lists that are not empty to the object of a run. */
void jsonl_write_lists(struct arena *arena, struct json *object, const struct run *run);
/* ERR_FORMAT, "engines: ...", for a list that is not one of its kind. */
int jsonl_read_lists(struct arena *arena, const struct json *object, struct run *run,
		     struct error *err);
