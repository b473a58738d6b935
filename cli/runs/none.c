/* Says which filter no run matches, and what it would match. */
#include "cli/runs/runs.h"

enum { SHOWN = 8 };

/* What there is: distinct texts, and the one that is most like what was typed. */
struct there {
	const char **items;
	size_t count, capacity;
	struct similar similar;
};

static void offer(struct arena *arena, struct there *there, const char *text)
{
	if (!text || !text[0])
		return;
	for (size_t i = 0; i < there->count; i++)
		if (strcmp(there->items[i], text) == 0)
			return;
	similar_offer(&there->similar, text);
	*arena_next(arena, there->items, there->count, there->capacity) = text;
}

static void offer_params(struct arena *arena, struct there *there, const struct run *run)
{
	for (size_t i = 0; i < run->param_count; i++)
		offer(arena, there,
		      arena_printf(arena, "%s=%s", run->params[i].name, run->params[i].value));
}

static void offer_series(struct arena *arena, struct there *there, const struct run *run)
{
	struct short_names naming = short_names_of(arena, &run, 1);
	offer(arena, there, short_names_name(arena, &naming, run));
}

/* A filter alone, so that it can be asked whether any run matches. */
static const struct dimension {
	const char *has, *many; /* "has kernel", "kernels" */
	size_t list, text; /* offsets into struct run_filter and, without offer(), struct run */
	void (*offer)(struct arena *arena, struct there *there, const struct run *run);
} dimensions[] = {
#define TEXT(member) offsetof(struct run_filter, member), offsetof(struct run, member), NULL
	{"has kernel", "kernels", TEXT(kernel)},
	{"has variant", "variants", TEXT(variant)},
	{"has dtype", "dtypes", TEXT(dtype)},
	{"has device", "devices", TEXT(device)},
	{"has tool", "tools", TEXT(tool)},
	{"has parameters", "parameters", offsetof(struct run_filter, params), 0, offer_params},
	{"is of series", "series", offsetof(struct run_filter, series), 0, offer_series},
#undef TEXT
};
enum { DIMENSIONS = sizeof dimensions / sizeof *dimensions };

static struct text_list *list_of(const struct run_filter *filter, size_t index)
{
	return (struct text_list *)((char *)filter + dimensions[index].list);
}

static bool any_fits(const struct run_filter *filter, const struct run *const *runs, size_t count)
{
	bool any = false;
	for (size_t i = 0; i < count && !any; i++)
		any = runs_filter_wants(filter, runs[i]);
	return any;
}

/* "'attention' or 'mlp'" */
static const char *quoted(struct arena *arena, const struct text_list *list)
{
	struct strbuf sb = {0};
	for (size_t i = 0; i < list->count; i++)
		strbuf_addf(&sb, "%s'%.200s'", i ? " or " : "", list->items[i]);
	return strbuf_into(&sb, arena);
}

