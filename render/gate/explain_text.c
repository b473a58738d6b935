/* The numbers of verdicts as text, printed from the document of explain.c, so that both agree. */

#include "render/document/key.h"
#include "base/text/text.h"
#include "base/base.h"
#include "render/gate/gate.h"
#include "render/markup/markup.h"

enum { COLUMNS = 80, NAME_WIDTH = 18, POINTS_SHOWN = 20 };

struct printing {
	struct arena *arena;
	struct strbuf out;
};

static double number_of(const struct json *object, const char *name)
{
	return json_number(object, name, NAN);
}

static const char *percent(struct arena *arena, double fraction)
{
	return isnan(fraction) ? "unknown" : arena_printf(arena, "%.4g %%", fraction * 100);
}

static const char *change_text(struct arena *arena, double change)
{
	return isnan(change) ? "unknown" : arena_printf(arena, "%+.4g %%", change * 100);
}

static const char *plain(struct arena *arena, double number)
{
	return isnan(number) ? "unknown" : arena_printf(arena, "%.6g", number);
}

/* "  name              text", wrapped. */
static void add_line(struct printing *p, const char *name, const char *text)
{
	size_t start = p->out.len;
	strbuf_addf(&p->out, "  %-*s", NAME_WIDTH, name);
	size_t at = p->out.len - start;
	if (at > NAME_WIDTH + 2)
		strbuf_addch(&p->out, ' ');
	fill_words(&p->out, text, at > NAME_WIDTH + 2 ? at + 1 : at);
}

static void add_title(struct printing *p, const char *title)
{
	strbuf_addf(&p->out, "\n%s\n", title);
}

static const char *quantity_of(const struct json *object, const char *name)
{
	return json_text(json_get(object, name), KEY(text), "unknown");
}

static const char *count_of(struct arena *arena, double count, const char *thing)
{
	return arena_printf(arena, "%.0f %s%s", count, thing, count == 1 ? "" : "s");
}

static const char *commit_text(struct arena *arena, const struct json *commit)
{
	if (!commit)
		return "none";
	return arena_printf(arena, "%s, %.10s: %s", json_text(commit, KEY(short), "?"),
			    json_text(commit, KEY(time), "?"), json_text(commit, KEY(subject), ""));
}

/* --- the two sides --- */

static void add_sides(struct printing *p, const struct json *one)
{
	struct arena *arena = p->arena;
	const struct json *old = json_get(one, KEY(baseline)), *new = json_get(one, KEY(candidate));
	const char *is = json_text(old, KEY(is), NULL);
	const char *age = json_text(old, KEY(age_text), NULL);
	add_line(p, "baseline",
		 is ? arena_printf(arena, "%s (%s)", json_text(old, KEY(text), "unknown"), is)
		    : json_text(old, KEY(text), "unknown"));
	if (json_get(old, KEY(commit)))
		add_line(p, "  newest commit",
			 arena_printf(arena, "%s%s%s",
				      commit_text(arena, json_get(old, KEY(commit))),
				      age ? "; " : "", age ? age : ""));
	add_line(p, "candidate",
		 arena_printf(arena, "%s, %s; %s", json_text(new, KEY(text), "unknown"),
			      change_text(arena, number_of(one, KEY(change))),
			      count_of(arena, number_of(new, KEY(runs)), "run")));
}

/* The first repeats of a measurement, and the number of the others. */
static const char *values_text(struct arena *arena, const struct json *values)
{
	enum { SHOWN = 10 };
	struct strbuf sb = {0};
	size_t shown = 0;
	for (const struct json *v = values->first; v && shown < SHOWN; v = v->next, shown++)
		strbuf_addf(&sb, "%s%s", shown ? ", " : "", json_text(v, KEY(text), "unknown"));
	if (values->count > SHOWN)
		strbuf_addf(&sb, " ... and %zu more", values->count - SHOWN);
	return strbuf_into(&sb, arena);
}

