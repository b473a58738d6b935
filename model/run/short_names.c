/* Names runs by their differences. */
#include "model/run/short_names.h"

#include "base/base.h"

/* Adds the parameters of `a` that `b` lacks, or that differ in `b`. */
static void add_differing(struct arena *arena, const char ***names, size_t *count, size_t *capacity,
			  const struct run *a, const struct run *b)
{
	for (size_t i = 0; i < a->param_count; i++) {
		const char *name = a->params[i].name;
		if (span_text_eq(run_param(b, name), a->params[i].value) ||
		    span_among(span_of(name), *names, *count))
			continue;
		*arena_next(arena, *names, *count, *capacity) = name;
	}
}

/* Decides what a name must state in addition to the device: instance type, number of cores and
 * tool, if runs on the same device differ in them. */
static void tell_machines_apart(struct arena *arena, struct short_names *naming,
				const struct run *const *runs, size_t count)
{
	const struct run **machines = NULL;
	size_t machine_count = 0, capacity = 0;
	for (size_t i = 0; i < count; i++) {
		bool known = false;
		for (size_t k = 0; k < machine_count && !known; k++) {
			const struct run *one = machines[k];
			if (!span_text_eq(one->device, runs[i]->device))
				continue;
			bool instance = span_text_eq(one->instance_type, runs[i]->instance_type);
			bool cores = instance && one->cores == runs[i]->cores;
			known = cores && span_text_eq(one->tool, runs[i]->tool);
			naming->instance = naming->instance || !instance;
			naming->cores = naming->cores || (instance && !cores);
			naming->tool = naming->tool || (cores && !known);
		}
		if (known)
			continue;
		*arena_next(arena, machines, machine_count, capacity) = runs[i];
	}
}

struct short_names short_names_of(struct arena *arena, const struct run *const *runs, size_t count)
{
	struct short_names naming = {.first = count ? runs[0] : NULL};
	const char **names = NULL;
	size_t capacity = 0;
	for (size_t i = 1; i < count; i++) {
		naming.variant =
			naming.variant || !span_text_eq(runs[i]->variant, runs[0]->variant);
		naming.dtype = naming.dtype || !span_text_eq(runs[i]->dtype, runs[0]->dtype);
		naming.device = naming.device || !span_text_eq(runs[i]->device, runs[0]->device);
		naming.dirty = naming.dirty || runs[i]->dirty != runs[0]->dirty;
		add_differing(arena, &names, &naming.param_count, &capacity, runs[i], runs[0]);
		add_differing(arena, &names, &naming.param_count, &capacity, runs[0], runs[i]);
	}
	tell_machines_apart(arena, &naming, runs, count);
	if (count == 1) {
		naming.variant = naming.dtype = true;
		for (size_t i = 0; i < runs[0]->param_count; i++)
			*arena_next(arena, names, naming.param_count, capacity) =
				runs[0]->params[i].name;
	}
	for (size_t i = 0; i < count; i++) {
		bool timed = run_time_metric(runs[i]) != METRIC_COUNT;
		naming.times = naming.times || timed;
		naming.rates = naming.rates || (!timed && run_headline(runs[i]) != METRIC_COUNT);
	}
	naming.params = names;
	return naming;
}

static void add_word(struct strbuf *sb, const char *separator, const char *word)
{
	if (word && word[0])
		strbuf_addf(sb, "%s%s", sb->len ? separator : "", word);
}

static void add_params(struct strbuf *sb, const struct short_names *naming, const struct run *run,
		       bool differing, const char *separator)
{
	for (size_t i = 0; i < run->param_count; i++) {
		const struct run_param *param = &run->params[i];
		if (span_among(span_of(param->name), naming->params, naming->param_count) !=
		    differing)
			continue;
		add_word(sb, separator, param->name);
		strbuf_addf(sb, "=%s", param->value);
	}
}

const char *short_names_name(struct arena *arena, const struct short_names *naming,
			     const struct run *run)
{
	struct strbuf sb = {0};
	add_word(&sb, " ", run->kernel ? run->kernel : "?");
	if (naming->variant)
		add_word(&sb, " ", run->variant);
	if (naming->dtype)
		add_word(&sb, " ", run->dtype);
	if (naming->device)
		add_word(&sb, " ", run->device);
	if (naming->instance)
		add_word(&sb, " ", run->instance_type ? run->instance_type : "unknown-instance");
	if (naming->cores)
		add_word(&sb, " ", arena_printf(arena, "%d-core", run->cores));
	if (naming->tool)
		add_word(&sb, " ", run->tool);
	add_params(&sb, naming, run, true, " ");
	if (naming->dirty && run->dirty)
		add_word(&sb, " ", "(uncommitted)");
	return strbuf_into(&sb, arena);
}

const char *short_names_common(struct arena *arena, const struct short_names *naming)
{
	struct strbuf sb = {0};
	const struct run *run = naming->first;
	if (!run)
		return "";
	if (!naming->variant)
		add_word(&sb, ", ", run->variant);
	if (!naming->dtype)
		add_word(&sb, ", ", run->dtype);
	if (!naming->device)
		add_word(&sb, ", ", run->device);
	add_params(&sb, naming, run, false, ", ");
	return strbuf_into(&sb, arena);
}

enum message_code short_names_headline(const struct short_names *naming)
{
	return !naming->rates  ? MESSAGE_HEADLINES_TIME
	       : naming->times ? MESSAGE_HEADLINES_TIME_OR_RATE
			       : MESSAGE_HEADLINES_RATE;
}
