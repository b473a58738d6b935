/*
 * Prints what two versions show that were measured in turns (model/paired), as text and as JSON.
 *
 * Never add how they were measured.
 */
#pragma once

#include "base/json/json.h"
#include "model/statistics/trials/paired.h"
#include "model/run/run.h"

struct paired_series {
	const char *key, *name; /* run_series_key(), and for people */
	enum metric metric;
	bool lower_is_better;
	double limit;
	struct paired_result result;
	bool on_side[2]; /* by enum paired_side: measured there at all */
};

struct paired_session {
	const char *base, *base_name; /* commit id, and as the user named it */
	const char *head;
	bool dirty;
	bool incorrect;      /* the check failed, or the program calls its own result incorrect */
	bool base_incorrect; /* the program calls the result of the base incorrect */
	size_t pairs, controls; /* of processes */
	double seconds;         /* from the first process to the last */
	int budget;             /* seconds */
	const char *folder;
	struct paired_series *series;
	size_t series_count;
};

/* The results of a session and of its series, the worst first. */
enum paired_outcome {
	PAIRED_OUTCOME_INCORRECT,
	PAIRED_OUTCOME_SLOWER,
	PAIRED_OUTCOME_UNFIT,
	PAIRED_OUTCOME_UNCLEAR,
	PAIRED_OUTCOME_FASTER,
	PAIRED_OUTCOME_SAME,
	PAIRED_OUTCOME_LIMIT
};
/* "incorrect", "slower" ... */
const char *render_paired_outcome(enum paired_outcome outcome);
enum paired_outcome render_paired_result(const struct paired_session *session);

/* `width` is the maximal width of a line in columns; 0 means unlimited. */
const char *render_paired_text(struct arena *arena, const struct paired_session *session,
			       size_t width);
/* docs/schema/measure/paired-1.schema.json */
struct json *render_paired_json(struct arena *arena, const struct paired_session *session);
/* The first series of both: the one of the session's result; NULL if there is none. */
const char *render_paired_first(struct arena *arena, const struct paired_session *session);
/* Adds the member "here" to the document, from a run of the report document. */
void render_paired_add_run(struct arena *arena, struct json *document, const struct json *run);
/* The same as lines of text; "" if the run has nothing of it. */
const char *render_paired_run_text(struct arena *arena, const struct json *run, size_t width);