static int by_text(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* "attention, mlp ..."; of many, the most similar one comes first. */
static const char *listed(struct arena *arena, struct there *there)
{
	struct strbuf sb = {0};
	const char *first = there->count > SHOWN ? there->similar.word : NULL;
	array_sort(there->items, there->count, sizeof *there->items, by_text);
	if (first)
		strbuf_addf(&sb, "%.200s", first);
	for (size_t i = 0, shown = first != NULL; i < there->count && shown < SHOWN; i++)
		if (!first || strcmp(there->items[i], first) != 0)
			strbuf_addf(&sb, "%s%.200s", shown++ ? ", " : "", there->items[i]);
	if (there->count > SHOWN)
		strbuf_addstr(&sb, " ...");
	return strbuf_into(&sb, arena);
}

/* " at d89c676580", " in profile.json" or "": all runs. */
static const char *place_of(struct cli *cli, const char *oid)
{
	if (cli->files.count > 1)
		return " in these files";
	if (cli->files.count)
		return arena_printf(&cli->arena, " in %.200s", cli->files.items[0].file);
	return oid[0] ? arena_printf(&cli->arena, " at %.10s", oid) : "";
}

/* "s=512": what --params takes. */
static bool begins_with_parameter(const struct text_list *typed)
{
	const char *text = typed->items[0];
	return text[strcspn(text, "= ")] == '=';
}

static int refuse(struct cli *cli, const struct dimension *dimension, const struct text_list *typed,
		  const struct run *const *runs, size_t count, const char *oid, struct error *err)
{
	struct there there = {.similar = similar_to(span_of(typed->items[0]))};
	for (size_t i = 0; i < count; i++)
		if (dimension->offer)
			dimension->offer(&cli->arena, &there, runs[i]);
		else
			offer(&cli->arena, &there,
			      *(const char *const *)((const char *)runs[i] + dimension->text));
	const char *place = place_of(cli, oid);
	const char *hint = dimension->offer == offer_series && begins_with_parameter(typed)
				   ? "\nhint: a series begins with its kernel; --params selects by "
				     "parameters alone"
				   : "";
	return error_set(err, ERR_STORE, "no run%s %s %s; %s%s: %s%s", place, dimension->has,
			 quoted(&cli->arena, typed), dimension->many, place[0] ? " there" : "",
			 there.count ? listed(&cli->arena, &there) : "none", hint);
}

/* What identifies the runs at a commit, of all files that were read, or of all series. */
static int read_identities(struct cli *cli, const char *oid, const struct run ***runs,
			   size_t *count, struct error *err)
{
	struct loaded_list list = {0};
	struct store_series_list all = {0};
	const struct run_query query = {.commit = oid};
	if (oid[0] ? runs_read(cli, &query, &list, err) < 0
		   : store_series_all(cli->store, &cli->arena, &all, err) < 0)
		return -1;
	*runs = arena_array(&cli->arena, list.count + all.count, sizeof **runs);
	*count = 0;
	for (size_t i = 0; i < list.count; i++)
		(*runs)[(*count)++] = list.items[i].stored.run;
	for (size_t i = 0; i < all.count; i++)
		if (all.items[i].used)
			(*runs)[(*count)++] = all.items[i].identity;
	return 0;
}

int runs_none(struct cli *cli, const struct run_filter *filter, const char *oid, struct error *err)
{
	const struct run **runs;
	size_t count;
	if (read_identities(cli, oid, &runs, &count, err) < 0)
		return -1;
	if (!count)
		return error_set(err, ERR_STORE,
				 oid[0] ? "commit %.10s has no stored runs"
					: "the store has no runs%.0s",
				 oid);
	for (size_t i = 0; i < DIMENSIONS; i++) {
		struct run_filter alone = {.patterns = NULL};
		*list_of(&alone, i) = *list_of(filter, i);
		if (list_of(filter, i) == &filter->series)
			alone.patterns = filter->patterns;
		if (!any_fits(&alone, runs, count))
			return refuse(cli, &dimensions[i], list_of(filter, i), runs, count, oid,
				      err);
	}
	const struct text_list words = {{filter->words}, filter->words != NULL};
	const struct run_filter alone = {
		.words = filter->words,
		.patterns = filter->patterns ? filter->patterns + filter->series.count : NULL};
	if (filter->words && !any_fits(&alone, runs, count))
		return refuse(cli, &dimensions[DIMENSIONS - 1], &words, runs, count, oid, err);
	return error_set(err, ERR_STORE, "no run%s matches all of the filters%s",
			 place_of(cli, oid), filter->words ? " and the series" : "");
}

int runs_require(struct cli *cli, const struct run_filter *filter, struct error *err)
{
	struct store_run_list found = {0};
	struct run_query query = runs_query(filter, NULL);
	query.limit = 1;
	if (!runs_filter_narrows(filter))
		return 0;
	if (store_runs(cli->store, &cli->arena, &query, &found, err) < 0)
		return -1;
	return found.count ? 0 : runs_none(cli, filter, "", err);
}
