/*
 * Numbers that no run can have. Readers take numbers as they are written; this is the one place
 * that judges whether they are possible at all.
 */
#include "model/run/run.h"

/* The numbers in the lists of a run. */
static const struct member {
	const char *list, *field;
	size_t items, count, size; /* the list in struct run, and the size of an item */
	size_t name, number;       /* in an item */
	enum unit unit;
	double least, most;
} members[] = {
#define MEMBER(title, item, items, count, name, number, unit, range)                               \
	title, #number, offsetof(struct run, items), offsetof(struct run, count),                  \
		sizeof(struct item), offsetof(struct item, name), offsetof(struct item, number),   \
		UNIT_##unit, BOUNDS_##range
	{MEMBER("engine", run_engine, engines, engine_count, name, active_time, SECOND, PART)},
	{MEMBER("tally", run_tally, tallies, tally_count, name, count, COUNT, AMOUNT)},
	{MEMBER("tally", run_tally, tallies, tally_count, name, seconds, SECOND, PART)},
	{MEMBER("tally", run_tally, tallies, tally_count, name, bytes, BYTE, AMOUNT)},
	{MEMBER("tally", run_tally, tallies, tally_count, name, flops, FLOP, AMOUNT)},
	{MEMBER("throttle", run_throttle, throttles, throttle_count, type, start, SECOND, PART)},
	{MEMBER("throttle", run_throttle, throttles, throttle_count, type, duration, SECOND, PART)},
	{MEMBER("throttle", run_throttle, throttles, throttle_count, type, limit, FRACTION, SHARE)},
	{MEMBER("core", run_core, core_work, core_count, name, cycles, COUNT, AMOUNT)},
	{MEMBER("core", run_core, core_work, core_count, name, instructions, COUNT, AMOUNT)},
	{MEMBER("core", run_core, core_work, core_count, name, flops, FLOP, AMOUNT)},
	{MEMBER("core", run_core, core_work, core_count, name, tensor_active_time, SECOND, PART)},
	{MEMBER("tensor", run_tensor, tensors, tensor_count, name, bytes, BYTE, AMOUNT)},
#undef MEMBER
};

/* One number and its name: "median of host_time". */
struct figure {
	const char *field, *of; /* `of` may be NULL */
	double number;
	enum unit unit;
	struct bounds bounds;
};

static int check(const struct figure *figure, struct error *err)
{
	const struct bounds *bounds = &figure->bounds;
	const char *symbol = quantity_unit_symbol(figure->unit);
	const char *blank = " ";
	if (isnan(figure->number) ||
	    (figure->number >= bounds->least && figure->number <= bounds->most))
		return 0;
	if (strcmp(symbol, "1") == 0)
		symbol = blank = "";
	return error_set(err, ERR_FORMAT, "%s%s%s is %.9g%s%s; expected %g to %g%s%s",
			 figure->field, figure->of ? " of " : "", figure->of ? figure->of : "",
			 figure->number, blank, symbol, bounds->least, bounds->most, blank, symbol);
}

static int check_member(const struct run *run, const struct member *member, struct error *err)
{
	const char *items, *name;
	size_t count;
	memcpy(&items, (const char *)run + member->items, sizeof items);
	memcpy(&count, (const char *)run + member->count, sizeof count);
	for (size_t i = 0; i < count; i++, items += member->size) {
		struct figure figure = {
			member->field, NULL, NAN, member->unit, {member->least, member->most}};
		memcpy(&figure.number, items + member->number, sizeof figure.number);
		memcpy(&name, items + member->name, sizeof name);
		if (check(&figure, err) < 0)
			return error_prefix(err, "%s %.80s", member->list, name ? name : "");
	}
	return 0;
}

/* A repeat may have taken no time by its clock; the run's own time may not. */
static int check_spread(const struct run_spread *spread, struct error *err)
{
	const struct metric_info *info = metric_info(spread->metric);
	const struct bounds bounds = {0, info->bounds.most};
	const struct figure figures[] = {
		{"repeat count", info->key, spread->count, UNIT_COUNT, {BOUNDS_AMOUNT}},
		{"minimum", info->key, spread->minimum, info->unit, bounds},
		{"median", info->key, spread->median, info->unit, bounds},
		{"mean", info->key, spread->mean, info->unit, bounds},
		{"maximum", info->key, spread->maximum, info->unit, bounds},
		{"standard deviation", info->key, spread->deviation, info->unit, bounds},
	};
	for (size_t i = 0; i < sizeof figures / sizeof *figures; i++)
		if (check(&figures[i], err) < 0)
			return -1;
	for (size_t i = 0; i < spread->number_count; i++) {
		const struct figure repeat = {"repeat", info->key, spread->numbers[i], info->unit,
					      bounds};
		if (check(&repeat, err) < 0)
			return -1;
	}
	return 0;
}

static int check_all(const struct run *run, struct error *err)
{
	for (size_t i = 0; i < METRIC_COUNT; i++) {
		const struct metric_info *info = metric_info((enum metric)i);
		const struct figure figure = {info->key, NULL, run->given[i].number, info->unit,
					      info->bounds};
		if (check(&figure, err) < 0)
			return -1;
	}
	for (size_t i = 0; i < sizeof members / sizeof *members; i++)
		if (check_member(run, &members[i], err) < 0)
			return -1;
	for (size_t i = 0; i < run->spread_count; i++)
		if (check_spread(&run->spreads[i], err) < 0)
			return -1;
	return 0;
}

int run_check_bounds(const struct run *run, struct error *err)
{
	if (check_all(run, err) == 0)
		return 0;
	return run->kernel ? error_prefix(err, "kernel %.80s", run->kernel) : -1;
}
