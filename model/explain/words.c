/* How parts of an explanation are said: few digits, short names. */
#include "model/explain/internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
#include "base/text/utf8.h"

const double explain_least = 0.1;

/* From this factor on a factor reads better than a percentage. */
static const double tell_factor = 2;

bool explain_is_telling(const struct explaining *e, double difference)
{
	return difference * e->span > 0 && fabs(difference) >= explain_least * fabs(e->span);
}

double explain_number(const struct run *run, enum metric metric)
{
	static const struct {
		enum metric absent, beside;
	} zeros[] = {
		{METRIC_SPILL_SAVE_BYTES, METRIC_HBM_READ_BYTES},
		{METRIC_SPILL_RELOAD_BYTES, METRIC_HBM_READ_BYTES},
		{METRIC_TRANSPOSE_FLOPS, METRIC_HARDWARE_FLOPS},
		{METRIC_ADJUSTED_TRANSPOSE_FLOPS, METRIC_ADJUSTED_HARDWARE_FLOPS},
		{METRIC_CC_OP_COUNT, METRIC_TOTAL_ACTIVE_TIME},
		{METRIC_CC_OP_ACTIVE_TIME, METRIC_TOTAL_ACTIVE_TIME},
	};
	double number = run_number(run, metric);
	if (!isnan(number) || !run->tool || !span_starts(span_of(run->tool), "neuron"))
		return number;
	for (size_t i = 0; i < sizeof zeros / sizeof *zeros; i++)
		if (zeros[i].absent == metric && !isnan(run_number(run, zeros[i].beside)))
			return 0;
	return number;
}

/* "2.900 us" -> "2.9 us" */
static const char *without_zeros(struct arena *arena, const char *text)
{
	const char *dot = strchr(text, '.');
	if (!dot)
		return text;
	size_t end = (size_t)(dot - text) + 1;
	while (text[end] >= '0' && text[end] <= '9')
		end++;
	size_t kept = end;
	while (text[kept - 1] == '0')
		kept--;
	if (text[kept - 1] == '.')
		kept--;
	return arena_printf(arena, "%.*s%s", (int)kept, text, text + end);
}

/* The number in three significant digits. */
static const char *short_text(struct arena *arena, double number, enum unit unit)
{
	if (number == 0 || unit == UNIT_COUNT)
		return without_zeros(arena, quantity_text(arena, number, unit));
	double shift = pow(10, 2 - floor(log10(fabs(number))));
	return without_zeros(arena, quantity_text(arena, round(number * shift) / shift, unit));
}

const char *explain_difference(struct arena *arena, double difference, enum unit unit)
{
	const char *sign = difference < 0 ? "-" : "+";
	double points = fabs(difference) * 100;
	/* Two digits of what is small. */
	int decimals = points >= 9.95 ? 0
		       : points > 0   ? (int)fmin(fmax(1 - floor(log10(points)), 1), 9)
				      : 1;
	if (unit == UNIT_FRACTION)
		return arena_printf(arena, "%s%.*f points", sign, decimals, points);
	return arena_printf(arena, "%s%s", sign, short_text(arena, fabs(difference), unit));
}

static const char *factor_text(struct arena *arena, double factor, const char *word)
{
	return arena_printf(arena, "%.*fx %s", factor < 9.95 ? 1 : 0, factor, word);
}

static const char *sides_text(struct arena *arena, double before, double after, enum unit unit)
{
	const char *old = short_text(arena, before, unit), *new = short_text(arena, after, unit);
	const char *old_unit = strchr(old, ' '), *new_unit = strchr(new, ' ');
	/* A unit that both have is said once. */
	bool shared = old_unit && new_unit && strcmp(old_unit, new_unit) == 0;
	size_t len = shared ? (size_t)(old_unit - old) : strlen(old);
	return arena_printf(arena, "%.*s -> %s", (int)len, old, new);
}

const char *explain_sides(const struct explaining *e, enum metric metric)
{
	return sides_text(e->arena, explain_number(e->before, metric),
			  explain_number(e->after, metric), metric_info(metric)->unit);
}

const char *explain_change(struct arena *arena, double before, double after, enum unit unit)
{
	double change = after / before - 1;
	if (unit == UNIT_FRACTION || unit == UNIT_COUNT || !(before > 0) || !(after > 0))
		return sides_text(arena, before, after, unit);
	if (change >= tell_factor - 1)
		return factor_text(arena, after / before, "more");
	if (before / after >= tell_factor)
		return factor_text(arena, before / after, "less");
	return arena_printf(arena, "%s%.*f %%", change < 0 ? "-" : "+",
			    fabs(change) < 0.0995 ? 1 : 0, fabs(change) * 100);
}

/* A sentence is one line, whatever a file calls its kernels. */
static const char *one_line(struct arena *arena, const char *name)
{
	char *line = arena_strdup(arena, name);
	for (char *c = line; *c; c++)
		if ((unsigned char)*c < ' ' || *c == 0x7f)
			*c = ' ';
	return line;
}

const char *explain_clip(struct arena *arena, const char *name, size_t most, bool tail)
{
	name = one_line(arena, name);
	size_t len = strlen(name);
	if (len <= most)
		return name;
	if (tail) {
		const char *from = name + len - (most - 3);
		while ((*from & 0xC0) == 0x80)
			from++;
		return arena_printf(arena, "...%s", from);
	}
	size_t kept = utf8_valid_prefix((struct span){name, most - 3});
	return arena_printf(arena, "%.*s...", (int)kept, name);
}

void explain_add_words(const struct explaining *e, struct explain_list *list,
		       struct explain_part part)
{
	list->items = arena_grow(e->arena, list->items, list->count, &list->capacity,
				 sizeof *list->items);
	list->items[list->count++] = part;
}

void explain_add(const struct explaining *e, struct explain_list *list, struct explain_part part,
		 const char *name)
{
	bool time = part.unit == UNIT_SECOND;
	part.change = part.before != 0 ? part.after / part.before - 1 : NAN;
	part.seconds = time ? part.after - part.before : NAN;
	part.text =
		arena_printf(e->arena, "%s %s", name,
			     time ? explain_difference(e->arena, part.seconds, part.unit)
				  : explain_change(e->arena, part.before, part.after, part.unit));
	explain_add_words(e, list, part);
}

void explain_rank(struct explain_list *list)
{
	for (size_t i = 1; i < list->count; i++) {
		struct explain_part part = list->items[i];
		size_t at = i;
		for (; at > 0 && list->items[at - 1].weight < part.weight; at--)
			list->items[at] = list->items[at - 1];
		list->items[at] = part;
	}
}
