/* The result of a session in which two versions took turns: text, and JSON. */
#include "render/compare/trials/paired.h"

#include "base/text/text.h"
#include "render/document/document.h"
#include "render/document/key.h"
#include "render/markup/markup.h"

static const char *const outcomes[PAIRED_OUTCOME_LIMIT] = {
	[PAIRED_OUTCOME_INCORRECT] = "incorrect", [PAIRED_OUTCOME_SLOWER] = "slower",
	[PAIRED_OUTCOME_UNFIT] = "unfit",         [PAIRED_OUTCOME_UNCLEAR] = "unclear",
	[PAIRED_OUTCOME_FASTER] = "faster",       [PAIRED_OUTCOME_SAME] = "same"};

const char *render_paired_outcome(enum paired_outcome outcome)
{
	return outcomes[outcome];
}

static bool on_both(const struct paired_series *series)
{
	return series->on_side[PAIRED_BASE] && series->on_side[PAIRED_CANDIDATE];
}

static enum paired_outcome outcome_of(const struct paired_series *series)
{
	switch (series->result.verdict) {
	case PAIRED_SAME:
		return PAIRED_OUTCOME_SAME;
	case PAIRED_UNFIT:
		return PAIRED_OUTCOME_UNFIT;
	case PAIRED_LOWER:
		return series->lower_is_better ? PAIRED_OUTCOME_FASTER : PAIRED_OUTCOME_SLOWER;
	case PAIRED_HIGHER:
		return series->lower_is_better ? PAIRED_OUTCOME_SLOWER : PAIRED_OUTCOME_FASTER;
	default:
		return PAIRED_OUTCOME_UNCLEAR;
	}
}

enum paired_outcome render_paired_result(const struct paired_session *session)
{
	enum paired_outcome worst = PAIRED_OUTCOME_LIMIT;
	if (session->incorrect)
		return PAIRED_OUTCOME_INCORRECT;
	if (session->base_incorrect)
		return PAIRED_OUTCOME_UNFIT;
	for (size_t i = 0; i < session->series_count; i++) {
		const struct paired_series *series = &session->series[i];
		if (on_both(series) && outcome_of(series) < worst)
			worst = outcome_of(series);
	}
	return worst == PAIRED_OUTCOME_LIMIT ? PAIRED_OUTCOME_UNCLEAR : worst;
}

/* The worst first, then the largest change. */
static int worst_first(const void *a, const void *b)
{
	const struct paired_series *x = *(const struct paired_series *const *)a;
	const struct paired_series *y = *(const struct paired_series *const *)b;
	double p = fabs(x->result.effect), q = fabs(y->result.effect);
	if (outcome_of(x) != outcome_of(y))
		return outcome_of(x) < outcome_of(y) ? -1 : 1;
	if (p > q || p < q)
		return p > q ? -1 : 1;
	return strcmp(x->name, y->name);
}

/* The series that both sides have. */
static const struct paired_series **ordered(struct arena *arena,
					    const struct paired_session *session, size_t *count)
{
	const struct paired_series **list =
		arena_array(arena, session->series_count + 1, sizeof *list);
	*count = 0;
	for (size_t i = 0; i < session->series_count; i++)
		if (on_both(&session->series[i]))
			list[(*count)++] = &session->series[i];
	array_sort(list, *count, sizeof *list, worst_first);
	return list;
}

/* --- text --- */

static const char *number_text(struct arena *arena, const struct paired_series *series,
			       double number)
{
	return quantity_text(arena, number, metric_info(series->metric)->unit);
}

static const char *interval_text(struct arena *arena, const struct paired_result *result)
{
	return isnan(result->low)
		       ? "unknown"
		       : arena_printf(arena, "%s to %s", quantity_change_text(arena, result->low),
				      quantity_change_text(arena, result->high));
}

