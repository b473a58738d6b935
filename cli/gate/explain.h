/*
 * The numbers behind verdicts, so that anybody can compute them again: gathered into a
 * document, which is the JSON, and printed from that document for people.
 */
#ifndef CLI_GATE_EXPLAIN_H
#define CLI_GATE_EXPLAIN_H

#include "cli/context.h"
#include "model/gate/gate.h"
#include "model/run/short_names.h"

/* Short names for all comparisons of one gate. */
struct naming gate_naming(struct arena *arena, const struct gate *gate);

/* The comparisons whose name, as the gate prints it or whole, fits the pattern, or whose series key
 * is `series`. NULL and an error when there is none, with some names that there are. */
struct json *gate_explain(struct arena *arena, const struct gate *gate, const char *series,
			  struct error *err);
/* The same for 80 columns. */
const char *gate_explain_text(struct arena *arena, const struct json *document);

#endif
