/* Which comparisons a report of limited size shows, in which list, and the magnitudes of the
 * changes. */
#include "render/summary/internal.h"

#include "render/document/key.h"
#include "render/vocabulary/vocabulary.h"

enum { TEXT_BYTES = 400, METRIC_LIMIT = 4 };

/* The lists other than that of failing comparisons, in the order in which they get their rows.
 * Failing comparisons are in none of them. */
static const struct list {
	const char *name, *title;
	enum verdict verdict; /* VERDICT_LIMIT: rows for context */
} lists[] = {
	{"drift", "slower by drift (not failing)", VERDICT_DRIFT},
	{"impossible", "impossible (not failing)", VERDICT_IMPOSSIBLE},
	{"missing", "missing (not failing)", VERDICT_MISSING},
	{"incomparable", "measured with another setup (not failing)", VERDICT_INCOMPARABLE},
	{"suspect", "possibly slower, unconfirmed (not failing)", VERDICT_SUSPECT},
	{"unproven", "suspiciously fast, unconfirmed (not failing)", VERDICT_UNPROVEN},
	{"environment", "shifted with the environment", VERDICT_ENVIRONMENT},
	{"undecided", "unclear", VERDICT_UNDECIDED},
	{"stale", "no longer measured", VERDICT_STALE},
	{"improved", "faster", VERDICT_IMPROVED},
	{"accepted", "accepted", VERDICT_ACCEPTED},
	{"no_baseline", "no baseline", VERDICT_NO_BASELINE},
	{"new", "new", VERDICT_NEW},
	{"unchanged", "unchanged, largest change first", VERDICT_UNCHANGED},
	{"held", "within limit", VERDICT_HELD},
	{"context", "informational", VERDICT_LIMIT},
};
enum { LIST_COUNT = sizeof lists / sizeof *lists };

/* Rows of unproblematic comparisons: more are not read. */
enum { PASSING_LIMIT = 10 };

static bool is_context(const struct comparison *one)
{
	return one->policy->role == POLICY_CONTEXT;
}

/* LIST_COUNT: the list of failing comparisons, which is never folded. */
static size_t list_of(const struct comparison *one)
{
	enum verdict wanted = is_context(one) ? VERDICT_LIMIT : one->judged.verdict;
	size_t at = 0;
	while (at < LIST_COUNT && lists[at].verdict != wanted)
		at++;
	return one->status == EXIT_PASS ? at : LIST_COUNT;
}

/* --- a row --- */

/* Adds a comparison with the members that only lists show. */
static struct json *add_row(const struct bounded_gate *w, struct json *rows,
			    const struct comparison *one)
{
	struct arena *arena = w->arena;
	struct json *row = report_add_comparison(arena, rows, one);
	const char *why = json_text(json_get(row, KEY(why)), KEY(text), NULL);
	const char *text = why ? why : vocabulary_english(arena, one->judged.reason);
	json_set_text(arena, row, KEY(name), bounded_name(w, one));
	json_set_bool(arena, row, KEY(undecided), one->judged.verdict == VERDICT_UNDECIDED);
	json_set_bool(arena, row, KEY(compared), !isnan(one->judged.baseline));
	json_set_bool(arena, row, KEY(measured), !isnan(one->measured));
	json_set_bool(arena, row, KEY(changed), !isnan(one->judged.change));
	json_set_text(arena, row, KEY(told), text ? bounded_cut(arena, text, TEXT_BYTES) : NULL);
	return row;
}

/* The history of a failing comparison; nothing where a few points show no trend. */
static void add_spark(const struct bounded_gate *w, struct json *row, const struct comparison *one)
{
	enum { POINTS_OF_A_TREND = 4 };
	struct arena scratch = {0};
	if (one->history.points.count >= POINTS_OF_A_TREND)
		json_set_text(w->arena, row, KEY(spark),
			      arena_strdup(w->arena, gate_trend_of(&scratch, w->gate, one).spark));
	arena_free(&scratch);
}

