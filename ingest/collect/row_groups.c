/* Groups of rows in a hash table with open addressing. */
#include "ingest/collect/row_groups.h"

#include "base/hash/hash.h"
#include "ingest/collect/result_memory.h"

static void grow_slots(struct row_groups *groups)
{
	if (groups->count * 2 < groups->slot_count)
		return;
	groups->slot_count = groups->slot_count ? groups->slot_count * 2 : 64;
	size_t mask = groups->slot_count - 1;
	groups->slots = arena_array(groups->arena, groups->slot_count, sizeof *groups->slots);
	for (size_t i = 0; i < groups->slot_count; i++)
		groups->slots[i] = 0;
	for (size_t i = 0; i < groups->count; i++) {
		size_t at = (size_t)(groups->items[i].hash >> 32) & mask;
		while (groups->slots[at])
			at = (at + 1) & mask;
		groups->slots[at] = (uint32_t)i + 1;
	}
}

static const char *unit_of(const struct row_groups *groups)
{
	return groups->unit ? groups->unit : "line";
}

struct row_group *row_groups_find(struct row_groups *groups, struct span key, size_t line,
				  struct error *err)
{
	uint64_t hash = table_hash_of(key);
	grow_slots(groups);
	size_t mask = groups->slot_count - 1; /* slot_count is a power of two */
	assert((groups->slot_count & mask) == 0 && groups->count < groups->slot_count);
	size_t at = (size_t)(hash >> 32) & mask;
	for (; groups->slots[at]; at = (at + 1) & mask) {
		struct row_group *group = &groups->items[groups->slots[at] - 1];
		if (group->hash == hash && span_eq(group->key, key))
			return group;
	}
	if (groups->limit && groups->count == groups->limit) {
		error_set(err, ERR_FORMAT,
			  "%s %zu: more than %zu results with different parameters",
			  unit_of(groups), line, groups->limit);
		return NULL;
	}
	if (groups->count == 0)
		groups->before = groups->arena->used;
	if (result_memory_check(groups->arena, groups->before, groups->count, err) < 0) {
		error_prefix(err, "%s %zu", unit_of(groups), line);
		return NULL;
	}
	groups->items = arena_grow(groups->arena, groups->items, groups->count, &groups->capacity,
				   sizeof *groups->items);
	groups->items[groups->count] =
		(struct row_group){.key = {arena_strndup(groups->arena, key.ptr, key.len), key.len},
				   .hash = hash,
				   .run = run_new(groups->arena)};
	groups->slots[at] = (uint32_t)groups->count + 1;
	return &groups->items[groups->count++];
}

double *row_groups_add(const struct row_groups *groups, struct row_group *group)
{
	assert(groups->width > 0);
	group->numbers = arena_grow(groups->arena, group->numbers, group->row_count,
				    &group->row_capacity, groups->width * sizeof *group->numbers);
	double *numbers = group->numbers + group->row_count++ * groups->width;
	for (size_t i = 0; i < groups->width; i++)
		numbers[i] = NAN;
	return numbers;
}

void row_groups_set_metric(const struct row_groups *groups, const struct row_group *group,
			   size_t column, enum metric metric, enum provenance provenance)
{
	assert(column < groups->width && group->row_count > 0);
	if (group->row_count == 1) {
		if (!isnan(group->numbers[column]))
			run_set(group->run, metric, group->numbers[column], provenance);
		return;
	}
	double *samples = arena_array(groups->arena, group->row_count, sizeof *samples);
	for (size_t i = 0; i < group->row_count; i++)
		samples[i] = group->numbers[i * groups->width + column];
	run_set_samples(groups->arena, group->run, metric, samples, group->row_count, provenance);
}

void row_groups_count_add(struct row_count *rows, size_t line)
{
	if (rows->count++ == 0)
		rows->first_line = line;
}

void row_groups_note(const struct row_groups *groups, struct row_count rows, const char *what)
{
	if (rows.count && groups->count)
		run_add_note(groups->arena, groups->items[0].run, "rooflog",
			     rows.count == 1
				     ? arena_printf(groups->arena, "%s %zu: %s", unit_of(groups),
						    rows.first_line, what)
				     : arena_printf(groups->arena, "%zu rows, first at %s %zu: %s",
						    rows.count, unit_of(groups), rows.first_line,
						    what));
}

void row_groups_finish(const struct row_groups *groups, struct run_list *runs)
{
	for (size_t i = 0; i < groups->count; i++)
		run_list_add(groups->arena, runs, groups->items[i].run);
}
