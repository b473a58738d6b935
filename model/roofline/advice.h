/*
 * Advice that Nsight Compute wrote about a run, kept as notes of the category "ncu". Only this file
 * knows their form: "RULE: estimated speedup 74.14 % (global): TEXT".
 */
#pragma once

#include "base/base.h"
#include "model/run/run.h"

/* The category of the notes, the profiler's name, and how many pieces a run keeps. */
extern const char advice_category[], advice_tool[];
enum { ADVICE_LIMIT = 8 };

/* What the estimate is a share of: the run's time, or the use of one unit, viewed alone. */
enum advice_scope { ADVICE_SCOPE_UNKNOWN, ADVICE_GLOBAL, ADVICE_LOCAL };

struct advice {
	const char *rule; /* "UncoalescedGlobalAccess"; "" if the file does not name it */
	const char *text;
	double speedup; /* estimated, a fraction; NAN without an estimate */
	enum advice_scope scope;
};

const char *advice_write(struct arena *arena, const struct advice *advice);
/* Reads one note; false if it is not advice. Texts are in the arena. */
bool advice_read(struct arena *arena, const struct run_note *note, struct advice *advice);
/* The rule of model/roofline/rules_gpu.c that finds the same, or how those that do begin; NULL:
 * none does. */
const char *advice_counterpart(const struct advice *advice);
