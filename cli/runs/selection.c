/* Selects the runs of a command, by options or by an argument. */
#include "cli/runs/runs.h"

enum { PARAMS_LIMIT = 4096 }; /* bytes of a value of --params */

#define FIELD(member) OPTION_FIELD(struct run_filter, member)
const struct option run_filter_options[] = {
	{.kind = OPTION_SET, .help = "filters ('rooflog help filters')"},
	{FIELD(kernel), "kernel", "GLOB", "kernel name", .letter = 'k'},
	{FIELD(variant), "variant", "GLOB", "variant: fused"},
	{FIELD(dtype), "dtype", "GLOB", "data type: bf16"},
	{FIELD(device), "device", "GLOB", "device: 'h100*'"},
	{FIELD(tool), "tool", "GLOB", "tool class: neuron-profile"},
	{FIELD(params), "params", "NAME=GLOB,...",
	 "parameters: s=512,b=1; s=* is any run with an s"},
	{FIELD(series), "series", "SERIES", "the series as tables print it: 'attention s=512'"},
	{.kind = OPTION_END},
};

/* The filters that compare one text of a run. */
static const struct {
	size_t list, text; /* offsets into struct run_filter and struct run */
} texts[] = {
	{offsetof(struct run_filter, kernel), offsetof(struct run, kernel)},
	{offsetof(struct run_filter, variant), offsetof(struct run, variant)},
	{offsetof(struct run_filter, dtype), offsetof(struct run, dtype)},
	{offsetof(struct run_filter, device), offsetof(struct run, device)},
	{offsetof(struct run_filter, tool), offsetof(struct run, tool)},
};
enum { TEXT_FILTERS = sizeof texts / sizeof *texts };

static const struct text_list *list_of(const struct run_filter *filter, size_t index)
{
	return (const struct text_list *)((const char *)filter + texts[index].list);
}

static bool text_fits(const struct run_filter *filter, size_t index, const struct run *run)
{
	const struct text_list *list = list_of(filter, index);
	const char *text = *(const char *const *)((const char *)run + texts[index].text);
	bool fits = list->count == 0;
	for (size_t i = 0; i < list->count && !fits; i++)
		fits = span_glob(list->items[i], text);
	return fits;
}

/* "a=1,b=*": the run has all of them. */
static bool has_params(const char *wanted, const struct run *run)
{
	char glob[PARAMS_LIMIT + 1];
	struct span rest = span_of(wanted), name, value;
	struct error ignored;
	bool all = true;
	while (all && option_pair("params", &rest, &name, &value, &ignored) > 0) {
		assert(value.len <= PARAMS_LIMIT);
		memcpy(glob, value.ptr, value.len);
		glob[value.len] = '\0';
		all = false;
		for (size_t i = 0; i < run->param_count && !all; i++)
			all = span_is(name, run->params[i].name) &&
			      span_glob(glob, run->params[i].value);
	}
	return all;
}

static bool params_fit(const struct run_filter *filter, const struct run *run)
{
	bool fits = filter->params.count == 0;
	for (size_t i = 0; i < filter->params.count && !fits; i++)
		fits = has_params(filter->params.items[i], run);
	return fits;
}

static bool pattern_fits(const struct run_filter *filter, size_t index, const struct run *run)
{
	struct series_pattern plain = {
		.text = index < filter->series.count ? filter->series.items[index] : filter->words};
	return series_pattern_fits(filter->patterns ? &filter->patterns[index] : &plain, run);
}

static bool series_fits(const struct run_filter *filter, const struct run *run)
{
	bool fits = filter->series.count == 0;
	for (size_t i = 0; i < filter->series.count && !fits; i++)
		fits = pattern_fits(filter, i, run);
	return fits && (!filter->words || pattern_fits(filter, filter->series.count, run));
}

bool runs_filter_wants(const struct run_filter *filter, const struct run *run)
{
	bool wants = true;
	for (size_t i = 0; filter && i < TEXT_FILTERS && wants; i++)
		wants = text_fits(filter, i, run);
	return !filter || (wants && params_fit(filter, run) && series_fits(filter, run));
}

