/*
 * Records of PyTorch's HUD (oss_ci_benchmark_v3), one line for each metric of each run. A record
 * has no place for a unit, so extra_info has it, by which the reader pytorch-hud takes the value
 * back. What follows by formula is left out. A gate without runs has the judged values.
 */
#include "render/document/key.h"
#include "render/export/exporter.h"

static void set_runner(struct arena *arena, struct json *record, const struct json *run)
{
	struct json *runner = json_add_object(arena, json_set_array(arena, record, "runners"));
	const char *device = json_text(run, KEY(device), NULL);
	const char *instance = json_text(run, KEY(instance_type), "");
	json_set_text(arena, runner, "name", instance);
	json_set_text(arena, runner, "type", device ? device : "");
	json_set_text(arena, runner, "gpu_info", device ? device : "");
	json_set_object(arena, runner, "extra_info");
}

static void set_input(struct arena *arena, struct json *inputs, const char *name, const char *value)
{
	struct json *input = json_set_object(arena, inputs, arena_strdup(arena, name));
	json_set_text(arena, input, "dtype", "");
	json_set_text(arena, json_set_object(arena, input, "extra_info"), "value", value);
}

static void set_inputs(struct arena *arena, struct json *record, const struct json *run)
{
	struct json *inputs = json_set_object(arena, record, "inputs");
	const char *all = json_text(run, KEY(params_text), "");
	for (const struct json *one = json_first(run, KEY(params)); one; one = one->next)
		set_input(arena, inputs, json_text(one, KEY(name), ""),
			  json_text(one, KEY(value), ""));
	if (!json_get(run, KEY(params)) && *all)
		set_input(arena, inputs, "params", all);
}

/* A record of the run, or of the comparison; none if the quantity is unknown. */
static void add_record(struct arena *arena, const struct json *run, const char *name,
		       const struct json *quantity, struct strbuf *out)
{
	double value = json_number(quantity, KEY(value), NAN);
	if (isnan(value))
		return;
	struct json *record = json_object(arena);
	struct json *benchmark = json_set_object(arena, record, "benchmark");
	json_set_text(arena, benchmark, "name", "rooflog");
	json_set_text(arena, benchmark, "mode", "");
	json_set_text(arena, benchmark, "dtype", json_text(run, KEY(dtype), "unknown"));
	json_set_object(arena, benchmark, "extra_info");
	struct json *model = json_set_object(arena, record, "model");
	json_set_text(arena, model, "name", json_text(run, KEY(kernel), ""));
	json_set_text(arena, model, "type", json_text(run, KEY(tool), ""));
	json_set_text(arena, model, "backend", json_text(run, KEY(variant), ""));
	struct json *metric = json_set_object(arena, record, "metric");
	json_set_text(arena, metric, "name", name);
	json_add_number(arena, json_set_array(arena, metric, "benchmark_values"), value);
	json_set_text(arena, json_set_object(arena, metric, "extra_info"), "unit",
		      json_text(quantity, KEY(unit), ""));
	set_inputs(arena, record, run);
	set_runner(arena, record, run);
	json_write(out, record, true);
	strbuf_addch(out, '\n');
}

static void add_run(struct arena *arena, const struct json *run, struct strbuf *out)
{
	for (const struct json *one = json_first(run, KEY(metrics)); one; one = one->next)
		if (strcmp(json_text(one, KEY(provenance), ""), "derived") != 0)
			add_record(arena, run, one->name, one, out);
}

void export_hud(struct arena *arena, const struct json *document, const struct export_target *to)
{
	const struct json *runs = json_get(document, KEY(runs));
	bool has_runs = runs && runs->count;
	const struct json *comparisons = json_get(json_get(document, KEY(gate)), KEY(comparisons));
	(void)arena;
	for (struct json_walk walk = json_walk_of(has_runs ? runs : comparisons);
	     json_walk_next(&walk);) {
		struct arena lines = {0};
		if (has_runs)
			add_run(&lines, walk.child, to->out);
		else
			add_record(&lines, walk.child, json_text(walk.child, KEY(metric), ""),
				   json_get(walk.child, KEY(candidate)), to->out);
		arena_free(&lines);
		export_drain(to);
	}
}
