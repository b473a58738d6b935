/*
 * What a comparison of the report document is in formats that list findings (JUnit, SARIF, GitLab,
 * GitHub): a name that stays the same from run to run, a sentence for people, how bad it is by the
 * exit status that it leads to, and a place in the repository.
 */
#ifndef RENDER_EXPORT_ANNOTATION_H
#define RENDER_EXPORT_ANNOTATION_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/json/json.h"
#include "model/verdict/exit_status.h"

/* One row per exit status (docs/user/verdicts.md) other than EXIT_PASS. */
struct annotation_level {
	enum exit_status status;
	const char *sarif;  /* SARIF 2.1.0, 3.27.10: "error", "warning", "note" */
	const char *gitlab; /* "blocker", "critical", "major", "minor", "info" */
	const char *github; /* the workflow command */
	const char *junit;  /* the element of a testcase */
};

/* The exit status of a gate or a comparison; EXIT_PASS where the document has none,
 * EXIT_REGRESSION where it is not a status. */
enum exit_status annotation_status(const struct json *object);

struct annotation {
	const struct json *comparison; /* NULL: it is about the gate as a whole */
	const char *verdict;
	const char
		*name; /* "qkv//s=512/bf16/trn2/.../2: total_time": exact, never the same twice */
	const char *label;   /* the series as people read it: "qkv s=512, bf16, trn2" */
	const char *message; /* a sentence in one line, without control characters */
	const char *path;    /* relative to the repository's root */
	int line;
	const struct annotation_level *level; /* NULL: it keeps no gate from passing */
	char fingerprint[65];                 /* of the name, in hexadecimal digits */
};

/* The file that a finding is shown at when nothing says which source line it is about. */
extern const char annotation_default_path[];

void annotation_init(struct arena *arena, const struct json *comparison,
		     struct annotation *annotation);
/* Whether the gate fails though no comparison does (nothing was judged): then the annotation is
 * about the gate, and untouched otherwise. */
bool annotation_whole(struct arena *arena, const struct json *gate, struct annotation *annotation);
/* What keeps the gate from passing, worst first, in arena memory: comparisons, or the gate as a
 * whole. */
struct annotation *annotations_of(struct arena *arena, const struct json *gate, size_t *count);
/* "▲\n" and what turns text around become harmless: one line as people may read it. */
const char *annotation_clean(struct arena *arena, const char *text);

#endif