bool runs_filter_narrows(const struct run_filter *filter)
{
	bool narrows = filter && (filter->params.count || filter->series.count || filter->words);
	for (size_t i = 0; filter && i < TEXT_FILTERS; i++)
		narrows = narrows || list_of(filter, i)->count;
	return narrows;
}

static bool wants(const void *filter, const struct run *identity)
{
	return runs_filter_wants(filter, identity);
}

static const char *only(const struct text_list *list)
{
	return list->count == 1 ? list->items[0] : NULL;
}

/* A store with an index finds what single globs select; all else is asked series by series. */
struct run_query runs_query(const struct run_filter *filter, const char *commit)
{
	if (!runs_filter_narrows(filter))
		return (struct run_query){.commit = commit};
	return (struct run_query){.kernel = only(&filter->kernel),
				  .variant = only(&filter->variant),
				  .dtype = only(&filter->dtype),
				  .device = only(&filter->device),
				  .wants = wants,
				  .context = filter,
				  .commit = commit};
}

/* --- what patterns name --- */

/* What the alias calls the series: "attention", or its kernel and the parts that change. */
static const char *name_of_alias(struct arena *arena, const struct renaming *alias)
{
	struct span rest = span_of(alias->to), old = span_of(alias->from);
	struct strbuf words = {0};
	struct span kernel = span_cut(&old, ' ');
	if (!strchr(alias->to, '='))
		return alias->to;
	while (rest.ptr && rest.len) {
		struct span value = span_cut(&rest, ','), name = span_trim(span_cut(&value, '='));
		if (span_is(name, "kernel"))
			kernel = value;
		else if (span_is(name, "variant"))
			strbuf_addf(&words, " %.*s", (int)value.len, value.ptr);
		else
			strbuf_addf(&words, " %.*s=%.*s", (int)name.len, name.ptr, (int)value.len,
				    value.ptr);
	}
	const char *text =
		arena_printf(arena, "%.*s%s", (int)kernel.len, kernel.ptr, strbuf_text(&words));
	strbuf_free(&words);
	return text;
}

/* The pattern by the names of today, if it begins with an old one. */
static const char *renamed(struct cli *cli, const char *text)
{
	const struct renaming_list *aliases = &cli->settings.aliases;
	for (size_t i = 0; i < aliases->count; i++) {
		size_t len = strlen(aliases->items[i].from);
		if (strncmp(text, aliases->items[i].from, len) == 0 &&
		    (!text[len] || text[len] == ' '))
			return arena_printf(&cli->arena, "%s%s",
					    name_of_alias(&cli->arena, &aliases->items[i]),
					    text + len);
	}
	return text;
}

static int check_params(const struct text_list *list, struct error *err)
{
	struct span name, value;
	for (size_t i = 0; i < list->count; i++) {
		struct span rest = span_of(list->items[i]);
		int more = rest.len > PARAMS_LIMIT ? -1 : 1;
		if (more < 0)
			return error_set(err, ERR_USAGE, "--params is longer than %d bytes",
					 PARAMS_LIMIT);
		while (more > 0)
			more = option_pair("params", &rest, &name, &value, err);
		if (more < 0)
			return -1;
	}
	return 0;
}

int runs_prepare_filter(struct cli *cli, struct run_filter *filter, struct error *err)
{
	struct store_series_list all = {0};
	size_t count = filter->series.count + (filter->words != NULL);
	if (check_params(&filter->params, err) < 0 ||
	    (count && (cli_load_config(cli, err) < 0 ||
		       store_series_all(cli->store, &cli->arena, &all, err) < 0)))
		return -1;
	const char **kernels = arena_array(&cli->arena, all.count, sizeof *kernels);
	struct series_pattern *patterns = arena_array(&cli->arena, count, sizeof *patterns);
	for (size_t i = 0; i < all.count; i++)
		kernels[i] = all.items[i].used ? all.items[i].identity->kernel : NULL;
	for (size_t i = 0; i < count; i++) {
		const char *text =
			i < filter->series.count ? filter->series.items[i] : filter->words;
		patterns[i] = series_pattern_of(renamed(cli, text), kernels, all.count);
	}
	filter->patterns = patterns;
	return 0;
}
