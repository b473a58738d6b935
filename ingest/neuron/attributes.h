/*
 * The text sections of neuron-profile's full JSON: the origin of the profile, its tensors and the
 * profiler's warnings. These are rows for profile.c; the context is its struct collector.
 */
#pragma once

#include "ingest/json/stream.h"

extern const struct json_field neuron_header_fields[];
int neuron_header_record(void *context, struct span section, const struct json_value *values,
			 struct error *err);
extern const struct json_field neuron_info_fields[];
int neuron_info_record(void *context, struct span section, const struct json_value *values,
		       struct error *err);
extern const struct json_field neuron_node_fields[];
int neuron_node_record(void *context, struct span section, const struct json_value *values,
		       struct error *err);
extern const struct json_field neuron_warning_fields[];
int neuron_warning_record(void *context, struct span section, const struct json_value *values,
			  struct error *err);

/* A value as a text, "" if it is not one; and as a number. */
static inline struct span neuron_text_of(const struct json_value *value)
{
	return value->kind == JSON_VALUE_TEXT ? value->text : (struct span){"", 0};
}

static inline double neuron_number_or(const struct json_value *value, double fallback)
{
	return value->kind == JSON_VALUE_NUMBER ? value->number : fallback;
}
