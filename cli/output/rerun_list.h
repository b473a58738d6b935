/* What to measure again: the list for machines, and how many series are on it. */
#ifndef CLI_OUTPUT_RERUN_LIST_H
#define CLI_OUTPUT_RERUN_LIST_H

#include "base/strbuf.h"
#include "model/gate/gate.h"

/* How many more measurements of the candidate, each in a session of its own, the comparison asks
 * for; 0: more of them would not decide it. */
size_t gate_more_measurements(const struct comparison *one);
/* Series of which some comparison asks for one. */
size_t gate_rerun_count(struct arena *arena, const struct gate *gate);
/* One JSON object a line and series, the worst first; with commands where the configuration says
 * how to make them ([gate] rerun). Fails on a template that cannot be filled in safely. */
int gate_rerun_list(struct arena *arena, const struct gate *gate, struct strbuf *out,
		    struct error *err);

#endif
