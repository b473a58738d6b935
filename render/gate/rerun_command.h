/*
 * A command for the shell from a template: {{kernel}}, {{params.s}} ... are replaced by values,
 * each as one quoted word. Names come from files that others wrote, so nothing in them may reach
 * the shell as anything but text.
 */
#pragma once

#include <stddef.h>

#include "base/base.h"
#include "model/run/run.h"

struct rerun_command {
	const char *form; /* the template */
	const struct run *run;
	const char *commit;
	size_t runs, measurements;
};

/* An error for a place that does not exist, and for one where quoting would not protect: within
 * quotes, after $ or \, in backquotes, here-documents and arithmetic. */
int render_gate_rerun_check(const char *form, struct error *err);
/* NULL, and *fault, when the run lacks a value or one cannot be passed on; the form was checked. */
const char *render_gate_rerun_text(struct arena *arena, const struct rerun_command *command,
				   const char **fault);
