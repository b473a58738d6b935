/* Parts of an explanation: each adds its members to the document of one comparison. */
#pragma once

#include "base/json/json.h"
#include "model/gate/gate.h"

struct explaining {
	struct arena *arena;
	const struct gate_result *gate;
	const struct comparison *one;
	enum unit unit;
};

void render_gate_judge(const struct explaining *e, struct json *out);
void render_gate_drifts(const struct explaining *e, struct json *out);
void render_gate_environment(const struct explaining *e, struct json *out);
void render_gate_kernel(const struct explaining *e, struct json *out);
void render_gate_acceptance(const struct explaining *e, struct json *out);
void render_gate_rule(const struct explaining *e, struct json *out);

/* A line about whose configuration decided, if the document has something to say of it. */
void render_gate_say_configuration(struct arena *arena, const struct json *document,
				   struct strbuf *out);