static void add_measurements(struct printing *p, const struct json *one)
{
	struct arena *arena = p->arena;
	const struct json *list = json_get(json_get(one, KEY(candidate)), KEY(measurements));
	size_t number = 0;
	if (list->count == 0)
		return;
	add_title(p, "measurements of the candidate, each by itself");
	for (const struct json *m = list->first; m; m = m->next) {
		const char *verdict = json_text(m, KEY(verdict), NULL);
		add_line(p, arena_printf(arena, "%zu", ++number),
			 arena_printf(arena, "%s: %s", json_text(m, KEY(ingested), "?"),
				      values_text(arena, json_get(m, KEY(values)))));
		if (verdict)
			add_line(p, "",
				 arena_printf(arena, "%s: %s (p slower %s)", verdict,
					      json_text(m, KEY(reason), ""),
					      plain(arena, number_of(m, KEY(p_slower)))));
	}
}

/* --- the baseline history --- */

static void add_points(struct printing *p, const struct json *points, const char *unit)
{
	struct md_table table;
	struct strbuf text = {0};
	size_t at = 0;
	md_table_init(&table, p->arena);
	md_table_column(&table, " ", MD_ALIGN_LEFT);
	md_table_column(&table, "commit", MD_ALIGN_LEFT);
	md_table_column(&table, "date", MD_ALIGN_LEFT);
	md_table_column(&table, "runs", MD_ALIGN_RIGHT);
	md_table_column(&table, "value", MD_ALIGN_RIGHT);
	md_table_column(&table, arena_printf(p->arena, "in %s", unit), MD_ALIGN_RIGHT);
	for (const struct json *one = points->first; one; one = one->next) {
		const struct json *commit = json_get(one, KEY(commit));
		if (at++ + POINTS_SHOWN < points->count)
			continue;
		md_table_cell(&table, json_truth(one, KEY(of_level)) ? "*" : "");
		md_table_cell(&table, json_text(commit, KEY(short), "?"));
		md_table_cell(&table,
			      arena_printf(p->arena, "%.10s", json_text(commit, KEY(time), "")));
		md_table_cell(&table, arena_printf(p->arena, "%.0f", number_of(one, KEY(runs))));
		md_table_cell(&table, quantity_of(one, KEY(value)));
		md_table_cell(&table,
			      arena_printf(p->arena, "%.9g",
					   number_of(json_get(one, KEY(value)), KEY(value))));
	}
	md_table_plain(&table, &text);
	struct span rest = strbuf_span(&text);
	while (rest.len) {
		struct span line = span_cut(&rest, '\n');
		strbuf_addf(&p->out, "  %.*s\n", (int)line.len, line.ptr);
	}
	strbuf_free(&text);
}

static void add_change(struct printing *p, const struct json *change)
{
	struct arena *arena = p->arena;
	const struct json *last = json_get(change, KEY(last_before)),
			  *first = json_get(change, KEY(first_after));
	add_line(p, arena_printf(arena, "at %s", json_text(first, KEY(short), "?")),
		 arena_printf(arena,
			      "%s to %s, %s (95 %%: %s to %s), p %s, rank p %s; %.0f commits "
			      "before it (the last is %s), %.0f from it on",
			      quantity_of(change, KEY(before)), quantity_of(change, KEY(after)),
			      change_text(arena, number_of(change, KEY(effect))),
			      change_text(arena, number_of(change, KEY(effect_low))),
			      change_text(arena, number_of(change, KEY(effect_high))),
			      plain(arena, number_of(change, KEY(p))),
			      plain(arena, number_of(change, KEY(rank_p))),
			      number_of(change, KEY(commits_before)),
			      json_text(last, KEY(short), "none"),
			      number_of(change, KEY(commits_after))));
}

