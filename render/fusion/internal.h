/* Pieces that the documents about fusion share. */
#pragma once

#include "render/fusion/fusion.h"

/* Adds a time: value, unit, text, interval, repeats, provenance. */
void render_fusion_add_time(struct arena *arena, struct json *parent, const char *name,
			    const struct fusion_reader_time *time);
/* The name of the decision, for people. */
const char *render_fusion_decision(enum fusion_decision decision);
/* Adds the line above what is said of an operator: its name, the device, dtype and tool. */
void render_fusion_heading(struct arena *arena, struct strbuf *sb, const struct run *run);
/* Adds the members device, dtype, tool. */
void render_fusion_add_group(struct arena *arena, struct json *object, const struct run *run);
