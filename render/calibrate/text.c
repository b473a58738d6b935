/* A calibration as text and tables. */
#include "render/calibrate/calibrate.h"

#include "render/markup/markup.h"
#include "render/vocabulary/vocabulary.h"

const char *render_calibrate_name(struct arena *arena, const struct calibration *c,
				  const struct calibrate_series *one)
{
	const struct run *run = one->history->identity;
	const char *params = run_params_text(arena, run);
	size_t rows = 0;
	for (size_t i = 0; i < c->policies->count; i++)
		rows += !c->policies->items[i].refines;
	return arena_printf(arena, "%s%s%s%s%s%s%s", run->kernel ? run->kernel : "unknown",
			    run->variant && run->variant[0] ? " " : "",
			    run->variant ? run->variant : "", params[0] ? " " : "", params,
			    rows > 1 ? ", rule " : "", rows > 1 ? one->row->name : "");
}

/* The share `count` / `of`; "unknown" if there are none. */
static const char *part(struct arena *arena, size_t count, size_t of)
{
	return of ? quantity_percent_text(arena, (double)count / (double)of) : "unknown";
}

static const char *count_text(struct arena *arena, size_t count)
{
	return quantity_text(arena, (double)count, UNIT_COUNT);
}

/* A number of false alarms: small ones have two significant digits. */
static const char *rate(struct arena *arena, double number)
{
	if (isnan(number))
		return "unknown";
	return number < 100 ? arena_printf(arena, "%.2g", number)
			    : arena_printf(arena, "%.0f", number);
}

/* --- tables --- */

/* Terminal columns for the first table with all of its columns. Narrower ones leave two out, whose
 * totals the sentences below the table state. */
enum { WIDE = 100 };

static void add_series_table(struct arena *arena, const struct calibration *c, size_t width,
			     struct strbuf *out)
{
	bool all = !width || width >= WIDE;
	struct md_table table = md_table_of(
		arena, width,
		all ? "series|>commits|>changes|>noise|>judged|>flagged|>unclear|>shows|shape"
		    : "series|>commits|>noise|>flagged|>unclear|>shows|shape");
	for (size_t i = 0; i < c->count; i++) {
		const struct calibrate_series *one = &c->series[i];
		md_table_row(&table, render_calibrate_name(arena, c, one),
			     count_text(arena, one->points.count),
			     all ? count_text(arena, one->levels - 1) : md_no_cell,
			     quantity_percent_text(arena, one->noise),
			     all ? count_text(arena, one->before.judged) : md_no_cell,
			     count_text(arena, one->before.flagged),
			     part(arena, one->before.undecided, one->before.judged),
			     quantity_percent_text(arena, one->shown_before),
			     vocabulary_say(arena, calibrate_shape_message(arena, one)));
	}
	strbuf_addf(out, "Current configuration%s:\n",
		    all ? "" : " (widen the terminal for more columns)");
	md_table_plain(&table, out);
}

static void add_group_table(struct arena *arena, const struct calibration *c, size_t width,
			    struct strbuf *out)
{
	struct md_table table = md_table_of(
		arena, width, "kernel|>alpha|>relative|>tolerance|>flagged|>unclear|>shows|why");
	for (size_t i = 0; i < c->group_count; i++) {
		const struct calibrate_group *group = &c->groups[i];
		md_table_row(&table, group->kernel, arena_printf(arena, "%g", group->limits.alpha),
			     quantity_percent_text(arena, calibrate_relative(&group->limits)),
			     quantity_percent_text(arena, group->limits.tolerance),
			     count_text(arena, group->after.flagged),
			     part(arena, group->after.undecided, group->after.judged),
			     quantity_percent_text(arena, group->shown_after),
			     vocabulary_term(LANGUAGE_ENGLISH,
					     calibrate_evidence_message(group->evidence)));
	}
	strbuf_addstr(out, "\nThresholds for the target:\n");
	md_table_plain(&table, out);
}

/* --- sentences --- */

static void add_head(struct arena *arena, const struct calibration *c,
		     const struct calibrate_request *request, struct strbuf *out)
{
	strbuf_addf(out, "Replayed %s gate call%s (up to %.10s, %.0f days) over %s",
		    count_text(arena, c->calls), c->calls == 1 ? "" : "s", request->oid,
		    (double)c->seconds / 86400, count_text(arena, c->count));
	strbuf_addf(out, " series; %s calls per week%s.\n\n", rate(arena, request->calls_a_week),
		    request->calls_are_given ? "" : ", one per measured commit");
}