static void add_record(struct printing *p, const struct json *one)
{
	const struct json *record = json_get(one, KEY(record)),
			  *points = json_get(record, KEY(points));
	const struct json *changes = json_get(record, KEY(changes));
	add_title(p, arena_printf(p->arena, "record: %.0f commits with data, %.0f at the level (*)",
				  number_of(record, KEY(commits)),
				  number_of(record, KEY(commits_of_level))));
	if (points->count == 0) {
		add_line(p, "none", "nothing was measured before");
		return;
	}
	add_points(p, points, json_text(one, KEY(unit), "1"));
	if (points->count > POINTS_SHOWN)
		strbuf_addf(&p->out, "  the newest %d of %zu; --json has all\n", POINTS_SHOWN,
			    points->count);
	if (number_of(record, KEY(accidents)) > 0)
		add_line(p, "left out", "the newest commit: far off, and nothing after it agrees");
	add_title(p, "changes of level on record");
	for (const struct json *change = changes->first; change; change = change->next)
		add_change(p, change);
	if (changes->count == 0)
		strbuf_addstr(&p->out, "  none\n");
}

/* --- the judge --- */

static const char *noise_text(struct arena *arena, const struct json *judge,
			      const struct json *record)
{
	const char *own = percent(arena, number_of(judge, KEY(own_scale)));
	if (!json_truth(judge, KEY(borrowed)))
		return arena_printf(arena, "%s between commits, the record's own",
				    percent(arena, number_of(judge, KEY(scale))));
	return arena_printf(arena,
			    "%s between commits: the record's own (%s) with that of sister "
			    "series or the row (%s)",
			    percent(arena, number_of(judge, KEY(scale))), own,
			    percent(arena, number_of(record, KEY(noise_of_sisters))));
}

static const char *t_text(struct arena *arena, const struct json *judge)
{
	bool logs = strncmp(json_text(judge, KEY(values), ""), "ln", 2) == 0;
	return arena_printf(arena, "%s / (%.6g sqrt(%.6g)) = %.6g",
			    logs ? arena_printf(arena, "ln(1 %+.6g)", number_of(judge, KEY(effect)))
				 : plain(arena, number_of(judge, KEY(effect))),
			    number_of(judge, KEY(scale)), number_of(judge, KEY(widening)),
			    number_of(judge, KEY(t)));
}

static const char *deciding_text(struct arena *arena, const struct json *judge)
{
	double commits = number_of(judge, KEY(more_commits)),
	       runs = number_of(judge, KEY(more_measurements));
	if (commits > 0)
		return arena_printf(arena, "%s on record would decide",
				    count_of(arena, commits, "more commit"));
	if (runs > 0)
		return arena_printf(arena, "%s would bring that within the tolerance",
				    count_of(arena, runs, "more measurement"));
	return NULL;
}

static void add_gates(struct printing *p, const struct json *judge)
{
	const struct json *gates = json_get(judge, KEY(gates));
	add_title(p, "what a difference must pass to be believed");
	for (const struct json *gate = gates->first; gate; gate = gate->next)
		add_line(p, json_text(gate, KEY(name), "?"),
			 arena_printf(p->arena, "%s: %s, %s %s",
				      json_truth(gate, KEY(passed)) ? "passed" : "FAILED",
				      plain(p->arena, number_of(gate, KEY(value))),
				      json_text(gate, KEY(must_be), "?"),
				      plain(p->arena, number_of(gate, KEY(limit)))));
}

