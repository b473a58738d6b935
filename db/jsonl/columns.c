/* Each list is a row of the table `lists`, each member of its items a row of its columns. */
#include "db/jsonl/columns.h"

#include "db/store/exchange.h"

const char *const jsonl_effects[EFFECTS] = {NULL, "removed", "added", "renamed"};

/* A NAME is a text that is not NULL. */
enum column_kind { NAME, TEXT, NUMBER, INTEGER, TALLY_KIND, METRIC, TIMELINE, REPEATS };

struct column {
	const char *name;
	enum column_kind kind;
	size_t offset; /* in the item */
};

#define COLUMN(type, kind, member)                                                                 \
	{                                                                                          \
#member, kind, offsetof(struct type, member)                                       \
	}
static const struct column of_engine[] = {
	COLUMN(run_engine, NAME, name),
	COLUMN(run_engine, NUMBER, active_time),
	{"timeline", TIMELINE, 0},
	{.name = NULL},
};
static const struct column of_tally[] = {
	COLUMN(run_tally, TALLY_KIND, kind),
	COLUMN(run_tally, NAME, name),
	COLUMN(run_tally, NUMBER, count),
	COLUMN(run_tally, NUMBER, seconds),
	COLUMN(run_tally, NUMBER, bytes),
	COLUMN(run_tally, NUMBER, flops),
	{.name = NULL},
};
static const struct column of_throttle[] = {
	COLUMN(run_throttle, INTEGER, core), COLUMN(run_throttle, TEXT, type),
	COLUMN(run_throttle, NUMBER, start), COLUMN(run_throttle, NUMBER, duration),
	COLUMN(run_throttle, NUMBER, limit), {.name = NULL},
};
static const struct column of_core[] = {
	COLUMN(run_core, TEXT, name),
	COLUMN(run_core, NUMBER, cycles),
	COLUMN(run_core, NUMBER, instructions),
	COLUMN(run_core, NUMBER, flops),
	COLUMN(run_core, NUMBER, tensor_active_time),
	{.name = NULL},
};
static const struct column of_tensor[] = {
	COLUMN(run_tensor, TEXT, name),
	COLUMN(run_tensor, TEXT, role),
	COLUMN(run_tensor, TEXT, shape),
	COLUMN(run_tensor, NUMBER, bytes),
	{.name = NULL},
};
static const struct column of_attribute[] = {
	COLUMN(run_attribute, NAME, key),
	COLUMN(run_attribute, TEXT, text),
	{.name = NULL},
};
static const struct column of_note[] = {
	COLUMN(run_note, NAME, category),
	COLUMN(run_note, NAME, message),
	{.name = NULL},
};
static const struct column of_spread[] = {
	COLUMN(run_spread, METRIC, metric),
	COLUMN(run_spread, NUMBER, count),
	COLUMN(run_spread, NUMBER, minimum),
	COLUMN(run_spread, NUMBER, median),
	COLUMN(run_spread, NUMBER, mean),
	COLUMN(run_spread, NUMBER, maximum),
	COLUMN(run_spread, NUMBER, deviation),
	{"numbers", REPEATS, 0},
	{.name = NULL},
};

static const struct list {
	const char *name;
	size_t items, count; /* offsets in struct run */
	size_t size;         /* bytes of an item */
	const struct column *columns;
} lists[] = {
#define LIST(name, items, count, type, columns)                                                    \
	{                                                                                          \
		name, offsetof(struct run, items), offsetof(struct run, count),                    \
			sizeof(struct type), columns                                               \
	}
	LIST("engines", engines, engine_count, run_engine, of_engine),
	LIST("tallies", tallies, tally_count, run_tally, of_tally),
	LIST("throttles", throttles, throttle_count, run_throttle, of_throttle),
	LIST("cores", core_work, core_count, run_core, of_core),
	LIST("tensors", tensors, tensor_count, run_tensor, of_tensor),
	LIST("attributes", attributes, attribute_count, run_attribute, of_attribute),
	LIST("notes", notes, note_count, run_note, of_note),
	LIST("spreads", spreads, spread_count, run_spread, of_spread),
	{.name = NULL},
};

/* --- writing --- */

static void write_repeats(struct arena *arena, struct json *object, const struct run_spread *spread)
{
	if (spread->number_count == 0)
		return;
	struct json *array = json_set_array(arena, object, "numbers");
	for (size_t i = 0; i < spread->number_count; i++)
		json_add_number(arena, array, spread->numbers[i]);
}

static void write_timeline(struct arena *arena, struct json *object, const struct run_engine *one)
{
	if (!one->has_timeline)
		return;
	struct json *array = json_set_array(arena, object, "timeline");
	for (size_t i = 0; i < TIMELINE_BINS; i++)
		json_add_number(arena, array, one->timeline[i]);
}

