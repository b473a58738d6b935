/* model/acceptance: whatever the bytes, lines or an error that names one; a line that is written
 * reads the same; and what is applied is accounted for. */
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "model/acceptance/acceptance.h"
#include "model/run/run.h"
#include "render/vocabulary/vocabulary.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len);

static enum acceptance_reached reached(void *context, const char *revision)
{
	(void)context;
	return (enum acceptance_reached)((unsigned char)revision[0] % 4);
}

static void check_line(struct arena *arena, const struct acceptance *acceptance)
{
	struct acceptance_list again;
	struct error err = {0};
	const char *line = acceptance_line(arena, acceptance);
	/* Fewer blanks than the line came with, or a few more. */
	if (strlen(line) > ACCEPTANCE_LINE_LIMIT)
		return;
	if (acceptance_parse(arena, "again", span_of(line), &again, &err) < 0 || again.count != 1 ||
	    strcmp(acceptance_line(arena, &again.items[0]), line) != 0 ||
	    again.items[0].end != acceptance->end || again.items[0].metric != acceptance->metric)
		abort();
}

static void check_applied(struct arena *arena, const struct acceptance_list *list)
{
	struct run *run = run_new(arena);
	const struct acceptance_clock clock = {1772366400, reached, NULL};
	struct acceptance_use *uses = arena_array(arena, list->count, sizeof *uses);
	struct acceptance_item items[] = {
		{.run = run, .metric = METRIC_TOTAL_TIME, .direction = METRIC_LOWER, .value = 4e-5},
		{.run = run, .metric = METRIC_MFU, .direction = METRIC_HIGHER, .value = 0.3},
		{.run = run, .metric = METRIC_TOTAL_TIME, .value = NAN, .absent = true},
	};
	size_t count = sizeof items / sizeof *items, accepted = 0, exceeded = 0;
	run->kernel = "attention";
	run->variant = "fused";
	run_set_param(arena, run, "s", "512");
	acceptance_apply(list, &clock, items, count, uses);
	for (size_t i = 0; i < list->count; i++) {
		accepted += uses[i].accepted;
		exceeded += uses[i].exceeded;
		if (uses[i].covered > count || uses[i].lapsed > count)
			abort();
	}
	for (size_t i = 0; i < count; i++) {
		accepted -= items[i].outcome == ACCEPTANCE_OUTCOME_ACCEPTED;
		exceeded -= items[i].outcome == ACCEPTANCE_OUTCOME_EXCEEDED;
		if ((items[i].outcome == ACCEPTANCE_OUTCOME_NONE) != !items[i].by ||
		    (items[i].by && !acceptance_names(items[i].by->series, run)))
			abort();
		vocabulary_say(arena, acceptance_message(arena, list, &items[i]));
	}
	if (accepted || exceeded)
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
	struct arena arena = {0};
	struct acceptance_list list = {0};
	struct error err = {0};
	int code = acceptance_parse(&arena, "fuzz", (struct span){(const char *)bytes, len}, &list,
				    &err);
	if (code && (err.kind != ERR_FORMAT || strncmp(err.text, "fuzz:", 5) != 0))
		abort();
	for (size_t i = 0; !code && i < list.count && i < 100; i++)
		check_line(&arena, &list.items[i]);
	if (!code)
		check_applied(&arena, &list);
	arena_free(&arena);
	return 0;
}
