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

/* Lists whose rows are in the open table if they are few. */
static bool is_news(enum verdict verdict)
{
	return verdict == VERDICT_DRIFT || verdict == VERDICT_IMPOSSIBLE ||
	       verdict == VERDICT_SUSPECT || verdict == VERDICT_UNPROVEN ||
	       verdict == VERDICT_IMPROVED;
}

/* Rows of unproblematic comparisons: more are not read. Rows of one passing list in the open table.
 */
enum { PASSING_LIMIT = 10, OPEN_LIMIT = 10 };

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

/* Hosts of comments strip colors, but not these. "": a verdict without a statement. */
static const char *emoji_of(enum verdict verdict)
{
	static const char *const emojis[VERDICT_LIMIT] = {
		[VERDICT_REGRESSED] = "❌",  [VERDICT_FAILED] = "❌",   [VERDICT_DRIFT] = "❌",
		[VERDICT_IMPOSSIBLE] = "❌", [VERDICT_SUSPECT] = "❔",  [VERDICT_UNPROVEN] = "❔",
		[VERDICT_UNDECIDED] = "❔",  [VERDICT_IMPROVED] = "✅",
	};
	return emojis[verdict] ? emojis[verdict] : "";
}

/* Whether the emoji alone says the verdict. */
static bool is_plain(enum verdict verdict)
{
	return verdict == VERDICT_REGRESSED || verdict == VERDICT_IMPROVED ||
	       verdict == VERDICT_UNDECIDED || verdict == VERDICT_UNCHANGED;
}

/* Adds a comparison with the members that only lists show. */
static struct json *add_row(const struct bounded_gate *w, struct json *rows,
			    const struct comparison *one)
{
	struct arena *arena = w->arena;
	struct json *row = report_add_comparison(arena, rows, one);
	const char *text = json_text(json_get(row, KEY(digest)), KEY(told), NULL);
	json_set_text(arena, row, KEY(name), bounded_name(w, one));
	json_set_text(arena, row, KEY(emoji), emoji_of(one->judged.verdict));
	json_set_bool(arena, row, KEY(plain), is_plain(one->judged.verdict));
	json_set_bool(arena, row, KEY(undecided), one->judged.verdict == VERDICT_UNDECIDED);
	json_set_bool(arena, row, KEY(compared), !isnan(one->judged.baseline));
	json_set_bool(arena, row, KEY(measured), !isnan(one->measured));
	json_set_bool(arena, row, KEY(changed), !isnan(one->judged.change));
	json_set_text(arena, row, KEY(told), text ? bounded_cut(arena, text, TEXT_BYTES) : NULL);
	return row;
}

static void add_list(const struct bounded_gate *w, struct json *out, size_t list, size_t limit)
{
	const struct gate_result *gate = w->gate;
	size_t count = 0;
	struct json *rows = json_set_array(w->arena, out, KEY(comparisons));
	for (size_t i = 0; i < gate->count; i++)
		if (list_of(&gate->comparisons[i]) == list && count++ < limit)
			add_row(w, rows, &gate->comparisons[i]);
	json_set_number(w->arena, out, KEY(count), (double)count);
	json_set_number(w->arena, out, KEY(left_out),
			count > limit ? (double)(count - limit) : NAN);
}

static void add_folded(const struct bounded_gate *w, struct json *folded, size_t list, size_t count,
		       size_t limit)
{
	enum verdict verdict = lists[list].verdict;
	struct json *one = json_add_object(w->arena, folded);
	bool passes = verdict == VERDICT_UNCHANGED || verdict == VERDICT_HELD;
	json_set_text(w->arena, one, KEY(name), lists[list].name);
	json_set_text(w->arena, one, KEY(title), vocabulary_format(lists[list].title));
	json_set_text(w->arena, one, KEY(mark),
		      verdict == VERDICT_LIMIT ? "" : verdict_mark(verdict));
	json_set_text(w->arena, one, KEY(emoji), verdict == VERDICT_LIMIT ? "" : emoji_of(verdict));
	json_set_bool(w->arena, one, KEY(open), is_news(verdict) && count <= OPEN_LIMIT);
	add_list(w, one, list, passes && limit > PASSING_LIMIT ? (size_t)PASSING_LIMIT : limit);
}

