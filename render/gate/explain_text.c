/* The numbers of verdicts as text, printed from the document of explain.c, so that both agree. */
#include "render/gate/gate.h"
#include "render/gate/internal.h"

#include "render/document/key.h"
#include "render/markup/markup.h"
#include "render/report/report.h"
#include "render/vocabulary/vocabulary.h"

enum { COLUMNS = 80, NAME_WIDTH = 18, POINTS_SHOWN = 20 };

struct page {
	struct arena *arena;
	struct strbuf out;
};

static double number_of(const struct json *object, const char *name)
{
	return json_number(object, name, NAN);
}

/* Numbers of the document as text; the word for unknown for null. */
static const char *plain(const struct page *p, const struct json *object, const char *name)
{
	double number = number_of(object, name);
	return isnan(number) ? vocabulary_label("unknown") : arena_printf(p->arena, "%.6g", number);
}

static const char *percent(const struct page *p, const struct json *object, const char *name)
{
	double fraction = number_of(object, name);
	return isnan(fraction) ? vocabulary_label("unknown")
			       : arena_printf(p->arena, "%.4g %%", fraction * 100);
}

static const char *change_of(const struct page *p, const struct json *object, const char *name)
{
	double change = number_of(object, name);
	return isnan(change) ? vocabulary_label("unknown")
			     : arena_printf(p->arena, "%+.4g %%", change * 100);
}

static void add_text(struct page *p, const char *name, const char *text)
{
	name = vocabulary_label(name);
	size_t width = utf8_columns(span_of(name));
	strbuf_addf(&p->out, "  %s", name);
	strbuf_pad(&p->out, width, NAME_WIDTH);
	if (width > NAME_WIDTH)
		strbuf_addch(&p->out, ' ');
	fill_words(&p->out, vocabulary_value(p->arena, text),
		   width > NAME_WIDTH ? width + 3 : NAME_WIDTH + 2);
}

/* "  name              text", wrapped, and the title of such lines: formats. */
#define add_line(p, name, ...) add_text((p), (name), arena_printf((p)->arena, __VA_ARGS__))
#define add_title(p, ...) strbuf_addf(&(p)->out, "\n%s\n", arena_printf((p)->arena, __VA_ARGS__))

static const char *text_of(const struct json *object, const char *name)
{
	return json_text(object, name, "?");
}

static const char *quantity_of(const struct page *p, const struct json *object, const char *name)
{
	return vocabulary_value(p->arena, json_text(json_get(object, name), KEY(text), "unknown"));
}

static const char *count_of(const struct page *p, const struct json *object, const char *name,
			    const char *thing)
{
	double count = number_of(object, name);
	return arena_printf(p->arena, vocabulary_format("%.0f %s%s"), count,
			    vocabulary_format(thing), count == 1 ? "" : "s");
}

static const char *commit_text(struct arena *arena, const struct json *commit)
{
	if (!commit)
		return vocabulary_label("none");
	return arena_printf(arena, vocabulary_format("%s, %.10s: %s"), text_of(commit, KEY(short)),
			    text_of(commit, KEY(time)), json_text(commit, KEY(subject), ""));
}

/* --- the two sides --- */

static void add_sides(struct page *p, const struct json *one)
{
	struct arena *arena = p->arena;
	const struct json *old = json_get(one, KEY(baseline)), *new = json_get(one, KEY(candidate));
	const char *is = json_text(old, KEY(is), NULL);
	const char *age = json_text(old, KEY(age_text), NULL);
	if (is)
		add_line(p, "baseline", vocabulary_format("%s (%s)"),
			 quantity_of(p, one, KEY(baseline)), vocabulary_label(is));
	else
		add_line(p, "baseline", "%s", quantity_of(p, one, KEY(baseline)));
	if (json_get(old, KEY(commit)))
		add_line(p, "  latest commit", "%s%s%s",
			 commit_text(arena, json_get(old, KEY(commit))),
			 age ? vocabulary_format("; ") : "", age ? age : "");
	add_line(p, "candidate", vocabulary_format("%s, %s; %s"),
		 quantity_of(p, one, KEY(candidate)), change_of(p, one, KEY(change)),
		 count_of(p, new, KEY(runs), "run"));
}

