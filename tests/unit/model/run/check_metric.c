/* The table of metrics, and its list in docs/user/metrics.md. */
#include "unit/unit.h"

#include <string.h>

#include "base/strbuf.h"
#include "model/run/metric.h"
#include "unit/golden.h"

static const char manual[] = "docs/user/metrics.md", heading[] = "## All metrics\n";

/* A formula as code, words as words. */
static void add_row(struct strbuf *list, const struct metric_info *info)
{
	static const char *const better[] = {
		[METRIC_LOWER] = "lower", [METRIC_HIGHER] = "higher", [METRIC_NEITHER] = ""};
	const char *symbol = quantity_unit_symbol(info->unit);
	const char *unit = info->unit == UNIT_FRACTION ? "fraction"
			   : strcmp(symbol, "1")       ? symbol
						       : "";
	const char *quote = info->formula[0] == '=' ? "`" : "";
	strbuf_addf(list, "| `%s` | %s | %s | %g to %g | %s: %s%s%s |\n", info->key, unit,
		    better[info->direction], info->bounds.least, info->bounds.most, info->title,
		    quote, info->formula, quote);
}

/* GOLDEN_UPDATE=1 rewrites the list. */
START_TEST(the_manual_lists_all_metrics)
{
	struct arena arena = {0};
	struct error err;
	struct span text;
	struct strbuf expected = {0};
	ck_assert_msg(file_read(&arena, manual, 1 << 20, &text, &err) == 0, "%s", err.text);
	const char *list = strstr(arena_strndup(&arena, text.ptr, text.len), heading);
	ck_assert_msg(list != NULL, "%s has no section of all metrics", manual);
	strbuf_addf(&expected, "%.*s%s", (int)(text.len - strlen(list)), text.ptr, heading);
	strbuf_addstr(&expected,
		      "\nThe keys that `[gate]` rows, `--columns` and the JSON documents use; `=` "
		      "starts what rooflog derives.\n\n"
		      "| key | unit | better | range | what |\n|---|---|---|---|---|\n");
	for (size_t i = 0; i < METRIC_COUNT; i++)
		add_row(&expected, metric_info((enum metric)i));
	golden_compare(&arena, manual, strbuf_span(&expected));
	strbuf_free(&expected);
	arena_free(&arena);
}
END_TEST

UNIT_MAIN("metric", the_manual_lists_all_metrics)