static void add_series_text(struct arena *arena, struct strbuf *sb,
			    const struct paired_session *session, size_t width)
{
	size_t count;
	const struct paired_series **list = ordered(arena, session, &count);
	struct md_table table = md_table_of(arena, width, "result|series");
	md_table_column(&table, session->base_name, MD_ALIGN_RIGHT);
	md_table_columns(&table, ">here|>change|>95 % interval|>p");
	for (size_t i = 0; i < count; i++) {
		const struct paired_result *result = &list[i]->result;
		md_table_row(&table, outcomes[outcome_of(list[i])], list[i]->name,
			     number_text(arena, list[i], result->base),
			     number_text(arena, list[i], result->candidate),
			     isnan(result->effect) ? "unknown"
						   : quantity_change_text(arena, result->effect),
			     interval_text(arena, result), arena_printf(arena, "%.2g", result->p));
	}
	if (count)
		md_table_plain(&table, sb);
}

/* The largest movement of a control, and the number of pairs that the least decided series lacks.
 */
static double largest(const struct paired_session *session, bool control)
{
	double most = 0;
	for (size_t i = 0; i < session->series_count; i++) {
		const struct paired_result *result = &session->series[i].result;
		double one = fabs(control ? result->control : result->more);
		if (one > most)
			most = one;
	}
	return most;
}

static void add_next_step(struct arena *arena, struct strbuf *sb,
			  const struct paired_session *session)
{
	size_t both;
	ordered(arena, session, &both);
	if (!both) {
		strbuf_addstr(sb, "No series was measured on both sides: nothing is compared\n");
		return;
	}
	double more = largest(session, false);
	size_t next = paired_next_look(session->pairs);
	double each = session->seconds / (double)(session->pairs ? session->pairs : 1);
	if (session->pairs < paired_next_look(0))
		strbuf_addf(sb, "Judged is from %zu pairs on, which take about %s: --budget TIME\n",
			    paired_next_look(0),
			    quantity_text(arena, each * (double)paired_next_look(0), UNIT_SECOND));
	else if (next && more > 0 && isfinite(more))
		strbuf_addf(sb,
			    "About %.0f more pairs would decide, which take %s: --budget TIME\n",
			    more, quantity_text(arena, each * more, UNIT_SECOND));
	else
		strbuf_addf(sb,
			    "At this noise not even %zu pairs, the most of a session, would "
			    "show a change as small as this\n",
			    paired_most_pairs());
}

static void add_reason(struct arena *arena, struct strbuf *sb, const struct paired_session *session)
{
	switch (render_paired_result(session)) {
	case PAIRED_OUTCOME_INCORRECT:
		strbuf_addstr(sb, "The result here is incorrect: its time is that of other work\n");
		break;
	case PAIRED_OUTCOME_UNFIT:
		strbuf_addstr(
			sb, session->base_incorrect
				    ? "The result of the base is incorrect: its time is "
				      "that of other work, and nothing is compared\n"
				    : "The base differs from itself as far as the versions differ: "
				      "nothing is shown. Is something else running?\n");
		break;
	case PAIRED_OUTCOME_UNCLEAR:
		add_next_step(arena, sb, session);
		break;
	default:
		break;
	}
}

static void add_missing(struct strbuf *sb, const struct paired_session *session,
			enum paired_side side)
{
	const char *before = NULL;
	for (size_t i = 0; i < session->series_count; i++) {
		const struct paired_series *series = &session->series[i];
		if (on_both(series) || !series->on_side[side])
			continue;
		if (!before)
			strbuf_addf(sb,
				    "only %s: ", side == PAIRED_BASE ? session->base_name : "here");
		strbuf_addf(sb, "%s%s", before ? before : "", series->name);
		before = ", ";
	}
	if (before)
		strbuf_addch(sb, '\n');
}

static void add_head(struct arena *arena, struct strbuf *lines,
		     const struct paired_session *session)
{
	size_t count;
	const struct paired_series **list = ordered(arena, session, &count);
	strbuf_addstr(lines, outcomes[render_paired_result(session)]);
	if (count == 1 && !isnan(list[0]->result.effect))
		strbuf_addf(lines, ": %s, %s (%s)", list[0]->name,
			    quantity_change_text(arena, list[0]->result.effect),
			    interval_text(arena, &list[0]->result));
	else if (count > 1)
		strbuf_addf(lines, ": %zu series", count);
	strbuf_addf(lines, "\nhere is %.10s%s, %s is %.10s\n", session->head,
		    session->dirty ? " with uncommitted changes" : "", session->base_name,
		    session->base);
}

