/* What to measure again, one JSON object per line. rerun_command.c makes the commands. */
#include "render/document/key.h"
#include "render/gate/gate.h"

#include "base/json/json.h"
#include "render/gate/rerun_command.h"
#include "render/vocabulary/vocabulary.h"

static void add_commands(struct arena *arena, const struct gate_result *gate,
			 const struct gate_rerun *rerun, struct json *out)
{
	const struct revision *baseline = rerun->series->baseline_revision;
	struct rerun_command command = {
		.form = gate->input->settings->rerun,
		.run = rerun->because[0]->run,
		.commit = gate->input->candidate.oid,
		.runs = rerun->runs,
		.measurements = rerun->measurements,
	};
	const char *fault = NULL;
	if (!command.form)
		return;
	json_set_text(arena, out, "command", render_gate_rerun_text(arena, &command, &fault));
	if (fault)
		json_set_text(arena, out, "command_fault", fault);
	command.commit = baseline ? baseline->oid : NULL;
	if (baseline && strstr(command.form, "{{commit}}"))
		json_set_text(arena, out, "baseline_command",
			      render_gate_rerun_text(arena, &command, &fault));
}

static void add_because(struct arena *arena, const struct gate_rerun *rerun, struct json *out)
{
	struct json *because = json_set_array(arena, out, KEY(because));
	for (size_t i = 0; i < rerun->because_count; i++) {
		const struct comparison *one = rerun->because[i];
		struct json *why = json_add_object(arena, because);
		json_set_text(arena, why, KEY(row), one->policy->name);
		json_set_text(arena, why, KEY(metric), metric_info(one->metric)->key);
		json_set_text(arena, why, KEY(verdict), verdict_name(one->judged.verdict));
		json_set_text(arena, why, KEY(reason),
			      vocabulary_english(arena, one->judged.reason));
	}
}

static struct json *line_of(struct arena *arena, const struct gate_result *gate,
			    const struct gate_rerun *rerun)
{
	const struct run *run = rerun->because[0]->run;
	const struct revision *baseline = rerun->series->baseline_revision;
	struct json *out = json_object(arena);
	json_set_text(arena, out, KEY(series), rerun->series->key);
	json_set_text(arena, out, KEY(kernel), run->kernel);
	json_set_text(arena, out, KEY(variant), run->variant);
	struct json *params = json_set_object(arena, out, KEY(params));
	for (size_t i = 0; i < run->param_count; i++)
		json_set_text(arena, params, run->params[i].name, run->params[i].value);
	json_set_text(arena, out, KEY(dtype), run->dtype);
	json_set_text(arena, out, KEY(device), run->device);
	json_set_text(arena, out, KEY(instance_type), run->instance_type);
	json_set_number(arena, out, KEY(cores), run->cores ? run->cores : NAN);
	json_set_text(arena, out, KEY(tool), run->tool);
	json_set_text(arena, out, KEY(metric), metric_info(rerun->because[0]->metric)->key);
	json_set_text(arena, out, KEY(verdict), verdict_name(rerun->because[0]->judged.verdict));
	json_set_text(arena, out, KEY(candidate_commit), gate->input->candidate.oid);
	json_set_bool(arena, out, KEY(dirty), gate->input->dirty);
	json_set_text(arena, out, "baseline_commit", baseline ? baseline->oid : NULL);
	json_set_number(arena, out, KEY(measurements), (double)rerun->measurements);
	json_set_number(arena, out, KEY(runs), (double)rerun->runs);
	add_commands(arena, gate, rerun, out);
	add_because(arena, rerun, out);
	return out;
}

int render_gate_rerun_list(struct arena *arena, const struct gate_result *gate, struct strbuf *out,
			   struct error *err)
{
	const struct gate_reruns *list = &gate->reruns;
	if (gate->input->settings->rerun &&
	    render_gate_rerun_check(gate->input->settings->rerun, err) < 0)
		return -1;
	for (size_t i = 0; i < list->count; i++) {
		json_write(out, line_of(arena, gate, &list->items[i]), true);
		strbuf_addch(out, '\n');
	}
	return 0;
}