static struct json *add_list(const struct bounded_gate *w, struct json *out, size_t list,
			     size_t limit)
{
	const struct gate_result *gate = w->gate;
	size_t count = 0;
	struct json *rows = json_set_array(w->arena, out, KEY(comparisons));
	for (size_t i = 0; i < gate->count; i++)
		if (list_of(&gate->comparisons[i]) == list && count++ < limit) {
			struct json *row = add_row(w, rows, &gate->comparisons[i]);
			if (list == LIST_COUNT)
				add_spark(w, row, &gate->comparisons[i]);
		}
	json_set_number(w->arena, out, KEY(count), (double)count);
	json_set_number(w->arena, out, KEY(left_out),
			count > limit ? (double)(count - limit) : NAN);
	return out;
}

static void add_lists(const struct bounded_gate *w, struct json *out,
		      const struct report_shown *shown)
{
	/* counts[LIST_COUNT]: failing comparisons, which have their own list */
	size_t counts[LIST_COUNT + 1] = {0};
	add_list(w, json_set_object(w->arena, out, KEY(bad)), LIST_COUNT, shown->bad);
	struct json *folded = json_set_array(w->arena, out, KEY(folded));
	for (size_t i = 0; i < w->gate->count; i++)
		counts[list_of(&w->gate->comparisons[i])]++;
	for (size_t i = 0; i < LIST_COUNT; i++) {
		if (!counts[i])
			continue;
		struct json *one = json_add_object(w->arena, folded);
		json_set_text(w->arena, one, KEY(name), lists[i].name);
		json_set_text(w->arena, one, KEY(title), lists[i].title);
		json_set_text(w->arena, one, KEY(mark),
			      lists[i].verdict == VERDICT_LIMIT ? ""
								: verdict_mark(lists[i].verdict));
		bool passes =
			lists[i].verdict == VERDICT_UNCHANGED || lists[i].verdict == VERDICT_HELD;
		add_list(w, one, i,
			 passes && shown->folded > PASSING_LIMIT ? (size_t)PASSING_LIMIT
								 : shown->folded);
	}
}

/* --- magnitudes of the changes --- */

enum size_kind { SIZE_WORSE, SIZE_BETTER, SIZE_ALL, SIZE_LIMIT };

static bool is_of_kind(const struct comparison *one, enum size_kind kind)
{
	enum verdict verdict = one->judged.verdict;
	if (is_context(one) || !gate_is_judged(verdict) || isnan(one->judged.change) ||
	    one->judged.method == METHOD_LIMIT)
		return false;
	if (kind == SIZE_ALL)
		return true;
	if (kind == SIZE_BETTER)
		return verdict == VERDICT_IMPROVED;
	return verdict == VERDICT_ACCEPTED ||
	       (verdict <= VERDICT_ENVIRONMENT && verdict != VERDICT_UNPROVEN);
}

static const char *size_label(const struct bounded_gate *w, enum metric metric, enum size_kind kind)
{
	bool speed = metric_is_time_or_rate(metric);
	const char *const labels[SIZE_LIMIT] = {speed ? "slower" : "worse",
						speed ? "faster" : "better", "all series"};
	return arena_printf(w->arena, "%s, %s", metric_info(metric)->title, labels[kind]);
}

/* One change is a row of the lists already, and `known` changes are those of another row. Returns
 * the number of changes. */
static size_t add_size(const struct bounded_gate *w, struct json *sizes, enum metric metric,
		       enum size_kind kind, size_t known)
{
	struct arena *arena = w->arena;
	double *changes = arena_array(arena, w->gate->count + 1, sizeof *changes);
	double sum = 0, low = INFINITY, high = -INFINITY;
	size_t count = 0;
	for (size_t i = 0; i < w->gate->count; i++) {
		const struct comparison *one = &w->gate->comparisons[i];
		if (one->metric != metric || !is_of_kind(one, kind))
			continue;
		changes[count++] = one->judged.change;
		sum += one->judged.change;
		low = fmin(low, one->judged.change);
		high = fmax(high, one->judged.change);
	}
	if (count < 2 || count == known)
		return count;
	struct json *size = json_add_object(arena, sizes);
	double mean = sum / (double)count, median = median_of(changes, count);
	json_set_text(arena, size, KEY(metric), metric_info(metric)->key);
	json_set_text(arena, size, KEY(label), size_label(w, metric, kind));
	json_set_number(arena, size, KEY(count), (double)count);
	json_set_number(arena, size, KEY(mean), mean);
	json_set_text(arena, size, KEY(mean_text), quantity_change_text(arena, mean));
	json_set_number(arena, size, KEY(median), median);
	json_set_text(arena, size, KEY(median_text), quantity_change_text(arena, median));
	json_set_number(arena, size, KEY(low), low);
	json_set_number(arena, size, KEY(high), high);
	json_set_text(arena, size, KEY(range_text),
		      arena_printf(arena, "%s to %s", quantity_change_text(arena, low),
				   quantity_change_text(arena, high)));
	return count;
}

