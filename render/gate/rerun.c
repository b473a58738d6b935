/*
 * What to measure again, one JSON object per line, with a shell command from the template of the
 * configuration: {{kernel}}, {{params.s}} ... are replaced by values, each quoted as one word.
 * Names come from files of third parties, so they must reach the shell as text only.
 */
#include "render/gate/gate.h"

#include "render/document/document.h"
#include "render/markup/markup.h"
#include "render/vocabulary/vocabulary.h"

struct rerun_command {
	const char *form; /* the template */
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

/* --- where values can be inserted safely --- */

static int unsafe(const char *what, const char *at, struct error *err)
{
	return error_set(err, ERR_USAGE, "[gate] rerun: %s, at \"%.40s\"", what, at);
}

/* The name of a placeholder whose text begins at `at`; empty if it is not closed. */
static struct span placeholder_name(const char *at)
{
	const char *end = strstr(at, "}}");
	return end ? span_trim((struct span){at + 2, (size_t)(end - at - 2)}) : (struct span){0};
}

static int check_placeholder(const char *at, char quote, char before, struct error *err)
{
	struct span name = placeholder_name(at);
	if (!is_param(name) && placeholder_of(name) == PLACEHOLDERS)
		return unsafe("there are {{kernel}}, {{variant}}, {{dtype}}, {{device}}, "
			      "{{params.NAME}}, {{commit}}, {{runs}} and {{measurements}}",
			      at, err);
	if (quote)
		return unsafe("a place within quotes; it is quoted by itself", at, err);
	if (before == '$' || before == '\\')
		return unsafe("a place after $ or \\, where quotes mean something else", at, err);
	return 0;
}

/* Rejects constructs in which the shell interprets quoted text. */
static int check_constructs(const char *form, struct error *err)
{
	static const char *const constructs[] = {"`", "$'", "<<", "(("};
	for (size_t i = 0; i < sizeof constructs / sizeof *constructs; i++) {
		const char *at = strstr(form, constructs[i]);
		if (at)
			return unsafe("backquotes, $', << and (( cannot be used; put them into a "
				      "script",
				      at, err);
	}
	return 0;
}

/* Rejects an unknown placeholder, and one in a position where quoting does not protect: within
 * quotes, after $ or \, in backquotes, here-documents and arithmetic. */
static int check(const char *form, struct error *err)
{
	/* The quote that is open at `at`, and the character before `at`; 0: none. A backslash
	 * hides the character after it, except within single quotes; before a placeholder it is
	 * left to check_placeholder(), which refuses it. */
	char quote = 0, before = 0;
	if (check_constructs(form, err) < 0)
		return -1;
	for (const char *at = form; *at; before = *at++) {
		if (at[0] == '{' && at[1] == '{') {
			if (check_placeholder(at, quote, before, err) < 0)
				return -1;
			at = strstr(at, "}}") + 1;
			continue;
		}
		if (*at == '\\' && quote != '\'' && at[1] && at[1] != '{')
			at++;
		else if (quote ? *at == quote : *at == '\'' || *at == '"')
			quote = quote ? 0 : *at;
	}
	return quote ? unsafe("a quote that does not end", form, err) : 0;
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

static const char *fault_of(const char *value, bool begins_word)
{
	if (!value)
		return "is not known of this series";
	if (!is_readable(value))
		return "has characters in it that do not show, or that pass for others";
	return begins_word && value[0] == '-'
		       ? "begins with -, which would be read as an option: write --option={{...}}"
		       : NULL;
}

static void add_quoted(struct strbuf *out, const char *value)
{
	strbuf_addch(out, '\'');
	for (; *value; value++)
		if (*value == '\'')
			strbuf_addstr(out, "'\\''");
		else
			strbuf_addch(out, *value);
	strbuf_addch(out, '\'');
}

static bool is_plain(const char *value)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
				    "_-./";
	return value[0] && value[strspn(value, plain)] == 0;
}

/* Fills in a form that check() accepted. NULL, and *fault, if the run lacks a value or a value
 * cannot be passed safely. */
static const char *fill_in(struct arena *arena, const struct rerun_command *command,
			   const char **fault)
{
	struct strbuf out = {0};
	const char *at = command->form, *open;
	while ((open = strstr(at, "{{"))) {
		struct span name = placeholder_name(open);
		const char *value = value_of(arena, command, name);
		bool begins = open == command->form || strchr(" \t\n;|&(}'\"", open[-1]);
		const char *problem = fault_of(value, begins);
		if (problem) {
			*fault = arena_printf(arena, "{{%.*s}} %s", (int)name.len, name.ptr,
					      problem);
			strbuf_free(&out);
			return NULL;
		}
		strbuf_add(&out, at, (size_t)(open - at));
		if (is_plain(value))
			strbuf_addstr(&out, value);
		else
			add_quoted(&out, value);
		at = strstr(open, "}}") + 2;
	}
	strbuf_addstr(&out, at);
	return strbuf_into(&out, arena);
}

/* --- the list --- */

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
	json_set_text(arena, out, "command", fill_in(arena, &command, &fault));
	if (fault)
		json_set_text(arena, out, "command_fault", fault);
	command.commit = baseline ? baseline->oid : NULL;
	if (baseline && strstr(command.form, "{{commit}}"))
		json_set_text(arena, out, "baseline_command", fill_in(arena, &command, &fault));
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
	json_set_number(arena, out, KEY(cores), run->cores ? (double)run->cores : NAN);
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
	if (gate->input->settings->rerun && check(gate->input->settings->rerun, err) < 0)
		return -1;
	for (size_t i = 0; i < list->count; i++) {
		json_write(out, line_of(arena, gate, &list->items[i]), true);
		strbuf_addch(out, '\n');
	}
	return 0;
}
