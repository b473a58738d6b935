/* The table of metrics, and its list in docs/formats/metrics.md. */
#include "unit/unit.h"

#include <string.h>

#include "base/strbuf.h"
#include "model/run/metric.h"
#include "unit/golden.h"

static const char manual[] = "docs/formats/metrics.md", heading[] = "## Keys\n";

/* The metrics that each engine has are one row: ENGINE_active_time. */
static const char *const engines[] = {"tensor_engine", "vector_engine", "scalar_engine",
				      "gpsimd_engine", "sync_engine"};

/* The engine whose metric this is; NULL for other metrics. */
static const char *engine_of(const struct metric_info *info)
{
	for (size_t i = 0; i < sizeof engines / sizeof *engines; i++)
		if (span_starts(span_of(info->key), engines[i]))
			return engines[i];
	return NULL;
}

/* The page gives ranges by unit; a metric with another one has it in its row. */
static bool has_range_of_unit(const struct metric_info *info)
{
	static const double most[UNIT_LIMIT] = {[UNIT_SECOND] = 1e7,
						[UNIT_FRACTION] = 1000,
						[UNIT_FLOP_PER_BYTE] = 1e12,
						[UNIT_HERTZ] = 1e12};
	return info->bounds.least == 0 &&
	       info->bounds.most == (most[info->unit] > 0 ? most[info->unit] : 1e21);
}

/* A formula as code, words as words. */
static void write_row(struct strbuf *list, const struct metric_info *info)
{
	static const char *const better[] = {
		[METRIC_LOWER] = " ↓", [METRIC_HIGHER] = " ↑", [METRIC_NEITHER] = ""};
	const char *symbol = quantity_unit_symbol(info->unit);
	const char *unit = info->unit == UNIT_FRACTION ? "fraction"
			   : strcmp(symbol, "1") == 0  ? "number"
						       : symbol;
	const char *quote = info->formula[0] == '=' ? "`" : "";
	strbuf_addf(list, "| `%s`, %s%s", info->key, unit, better[info->direction]);
	if (!has_range_of_unit(info))
		strbuf_addf(list, ", %g to %g", info->bounds.least, info->bounds.most);
	strbuf_addf(list, " | %s%s%s |\n", quote, info->formula, quote);
}

/* The row of an engine's metric, with ENGINE in place of the engine. */
static void write_engine_row(struct strbuf *list, const struct metric_info *info,
			     const char *engine)
{
	struct strbuf row = {0};
	write_row(&row, info);
	for (const char *at = strbuf_text(&row), *next; *at != '\0'; at = next + strlen(engine)) {
		next = strstr(at, engine);
		strbuf_addf(list, "%.*s", next ? (int)(next - at) : (int)strlen(at), at);
		if (!next)
			break;
		strbuf_addstr(list, "ENGINE");
	}
	strbuf_free(&row);
}

/* The first engine's rows are listed; those of the others must be the same. */
static void add_row(struct strbuf *list, const struct metric_info *info)
{
	const char *engine = engine_of(info);
	struct strbuf row = {0};
	if (engine)
		write_engine_row(&row, info, engine);
	else
		write_row(&row, info);
	if (!engine || engine == engines[0])
		strbuf_addstr(list, strbuf_text(&row));
	else
		ck_assert_msg(strstr(strbuf_text(list), strbuf_text(&row)) != NULL,
			      "%s differs from the metric of the tensor engine", info->key);
	strbuf_free(&row);
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
	strbuf_addstr(
		&expected,
		"\n↓: lower is better, ↑: higher is better. `=` begins the formula of a derived "
		"metric. ENGINE is `tensor_engine`,\n`vector_engine`, `scalar_engine`, "
		"`gpsimd_engine` or `sync_engine`.\n\n"
		"| key, unit | meaning |\n|---|---|\n");
	for (size_t i = 0; i < METRIC_COUNT; i++)
		add_row(&expected, metric_info((enum metric)i));
	golden_compare(&arena, manual, strbuf_span(&expected));
	strbuf_free(&expected);
	arena_free(&arena);
}
END_TEST

UNIT_MAIN("metric", the_manual_lists_all_metrics)
