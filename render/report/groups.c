/* Runs of one kernel that belong together: the stages of a contract, the shapes of a development
 * log. */
#include "render/report/contract.h"

struct grouped {
	const char *key;
	size_t index;
};

/* The runs of groups, in the order of their keys; within a group in that of the report. */
struct form_groups {
	const struct report *report;
	enum form_grouping grouping;
	struct grouped *items;
	size_t count;
};

static const char *key_of(struct arena *arena, enum form_grouping grouping,
			  const struct report_run *entry)
{
	const struct run *run = entry->run;
	const char *const texts[] = {run->kernel,
				     run->variant,
				     run->dtype,
				     run->device,
				     run->instance_type,
				     run->tool,
				     entry->revision ? entry->revision->oid : NULL};
	struct strbuf sb = {0};
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
		strbuf_addf(&sb, "%s\n", texts[i] ? texts[i] : "\t");
	strbuf_addf(&sb, "%d %d", run->cores, run->dirty);
	for (size_t i = 0; grouping == FORM_BY_STAGE && i < run->param_count; i++)
		if (!span_text_eq(run->params[i].name, "stage"))
			strbuf_addf(&sb, "\n%s=%s", run->params[i].name, run->params[i].value);
	return strbuf_into(&sb, arena);
}

static bool is_grouped(enum form_grouping grouping, const struct run *run)
{
	return grouping == FORM_BY_SHAPE || run_param(run, "stage");
}

static int by_key(const void *a, const void *b)
{
	const struct grouped *x = a, *y = b;
	int order = strcmp(x->key, y->key);
	return order ? order : (x->index > y->index) - (x->index < y->index);
}

static int by_key_alone(const void *a, const void *b)
{
	return strcmp(((const struct grouped *)a)->key, ((const struct grouped *)b)->key);
}

struct form_groups *form_groups_of(struct arena *arena, const struct report *report,
				   enum form_grouping grouping)
{
	struct form_groups *groups = arena_new(arena, struct form_groups);
	size_t count = report->run_count;
	*groups = (struct form_groups){report, grouping,
				       arena_array(arena, count, sizeof *groups->items), 0};
	for (size_t i = 0; i < count; i++)
		if (is_grouped(grouping, report->runs[i].run))
			groups->items[groups->count++] =
				(struct grouped){key_of(arena, grouping, &report->runs[i]), i};
	array_sort(groups->items, groups->count, sizeof *groups->items, by_key);
	return groups;
}

struct form_group form_group_of(const struct form *form, const struct form_groups *groups,
				size_t index)
{
	struct arena *arena = form->arena;
	struct form_group group = {.count = 0};
	bool alone = !groups || !is_grouped(groups->grouping, form->entry->run);
	struct grouped key = {alone ? NULL : key_of(arena, groups->grouping, form->entry), index};
	size_t first = alone ? 0
			     : array_lower_bound(&key, groups->items, groups->count, sizeof key,
						 by_key_alone),
	       end = first + 1;
	if (!alone && groups->items[first].index != index)
		return group;
	while (!alone && end < groups->count && strcmp(groups->items[end].key, key.key) == 0)
		end++;
	group.items = arena_array(arena, end - first, sizeof *group.items);
	group.items[group.count++] = *form;
	while (group.count < end - first) {
		const struct grouped *next = &groups->items[first + group.count];
		struct form *other = &group.items[group.count++];
		*other = form_of(arena, report_entry(groups->report, arena, next->index),
				 form->language);
		other->extent = form->extent;
	}
	return group;
}
