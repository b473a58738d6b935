/*
 * Joins both sides of the gate. A series is identified by its key. The candidate's series come
 * from the commit, the others from the histories:
 *
 *   missing: the reference commit has the series, the candidate does not
 *   stale:   the series stopped before the reference commit; for a change that is not merged it is
 *            missing, or a night that was cut short would open the gate for what it lacks
 *   away:    the series is often absent for as long as now; counted only
 *   epoch:   the series goes on in another epoch (epochs.c)
 *   incomparable: the same work was measured under other conditions
 *
 * Invariants: the histories are sorted by key; so are the first `known` series of the list, which
 * are the candidate's. A history that has no run in the baseline history counts as none: its series
 * has history NULL.
 */

#include "cli/gate/internal.h"
#include "model/roofline/roofline.h"
#include "render/document/document.h"
#include "render/report/report.h"

/* --- missing and stale series --- */

/* The place of the newest commit of the baseline history that has runs of the series; chain_count
 * if there is none. */
static uint32_t newest_index(const struct gate_input *input, const struct history *history)
{
	for (size_t i = history->run_count; i-- > 0;)
		if (history->runs[i].commit >= input->newest)
			return history->runs[i].commit;
	return (uint32_t)input->histories->chain_count;
}

/* For each place of the chain, how many newer commits of the baseline history have data that passes
 * the filter. A series is as old as the number of measurements it has missed, not as the commits
 * since: days without measurements do not count. */
static uint32_t *ages_in_data(struct cli *cli, const struct gate_input *input,
			      const struct run_filter *filter)
{
	const struct history_set *set = input->histories;
	uint32_t *age = arena_array(&cli->arena, set->chain_count + 2, sizeof *age);
	memset(age, 0, (set->chain_count + 2) * sizeof *age);
	for (size_t i = 0; i < set->count; i++)
		for (size_t j = 0; runs_filter_wants(filter, set->items[i].identity) &&
				   j < set->items[i].run_count;
		     j++)
			if (set->items[i].runs[j].commit >= input->newest)
				age[set->items[i].runs[j].commit + 1] = 1;
	for (size_t i = 1; i <= set->chain_count; i++)
		age[i] += age[i - 1];
	return age;
}

/* Whether the series was absent for at least as long as now twice or more within the window, and
 * came back each time. That is normal where two machines take turns. */
static bool is_usually_away(const struct gate_input *input, const struct history *history,
			    const uint32_t *ages, uint32_t index)
{
	enum { USUAL = 2 };
	size_t now = ages[index] + 1, as_long = 0;
	uint32_t newer = index;
	assert(index < input->histories->chain_count);
	for (size_t i = history->run_count; i-- > 0;) {
		uint32_t at = history->runs[i].commit;
		if (at <= newer)
			continue;
		if (ages[at] >= input->settings->window)
			break;
		as_long += ages[at] - ages[newer] > now;
		newer = at;
	}
	return as_long >= USUAL;
}

static const struct message *stopped_message(struct cli *cli, const struct gate_input *input,
					     const struct history *history, uint32_t index,
					     uint32_t age)
{
	struct arena *arena = &cli->arena;
	const struct revision *revision = &input->histories->chain[index];
	const struct run *run = history->identity;
	const char *device =
		run->instance_type && run->instance_type[0] ? run->instance_type : run->device;
	return message_of(arena, MESSAGE_STOPPED,
			  message_text(arena_prefix(arena, revision->oid, 10)),
			  message_text(document_day(arena, revision->time)),
			  device ? message_text(device) : message_term(MESSAGE_UNKNOWN_DEVICE),
			  message_integer(age));
}

/* Adds the series of the reference's history that the candidate lacks. A series is missing if the
 * newest commit with data has it, or for an unmerged change if one within the window (in commits
 * with data) has it. It is stale if it stopped earlier, but within the window or within stale_days.
 * Series that stopped before that were retired and are not reported. */
static void add_missed(struct cli *cli, const struct run_filter *filter, struct gate_input *input,
		       struct gate_series_list *list)
{
	const uint32_t *ages = ages_in_data(cli, input, filter);
	size_t known = list->count, at = 0;
	for (size_t i = 0; i < input->histories->count; i++) {
		const struct history *history = &input->histories->items[i];
		/* Both lists are sorted by key, so one pass suffices. */
		while (at < known && strcmp(list->items[at].key, history->series) < 0)
			at++;
		if ((at < known && strcmp(list->items[at].key, history->series) == 0) ||
		    !runs_filter_wants(filter, history->identity))
			continue;
		uint32_t index = newest_index(input, history);
		if (index == input->histories->chain_count)
			continue;
		double days =
			(double)(input->candidate.time - input->histories->chain[index].time) /
			86400;
		bool recent = ages[index] < input->settings->window ||
			      days <= input->settings->stale_days;
		if (ages[index] > 0 && !recent)
			continue;
		if (is_usually_away(input, history, ages, index)) {
			input->away++;
			continue;
		}
		*arena_add(&cli->arena, list) = (struct gate_series){
			.key = history->series,
			.run = history->identity,
			.history = history,
			.baseline_age = -1,
			.stopped =
				ages[index] && !(input->unmerged &&
						 ages[index] < input->settings->window)
					? stopped_message(cli, input, history, index, ages[index])
					: NULL,
		};
	}
}

