/*
 * What to measure again, one JSON object per line, with the command of the configuration: as a list
 * of words, and as one line that a shell splits into the same words. {{kernel}}, {{params.s}} ...
 * are replaced by values, each within its word. Names come from files of third parties, so they
 * must reach the program as text only.
 */
#include "render/gate/gate.h"

#include "render/document/document.h"
#include "render/markup/markup.h"
#include "render/gate/rerun_words.h"
#include "render/vocabulary/vocabulary.h"

struct rerun_command {
	const struct rerun_words *words;
	const struct run *run;
	const char *commit;
	size_t runs, measurements;
};

static const char param_prefix[] = "params.";

enum { KERNEL, VARIANT, DTYPE, DEVICE, COMMIT, RUNS, MEASUREMENTS, PLACEHOLDERS };
static const char *const placeholders[PLACEHOLDERS] = {"kernel", "variant", "dtype",       "device",
						       "commit", "runs",    "measurements"};

static bool is_param(struct span name)
{
	return span_starts(name, param_prefix) && name.len > sizeof param_prefix - 1;
}

/* PLACEHOLDERS: none of them. */
static size_t placeholder_of(struct span name)
{
	size_t i = 0;
	while (i < PLACEHOLDERS && !span_is(name, placeholders[i]))
		i++;
	return i;
}

static int check_places(const struct rerun_words *words, struct error *err)
{
	for (size_t i = 0; i < words->count; i++)
		for (size_t k = 0; k < words->items[i].count; k++) {
			const struct rerun_part *part = &words->items[i].parts[k];
			if (part->is_place && !is_param(span_of(part->text)) &&
			    placeholder_of(span_of(part->text)) == PLACEHOLDERS)
				return render_gate_rerun_fault(
					"unknown placeholder; available: {{kernel}}, {{variant}}, "
					"{{dtype}}, {{device}}, {{params.NAME}}, {{commit}}, "
					"{{runs}}, {{measurements}}",
					part->text, err);
		}
	return 0;
}

static bool has_commit(const struct rerun_words *words)
{
	for (size_t i = 0; i < words->count; i++)
		for (size_t k = 0; k < words->items[i].count; k++)
			if (words->items[i].parts[k].is_place &&
			    strcmp(words->items[i].parts[k].text, placeholders[COMMIT]) == 0)
				return true;
	return false;
}

/* --- values --- */

static const char *value_of(struct arena *arena, const struct rerun_command *command,
			    struct span name)
{
	const struct run *run = command->run;
	size_t skipped = sizeof param_prefix - 1;
	if (is_param(name))
		return run_param(run, arena_strndup(arena, name.ptr + skipped, name.len - skipped));
	const char *const values[PLACEHOLDERS] = {
		[KERNEL] = run->kernel,
		[VARIANT] = run->variant,
		[DTYPE] = run->dtype,
		[DEVICE] = run->device,
		[COMMIT] = command->commit,
		[RUNS] = arena_printf(arena, "%zu", command->runs),
		[MEASUREMENTS] = arena_printf(arena, "%zu", command->measurements),
	};
	assert(placeholder_of(name) < PLACEHOLDERS);
	return values[placeholder_of(name)];
}

/* Whether a terminal shows the value exactly as the shell reads it. Otherwise a person could not
 * review the command. */
static bool is_readable(const char *value)
{
	struct strbuf shown = {0};
	terminal_text(&shown, span_of(value));
	bool same = strcmp(strbuf_text(&shown), value) == 0;
	strbuf_free(&shown);
	return same;
}

static const char *fault_of(const char *value, const struct rerun_word *word)
{
	if (!value)
		return "is undefined for this series";
	if (!is_readable(value))
		return "has characters in it that do not show, or that pass for others";
	if (word->only_plain && !render_gate_rerun_is_plain(value))
		return "is not a plain name (letters, digits and _ . , : + -), which is all that "
		       "fits "
		       "there: write --option={{...}}, or call a script instead";
	return NULL;
}

/* The text of a word. NULL, and *fault, if the run lacks a value or a value cannot be passed
 * safely. */
