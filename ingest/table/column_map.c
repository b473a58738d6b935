/* Parses the map of columns; targets and units are tables. */
#include "ingest/table/column_map.h"

#include "base/text/text.h"
#include "ingest/table/csv.h"
#include "ingest/table/lines.h"

static const struct {
	const char *name;
	enum column_target target;
} targets[] = {
	{"commit", COLUMN_COMMIT},   {"kernel", COLUMN_KERNEL},
	{"variant", COLUMN_VARIANT}, {"dtype", COLUMN_DTYPE},
	{"device", COLUMN_DEVICE},   {"instance_type", COLUMN_INSTANCE_TYPE},
	{"correct", COLUMN_CORRECT}, {"params", COLUMN_PARAMS},
};

/* Units in addition to those of base/text/quantity.h: powers of two, ratios, common spellings of
 * rates. */
static const struct {
	const char *name;
	enum unit unit;
	double multiplier, divisor;
} units[] = {
	{"fraction", UNIT_FRACTION, 1, 1},
	{"percent", UNIT_FRACTION, 1, 100},
	{"%", UNIT_FRACTION, 1, 100},
	{"sec", UNIT_SECOND, 1, 1},
	{"min", UNIT_SECOND, 60, 1},
	{"KB", UNIT_BYTE, 1e3, 1},
	{"KiB", UNIT_BYTE, 1024, 1},
	{"MiB", UNIT_BYTE, 1048576, 1},
	{"GiB", UNIT_BYTE, 1073741824, 1},
	{"KiB/s", UNIT_BYTE_PER_SECOND, 1024, 1},
	{"MiB/s", UNIT_BYTE_PER_SECOND, 1048576, 1},
	{"GiB/s", UNIT_BYTE_PER_SECOND, 1073741824, 1},
	{"MFLOPS", UNIT_FLOP_PER_SECOND, 1e6, 1},
	{"GFLOPS", UNIT_FLOP_PER_SECOND, 1e9, 1},
	{"TFLOPS", UNIT_FLOP_PER_SECOND, 1e12, 1},
	{"PFLOPS", UNIT_FLOP_PER_SECOND, 1e15, 1},
};

/* Suggestions if a unit is missing; NULL if a number without a unit is unambiguous. */
static const char *const questions[UNIT_LIMIT] = {
	[UNIT_SECOND] = "s, ms, us or ns",
	[UNIT_BYTE] = "B, MB or MiB",
	[UNIT_FLOP] = "FLOP, GFLOP or TFLOP",
	[UNIT_BYTE_PER_SECOND] = "B/s, GB/s or GiB/s",
	[UNIT_FLOP_PER_SECOND] = "FLOP/s, GFLOP/s or TFLOP/s",
	[UNIT_FRACTION] = "fraction (0 to 1) or percent (0 to 100)",
	[UNIT_HERTZ] = "Hz, MHz or GHz",
};

static int ask_unit(const struct column_item *item, enum unit unit, struct error *err)
{
	return error_set(err, ERR_USAGE,
			 "--columns %s=%.100s: unit missing; write %s=%.100s:UNIT with %s",
			 item->name, item->column, item->name, item->column, questions[unit]);
}

static int read_unit(struct column_item *item, struct error *err)
{
	enum unit unit = metric_info(item->metric)->unit;
	char text[64] = "1 ";
	double factor;
	if (!item->unit)
		return questions[unit] ? ask_unit(item, unit, err) : 0;
	for (size_t i = 0; i < sizeof units / sizeof *units; i++)
		if (units[i].unit == unit && strcmp(units[i].name, item->unit) == 0) {
			item->multiplier = units[i].multiplier;
			item->divisor = units[i].divisor;
			return 0;
		}
	size_t len = strlen(item->unit);
	if (len + 3 > sizeof text)
		len = sizeof text - 3;
	memcpy(text + 2, item->unit, len);
	if (!len || !quantity_parse((struct span){text, len + 2}, unit, &factor))
		return error_set(
			err, ERR_USAGE, "--columns %s: \"%.40s\" is not a valid unit for %s%s%s",
			item->name, item->unit, metric_info(item->metric)->key,
			questions[unit] ? "; write " : "", questions[unit] ? questions[unit] : "");
	item->multiplier = factor >= 1 ? factor : 1;
	item->divisor = factor >= 1 ? 1 : round(1 / factor);
	return 0;
}

/* --- one item --- */

static int find_target(struct arena *arena, struct span name, struct column_item *item,
		       struct error *err)
{
	char excerpt[lines_excerpt_size];
	size_t prefix = span_starts(name, "param:") ? 6 : span_starts(name, "attr:") ? 5 : 0;
	item->name = arena_strndup(arena, name.ptr, name.len);
	if (prefix) {
		item->target = prefix == 6 ? COLUMN_PARAM : COLUMN_ATTRIBUTE;
		item->label = item->name + prefix;
		return item->label[0] ? 0
				      : error_set(err, ERR_USAGE,
						  "--columns: %s needs a name after the colon",
						  item->name);
	}
	for (size_t i = 0; i < sizeof targets / sizeof *targets; i++)
		if (span_is(name, targets[i].name)) {
			item->target = targets[i].target;
			return 0;
		}
	item->target = COLUMN_METRIC;
	item->metric = span_is(name, "time") ? METRIC_TOTAL_TIME : metric_find(name);
	if (item->metric == METRIC_COUNT)
		return error_set(err, ERR_USAGE,
				 "--columns: unknown target \"%s\"; use commit, kernel, variant, "
				 "dtype, device, instance_type, correct, param:NAME, params, "
				 "attr:NAME, time or a metric name",
				 lines_excerpt(excerpt, name));
	return 0;
}

