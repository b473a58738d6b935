/* The numbers of verdicts as text, printed from the document of explain.c, so that both agree. */
#include "render/gate/gate.h"
#include "render/gate/internal.h"

#include "render/document/key.h"
#include "render/markup/markup.h"

enum { COLUMNS = 80, NAME_WIDTH = 18, POINTS_SHOWN = 20 };

struct page {
	struct arena *arena;
	struct strbuf out;
};

static double number_of(const struct json *object, const char *name)
{
	return json_number(object, name, NAN);
}

/* Numbers of the document as text; "unknown" for null. */
static const char *plain(const struct page *p, const struct json *object, const char *name)
{
	double number = number_of(object, name);
	return isnan(number) ? "unknown" : arena_printf(p->arena, "%.6g", number);
}

static const char *percent(const struct page *p, const struct json *object, const char *name)
{
	double fraction = number_of(object, name);
	return isnan(fraction) ? "unknown" : arena_printf(p->arena, "%.4g %%", fraction * 100);
}

static const char *change_of(const struct page *p, const struct json *object, const char *name)
{
	double change = number_of(object, name);
	return isnan(change) ? "unknown" : arena_printf(p->arena, "%+.4g %%", change * 100);
}

static void add_text(struct page *p, const char *name, const char *text)
{
	size_t start = p->out.len;
	strbuf_addf(&p->out, "  %-*s", NAME_WIDTH, name);
	size_t at = p->out.len - start;
	if (at > NAME_WIDTH + 2)
		strbuf_addch(&p->out, ' ');
	fill_words(&p->out, text, at > NAME_WIDTH + 2 ? at + 1 : at);
}

/* "  name              text", wrapped, and the title of such lines: formats. */
#define add_line(p, name, ...) add_text((p), (name), arena_printf((p)->arena, __VA_ARGS__))
#define add_title(p, ...) strbuf_addf(&(p)->out, "\n%s\n", arena_printf((p)->arena, __VA_ARGS__))

static const char *text_of(const struct json *object, const char *name)
{
	return json_text(object, name, "?");
}

static const char *quantity_of(const struct json *object, const char *name)
{
	return json_text(json_get(object, name), KEY(text), "unknown");
}

static const char *count_of(const struct page *p, const struct json *object, const char *name,
			    const char *thing)
{
	double count = number_of(object, name);
	return arena_printf(p->arena, "%.0f %s%s", count, thing, count == 1 ? "" : "s");
}

static const char *commit_text(struct arena *arena, const struct json *commit)
{
	if (!commit)
		return "none";
	return arena_printf(arena, "%s, %.10s: %s", text_of(commit, KEY(short)),
			    text_of(commit, KEY(time)), json_text(commit, KEY(subject), ""));
}

/* --- the two sides --- */

static void add_sides(struct page *p, const struct json *one)
{
	struct arena *arena = p->arena;
	const struct json *old = json_get(one, KEY(baseline)), *new = json_get(one, KEY(candidate));
	const char *is = json_text(old, KEY(is), NULL);
	const char *age = json_text(old, KEY(age_text), NULL);
	add_line(p, "baseline", is ? "%s (%s)" : "%s", quantity_of(one, KEY(baseline)), is);
	if (json_get(old, KEY(commit)))
		add_line(p, "  latest commit", "%s%s%s",
			 commit_text(arena, json_get(old, KEY(commit))), age ? "; " : "",
			 age ? age : "");
	add_line(p, "candidate", "%s, %s; %s", quantity_of(one, KEY(candidate)),
		 change_of(p, one, KEY(change)), count_of(p, new, KEY(runs), "run"));
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
		strbuf_addf(&sb, " ... and %u more", values->count - SHOWN);
	return strbuf_into(&sb, arena);
}

static void add_measurements(struct page *p, const struct json *one)
{
	struct arena *arena = p->arena;
	const struct json *list = json_get(json_get(one, KEY(candidate)), KEY(measurements));
	size_t number = 0;
	if (list->count == 0)
		return;
	add_title(p, "measurements of this commit, one by one");
	for (const struct json *m = list->first; m; m = m->next) {
		const char *verdict = json_text(m, KEY(verdict_text), NULL);
		add_line(p, arena_printf(arena, "%zu", ++number), "%s: %s",
			 text_of(m, KEY(ingested)), values_text(arena, json_get(m, KEY(values))));
		if (verdict)
			add_line(p, "", "%s: %s (p slower %s)", verdict,
				 json_text(m, KEY(reason), ""), plain(p, m, KEY(p_slower)));
	}
}