static void add_judge(struct printing *p, const struct json *one)
{
	struct arena *arena = p->arena;
	const struct json *judge = json_get(one, KEY(judge));
	if (!judge)
		return;
	const char *deciding = deciding_text(arena, judge);
	add_title(p, arena_printf(arena, "how it is judged: %s, runs of the candidate: %s",
				  json_text(judge, KEY(values), "?"),
				  json_text(judge, KEY(runs), "?")));
	add_line(p, "level",
		 arena_printf(arena, "%s, standard error %s, of %s", quantity_of(judge, KEY(level)),
			      quantity_of(judge, KEY(level_error)),
			      count_of(arena, number_of(judge, KEY(commits)), "commit")));
	add_line(p, "noise", noise_text(arena, judge, json_get(one, KEY(record))));
	add_line(p, "widening",
		 arena_printf(arena, "%s (autocorrelation %s), %s degrees of freedom",
			      plain(arena, number_of(judge, KEY(widening))),
			      plain(arena, number_of(judge, KEY(autocorrelation))),
			      plain(arena, number_of(judge, KEY(df)))));
	add_line(p, "candidate", quantity_of(judge, KEY(candidate)));
	add_line(p, "effect",
		 arena_printf(arena, "%s, 95 %% interval %s to %s (+ is worse)",
			      change_text(arena, number_of(judge, KEY(effect))),
			      change_text(arena, number_of(judge, KEY(effect_low))),
			      change_text(arena, number_of(judge, KEY(effect_high)))));
	add_line(p, "t", t_text(arena, judge));
	add_line(p, "p",
		 arena_printf(arena, "%s that noise makes it so slow, %s so fast",
			      plain(arena, number_of(judge, KEY(p_slower))),
			      plain(arena, number_of(judge, KEY(p_faster)))));
	add_line(p, "detectable",
		 arena_printf(arena, "a slowdown of %s shows in four of five cases%s%s",
			      percent(arena, number_of(judge, KEY(detectable))),
			      deciding ? "; " : "", deciding ? deciding : ""));
	add_gates(p, judge);
}

static void add_together(struct printing *p, const struct json *one, const struct json *together)
{
	struct arena *arena = p->arena;
	if (isnan(number_of(one, KEY(q_slower))))
		return;
	add_line(p, "false discoveries",
		 arena_printf(arena,
			      "q %s slower, %s faster, of p %s and %s among %.0f judged; the "
			      "limit is %s",
			      plain(arena, number_of(one, KEY(q_slower))),
			      plain(arena, number_of(one, KEY(q_faster))),
			      plain(arena, number_of(one, KEY(p_slower))),
			      plain(arena, number_of(one, KEY(p_faster))),
			      number_of(together, KEY(count)),
			      plain(arena, number_of(together, KEY(false_discovery)))));
}

/* --- in addition to the numbers --- */

static void add_drifts(struct printing *p, const struct json *list)
{
	struct arena *arena = p->arena;
	for (const struct json *drift = list->first; drift; drift = drift->next)
		add_line(p, "drift",
			 arena_printf(arena,
				      "%s (95 %%: %s to %s) against %s: %s (%.0f commits), now %s "
				      "(%.0f), p %s%s",
				      change_text(arena, number_of(drift, KEY(drift))),
				      change_text(arena, number_of(drift, KEY(drift_low))),
				      change_text(arena, number_of(drift, KEY(drift_high))),
				      json_text(drift, KEY(against), "?"),
				      quantity_of(drift, KEY(reference)),
				      number_of(drift, KEY(commits_of_reference)),
				      quantity_of(drift, KEY(current)),
				      number_of(drift, KEY(commits_of_current)),
				      plain(arena, number_of(drift, KEY(p))),
				      json_truth(drift, KEY(creep)) ? ": creep" : ""));
}

static void add_beside(struct printing *p, const struct json *one)
{
	struct arena *arena = p->arena;
	const struct json *facts = json_get(one, KEY(environment)),
			  *kernel = json_get(one, KEY(kernel_hash)),
			  *accepted = json_get(one, KEY(acceptance));
	for (const struct json *fact = facts->first; fact; fact = fact->next)
		add_line(p, "environment",
			 arena_printf(arena, "%s: %s, now %s", json_text(fact, KEY(fact), "?"),
				      json_text(fact, KEY(baseline), "?"),
				      json_text(fact, KEY(candidate), "?")));
	if (facts->count == 0)
		add_line(p, "environment", "no known difference");
	add_line(p, "kernel",
		 arena_printf(arena, "hashes %s", json_text(kernel, KEY(is), "unknown")));
	if (accepted)
		add_line(p, "acceptance",
			 arena_printf(arena, "line %.0f, up to %s, expires %s, by %s: %s%s",
				      number_of(accepted, KEY(line)),
				      json_text(accepted, KEY(ceiling_text), "?"),
				      json_text(accepted, KEY(expires), "?"),
				      json_text(accepted, KEY(author), "?"),
				      json_text(accepted, KEY(reason), "?"),
				      json_truth(accepted, KEY(accepts))
					      ? ""
					      : " (does not accept it)"));
}