static void add_pairs(struct arena *arena, struct strbuf *lines,
		      const struct paired_session *session)
{
	double moved = largest(session, true);
	strbuf_addf(lines, "\n%s of processes in %s, in the order ABBA BAAB",
		    quantity_count_text(arena, session->pairs, "pair", "pairs"),
		    quantity_text(arena, session->seconds, UNIT_SECOND));
	if (session->controls)
		strbuf_addf(lines, "; %s of %s with itself moved by %s%s",
			    quantity_count_text(arena, session->controls, "control", "controls"),
			    session->base_name, moved < 0.001 ? "less than " : "",
			    quantity_percent_text(arena, fmax(moved, 0.001)));
	strbuf_addch(lines, '\n');
}

const char *render_paired_text(struct arena *arena, const struct paired_session *session,
			       size_t width)
{
	struct strbuf sb = {0}, lines = {0};
	add_head(arena, &lines, session);
	fill_lines(&sb, strbuf_text(&lines), width);
	strbuf_truncate(&lines, 0);
	if (session->pairs) {
		strbuf_addch(&sb, '\n');
		add_series_text(arena, &sb, session, width);
		add_missing(&lines, session, PAIRED_BASE);
		add_missing(&lines, session, PAIRED_CANDIDATE);
		add_pairs(arena, &lines, session);
	}
	add_reason(arena, &lines, session);
	fill_lines(&sb, strbuf_text(&lines), width);
	strbuf_free(&lines);
	return strbuf_into(&sb, arena);
}

/* --- JSON --- */

static void add_series(struct arena *arena, struct json *list, const struct paired_series *series)
{
	const struct paired_result *result = &series->result;
	struct json *object = json_add_object(arena, list);
	json_set_text(arena, object, KEY(series), series->key);
	json_set_text(arena, object, KEY(name), series->name);
	json_set_text(arena, object, KEY(metric), metric_info(series->metric)->key);
	json_set_text(arena, object, KEY(unit),
		      quantity_unit_symbol(metric_info(series->metric)->unit));
	json_set_text(arena, object, KEY(better), series->lower_is_better ? "lower" : "higher");
	json_set_text(arena, object, KEY(verdict), outcomes[outcome_of(series)]);
	json_set_number(arena, object, KEY(base), result->base);
	json_set_number(arena, object, KEY(candidate), result->candidate);
	json_set_number(arena, object, KEY(effect), result->effect);
	json_set_number(arena, object, KEY(effect_low), result->low);
	json_set_number(arena, object, KEY(effect_high), result->high);
	json_set_number(arena, object, KEY(p), result->p);
	json_set_number(arena, object, KEY(limit), series->limit);
	json_set_number(arena, object, KEY(control), result->control);
	json_set_number(arena, object, KEY(pairs), (double)result->pairs);
	json_set_number(arena, object, KEY(more_pairs),
			isfinite(result->more) ? result->more : NAN);
}

static void add_names(struct arena *arena, struct json *list, const struct paired_session *session,
		      enum paired_side side)
{
	for (size_t i = 0; i < session->series_count; i++) {
		const struct paired_series *series = &session->series[i];
		if (!on_both(series) && series->on_side[side])
			json_add_text(arena, list, series->name);
	}
}

