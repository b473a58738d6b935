/* The text sections of a full profile; see the header. */
#include "ingest/neuron/attributes.h"

#include "ingest/collect/collect.h"
#include "ingest/neuron/collect.h"
#include "ingest/neuron/summary.h"

static const char *keep(struct collector *c, const struct json_value *value)
{
	return bounded_text_of(c->arena, neuron_text_of(value));
}

enum { HEADER_HASH, HEADER_UUID, HEADER_NETWORK, HEADER_FEATURES };
const struct json_field neuron_header_fields[] = {
	{"hash", JSON_FIELD_TEXT},
	{"uuid", JSON_FIELD_TEXT},
	{"network_name", JSON_FIELD_TEXT},
	{"enabled_features", JSON_FIELD_TEXT},
	{NULL, JSON_FIELD_ANY},
};

int neuron_header_record(void *context, struct span section, const struct json_value *values,
			 struct error *err)
{
	struct collector *c = context;
	(void)section, (void)err;
	if (neuron_text_of(&values[HEADER_HASH]).len)
		bounded_text_keep(c->arena, &c->run->kernel_hash,
				  neuron_text_of(&values[HEADER_HASH]));
	for (int i = HEADER_UUID; i <= HEADER_FEATURES; i++)
		neuron_summary_attribute(c->arena, c->run, span_of(neuron_header_fields[i].name),
					 neuron_text_of(&values[i]));
	return 0;
}

enum { INFO_VERSION, INFO_BUILD_TIME, INFO_NAME, INFO_TYPE };
const struct json_field neuron_info_fields[] = {
	{"profiler_version", JSON_FIELD_TEXT},
	{"profiler_build_time", JSON_FIELD_TEXT},
	{"profile_name", JSON_FIELD_TEXT},
	{"profile_type", JSON_FIELD_TEXT},
	{NULL, JSON_FIELD_ANY},
};

int neuron_info_record(void *context, struct span section, const struct json_value *values,
		       struct error *err)
{
	struct collector *c = context;
	(void)section, (void)err;
	if (neuron_text_of(&values[INFO_VERSION]).len)
		bounded_text_keep(c->arena, &c->profiler_version,
				  neuron_text_of(&values[INFO_VERSION]));
	for (int i = INFO_BUILD_TIME; i <= INFO_TYPE; i++)
		neuron_summary_attribute(c->arena, c->run, span_of(neuron_info_fields[i].name),
					 neuron_text_of(&values[i]));
	return 0;
}

enum { NODE_NAME, NODE_TYPE, NODE_SHAPE, NODE_SIZE };
const struct json_field neuron_node_fields[] = {
	{"variable_name", JSON_FIELD_TEXT}, {"type", JSON_FIELD_TEXT}, {"shape", JSON_FIELD_TEXT},
	{"size", JSON_FIELD_ANY},           {NULL, JSON_FIELD_ANY},
};

int neuron_node_record(void *context, struct span section, const struct json_value *values,
		       struct error *err)
{
	struct collector *c = context;
	(void)section, (void)err;
	if (neuron_text_of(&values[NODE_NAME]).len == 0 || c->tensors++ >= collect_tensor_limit)
		return 0;
	double bytes = neuron_number_or(&values[NODE_SIZE], NAN);
	span_number(neuron_text_of(&values[NODE_SIZE]), &bytes);
	run_add_tensor(c->arena, c->run,
		       (struct run_tensor){keep(c, &values[NODE_NAME]), keep(c, &values[NODE_TYPE]),
					   keep(c, &values[NODE_SHAPE]), bytes});
	return 0;
}

enum { WARNING_CATEGORY, WARNING_MESSAGE };
const struct json_field neuron_warning_fields[] = {
	{"category", JSON_FIELD_TEXT},
	{"message", JSON_FIELD_TEXT},
	{NULL, JSON_FIELD_ANY},
};

int neuron_warning_record(void *context, struct span section, const struct json_value *values,
			  struct error *err)
{
	struct collector *c = context;
	(void)section, (void)err;
	if (neuron_text_of(&values[WARNING_MESSAGE]).len && c->warnings++ < collect_warning_limit)
		run_add_note(c->arena, c->run, keep(c, &values[WARNING_CATEGORY]),
			     keep(c, &values[WARNING_MESSAGE]));
	return 0;
}
