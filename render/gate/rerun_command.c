/* Commands for the shell from a template, safe against hostile names. */
#include "render/gate/rerun_command.h"

#include "base/base.h"
#include "render/markup/markup.h"

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
static int check_words(const char *form, struct error *err)
{
	static const char *const words[] = {"`", "$'", "<<", "(("};
	for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
		const char *at = strstr(form, words[i]);
		if (at)
			return unsafe("backquotes, $', << and (( cannot be used; put them into a "
				      "script",
				      at, err);
	}
	return 0;
}

int render_gate_rerun_check(const char *form, struct error *err)
{
	char quote = 0, before = 0;
	if (check_words(form, err) < 0)
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
		return "has characters in it that do not show, or that turn what stands around "
		       "them";
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

const char *render_gate_rerun_text(struct arena *arena, const struct rerun_command *command,
				   const char **fault)
{
	struct strbuf out = {0};
	const char *at = command->form, *open;
	while ((open = strstr(at, "{{"))) {
		struct span name = placeholder_name(open);
		const char *value = value_of(arena, command, name);
		bool begins = open == command->form || strchr(" \t\n;|&(}'\"", open[-1]);
		const char *wrong = fault_of(value, begins);
		if (wrong) {
			*fault = arena_printf(arena, "{{%.*s}} %s", (int)name.len, name.ptr, wrong);
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