/* --- the runs at the newest commit of each history --- */

struct wanted_baseline {
	struct gate_series *series;
	uint32_t index;
};

static int by_index(const void *a, const void *b)
{
	const struct wanted_baseline *x = a, *y = b;
	if (x->index != y->index)
		return x->index < y->index ? -1 : 1;
	return strcmp(x->series->key, y->series->key);
}

static int key_order(const void *key, const void *item)
{
	return strcmp(key, ((const struct wanted_baseline *)item)->series->key);
}

/* All series whose record ends at one commit. */
static int load_commit(struct cli *cli, const struct gate_input *input,
		       struct wanted_baseline *first, size_t count, struct error *err)
{
	const struct revision *revision = &input->histories->chain[first->index];
	struct loaded_list runs = {0};
	struct run_query query = {.commit = revision->oid, .clean_only = true};
	if (count == 1)
		query.series = first->series->key;
	if (runs_load_facts(cli, &query, &runs, err) < 0)
		return -1;
	int64_t age = strcmp(input->histories->chain[0].oid, input->candidate.oid) == 0
			      ? first->index
			      : runs_steps_to(cli, &input->candidate, revision);
	for (size_t i = 0; i < count; i++) {
		first[i].series->baseline_revision = revision;
		first[i].series->baseline_age = age;
	}
	/* The store gives the newest run first. */
	for (size_t i = runs.count; i-- > 0;) {
		struct run *run = runs.items[i].stored.run;
		struct wanted_baseline *wanted = bsearch(runs.items[i].stored.series, first, count,
							 sizeof *first, key_order);
		if (wanted && !run_is_incorrect(run) && !time_floor_is_broken(run))
			run_list_add(&cli->arena, &wanted->series->baseline, run);
	}
	return 0;
}

static int load_baselines(struct cli *cli, const struct gate_input *input,
			  struct gate_series_list *list, struct error *err)
{
	struct wanted_baseline *wanted = arena_array(&cli->arena, list->count + 1, sizeof *wanted);
	size_t count = 0;
	for (size_t i = 0; i < list->count; i++) {
		struct gate_series *series = &list->items[i];
		uint32_t index = series->history ? newest_index(input, series->history)
						 : (uint32_t)input->histories->chain_count;
		if (index < input->histories->chain_count)
			wanted[count++] = (struct wanted_baseline){series, index};
	}
	array_sort(wanted, count, sizeof *wanted, by_index);
	for (size_t i = 0, same; i < count; i += same) {
		same = 1;
		while (i + same < count && wanted[i + same].index == wanted[i].index)
			same++;
		if (load_commit(cli, input, wanted + i, same, err) < 0)
			return -1;
	}
	return 0;
}

/* --- what cannot be compared --- */

/* The work that a series measures, whatever the conditions. */
struct work {
	const struct run *run;
	const char *params;
	size_t index; /* index in the list of series */
};

static int text_order(const char *a, const char *b)
{
	return a && b ? strcmp(a, b) : !b - !a;
}

static int work_order(const struct work *a, const struct work *b)
{
	int order = text_order(a->run->kernel, b->run->kernel);
	order = order ? order : text_order(a->run->variant, b->run->variant);
	return order ? order : strcmp(a->params, b->params);
}

static int by_work(const void *a, const void *b)
{
	const struct work *x = a, *y = b;
	int order = work_order(x, y);
	return order ? order : (x->index > y->index) - (x->index < y->index);
}

static const char *cores_text(struct arena *arena, const struct run *run)
{
	return run->cores ? arena_printf(arena, "%d", run->cores) : NULL;
}

static struct message_value text_or_unknown(const char *text)
{
	return text ? message_text(text) : message_term(MESSAGE_UNKNOWN);
}