static const char *fill_word(struct arena *arena, const struct rerun_command *command,
			     const struct rerun_word *word, const char **fault)
{
	struct strbuf out = {0};
	for (size_t i = 0; i < word->count; i++) {
		const struct rerun_part *part = &word->parts[i];
		const char *value =
			part->is_place ? value_of(arena, command, span_of(part->text)) : part->text;
		const char *problem = part->is_place ? fault_of(value, word) : NULL;
		if (problem) {
			*fault = arena_printf(arena, "{{%s}} %s", part->text, problem);
			strbuf_free(&out);
			return NULL;
		}
		strbuf_addstr(&out, value);
	}
	return strbuf_into(&out, arena);
}

/* Adds the command as a line of a shell and as a list of words. NULL, and *fault, if a word cannot
 * be filled. */
static void add_command(struct arena *arena, const struct rerun_command *command,
			const char *prefix, struct json *out, const char **fault)
{
	size_t count = command->words->count;
	const char **texts = arena_array(arena, count, sizeof *texts);
	struct strbuf line = {0};
	for (size_t i = 0; i < count; i++) {
		texts[i] = fill_word(arena, command, &command->words->items[i], fault);
		if (!texts[i])
			break;
		strbuf_addstr(&line, i ? " " : "");
		strbuf_addquoted(&line, texts[i]);
	}
	json_set_text(arena, out, arena_printf(arena, "%scommand", prefix),
		      *fault ? NULL : strbuf_text(&line));
	strbuf_free(&line);
	if (*fault)
		return;
	struct json *words = json_set_array(arena, out, arena_printf(arena, "%swords", prefix));
	for (size_t i = 0; i < count; i++)
		json_add_text(arena, words, texts[i]);
}

/* --- the list --- */

static void add_commands(struct arena *arena, const struct gate_result *gate,
			 const struct gate_rerun *rerun, const struct rerun_words *words,
			 struct json *out)
{
	const struct revision *baseline = rerun->series->baseline_revision;
	struct rerun_command command = {
		.words = words,
		.run = rerun->because[0]->run,
		.commit = gate->input->candidate.oid,
		.runs = rerun->runs,
		.measurements = rerun->measurements,
	};
	const char *fault = NULL;
	if (!words->count)
		return;
	add_command(arena, &command, "", out, &fault);
	if (fault)
		json_set_text(arena, out, "command_fault", fault);
	command.commit = baseline ? baseline->oid : NULL;
	if (baseline && has_commit(words))
		add_command(arena, &command, "baseline_", out, &fault);
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
		json_set_text(arena, why, KEY(class), gate_class_of(one->judged.verdict));
		json_set_text(arena, why, KEY(reason), vocabulary_say(arena, one->judged.reason));
	}
}

static struct json *line_of(struct arena *arena, const struct gate_result *gate,
			    const struct gate_rerun *rerun, const struct rerun_words *words)
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
	json_set_number(arena, out, KEY(cores), run->cores ? (double)run->cores : NAN);
	json_set_text(arena, out, KEY(tool), run->tool);
	json_set_text(arena, out, KEY(metric), metric_info(rerun->because[0]->metric)->key);
	json_set_text(arena, out, KEY(verdict), verdict_name(rerun->because[0]->judged.verdict));
	json_set_text(arena, out, KEY(class), gate_class_of(rerun->because[0]->judged.verdict));
	json_set_text(arena, out, KEY(candidate_commit), gate->input->candidate.oid);
	json_set_bool(arena, out, KEY(dirty), gate->input->dirty);
	json_set_text(arena, out, "baseline_commit", baseline ? baseline->oid : NULL);
	json_set_number(arena, out, KEY(measurements), (double)rerun->measurements);
	json_set_number(arena, out, KEY(runs), (double)rerun->runs);
	add_commands(arena, gate, rerun, words, out);
	add_because(arena, rerun, out);
	return out;
}

int render_gate_rerun_list(struct arena *arena, const struct gate_result *gate, struct strbuf *out,
			   struct error *err)
{
	const struct gate_reruns *list = &gate->reruns;
	const char *form = gate->input->settings->rerun;
	struct rerun_words words = {0};
	if (form && (render_gate_rerun_split(arena, form, &words, err) < 0 ||
		     check_places(&words, err) < 0))
		return -1;
	for (size_t i = 0; i < list->count; i++) {
		json_write(out, line_of(arena, gate, &list->items[i], &words), true);
		strbuf_addch(out, '\n');
	}
	return 0;
}