static void add_row(struct printing *p, const struct json *one)
{
	struct arena *arena = p->arena;
	const struct json *row = json_get(one, KEY(row)), *treat = json_get(row, KEY(treat));
	double days = number_of(row, KEY(stale_after_days));
	struct strbuf sb = {0};
	strbuf_addf(&sb, "\"%s\" (%s): kernel %s, %s is better, %s; alpha %s, tolerance %s",
		    json_text(row, KEY(name), "?"), json_text(row, KEY(role), "?"),
		    json_text(row, KEY(kernel), "*"), json_text(row, KEY(better), "?"),
		    json_text(row, KEY(limit_text), "?"), plain(arena, number_of(row, KEY(alpha))),
		    percent(arena, number_of(row, KEY(tolerance))));
	strbuf_addf(&sb, ", noise %s, at least %s, %s",
		    isnan(number_of(row, KEY(noise))) ? "from the record"
						      : percent(arena, number_of(row, KEY(noise))),
		    count_of(arena, number_of(row, KEY(runs)), "run"),
		    json_truth(row, KEY(confirm)) ? "confirmed by a second measurement"
						  : "not confirmed");
	if (!isnan(days))
		strbuf_addf(&sb, ", stale after %s days", plain(arena, days));
	for (const struct json *one_of = treat->first; one_of; one_of = one_of->next)
		strbuf_addf(&sb, ", %s = %s", one_of->name, one_of->text);
	add_line(p, "row", strbuf_into(&sb, arena));
}

static void add_explained(struct printing *p, const struct json *one, const struct json *together)
{
	struct arena *arena = p->arena;
	fill_words(&p->out,
		   arena_printf(arena, "%s, %s: %s", json_text(one, KEY(name), "?"),
				json_text(one, KEY(metric), "?"),
				json_text(one, KEY(verdict), "?")),
		   2);
	add_line(p, "why", json_text(one, KEY(reason), ""));
	add_line(p, "exit status", plain(arena, number_of(one, KEY(exit_status))));
	add_line(p, "method", json_text(one, KEY(method), "?"));
	add_sides(p, one);
	if (json_get(one, KEY(change_of_level))) {
		add_title(p, "the change that is meant");
		add_change(p, json_get(one, KEY(change_of_level)));
	}
	add_measurements(p, one);
	add_record(p, one);
	add_judge(p, one);
	add_title(p, "what else counts");
	add_together(p, one, together);
	add_drifts(p, json_get(one, KEY(drift)));
	add_beside(p, one);
	add_row(p, one);
	add_line(p, "series key", json_text(one, KEY(series), "?"));
}

const char *render_gate_explain_text(struct arena *arena, const struct json *document)
{
	struct printing p = {.arena = arena};
	const struct json *list = json_get(document, KEY(explained));
	fill_words(&p.out,
		   arena_printf(arena, "%s: %s", json_text(document, KEY(verdict), "?"),
				json_text(document, KEY(reason), "?")),
		   0);
	fill_words(&p.out,
		   arena_printf(arena, "%s against %s; exit status %.0f",
				json_text(json_get(document, KEY(candidate)), KEY(short), "?"),
				json_text(document, KEY(against), "?"),
				number_of(document, KEY(exit_status))),
		   0);
	for (const struct json *one = list->first; one; one = one->next) {
		strbuf_addch(&p.out, '\n');
		add_explained(&p, one, json_get(document, KEY(judged_together)));
	}
	return strbuf_into(&p.out, arena);
}
