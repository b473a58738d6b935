/* The result of the gate's self-test: a document, which is also the JSON, and its text. */
#include "render/gate/gate.h"
#include "render/gate/internal.h"

#include "render/document/document.h"
#include "render/markup/markup.h"
#include "render/report/report.h"
#include "render/vocabulary/vocabulary.h"

enum { ROWS_SHOWN = 20 };

/* --- the document --- */

static void add_comparison(struct arena *arena, struct json *list, const char *name,
			   const struct gate_selftest_row *row)
{
	const struct comparison *one = row->one;
	struct json *out = json_add_object(arena, list);
	json_set_text(arena, out, KEY(name), name);
	json_set_text(arena, out, KEY(series), one->series->key);
	json_set_text(arena, out, KEY(policy), one->policy->name);
	json_set_text(arena, out, KEY(metric), metric_info(one->metric)->key);
	json_set_bool(arena, out, KEY(context), one->policy->role == POLICY_CONTEXT);
	json_set_bool(arena, out, KEY(flagged), row->why_not == NULL);
	json_set_text(arena, out, KEY(why_not), vocabulary_say(arena, row->why_not));
	json_set_text(arena, out, KEY(method), verdict_method_name(one->judged.method));
	json_set_number(arena, out, KEY(noise),
			verdict_is_by_history(&one->judged) ? one->judged.result.scale : NAN);
	json_set_number(arena, out, KEY(smallest), row->smallest);
}

struct json *render_gate_selftest(struct arena *arena, const struct gate_selftest *test)
{
	const struct gate_result *gate = test->gate;
	struct short_names naming = gate_short_names(arena, gate);
	struct json *document = document_begin(arena, SCHEMA(selftest));
	json_set_number(arena, document, KEY(planted), test->planted);
	json_set_number(arena, document, KEY(judged), (double)test->judged);
	json_set_number(arena, document, KEY(flagged), (double)test->flagged);
	json_set_number(arena, document, KEY(context), (double)test->context);
	json_set_number(arena, document, KEY(not_judged), (double)test->not_judged);
	json_set_number(arena, document, KEY(exit_status), test->status);
	json_set_text(arena, document, KEY(against), gate->input->against);
	document_commit(arena, document, KEY(candidate), &gate->input->candidate,
			gate->input->dirty);
	report_add_configuration(arena, document, gate->input->configuration);
	struct json *list = json_set_array(arena, document, KEY(comparisons));
	for (size_t i = 0; i < test->count; i++)
		add_comparison(arena, list,
			       short_names_name(arena, &naming, test->rows[i].one->run),
			       &test->rows[i]);
	return document;
}

/* --- the text --- */

static double number_of(const struct json *object, const char *name)
{
	return json_number(object, name, NAN);
}

static const char *percent(struct arena *arena, double fraction)
{
	if (isnan(fraction))
		return vocabulary_label("unknown");
	return fraction == 0
		       ? vocabulary_label("any")
		       : vocabulary_value(arena, arena_printf(arena, "%.3g %%", fraction * 100));
}

/* Sorts by the smallest detectable change, largest first, unknown before all others. */
static int by_smallest(const void *a, const void *b)
{
	double x = number_of(*(const struct json *const *)a, KEY(smallest));
	double y = number_of(*(const struct json *const *)b, KEY(smallest));
	x = isnan(x) ? HUGE_VAL : x;
	y = isnan(y) ? HUGE_VAL : y;
	return (y > x) - (y < x);
}

static void add_smallest(struct arena *arena, struct strbuf *out, const struct json *list,
			 size_t width)
{
	const struct json **order = arena_array(arena, list->count + 1, sizeof(struct json *));
	size_t count = 0;
	for (const struct json *one = list->first; one; one = one->next)
		if (!json_truth(one, KEY(context)))
			order[count++] = one;
	if (count == 0)
		return;
	qsort(order, count, sizeof(struct json *), by_smallest);
	strbuf_addf(out,
		    vocabulary_format("\nsmallest detectable slowdown per series (median: %s)\n\n"),
		    percent(arena, number_of(order[count / 2], KEY(smallest))));
	struct md_table table = md_table_of(
		arena, width, vocabulary_label("series|rule|metric|by|>noise|>smallest"));
	for (size_t i = 0; i < count && i < ROWS_SHOWN; i++) {
		double noise = number_of(order[i], KEY(noise));
		md_table_row(&table, json_text(order[i], KEY(name), "?"),
			     json_text(order[i], KEY(policy), "?"),
			     json_text(order[i], KEY(metric), "?"),
			     vocabulary_label(json_text(order[i], KEY(method), "?")),
			     isnan(noise) ? "--" : percent(arena, noise),
			     percent(arena, number_of(order[i], KEY(smallest))));
	}
	md_table_plain(&table, out);
	if (count > ROWS_SHOWN)
		strbuf_addf(out,
			    vocabulary_format(
				    "the other %zu series are more sensitive; --json lists all\n"),
			    count - ROWS_SHOWN);
}

static void add_missed(struct arena *arena, struct strbuf *out, const struct json *list)
{
	size_t listed = 0;
	for (const struct json *one = list->first; one; one = one->next) {
		if (json_truth(one, KEY(flagged)))
			continue;
		if (listed == 0)
			strbuf_addstr(out, vocabulary_format("\nnot detected:\n"));
		if (listed++ >= ROWS_SHOWN)
			continue;
		strbuf_addstr(out, "  ");
		fill_words(out,
			   arena_printf(arena, vocabulary_format("%s, %s: %s"),
					json_text(one, KEY(name), "?"),
					json_text(one, KEY(metric), "?"),
					json_text(one, KEY(why_not), "?")),
			   4);
	}
	if (listed > ROWS_SHOWN)
		strbuf_addf(out, vocabulary_format("  ... and %zu more; --json lists all\n"),
			    listed - ROWS_SHOWN);
}

const char *render_gate_selftest_text(struct arena *arena, const struct json *document,
				      size_t width)
{
	struct strbuf out = {0};
	const struct json *list = json_get(document, KEY(comparisons));
	double judged = number_of(document, KEY(judged)),
	       flagged = number_of(document, KEY(flagged));
	const char *word = judged == 0         ? "nothing to test"
			   : flagged == judged ? "all detected"
					       : "not all detected";
	fill_words(&out,
		   arena_printf(
			   arena,
			   vocabulary_format(
				   "%s: simulated slowdown of %s, one at a time, in %.0f judged "
				   "comparison%s: %.0f detected, %.0f missed; %.0f informational, "
				   "%.0f not judged"),
			   vocabulary_label(word),
			   percent(arena, number_of(document, KEY(planted))), judged,
			   judged == 1 ? "" : "s", flagged, judged - flagged,
			   number_of(document, KEY(context)), number_of(document, KEY(not_judged))),
		   0);
	fill_words(&out,
		   arena_printf(arena, "%s %s",
				json_text(json_get(document, KEY(candidate)), KEY(short), "?"),
				report_versus(arena, json_text(document, KEY(against), "?"))),
		   0);
	render_gate_say_configuration(arena, document, &out);
	add_missed(arena, &out, list);
	add_smallest(arena, &out, list, width);
	return strbuf_into(&out, arena);
}