/* The first condition in which two runs of the same work differ; NULL if they do not differ. */
static const struct message *difference(struct arena *arena, const struct run *a,
					const struct run *b)
{
	const struct {
		enum message_code what;
		const char *new, *old;
	} rows[] = {
		{MESSAGE_CONDITION_DTYPE, a->dtype, b->dtype},
		{MESSAGE_CONDITION_DEVICE, a->device, b->device},
		{MESSAGE_CONDITION_INSTANCE_TYPE, a->instance_type, b->instance_type},
		{MESSAGE_CONDITION_TOOL, a->tool, b->tool},
		{MESSAGE_CONDITION_CORES, cores_text(arena, a), cores_text(arena, b)},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		if (!span_text_eq(rows[i].new, rows[i].old))
			return message_of(arena, MESSAGE_OTHER_CONDITION,
					  message_term(rows[i].what), text_or_unknown(rows[i].old),
					  text_or_unknown(rows[i].new));
	return NULL;
}

/* Stale series are not missing. */
static bool is_missing(const struct gate_series *series)
{
	return series->candidate.count == 0 && !series->stopped;
}

static bool is_known(const struct gate_series *series)
{
	return series->candidate.count > 0 && series->history;
}

/* The works of some of the series, sorted. */
static struct work *works_of(struct arena *arena, const struct gate_series_list *list,
			     bool (*wanted)(const struct gate_series *series), size_t *count)
{
	struct work *works = arena_array(arena, list->count + 1, sizeof *works);
	*count = 0;
	for (size_t i = 0; i < list->count; i++) {
		const struct gate_series *series = &list->items[i];
		if (wanted(series))
			works[(*count)++] =
				(struct work){series->run, run_params_text(arena, series->run), i};
	}
	array_sort(works, *count, sizeof *works, by_work);
	return works;
}

/* A series without history is incomparable if a missing series measures the same work under other
 * conditions. The two are one finding: the missing one is removed from the list. Each missing
 * series is used once. */
static void pair_incomparable(struct arena *arena, struct gate_series_list *list)
{
	size_t count, remaining = 0;
	const struct work *works = works_of(arena, list, is_missing, &count);
	bool *paired = arena_array(arena, list->count + 1, sizeof *paired);
	for (size_t i = 0; i < list->count; i++) {
		struct gate_series *series = &list->items[i];
		if (series->candidate.count == 0 || series->history)
			continue;
		const struct run *run = series->candidate.items[0];
		struct work wanted = {run, run_params_text(arena, run), 0};
		for (size_t k = array_lower_bound(&wanted, works, count, sizeof *works, by_work);
		     k < count && work_order(&works[k], &wanted) == 0 && !series->incomparable; k++)
			if (!paired[works[k].index]) {
				series->incomparable = difference(arena, run, works[k].run);
				paired[works[k].index] = series->incomparable != NULL;
			}
	}
	for (size_t i = 0; i < list->count; i++)
		if (!paired[i])
			list->items[remaining++] = list->items[i];
	list->count = remaining;
}

/* Whether the two are of one work on another machine. */
static bool is_elsewhere(const struct work *a, const struct work *b)
{
	return work_order(a, b) == 0 &&
	       (!span_text_eq(a->run->device, b->run->device) ||
		!span_text_eq(a->run->instance_type, b->run->instance_type));
}

/* In a nightly gate a series is not missing where its work is measured on another machine that was
 * there before: the two take turns, though not for long enough to show it by themselves. For a
 * change it is missing, or a slow machine's series could be left out. */
static void drop_turns(struct arena *arena, struct gate_input *input, struct gate_series_list *list)
{
	size_t count, kept = 0;
	if (!input->windowed)
		return;
	const struct work *works = works_of(arena, list, is_known, &count);
	for (size_t i = 0; i < list->count; i++) {
		const struct gate_series *series = &list->items[i];
		struct work work = {series->run, run_params_text(arena, series->run), 0};
		bool away = false;
		for (size_t k = is_missing(series) ? array_lower_bound(&work, works, count,
								       sizeof *works, by_work)
						   : count;
		     k < count && work_order(&works[k], &work) == 0 && !away; k++)
			away = is_elsewhere(&works[k], &work);
		input->away += away;
		if (!away)
			list->items[kept++] = *series;
	}
	list->count = kept;
}

int gate_command_join(struct cli *cli, const struct gate_request *request, struct gate_input *input,
		      struct gate_series_list *list, struct error *err)
{
	for (size_t i = 0; i < list->count; i++) {
		struct gate_series *series = &list->items[i];
		series->history = history_find(input->histories, series->key);
		if (series->history &&
		    newest_index(input, series->history) == input->histories->chain_count)
			series->history = NULL;
	}
	add_missed(cli, request->filter, input, list);
	gate_command_join_epochs(cli, input, list);
	pair_incomparable(&cli->arena, list);
	drop_turns(&cli->arena, input, list);
	return load_baselines(cli, input, list, err);
}