/* The position of `c` outside of double quotes; text.len if there is none. */
static size_t find_bare(struct span text, char c)
{
	bool quoted = false;
	for (size_t i = 0; i < text.len; i++) {
		quoted ^= text.ptr[i] == '"';
		if (!quoted && text.ptr[i] == c)
			return i;
	}
	return text.len;
}

static struct span unquoted(struct span text)
{
	if (text.len >= 2 && text.ptr[0] == '"' && text.ptr[text.len - 1] == '"')
		return (struct span){text.ptr + 1, text.len - 2};
	return text;
}

/* Cuts ":unit" off the end. */
static struct span cut_unit(struct span *text)
{
	size_t at = find_bare(*text, ':');
	if (at == text->len)
		return (struct span){NULL, 0};
	struct span unit = {text->ptr + at + 1, text->len - at - 1};
	text->len = at;
	return span_trim(unit);
}

static int read_item(struct arena *arena, struct span text, struct column_item *item,
		     struct error *err)
{
	char excerpt[lines_excerpt_size];
	struct span whole = text, unit = {NULL, 0}, column;
	size_t equals = find_bare(text, '=');
	if (equals < text.len) {
		column = span_trim((struct span){text.ptr + equals + 1, text.len - equals - 1});
		text.len = equals;
		unit = cut_unit(&column);
	} else {
		bool prefixed = span_starts(text, "param:") || span_starts(text, "attr:");
		if (!prefixed)
			unit = cut_unit(&text);
		size_t colon = prefixed ? find_bare(text, ':') + 1 : 0;
		column = span_from(text, colon);
	}
	column = unquoted(span_trim(column));
	text = span_trim(text);
	if (!text.len || !column.len || !utf8_is_line(whole))
		return error_set(err, ERR_USAGE,
				 "--columns \"%s\": expected TARGET=COLUMN or TARGET=COLUMN:UNIT",
				 lines_excerpt(excerpt, whole));
	*item = (struct column_item){.multiplier = 1, .divisor = 1};
	item->column = arena_strndup(arena, column.ptr, column.len);
	item->unit = unit.ptr ? arena_strndup(arena, unit.ptr, unit.len) : NULL;
	if (find_target(arena, text, item, err) < 0)
		return -1;
	if (item->target == COLUMN_METRIC)
		return read_unit(item, err);
	if (item->unit)
		return error_set(err, ERR_USAGE,
				 "--columns %s: only metric columns take a unit, not \"%.40s\"; "
				 "quote column names that contain a colon",
				 item->name, item->unit);
	return 0;
}

int column_map_parse(struct arena *arena, const char *text, struct column_map *map,
		     struct error *err)
{
	struct span rest = span_of(text);
	*map = (struct column_map){.count = 0};
	while (rest.len) {
		size_t end = find_bare(rest, ',');
		struct span item = span_trim((struct span){rest.ptr, end});
		rest = end < rest.len ? (struct span){rest.ptr + end + 1, rest.len - end - 1}
				      : (struct span){rest.ptr + end, 0};
		if (map->count == column_map_limit)
			return error_set(err, ERR_USAGE, "--columns: more than %d columns",
					 (int)column_map_limit);
		struct column_item *new = &map->items[map->count];
		if (read_item(arena, item, new, err) < 0)
			return -1;
		for (size_t i = 0; i < map->count; i++)
			if (strcmp(map->items[i].name, new->name) == 0 ||
			    (new->target == COLUMN_METRIC &&
			     map->items[i].target == COLUMN_METRIC &&
			     map->items[i].metric == new->metric))
				return error_set(err, ERR_USAGE, "--columns: %s given twice",
						 new->name);
		map->metric_count += new->target == COLUMN_METRIC;
		map->count++;
	}
	if (map->metric_count == 0)
		return error_set(
			err, ERR_USAGE,
			"--columns: no metric column; write for example time=latency_ms:ms");
	return 0;
}

bool column_map_is_key(const struct column_item *item)
{
	return item->target != COLUMN_METRIC && item->target != COLUMN_ATTRIBUTE &&
	       item->target != COLUMN_CORRECT;
}

size_t column_map_names(const struct column_map *map, const char **names)
{
	size_t keys = 0, count;
	for (size_t i = 0; i < map->count; i++)
		if (column_map_is_key(&map->items[i]))
			names[keys++] = map->items[i].column;
	count = keys;
	for (size_t i = 0; i < map->count; i++)
		if (!column_map_is_key(&map->items[i]))
			names[count++] = map->items[i].column;
	return keys;
}