/* --- the baseline history --- */

static void add_points(struct page *p, const struct json *points, const char *unit)
{
	struct md_table table = md_table_of(p->arena, 0, " |commit|date|>runs|>value");
	struct strbuf text = {0};
	size_t at = 0;
	md_table_column(&table, arena_printf(p->arena, "in %s", unit), MD_ALIGN_RIGHT);
	for (const struct json *one = points->first; one; one = one->next) {
		const struct json *commit = json_get(one, KEY(commit));
		if (at++ + POINTS_SHOWN < points->count)
			continue;
		md_table_row(&table, json_truth(one, KEY(of_level)) ? "*" : "",
			     text_of(commit, KEY(short)),
			     arena_prefix(p->arena, json_text(commit, KEY(time), ""), 10),
			     arena_printf(p->arena, "%.0f", number_of(one, KEY(runs))),
			     quantity_of(one, KEY(value)),
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
	struct arena *arena = p->arena;
	const struct json *last = json_get(change, KEY(last_before)),
			  *first = json_get(change, KEY(first_after));
	add_line(p, arena_printf(arena, "at %s", text_of(first, KEY(short))),
		 "%s to %s, %s (95 %% CI %s to %s), p = %s, rank p = %s; %.0f commit%s before "
		 "(last: %s), %.0f since",
		 quantity_of(change, KEY(before)), quantity_of(change, KEY(after)),
		 change_of(p, change, KEY(effect)), change_of(p, change, KEY(effect_low)),
		 change_of(p, change, KEY(effect_high)), plain(p, change, KEY(p)),
		 plain(p, change, KEY(rank_p)), number_of(change, KEY(commits_before)),
		 number_of(change, KEY(commits_before)) == 1 ? "" : "s",
		 json_text(last, KEY(short), "none"), number_of(change, KEY(commits_after)));
}

static void add_history(struct page *p, const struct json *one)
{
	const struct json *history = json_get(one, KEY(record)),
			  *points = json_get(history, KEY(points));
	const struct json *changes = json_get(history, KEY(changes));
	add_title(p, "history: %s, %.0f since the last change (*)",
		  count_of(p, history, KEY(commits), "measured commit"),
		  number_of(history, KEY(commits_of_level)));
	if (points->count == 0) {
		add_line(p, "none", "no earlier measurements");
		return;
	}
	add_points(p, points, json_text(one, KEY(unit), "1"));
	if (points->count > POINTS_SHOWN)
		strbuf_addf(&p->out, "  the latest %d of %u; --json lists all\n", POINTS_SHOWN,
			    points->count);
	if (number_of(history, KEY(accidents)) > 0)
		add_line(p, "excluded",
			 "the latest commit: an outlier that no later commit supports");
	if (number_of(history, KEY(fixed_commits)) > 0)
		add_line(p, "excluded", "%.0f commits of a change that was fixed",
			 number_of(history, KEY(fixed_commits)));
	add_title(p, "change points in the history");
	for (const struct json *change = changes->first; change; change = change->next)
		add_change(p, change);
	if (changes->count == 0)
		strbuf_addstr(&p->out, "  none\n");
}

/* --- the judge --- */

static const char *noise_text(const struct page *p, const struct json *judge,
			      const struct json *history)
{
	if (!json_truth(judge, KEY(borrowed)))
		return arena_printf(p->arena, "%s between commits, from this series",
				    percent(p, judge, KEY(scale)));
	if (json_get(judge, KEY(noise_assumed)))
		return arena_printf(
			p->arena, "%s between commits: from this series (%s), noise %s assumed",
			percent(p, judge, KEY(scale)), percent(p, judge, KEY(own_scale)),
			percent(p, judge, KEY(noise_assumed)));
	return arena_printf(p->arena,
			    "%s between commits: from this series (%s), combined with similar "
			    "series or the rule's setting (%s)",
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
		       ? arena_printf(p->arena, "; %s needed",
				      count_of(p, judge, KEY(more_commits), "more commit"))
		       : "";
}

static void add_gates(struct page *p, const struct json *judge)
{
	const struct json *gates = json_get(judge, KEY(gates));
	add_title(p, "checks that a difference must pass");
	for (const struct json *gate = gates->first; gate; gate = gate->next)
		add_line(p, text_of(gate, KEY(name)), "%s: %s, %s %s",
			 json_truth(gate, KEY(passed)) ? "passed" : "FAILED",
			 plain(p, gate, KEY(value)), text_of(gate, KEY(must_be)),
			 plain(p, gate, KEY(limit)));
}

static void add_judge(struct page *p, const struct json *one)
{
	const struct json *judge = json_get(one, KEY(judge));
	if (!judge)
		return;
	add_title(p, "test: %s; runs of this commit: %s", text_of(judge, KEY(values)),
		  text_of(judge, KEY(runs)));
	add_line(p, "baseline mean", "%s, standard error %s, of %s", quantity_of(judge, KEY(level)),
		 quantity_of(judge, KEY(level_error)), count_of(p, judge, KEY(commits), "commit"));
	add_line(p, "noise", "%s", noise_text(p, judge, json_get(one, KEY(record))));
	add_line(p, "prediction factor", "%s (autocorrelation %s), %s degrees of freedom",
		 plain(p, judge, KEY(widening)), plain(p, judge, KEY(autocorrelation)),
		 plain(p, judge, KEY(df)));
	add_line(p, "candidate", "%s", quantity_of(judge, KEY(candidate)));
	add_line(p, "effect", "%s, 95 %% CI %s to %s (+ is worse)",
		 change_of(p, judge, KEY(effect)), change_of(p, judge, KEY(effect_low)),
		 change_of(p, judge, KEY(effect_high)));
	add_line(p, "t", "%s", t_text(p, judge));
	add_line(p, "p", "%s for slower, %s for faster (probability under noise alone)",
		 plain(p, judge, KEY(p_slower)), plain(p, judge, KEY(p_faster)));
	add_line(p, "detectable change", "a slowdown of %s is detected with 80 %% power%s",
		 percent(p, judge, KEY(detectable)), deciding_text(p, judge));
	add_gates(p, judge);
}

static void add_together(struct page *p, const struct json *one, const struct json *together)
{
	if (isnan(number_of(one, KEY(q_slower))))
		return;
	add_line(p, "false discovery",
		 "q = %s slower, %s faster; p = %s and %s among %.0f judged; limit %s",
		 plain(p, one, KEY(q_slower)), plain(p, one, KEY(q_faster)),
		 plain(p, one, KEY(p_slower)), plain(p, one, KEY(p_faster)),
		 number_of(together, KEY(count)), plain(p, together, KEY(false_discovery)));
}

/* --- in addition to the numbers --- */

static void add_drifts(struct page *p, const struct json *list)
{
	for (const struct json *drift = list->first; drift; drift = drift->next)
		add_line(
			p, "drift",
			"%s (95 %% CI %s to %s) vs. %s: %s (%.0f commits), now %s (%.0f), p = %s%s",
			change_of(p, drift, KEY(drift)), change_of(p, drift, KEY(drift_low)),
			change_of(p, drift, KEY(drift_high)), text_of(drift, KEY(against)),
			quantity_of(drift, KEY(reference)),
			number_of(drift, KEY(commits_of_reference)),
			quantity_of(drift, KEY(current)), number_of(drift, KEY(commits_of_current)),
			plain(p, drift, KEY(p)),
			json_truth(drift, KEY(flagged)) ? ", flagged" : "");
}

static void add_facts(struct page *p, const struct json *one)
{
	const struct json *facts = json_get(one, KEY(environment)),
			  *kernel = json_get(one, KEY(kernel_hash)),
			  *accepted = json_get(one, KEY(acceptance));
	for (const struct json *fact = facts->first; fact; fact = fact->next)
		add_line(p, "environment", "%s: %s, now %s", text_of(fact, KEY(fact)),
			 text_of(fact, KEY(baseline)), text_of(fact, KEY(candidate)));
	if (facts->count == 0)
		add_line(p, "environment", "no known difference");
	add_line(p, "kernel", "hashes %s", json_text(kernel, KEY(is), "unknown"));
	if (accepted)
		add_line(p, "acceptance", "line %.0f, up to %s, expires %s, by %s: %s%s",
			 number_of(accepted, KEY(line)), text_of(accepted, KEY(limit_text)),
			 text_of(accepted, KEY(expires)), text_of(accepted, KEY(author)),
			 text_of(accepted, KEY(reason)),
			 json_truth(accepted, KEY(accepts)) ? "" : " (does not accept it)");
}

static void add_row(struct page *p, const struct json *one)
{
	struct arena *arena = p->arena;
	const struct json *row = json_get(one, KEY(row)), *fails = json_get(row, KEY(fail_on));
	struct strbuf sb = {0};
	strbuf_addf(&sb, "\"%s\" (%s): kernel %s, %s is better, %s; alpha %s, tolerance %s",
		    text_of(row, KEY(name)), text_of(row, KEY(role)),
		    json_text(row, KEY(kernel), "*"), text_of(row, KEY(better)),
		    text_of(row, KEY(limit_text)), plain(p, row, KEY(alpha)),
		    percent(p, row, KEY(tolerance)));
	strbuf_addf(&sb, ", noise %s, at least %s, %s",
		    isnan(number_of(row, KEY(noise))) ? "from history"
						      : percent(p, row, KEY(noise)),
		    count_of(p, row, KEY(runs), "run"),
		    json_truth(row, KEY(confirm)) ? "confirmed by a second measurement"
						  : "not confirmed");
	if (!isnan(number_of(row, KEY(stale_after_days))))
		strbuf_addf(&sb, ", stale after %s days", plain(p, row, KEY(stale_after_days)));
	if (fails)
		strbuf_addf(&sb, ", fails on %s", fails->first ? "" : "nothing");
	for (const struct json *word = fails ? fails->first : NULL; word; word = word->next)
		strbuf_addf(&sb, "%s%s", word->text, word->next ? " or " : "");
	add_line(p, "rule", "%s", strbuf_into(&sb, arena));
}

static void add_explained(struct page *p, const struct json *one, const struct json *together)
{
	struct arena *arena = p->arena;
	fill_words(&p->out,
		   arena_printf(arena, "%s, %s: %s", text_of(one, KEY(name)),
				text_of(one, KEY(metric)), text_of(one, KEY(verdict_text))),
		   2);
	add_line(p, "reason", "%s", json_text(one, KEY(reason), ""));
	add_line(p, "exit status", "%s with --exit-code", plain(p, one, KEY(exit_status)));
	add_line(p, "method", "%s", text_of(one, KEY(method)));
	add_sides(p, one);
	if (json_get(one, KEY(change_of_level))) {
		add_title(p, "the change point of this verdict");
		add_change(p, json_get(one, KEY(change_of_level)));
	}
	add_measurements(p, one);
	add_history(p, one);
	add_judge(p, one);
	add_title(p, "other evidence");
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
		fill_words(out, arena_printf(arena, "configuration: %s", text), 0);
}

const char *render_gate_explain_text(struct arena *arena, const struct json *document)
{
	struct page p = {.arena = arena};
	const struct json *list = json_get(document, KEY(explained));
	fill_words(&p.out,
		   arena_printf(arena, "%s: %s", text_of(document, KEY(word)),
				text_of(document, KEY(headline))),
		   0);
	fill_words(&p.out, text_of(document, KEY(reason)), 0);
	fill_words(&p.out,
		   arena_printf(arena, "%s vs. %s; exit status %.0f",
				text_of(json_get(document, KEY(candidate)), KEY(short)),
				text_of(document, KEY(against)),
				number_of(document, KEY(exit_status))),
		   0);
	render_gate_say_configuration(arena, document, &p.out);
	for (const struct json *one = list->first; one; one = one->next) {
		strbuf_addch(&p.out, '\n');
		add_explained(&p, one, json_get(document, KEY(judged_together)));
	}
	return strbuf_into(&p.out, arena);
}