/* The first repeats of a measurement, and the number of the others. */
static const char *values_text(const struct page *p, const struct json *values)
{
	enum { SHOWN = 10 };
	struct strbuf sb = {0};
	size_t shown = 0;
	for (const struct json *v = values->first; v && shown < SHOWN; v = v->next, shown++)
		strbuf_addf(&sb, "%s%s", shown ? vocabulary_format(", ") : "",
			    vocabulary_value(p->arena, json_text(v, KEY(text), "unknown")));
	if (values->count > SHOWN)
		strbuf_addf(&sb, vocabulary_format(" ... and %u more"), values->count - SHOWN);
	return strbuf_into(&sb, p->arena);
}

static void add_measurements(struct page *p, const struct json *one)
{
	const struct json *list = json_get(json_get(one, KEY(candidate)), KEY(measurements));
	size_t number = 0;
	if (list->count == 0)
		return;
	add_title(p, "%s", vocabulary_label("measurements of this commit, one by one"));
	for (const struct json *m = list->first; m; m = m->next) {
		const char *verdict = json_text(m, KEY(verdict_text), NULL);
		add_line(p, arena_printf(p->arena, "%zu", ++number), vocabulary_format("%s: %s"),
			 text_of(m, KEY(ingested)), values_text(p, json_get(m, KEY(values))));
		if (verdict)
			add_line(p, "", vocabulary_format("%s: %s (p slower %s)"), verdict,
				 json_text(m, KEY(reason), ""), plain(p, m, KEY(p_slower)));
	}
}

/* --- the baseline history --- */

