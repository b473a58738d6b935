/* Parts of an explanation: their numbers, short names, and which come first. */
#include "model/explain/internal.h"

#include "base/text/text.h"

const double explain_least = 0.1;

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

/* Makes the name one line: a sentence has no line breaks, whatever a file calls its kernels. */
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

void explain_add_part(const struct explaining *e, struct explain_list *list,
		      struct explain_part part)
{
	*arena_add(e->arena, list) = part;
}

void explain_fill(const struct explaining *e, struct explain_part *part, const struct message *name,
		  const struct message *more)
{
	bool time = part->unit == UNIT_SECOND;
	part->change = part->before != 0 ? part->after / part->before - 1 : NAN;
	part->seconds = time ? part->after - part->before : NAN;
	struct message_value moved = time ? message_difference(part->seconds, part->unit)
					  : message_change(part->before, part->after, part->unit);
	part->text = more ? message_of(e->arena, MESSAGE_PART_MOVED_WITH, message_part(name), moved,
				       message_part(more))
			  : message_of(e->arena, MESSAGE_PART_MOVED, message_part(name), moved);
}

void explain_add(const struct explaining *e, struct explain_list *list, struct explain_part part,
		 const struct message *name)
{
	explain_fill(e, &part, name, NULL);
	explain_add_part(e, list, part);
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