static void add_rate(struct arena *arena, const struct calibration *c,
		     const struct calibrate_request *request, const struct calibrate_tally *tally,
		     struct strbuf *out)
{
	strbuf_addf(out, "%s false alarms in %s judged comparisons",
		    count_text(arena, tally->flagged), count_text(arena, tally->judged));
	if (!isnan(request->calls_a_week))
		strbuf_addf(out, ": %s per week (90 %% upper bound: %s)",
			    rate(arena, calibrate_weekly(c, request, (double)tally->flagged)),
			    rate(arena, calibrate_weekly_bound(c, request, tally)));
	strbuf_addf(out, "; %s unclear", part(arena, tally->undecided, tally->judged));
	if (tally->environment)
		strbuf_addf(out, ", %s shifted with the environment",
			    count_text(arena, tally->environment));
	strbuf_addstr(out, ".\n");
}

static void add_rates(struct arena *arena, const struct calibration *c,
		      const struct calibrate_request *request, struct strbuf *out)
{
	strbuf_addstr(out, "\nCurrent:     ");
	add_rate(arena, c, request, &c->before, out);
	strbuf_addstr(out, "Proposed:    ");
	add_rate(arena, c, request, &c->after, out);
	strbuf_addf(out, "Target:      %g per %s.\n", request->target, request->per);
	if (c->after.flagged && !isnan(request->calls_a_week))
		strbuf_addf(out,
			    "With confirmation by a second measurement: %s per week (if noise is "
			    "between sessions) to %s (if between builds).\n",
			    rate(arena, calibrate_weekly(c, request, calibrate_repeated(c))),
			    rate(arena, calibrate_weekly(c, request, (double)c->after.flagged)));
}

static void add_sessions(struct arena *arena, const struct calibration *c, struct strbuf *out)
{
	size_t series;
	double within = calibrate_within(arena, c, &series);
	if (series == 0) {
		strbuf_addstr(out, "Session noise is unknown: no commit was measured in more than "
				   "one session (re-measure and ingest one).\n");
		return;
	}
	strbuf_addf(out,
		    "Variance (%s series with repeated sessions): %.0f %% between sessions, %.0f "
		    "%% between commits.\n",
		    count_text(arena, series), within * 100, (1 - within) * 100);
}

static void add_unknown_noise(struct arena *arena, const struct calibration *c, struct strbuf *out)
{
	enum { NAMES_SHOWN = 5 };
	size_t named = 0;
	for (size_t i = 0; i < c->count; i++) {
		const struct calibrate_series *one = &c->series[i];
		if (one->missing == 0 || named++ >= NAMES_SHOWN)
			continue;
		strbuf_addf(out, "Noise of %s since its last change is unknown: %zu more commit%s",
			    render_calibrate_name(arena, c, one), one->missing,
			    one->missing == 1 ? "" : "s");
		strbuf_addf(out, " needed%s.\n",
			    isnan(one->pooled)
				    ? ""
				    : "; until then the noise of similar series is used");
	}
	if (named > NAMES_SHOWN)
		strbuf_addf(out, "Noise is also unknown for %s more series.\n",
			    count_text(arena, named - NAMES_SHOWN));
}

static void add_unknown_rates(struct arena *arena, const struct calibration *c, struct strbuf *out)
{
	size_t formula = 0, none = 0, judged = 0, needed = 0;
	for (size_t i = 0; i < c->group_count; i++) {
		const struct calibrate_group *group = &c->groups[i];
		formula += group->evidence == EVIDENCE_MODEL;
		none += group->evidence == EVIDENCE_NONE;
		if (group->evidence == EVIDENCE_MODEL) {
			judged += group->before.judged;
			needed = group->needed;
		}
	}
	if (formula)
		strbuf_addf(out,
			    "Not verified: thresholds of %s kernels are computed only. They have "
			    "%s judged commits; verification needs %s with similar noise and no "
			    "false alarm.\n",
			    count_text(arena, formula), count_text(arena, judged),
			    count_text(arena, needed));
	if (none)
		strbuf_addf(out,
			    "Target not reachable for %s kernels: their thresholds stay unchanged; "
			    "rely on second measurements.\n",
			    count_text(arena, none));
	if (c->exact + c->absolute)
		strbuf_addf(out, "Not replayed: %s exact counters and %s fixed limits.\n",
			    count_text(arena, c->exact), count_text(arena, c->absolute));
}

const char *render_calibrate_text(struct arena *arena, const struct calibration *c,
				  const struct calibrate_request *request, size_t width)
{
	struct strbuf out = {0}, sentences = {0};
	add_head(arena, c, request, &sentences);
	fill_lines(&out, strbuf_text(&sentences), width);
	strbuf_truncate(&sentences, 0);
	add_series_table(arena, c, width, &out);
	add_group_table(arena, c, width, &out);
	add_rates(arena, c, request, &sentences);
	add_sessions(arena, c, &sentences);
	add_unknown_noise(arena, c, &sentences);
	add_unknown_rates(arena, c, &sentences);
	fill_lines(&out, strbuf_text(&sentences), width);
	strbuf_free(&sentences);
	return strbuf_into(&out, arena);
}
