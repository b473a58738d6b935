/* Parts of an explanation: each adds its members to the document of one comparison. */
#ifndef RENDER_GATE_INTERNAL_H
#define RENDER_GATE_INTERNAL_H

#include "base/json/json.h"
#include "model/gate/gate.h"

struct explaining {
	struct arena *arena;
	const struct gate_result *gate;
	const struct comparison *one;
	enum unit unit;
};

/* Whether the judge has spoken. */
bool explain_is_by_record(const struct comparison *one);

void explain_judge(const struct explaining *e, struct json *out);
void explain_drifts(const struct explaining *e, struct json *out);
void explain_environment(const struct explaining *e, struct json *out);
void explain_kernel(const struct explaining *e, struct json *out);
void explain_acceptance(const struct explaining *e, struct json *out);
void explain_row(const struct explaining *e, struct json *out);

#endif