struct json *render_paired_json(struct arena *arena, const struct paired_session *session)
{
	struct json *document = json_object(arena);
	size_t count;
	bool decided = true;
	const struct paired_series **list = ordered(arena, session, &count);
	json_set_text(arena, document, KEY(schema), SCHEMA(paired));
	json_set_text(arena, document, KEY(result), outcomes[render_paired_result(session)]);
	struct json *base = json_set_object(arena, document, KEY(base));
	json_set_text(arena, base, KEY(commit), session->base);
	json_set_text(arena, base, KEY(name), session->base_name);
	struct json *candidate = json_set_object(arena, document, KEY(candidate));
	json_set_text(arena, candidate, KEY(commit), session->head);
	json_set_bool(arena, candidate, KEY(dirty), session->dirty);
	json_set_number(arena, document, KEY(pairs), (double)session->pairs);
	json_set_number(arena, document, KEY(controls), (double)session->controls);
	json_set_number(arena, document, KEY(seconds), session->seconds);
	json_set_number(arena, document, KEY(budget_seconds), session->budget);
	for (size_t i = 0; i < count; i++)
		decided &= list[i]->result.verdict != PAIRED_UNCLEAR;
	json_set_bool(arena, document, KEY(decided), decided && count > 0);
	struct json *all = json_set_array(arena, document, KEY(series));
	for (size_t i = 0; i < count; i++)
		add_series(arena, all, list[i]);
	add_names(arena, json_set_array(arena, document, KEY(only_base)), session, PAIRED_BASE);
	add_names(arena, json_set_array(arena, document, KEY(only_candidate)), session,
		  PAIRED_CANDIDATE);
	json_set_text(arena, document, KEY(folder), session->folder);
	return document;
}

/* --- the run of the work tree --- */

enum { FINDINGS = 3 };

const char *render_paired_first(struct arena *arena, const struct paired_session *session)
{
	size_t count;
	const struct paired_series **list = ordered(arena, session, &count);
	return count ? list[0]->key : NULL;
}

static double metric_of(const struct json *run, const char *key)
{
	return json_number(json_get(json_get(run, KEY(metrics)), key), KEY(value), NAN);
}

void render_paired_add_run(struct arena *arena, struct json *document, const struct json *run)
{
	const struct json *bottleneck = json_get(run, KEY(bottleneck));
	struct json *here = json_set_object(arena, document, KEY(here));
	json_set_text(arena, here, KEY(run), json_text(run, KEY(id), NULL));
	json_set_number(arena, here, KEY(mfu), metric_of(run, KEY(mfu)));
	json_set_number(arena, here, KEY(roofline_efficiency),
			metric_of(run, KEY(roofline_efficiency)));
	json_set_text(arena, here, KEY(bottleneck), json_text(bottleneck, KEY(title), NULL));
	json_set_text(arena, here, KEY(reason), json_text(bottleneck, KEY(reason), NULL));
	struct json *list = json_set_array(arena, here, KEY(findings));
	const struct json *one = json_first(run, KEY(findings));
	for (size_t i = 0; one && i < FINDINGS; one = one->next, i++) {
		struct json *object = json_add_object(arena, list);
		json_set_text(arena, object, KEY(title), json_text(one, KEY(title), ""));
		json_set_text(arena, object, KEY(text), json_text(one, KEY(text), ""));
		json_set_text(arena, object, KEY(advice), json_text(one, KEY(advice), NULL));
		json_set_text(arena, object, KEY(gain), json_text(one, KEY(gain), NULL));
	}
}

const char *render_paired_run_text(struct arena *arena, const struct json *run, size_t width)
{
	struct strbuf sb = {0}, lines = {0};
	const struct json *bottleneck = json_get(run, KEY(bottleneck));
	const struct json *one = json_first(run, KEY(findings));
	const char *title = json_text(bottleneck, KEY(title), NULL);
	const char *reason = json_text(bottleneck, KEY(reason), NULL);
	if (title && reason && one)
		strbuf_addf(&lines, "\nhere is %s: %s\n", title, reason);
	for (size_t i = 0; one && i < FINDINGS; one = one->next, i++) {
		const char *gain = json_text(one, KEY(gain), NULL);
		strbuf_addf(&lines, "to try: %s%s%s\n", json_text(one, KEY(title), ""),
			    gain ? ", " : "", gain ? gain : "");
	}
	fill_lines(&sb, strbuf_text(&lines), width);
	strbuf_free(&lines);
	return strbuf_into(&sb, arena);
}
