/* The scenarios of the configuration as groups of the document's runs, with what these add up to.
 */
#include "render/report/report.h"

#include "render/document/document.h"
#include "render/vocabulary/vocabulary.h"

/* Fractions of the time or of a peak, of which a mean over the time of all runs has a meaning. */
static const enum metric means[] = {
	METRIC_MFU,
	METRIC_MFU_ALGORITHMIC,
	METRIC_MBU,
	METRIC_ROOFLINE_EFFICIENCY,
	METRIC_TENSOR_PIPE,
	METRIC_DMA_OCCUPANCY,
	METRIC_DRAM_THROUGHPUT,
};

static void add_means(struct arena *arena, struct json *out, const struct scenario_group *group,
		      const struct run *const *runs)
{
	struct json *metrics = json_set_object(arena, out, KEY(metrics));
	for (size_t i = 0; i < sizeof means / sizeof *means; i++) {
		const struct metric_info *info = metric_info(means[i]);
		double mean = scenario_mean(group, runs, means[i]);
		const struct document_member members[] = {
			{KEY(title), TEXT(report_title(arena, runs[group->runs[0]], means[i]))},
			{KEY(value), NUMBER(mean)},
			{KEY(unit), UNIT(info->unit)},
			{KEY(text), AMOUNT(mean, info->unit)},
		};
		if (!isnan(mean))
			document_fill(arena, json_set_object(arena, metrics, info->key), members);
	}
}

/* "3 runs", "3 runs, 1 without time" */
static const char *size_text(struct arena *arena, const struct scenario_group *group)
{
	const struct message *message =
		group->untimed
			? message_of(arena, MESSAGE_RUNS_UNTIMED, message_integer(group->count),
				     message_integer(group->untimed))
			: message_of(arena, MESSAGE_RUNS, message_integer(group->count));
	return vocabulary_say(arena, message);
}

void report_add_scenarios(struct arena *arena, struct json *document,
			  const struct scenario_list *list, const struct run *const *runs,
			  size_t run_count)
{
	size_t count;
	const struct scenario_group *groups = scenario_groups(arena, list, runs, run_count, &count);
	struct json *array = count ? json_set_array(arena, document, KEY(scenarios)) : NULL;
	for (size_t i = 0; i < count; i++) {
		const struct scenario_group *group = &groups[i];
		const char *name = group->scenario ? group->scenario->name : NULL;
		const struct document_member members[] = {
			{KEY(name), TEXT(name)},
			{KEY(title),
			 TEXT(name ? name
				   : vocabulary_term(vocabulary_spoken(), MESSAGE_OTHER_RUNS))},
			{KEY(count), NUMBER(group->count)},
			{KEY(untimed), NUMBER(group->untimed)},
			{KEY(size_text), TEXT(size_text(arena, group))},
			{KEY(time), QUANTITY(scenario_time(group, runs), UNIT_SECOND)},
		};
		add_means(arena, document_fill(arena, json_add_object(arena, array), members),
			  group, runs);
	}
}

void report_add_scenarios_of(struct arena *arena, struct json *object,
			     const struct scenario_list *list, const struct run *run)
{
	struct json *names = json_set_array(arena, object, KEY(scenarios));
	for (size_t i = 0; i < list->count; i++)
		if (scenario_has(&list->items[i], run))
			json_add_text(arena, names, list->items[i].name);
}