static void add_points(struct page *p, const struct json *points, const char *unit)
{
	struct md_table table =
		md_table_of(p->arena, 0, vocabulary_label(" |commit|date|>runs|>value"));
	struct strbuf text = {0};
	size_t at = 0;
	table.say = vocabulary_value;
	md_table_column(&table, arena_printf(p->arena, vocabulary_format("in %s"), unit),
			MD_ALIGN_RIGHT);
	for (const struct json *one = points->first; one; one = one->next) {
		const struct json *commit = json_get(one, KEY(commit));
		if (at++ + POINTS_SHOWN < points->count)
			continue;
		md_table_row(&table, json_truth(one, KEY(of_level)) ? "*" : "",
			     text_of(commit, KEY(short)),
			     arena_prefix(p->arena, json_text(commit, KEY(time), ""), 10),
			     arena_printf(p->arena, "%.0f", number_of(one, KEY(runs))),
			     quantity_of(p, one, KEY(value)),
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

static void add_change(struct page *p, const struct json *change)
{
	const struct json *last = json_get(change, KEY(last_before)),
			  *first = json_get(change, KEY(first_after));
	add_line(p, arena_printf(p->arena, vocabulary_format("at %s"), text_of(first, KEY(short))),
		 vocabulary_format("%s to %s, %s (95 %% CI %s to %s), p = %s, rank p = %s; %.0f "
				   "commit%s before (last: %s), %.0f since"),
		 quantity_of(p, change, KEY(before)), quantity_of(p, change, KEY(after)),
		 change_of(p, change, KEY(effect)), change_of(p, change, KEY(effect_low)),
		 change_of(p, change, KEY(effect_high)), plain(p, change, KEY(p)),
		 plain(p, change, KEY(rank_p)), number_of(change, KEY(commits_before)),
		 number_of(change, KEY(commits_before)) == 1 ? "" : "s",
		 json_text(last, KEY(short), vocabulary_label("none")),
		 number_of(change, KEY(commits_after)));
}

static void add_history(struct page *p, const struct json *one)
{
	const struct json *history = json_get(one, KEY(record)),
			  *points = json_get(history, KEY(points));
	const struct json *changes = json_get(history, KEY(changes));
	add_title(p, vocabulary_format("history: %s, %.0f since the last change (*)"),
		  count_of(p, history, KEY(commits), "measured commit"),
		  number_of(history, KEY(commits_of_level)));
	if (points->count == 0) {
		add_line(p, "none", "%s", vocabulary_label("no earlier measurements"));
		return;
	}
	add_points(p, points, json_text(one, KEY(unit), "1"));
	if (points->count > POINTS_SHOWN)
		strbuf_addf(&p->out, vocabulary_format("  the latest %d of %u; --json lists all\n"),
			    POINTS_SHOWN, points->count);
	if (number_of(history, KEY(accidents)) > 0)
		add_line(p, "excluded", "%s",
			 vocabulary_label("the latest commit: an outlier that no later commit "
					  "supports"));
	if (number_of(history, KEY(fixed_commits)) > 0)
		add_line(p, "excluded",
			 vocabulary_format("%.0f commits of a change that was fixed"),
			 number_of(history, KEY(fixed_commits)));
	add_title(p, "%s", vocabulary_label("change points in the history"));
	for (const struct json *change = changes->first; change; change = change->next)
		add_change(p, change);
	if (changes->count == 0)
		strbuf_addf(&p->out, "  %s\n", vocabulary_label("none"));
}

/* --- the judge --- */

static const char *noise_text(const struct page *p, const struct json *judge,
			      const struct json *history)
{
	if (!json_truth(judge, KEY(borrowed)))
		return arena_printf(p->arena,
				    vocabulary_format("%s between commits, from this series"),
				    percent(p, judge, KEY(scale)));
	if (json_get(judge, KEY(noise_assumed)))
		return arena_printf(p->arena,
				    vocabulary_format("%s between commits: from this series (%s), "
						      "noise %s assumed"),
				    percent(p, judge, KEY(scale)),
				    percent(p, judge, KEY(own_scale)),
				    percent(p, judge, KEY(noise_assumed)));
	return arena_printf(p->arena,
			    vocabulary_format("%s between commits: from this series (%s), "
					      "combined with similar series or the rule's setting "
					      "(%s)"),
			    percent(p, judge, KEY(scale)), percent(p, judge, KEY(own_scale)),
			    percent(p, history, KEY(noise_of_sisters)));
}

static const char *t_text(const struct page *p, const struct json *judge)
{
	bool logs = strncmp(json_text(judge, KEY(values), ""), "ln", 2) == 0;
	return arena_printf(
		p->arena, "%s / (%.6g sqrt(%.6g)) = %.6g",
		logs ? arena_printf(p->arena, "ln(1 %+.6g)", number_of(judge, KEY(effect)))
		     : plain(p, judge, KEY(effect)),
		number_of(judge, KEY(scale)), number_of(judge, KEY(widening)),
		number_of(judge, KEY(t)));
}

static const char *deciding_text(const struct page *p, const struct json *judge)
{
	return number_of(judge, KEY(more_commits)) > 0
		       ? arena_printf(p->arena, vocabulary_format("; %s needed"),
				      count_of(p, judge, KEY(more_commits), "more commit"))
		       : "";
}

static void add_gates(struct page *p, const struct json *judge)
{
	const struct json *gates = json_get(judge, KEY(gates));
	add_title(p, "%s", vocabulary_label("checks that a difference must pass"));
	for (const struct json *gate = gates->first; gate; gate = gate->next)
		add_line(p, text_of(gate, KEY(name)), vocabulary_format("%s: %s, %s %s"),
			 vocabulary_label(json_truth(gate, KEY(passed)) ? "passed" : "FAILED"),
			 plain(p, gate, KEY(value)), vocabulary_label(text_of(gate, KEY(must_be))),
			 plain(p, gate, KEY(limit)));
}

static void add_judge(struct page *p, const struct json *one)
{
	const struct json *judge = json_get(one, KEY(judge));
	if (!judge)
		return;
	add_title(p, vocabulary_format("test: %s; runs of this commit: %s"),
		  vocabulary_label(text_of(judge, KEY(values))),
		  vocabulary_label(text_of(judge, KEY(runs))));
	add_line(p, "baseline mean", vocabulary_format("%s, standard error %s, of %s"),
		 quantity_of(p, judge, KEY(level)), quantity_of(p, judge, KEY(level_error)),
		 count_of(p, judge, KEY(commits), "commit"));
	add_line(p, "noise", "%s", noise_text(p, judge, json_get(one, KEY(record))));
	add_line(p, "prediction factor",
		 vocabulary_format("%s (autocorrelation %s), %s degrees of freedom"),
		 plain(p, judge, KEY(widening)), plain(p, judge, KEY(autocorrelation)),
		 plain(p, judge, KEY(df)));
	add_line(p, "candidate", "%s", quantity_of(p, judge, KEY(candidate)));
	add_line(p, "effect", vocabulary_format("%s, 95 %% CI %s to %s (+ is worse)"),
		 change_of(p, judge, KEY(effect)), change_of(p, judge, KEY(effect_low)),
		 change_of(p, judge, KEY(effect_high)));
	add_line(p, "t", "%s", t_text(p, judge));
	add_line(p, "p",
		 vocabulary_format("%s for slower, %s for faster (probability under noise alone)"),
		 plain(p, judge, KEY(p_slower)), plain(p, judge, KEY(p_faster)));
	add_line(p, "detectable change",
		 vocabulary_format("a slowdown of %s is detected with 80 %% power%s"),
		 percent(p, judge, KEY(detectable)), deciding_text(p, judge));
	add_gates(p, judge);
}

static void add_together(struct page *p, const struct json *one, const struct json *together)
{
	if (isnan(number_of(one, KEY(q_slower))))
		return;
	add_line(p, "false discovery",
		 vocabulary_format("q = %s slower, %s faster; p = %s and %s among %.0f judged; "
				   "limit %s"),
		 plain(p, one, KEY(q_slower)), plain(p, one, KEY(q_faster)),
		 plain(p, one, KEY(p_slower)), plain(p, one, KEY(p_faster)),
		 number_of(together, KEY(count)), plain(p, together, KEY(false_discovery)));
}

/* --- in addition to the numbers --- */

static void add_drifts(struct page *p, const struct json *list)
{
	for (const struct json *drift = list->first; drift; drift = drift->next)
		add_line(p, "drift",
			 vocabulary_format("%s (95 %% CI %s to %s) %s: %s (%.0f commits), now %s "
					   "(%.0f), p = %s%s"),
			 change_of(p, drift, KEY(drift)), change_of(p, drift, KEY(drift_low)),
			 change_of(p, drift, KEY(drift_high)),
			 report_versus(p->arena, text_of(drift, KEY(against))),
			 quantity_of(p, drift, KEY(reference)),
			 number_of(drift, KEY(commits_of_reference)),
			 quantity_of(p, drift, KEY(current)),
			 number_of(drift, KEY(commits_of_current)), plain(p, drift, KEY(p)),
			 json_truth(drift, KEY(flagged)) ? vocabulary_label(", flagged") : "");
}

static void add_facts(struct page *p, const struct json *one)
{
	const struct json *facts = json_get(one, KEY(environment)),
			  *kernel = json_get(one, KEY(kernel_hash)),
			  *accepted = json_get(one, KEY(acceptance));
	for (const struct json *fact = facts->first; fact; fact = fact->next)
		add_line(p, "environment", vocabulary_format("%s: %s, now %s"),
			 text_of(fact, KEY(fact)), text_of(fact, KEY(baseline)),
			 text_of(fact, KEY(candidate)));
	if (facts->count == 0)
		add_line(p, "environment", "%s", vocabulary_label("no known difference"));
	add_line(p, "kernel", vocabulary_format("hashes %s"),
		 vocabulary_label(json_text(kernel, KEY(is), "unknown")));
	if (accepted)
		add_line(p, "acceptance",
			 vocabulary_format("line %.0f, up to %s, expires %s, by %s: %s%s"),
			 number_of(accepted, KEY(line)), text_of(accepted, KEY(limit_text)),
			 text_of(accepted, KEY(expires)), text_of(accepted, KEY(author)),
			 text_of(accepted, KEY(reason)),
			 json_truth(accepted, KEY(accepts))
				 ? ""
				 : vocabulary_label(" (does not accept it)"));
}

static void add_row(struct page *p, const struct json *one)
{
	const struct json *row = json_get(one, KEY(row)), *fails = json_get(row, KEY(fail_on));
	struct strbuf sb = {0};
	strbuf_addf(&sb,
		    vocabulary_format("\"%s\" (%s): kernel %s, %s is better, %s; alpha %s, "
				      "tolerance %s"),
		    text_of(row, KEY(name)), vocabulary_label(text_of(row, KEY(role))),
		    json_text(row, KEY(kernel), "*"), vocabulary_label(text_of(row, KEY(better))),
		    text_of(row, KEY(limit_text)), plain(p, row, KEY(alpha)),
		    percent(p, row, KEY(tolerance)));
	strbuf_addf(&sb, vocabulary_format(", noise %s, at least %s, %s"),
		    isnan(number_of(row, KEY(noise))) ? vocabulary_label("from history")
						      : percent(p, row, KEY(noise)),
		    count_of(p, row, KEY(runs), "run"),
		    vocabulary_label(json_truth(row, KEY(confirm))
					     ? "confirmed by a second measurement"
					     : "not confirmed"));
	if (!isnan(number_of(row, KEY(stale_after_days))))
		strbuf_addf(&sb, vocabulary_format(", stale after %s days"),
			    plain(p, row, KEY(stale_after_days)));
	if (fails)
		strbuf_addf(&sb, vocabulary_format(", fails on %s"),
			    fails->first ? "" : vocabulary_label("nothing"));
	for (const struct json *word = fails ? fails->first : NULL; word; word = word->next)
		strbuf_addf(&sb, "%s%s", word->text, word->next ? vocabulary_label(" or ") : "");
	add_line(p, "rule", "%s", strbuf_into(&sb, p->arena));
}

static void add_explained(struct page *p, const struct json *one, const struct json *together)
{
	struct arena *arena = p->arena;
	fill_words(&p->out,
		   arena_printf(arena, vocabulary_format("%s, %s: %s"), text_of(one, KEY(name)),
				text_of(one, KEY(metric)), text_of(one, KEY(verdict_text))),
		   2);
	add_line(p, "reason", "%s", json_text(one, KEY(reason), ""));
	add_line(p, "exit status", vocabulary_format("%s with --exit-code"),
		 plain(p, one, KEY(exit_status)));
	add_line(p, "method", "%s", vocabulary_label(text_of(one, KEY(method))));
	add_sides(p, one);
	if (json_get(one, KEY(change_of_level))) {
		add_title(p, "%s", vocabulary_label("the change point of this verdict"));
		add_change(p, json_get(one, KEY(change_of_level)));
	}
	add_measurements(p, one);
	add_history(p, one);
	add_judge(p, one);
	add_title(p, "%s", vocabulary_label("other evidence"));
	add_together(p, one, together);
	add_drifts(p, json_get(one, KEY(drift)));
	add_facts(p, one);
	add_row(p, one);
	add_line(p, "series key", "%s", text_of(one, KEY(series)));
}

void render_gate_say_configuration(struct arena *arena, const struct json *document,
				   struct strbuf *out)
{
	const char *text = json_text(json_get(document, KEY(configuration)), KEY(text), NULL);
	if (text)
		fill_words(out,
			   arena_printf(arena, vocabulary_format("%s: %s"),
					vocabulary_label("configuration"), text),
			   0);
}

const char *render_gate_explain_text(struct arena *arena, const struct json *document)
{
	struct page p = {.arena = arena};
	const struct json *list = json_get(document, KEY(explained));
	fill_words(&p.out,
		   arena_printf(arena, vocabulary_format("%s: %s"), text_of(document, KEY(word)),
				text_of(document, KEY(headline))),
		   0);
	fill_words(&p.out, text_of(document, KEY(reason)), 0);
	fill_words(&p.out,
		   arena_printf(arena, vocabulary_format("%s %s; exit status %.0f"),
				text_of(json_get(document, KEY(candidate)), KEY(short)),
				report_versus(arena, text_of(document, KEY(against))),
				number_of(document, KEY(exit_status))),
		   0);
	render_gate_say_configuration(arena, document, &p.out);
	for (const struct json *one = list->first; one; one = one->next) {
		strbuf_addch(&p.out, '\n');
		add_explained(&p, one, json_get(document, KEY(judged_together)));
	}
	return strbuf_into(&p.out, arena);
}