/* Adds the first metrics in the order of the comparisons (worst first). */
static void add_sizes(const struct bounded_gate *w, struct json *out)
{
	bool seen[METRIC_COUNT] = {false};
	size_t metrics = 0;
	struct json *sizes = json_set_array(w->arena, out, KEY(sizes));
	for (size_t i = 0; i < w->gate->count; i++) {
		const struct comparison *one = &w->gate->comparisons[i];
		if (seen[one->metric] || !is_of_kind(one, SIZE_ALL))
			continue;
		seen[one->metric] = true;
		if (metrics++ >= METRIC_LIMIT)
			continue;
		size_t worse = add_size(w, sizes, one->metric, SIZE_WORSE, 0);
		size_t better = add_size(w, sizes, one->metric, SIZE_BETTER, 0);
		add_size(w, sizes, one->metric, SIZE_ALL, worse > better ? worse : better);
	}
	json_set_number(w->arena, out, KEY(metrics_left_out),
			metrics > METRIC_LIMIT ? (double)(metrics - METRIC_LIMIT) : NAN);
}

/* --- the result at a glance, and what all rows share --- */

/* Hosts of comments strip colors, but not these. */
static const char *emoji(const struct gate_result *gate)
{
	enum message_code word = report_gate_word(gate);
	if (word == MESSAGE_GATE_PASS)
		return "✅";
	return word == MESSAGE_GATE_FAIL ? "❌" : "❔";
}

static void add_shared(const struct bounded_gate *w, struct json *out)
{
	const struct gate_result *gate = w->gate;
	bool metrics = false, limits = false;
	for (size_t i = 1; i < gate->count; i++) {
		const struct comparison *a = &gate->comparisons[i - 1], *b = a + 1;
		metrics = metrics || a->metric != b->metric;
		limits = limits || a->policy != b->policy;
	}
	if (!gate->count)
		return;
	struct strbuf text = {0};
	strbuf_addstr(&text,
		      bounded_cut(w->arena, short_names_common(w->arena, &w->naming), TEXT_BYTES));
	if (!metrics) {
		const char *metric = metric_info(gate->comparisons->metric)->title;
		json_set_text(w->arena, out, KEY(shared_metric), metric);
		strbuf_addf(&text, "%s%s", text.len ? "; " : "", metric);
	}
	if (!limits) {
		const char *limit = vocabulary_english(
			w->arena, policy_message(w->arena, gate->comparisons->policy));
		json_set_text(w->arena, out, KEY(shared_limit), limit);
		strbuf_addf(&text, "%slimit: %s", text.len ? "; " : "", limit);
	}
	json_set_text(w->arena, out, KEY(shared), strbuf_into(&text, w->arena));
}

void summary_add_bounded(struct arena *arena, struct json *document, const struct gate_result *gate,
			 const struct report_shown *shown)
{
	struct json *out = json_set_object(arena, json_get(document, KEY(gate)), KEY(shown));
	struct bounded_gate w = {arena, gate, gate_short_names(arena, gate)};
	json_set_text(arena, out, KEY(emoji), emoji(gate));
	json_set_text(arena, out, KEY(sentence), bounded_sentence(&w));
	json_set_text(arena, out, KEY(action), bounded_action(&w));
	json_set_text(arena, out, KEY(commits), bounded_commits(&w));
	json_set_text(arena, out, KEY(judged), bounded_judged(&w));
	json_set_bool(arena, out, KEY(nothing), gate->judged == 0);
	bounded_add_notes(&w, json_set_array(arena, out, KEY(notes)));
	add_shared(&w, out);
	add_sizes(&w, out);
	add_lists(&w, out, shown);
}
