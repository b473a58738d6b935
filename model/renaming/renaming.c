/* New names for series. */
#include "model/renaming/renaming.h"

#include "base/text/text.h"

enum { NAME_LIMIT = 4096 };

static bool is_separator(char c)
{
	return c == ' ' || c == ',' || c == '(' || c == ')';
}

static bool is(struct span word, const char *text)
{
	return text && word.len == strlen(text) && memcmp(word.ptr, text, word.len) == 0;
}

/* --- which series --- */

static bool is_param(struct span word, const struct run *run)
{
	for (size_t i = 0; i < run->param_count; i++) {
		const struct run_param *param = &run->params[i];
		size_t len = strlen(param->name);
		const struct span value = {word.ptr + len + 1, word.len - len - 1};
		if (word.len > len && word.ptr[len] == '=' &&
		    memcmp(word.ptr, param->name, len) == 0 && is(value, param->value))
			return true;
	}
	return false;
}

/* Whether a word after the kernel is a part of the series' name. */
static bool is_part(struct span word, const struct run *run)
{
	char cores[32];
	snprintf(cores, sizeof cores, "%d-core", run->cores);
	return is(word, run->variant) || is(word, run->dtype) || is(word, run->device) ||
	       is(word, run->instance_type) || is(word, run->tool) ||
	       (run->cores && is(word, cores)) || is_param(word, run);
}

static bool are_parts(struct span rest, const struct run *run)
{
	while (rest.len) {
		size_t len = 0;
		while (len < rest.len && !is_separator(rest.ptr[len]))
			len++;
		const struct span word = {rest.ptr, len};
		if (len && !is_part(word, run))
			return false;
		len += len < rest.len;
		rest = span_from(rest, len);
	}
	return true;
}

bool renaming_fits(const char *name, const struct run *run)
{
	struct span text = span_of(name);
	if (!run->kernel || !run->kernel[0])
		return false;
	size_t len = strlen(run->kernel);
	if (text.len >= len && memcmp(text.ptr, run->kernel, len) == 0) {
		if (text.len == len)
			return true;
		const struct span rest = span_from(text, len);
		if (is_separator(rest.ptr[0]) && are_parts(rest, run))
			return true;
	}
	struct arena scratch = {0};
	bool same = strcmp(run_series_key(&scratch, run), name) == 0;
	arena_free(&scratch);
	return same;
}

/* --- new names --- */

static struct span next_part(struct span *rest, struct span *value)
{
	*value = span_cut(rest, ',');
	return span_trim(span_cut(value, '='));
}

static int check_part(struct span name, struct span value, struct error *err)
{
	static const char *const measured[] = {"dtype", "device", "instance_type", "cores", "tool"};
	if (!name.len || !value.ptr || !span_trim(value).len)
		return error_set(err, ERR_USAGE,
				 "expected a kernel, or the parts that change: variant=v2,s=512");
	for (size_t i = 0; i < sizeof measured / sizeof *measured; i++)
		if (is(name, measured[i]))
			return error_set(err, ERR_USAGE,
					 "the %s was measured: only kernel, variant and parameters "
					 "can be named otherwise",
					 measured[i]);
	return 0;
}

int renaming_check(const char *to, struct error *err)
{
	struct span rest = span_of(to), value;
	if (!span_trim(rest).len || rest.len > NAME_LIMIT || !utf8_is_line(rest))
		return error_set(err, ERR_USAGE, "a name is one line of text, of at most %d bytes",
				 NAME_LIMIT);
	while (strchr(to, '=') && rest.ptr && rest.len) {
		struct span name = next_part(&rest, &value);
		if (check_part(name, value, err) < 0)
			return -1;
	}
	return 0;
}

static const char *text_of(struct arena *arena, struct span span)
{
	struct span trimmed = span_trim(span);
	return arena_strndup(arena, trimmed.ptr, trimmed.len);
}

struct run *renaming_apply(struct arena *arena, const char *to, const struct run *run)
{
	struct run *renamed = run_new(arena);
	struct span rest = span_of(to), value;
	renamed->kernel = run->kernel;
	renamed->variant = run->variant;
	renamed->dtype = run->dtype;
	renamed->device = run->device;
	renamed->instance_type = run->instance_type;
	renamed->cores = run->cores;
	renamed->tool = run->tool;
	for (size_t i = 0; i < run->param_count; i++)
		run_set_param(arena, renamed, run->params[i].name, run->params[i].value);
	if (!strchr(to, '=')) {
		renamed->kernel = text_of(arena, rest);
		return renamed;
	}
	while (rest.ptr && rest.len) {
		const char *name = text_of(arena, next_part(&rest, &value));
		const char *text = text_of(arena, value);
		if (strcmp(name, "kernel") == 0)
			renamed->kernel = text;
		else if (strcmp(name, "variant") == 0)
			renamed->variant = text;
		else
			run_set_param(arena, renamed, name, text);
	}
	return renamed;
}

const struct run *renaming_of(struct arena *arena, const struct renaming_list *list,
			      const struct run *run)
{
	const struct run *renamed = NULL;
	bool *used = list->count ? arena_array(arena, list->count, sizeof *used) : NULL;
	for (size_t i = 0; i < list->count;) {
		const struct run *now = renamed ? renamed : run;
		if (used[i] || !renaming_fits(list->items[i].from, now)) {
			i++;
			continue;
		}
		used[i] = true;
		renamed = renaming_apply(arena, list->items[i].to, now);
		i = 0; /* the new name may be an old one of another renaming */
	}
	return renamed;
}