static void add_lists(const struct bounded_gate *w, struct json *out,
		      const struct report_shown *shown)
{
	/* counts[LIST_COUNT]: failing comparisons, which have their own list */
	size_t counts[LIST_COUNT + 1] = {0};
	add_list(w, json_set_object(w->arena, out, KEY(bad)), LIST_COUNT, shown->bad);
	struct json *folded = json_set_array(w->arena, out, KEY(folded));
	bool any = false;
	for (size_t i = 0; i < w->gate->count; i++)
		counts[list_of(&w->gate->comparisons[i])]++;
	/* What moved comes first: it is in the open table. */
	for (int pass = 0; pass < 2; pass++)
		for (size_t i = 0; i < LIST_COUNT; i++) {
			bool opened = is_news(lists[i].verdict) && counts[i] <= OPEN_LIMIT;
			if (counts[i] && opened == !pass)
				add_folded(w, folded, i, counts[i], shown->folded);
			any = any || (counts[i] && opened);
		}
	json_set_bool(w->arena, out, KEY(moved), any || counts[LIST_COUNT]);
}

/* The verdicts that occur, as counts with a mark: "1 slower", "28 within noise". */
static void add_counts(const struct bounded_gate *w, struct json *out)
{
	struct json *list = json_set_array(w->arena, out, KEY(counts));
	for (int i = 0; i < VERDICT_LIMIT; i++) {
		enum verdict verdict = (enum verdict)i;
		if (!w->gate->counts[verdict])
			continue;
		struct json *one = json_add_object(w->arena, list);
		json_set_text(w->arena, one, KEY(emoji), emoji_of(verdict));
		json_set_number(w->arena, one, KEY(count), (double)w->gate->counts[verdict]);
		json_set_text(w->arena, one, KEY(verdict_text),
			      verdict == VERDICT_UNCHANGED
				      ? vocabulary_format("within noise")
				      : report_verdicts_text(w->gate, verdict));
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
	return arena_printf(w->arena, vocabulary_format("%s, %s"),
			    vocabulary_metric(vocabulary_spoken(), metric),
			    vocabulary_format(labels[kind]));
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
		      arena_printf(arena, vocabulary_format("%s to %s"),
				   quantity_change_text(arena, low),
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

/* --- the result at a glance --- */

static const char *emoji(const struct gate_result *gate)
{
	enum message_code word = report_gate_word(gate);
	if (bounded_is_recorded(gate))
		return "🆕";
	if (word == MESSAGE_GATE_PASS)
		return "✅";
	return word == MESSAGE_GATE_FAIL ? "❌" : "❔";
}

/* The series of a first run that the document has no run of. */
static void add_runs_left_out(const struct bounded_gate *w, const struct json *document,
			      struct json *out)
{
	const struct json *runs = json_get(document, KEY(runs));
	double more = (double)w->gate->series - (runs ? (double)runs->count : 0);
	json_set_number(w->arena, out, KEY(runs_left_out), more > 0 ? more : NAN);
}

void summary_add_bounded(struct arena *arena, struct json *document, const struct gate_result *gate,
			 const struct report_shown *shown)
{
	struct json *out = json_set_object(arena, json_get(document, KEY(gate)), KEY(shown));
	struct bounded_gate w = {arena, gate, gate_short_names(arena, gate)};
	json_set_text(arena, out, KEY(emoji), emoji(gate));
	json_set_text(arena, out, KEY(answer), bounded_answer(&w));
	json_set_text(arena, out, KEY(sentence), bounded_sentence(&w));
	json_set_text(arena, out, KEY(action), bounded_action(&w));
	json_set_bool(arena, out, KEY(recorded), bounded_is_recorded(gate));
	if (bounded_is_recorded(gate))
		add_runs_left_out(&w, document, out);
	if (gate->input->selected)
		json_set_text(
			arena, out, KEY(selected),
			vocabulary_say(arena, message_of(arena, MESSAGE_HEADLINE_SELECTED,
							 message_integer(gate->input->selected),
							 message_integer(gate->input->measured))));
	json_set_bool(arena, out, KEY(fails), gate->outcome != EXIT_PASS);
	json_set_text(arena, out, KEY(accept), bounded_accept(&w));
	json_set_text(arena, out, KEY(compare), bounded_compare(&w));
	json_set_text(arena, out, KEY(against), bounded_against(&w));
	json_set_text(arena, out, KEY(detectable_text),
		      gate->exit_status == EXIT_PASS ? bounded_detectable(&w) : NULL);
	add_counts(&w, out);
	json_set_text(arena, out, KEY(commits), bounded_commits(&w));
	json_set_text(arena, out, KEY(judged), bounded_judged(&w));
	json_set_bool(arena, out, KEY(nothing), gate->judged == 0);
	bounded_add_notes(&w, json_set_array(arena, out, KEY(notes)));
	report_add_shared(arena, out, gate);
	add_sizes(&w, out);
	add_lists(&w, out, shown);
}
