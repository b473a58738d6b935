/*
 * A shell command from a template: {{kernel}}, {{params.s}} ... are replaced by values, each
 * quoted as one word. Names come from files of third parties, so they must reach the shell as text
 * only.
 */
#pragma once

#include "base/base.h"
#include "model/run/run.h"

struct rerun_command {
	const char *form; /* the template */
	const struct run *run;
	const char *commit;
	size_t runs, measurements;
};

/* Rejects an unknown placeholder, and one in a position where quoting does not protect: within
 * quotes, after $ or \, in backquotes, here-documents and arithmetic. */
int render_gate_rerun_check(const char *form, struct error *err);
/* Fills in a form that render_gate_rerun_check() accepted. Returns NULL and sets *fault if the run
 * lacks a value or a value cannot be passed safely. */
const char *render_gate_rerun_text(struct arena *arena, const struct rerun_command *command,
				   const char **fault);