static void write_column(struct arena *arena, struct json *object, const struct column *column,
			 const char *item)
{
	const void *member = item + column->offset;
	switch (column->kind) {
	case NAME:
	case TEXT:
		json_set_text(arena, object, column->name, *(const char *const *)member);
		break;
	case NUMBER:
		json_set_number(arena, object, column->name, *(const double *)member);
		break;
	case INTEGER:
		json_set_number(arena, object, column->name, *(const int *)member);
		break;
	case TALLY_KIND:
		json_set_text(arena, object, column->name,
			      store_tally_word(*(const enum tally_kind *)member));
		break;
	case METRIC:
		json_set_text(arena, object, column->name,
			      metric_info(*(const enum metric *)member)->key);
		break;
	case TIMELINE:
		write_timeline(arena, object, (const struct run_engine *)item);
		break;
	case REPEATS:
		write_repeats(arena, object, (const struct run_spread *)item);
		break;
	}
}

void jsonl_write_lists(struct arena *arena, struct json *object, const struct run *run)
{
	for (const struct list *list = lists; list->name; list++) {
		size_t count = *(const size_t *)((const char *)run + list->count);
		const char *items = *(const char *const *)((const char *)run + list->items);
		struct json *array = count ? json_set_array(arena, object, list->name) : NULL;
		for (size_t i = 0; i < count; i++) {
			struct json *one = json_add_object(arena, array);
			for (const struct column *column = list->columns; column->name; column++)
				write_column(arena, one, column, items + i * list->size);
		}
	}
}

/* --- reading --- */

static bool read_repeats(struct arena *arena, const struct json *array, struct run_spread *spread)
{
	if (!array)
		return true;
	if (array->type != JSON_ARRAY || array->count > SPREAD_NUMBERS)
		return false;
	double *numbers = arena_array(arena, array->count, sizeof *numbers);
	for (const struct json *one = array->first; one; one = one->next) {
		if (one->type != JSON_NUMBER)
			return false;
		numbers[spread->number_count++] = one->number;
	}
	spread->numbers = numbers;
	return true;
}

static bool read_timeline(const struct json *array, struct run_engine *one)
{
	size_t at = 0;
	if (!array)
		return true;
	if (array->type != JSON_ARRAY || array->count != TIMELINE_BINS)
		return false;
	for (const struct json *bin = array->first; bin; bin = bin->next) {
		if (bin->type != JSON_NUMBER || bin->number < 0 || bin->number > 1)
			return false;
		one->timeline[at++] = (float)bin->number;
	}
	one->has_timeline = true;
	return true;
}

static bool read_kind(const struct json *value, enum tally_kind *kind)
{
	for (int i = 0; value && value->type == JSON_STRING && i < TALLY_LIMIT; i++)
		if (strcmp(store_tally_word((enum tally_kind)i), value->text) == 0) {
			*kind = (enum tally_kind)i;
			return true;
		}
	return false;
}

static bool read_column(struct arena *arena, const struct json *object, const struct column *column,
			char *item)
{
	const struct json *value = json_get(object, column->name);
	void *member = item + column->offset;
	bool unknown = !value || value->type == JSON_NULL;
	if (unknown && column->kind == NAME)
		return false;
	switch (column->kind) {
	case NAME:
	case TEXT:
		*(const char **)member = json_text(object, column->name, NULL);
		return unknown || value->type == JSON_STRING;
	case NUMBER:
		*(double *)member = json_number(object, column->name, NAN);
		return unknown || value->type == JSON_NUMBER;
	case INTEGER:
		if (unknown || value->type != JSON_NUMBER || value->number < INT32_MIN ||
		    value->number > INT32_MAX || value->number != floor(value->number))
			return false;
		*(int *)member = (int)value->number;
		return true;
	case TALLY_KIND:
		return read_kind(value, member);
	case METRIC:
		if (unknown || value->type != JSON_STRING)
			return false;
		*(enum metric *)member = metric_find(span_of(value->text));
		return *(enum metric *)member != METRIC_COUNT;
	case TIMELINE:
		return read_timeline(value, (struct run_engine *)item);
	case REPEATS:
		return read_repeats(arena, value, (struct run_spread *)item);
	}
	return false;
}

static int read_list(struct arena *arena, const struct list *list, const struct json *array,
		     struct run *run, struct error *err)
{
	if (array->type != JSON_ARRAY)
		return error_set(err, ERR_FORMAT, "%s is not an array", list->name);
	char *items = arena_array(arena, run_list_room(array->count), list->size);
	char *item = items;
	memset(items, 0, array->count * list->size);
	for (const struct json *one = array->first; one; one = one->next, item += list->size)
		for (const struct column *column = list->columns; column->name; column++)
			if (one->type != JSON_OBJECT || !read_column(arena, one, column, item))
				return error_set(err, ERR_FORMAT, "%s: %s is missing or not valid",
						 list->name, column->name);
	*(void **)((char *)run + list->items) = items;
	*(size_t *)((char *)run + list->count) = array->count;
	return 0;
}

int jsonl_read_lists(struct arena *arena, const struct json *object, struct run *run,
		     struct error *err)
{
	for (const struct list *list = lists; list->name; list++) {
		const struct json *array = json_get(object, list->name);
		if (array && read_list(arena, list, array, run, err) < 0)
			return -1;
	}
	return 0;
}
