/*
 * A comparison of the report document as a finding, for the formats that list findings (JUnit,
 * SARIF, GitLab, GitHub): a name that is stable across runs, a sentence, a severity that follows
 * from the exit status, and a location in the repository.
 */
#pragma once

#include "base/base.h"
#include "base/json/json.h"
#include "model/gate/exit_status.h"

/* One row per exit status (docs/user/verdicts.md) other than EXIT_PASS. */
struct annotation_level {
	enum exit_status status;
	const char *sarif;  /* SARIF 2.1.0 section 3.27.10: "error", "warning", "note" */
	const char *gitlab; /* "blocker", "critical", "major", "minor", "info" */
	const char *github; /* workflow command */
	const char *junit;  /* child element of <testcase> */
	const char *badge;  /* color of a shields.io badge */
};
/* NULL for EXIT_PASS. An unknown status is as severe as EXIT_REGRESSION. */
const struct annotation_level *annotation_level_of(enum exit_status status);

/* The exit status of a gate or a comparison. EXIT_PASS if the document has none, EXIT_REGRESSION
 * if the value is not a status. */
enum exit_status annotation_status(const struct json *object);
/* The worst of a gate, whether it fails or not: its color. */
enum exit_status annotation_code(const struct json *gate);

struct annotation {
	const struct json *comparison; /* NULL: concerns the gate as a whole */
	const char *verdict;           /* the machine's name: a rule, a type */
	const char *word;              /* the same for people: "slower (drift)" */
	const char *name;    /* "qkv//s=512/bf16/trn2/.../2: total_time": exact and unique */
	const char *label;   /* the series as people read it: "qkv s=512, bf16, trn2" */
	const char *message; /* one line in which everything shows */
	const char *path;    /* relative to the repository's root */
	int line;
	const struct annotation_level *level; /* NULL: does not affect the gate's status */
	char fingerprint[65];                 /* SHA-256 of the name, hexadecimal */
};

/* The file shown for a finding without a known source line. */
extern const char annotation_default_path[];

void annotation_init(struct arena *arena, const struct json *comparison,
		     struct annotation *annotation);
/* A finding about the gate as a whole: false unless it fails although no comparison does, e.g.
 * because nothing was judged. */
bool annotation_of_gate(struct arena *arena, const struct json *gate,
			struct annotation *annotation);
/* The comparisons that keep the gate from passing, worst first, after annotation_of_gate(). */
const struct annotation *annotations_of(struct arena *arena, const struct json *gate,
					size_t *count);
/* The text as one line in which everything shows (base/text/shown.h). */
const char *annotation_clean(struct arena *arena, const char *text);
