/* The calibrated limits as rows of a configuration, which the gate can read. */
#include "render/calibrate/calibrate.h"

#include "render/document/document.h"
#include "render/report/report.h"
#include "render/vocabulary/vocabulary.h"

static bool is_printable(const char *text)
{
	for (const char *at = text; *at; at++)
		if ((unsigned char)*at < 0x20 || *at == 0x7f)
			return false;
	return true;
}

static void add_quoted(struct strbuf *out, const char *text)
{
	strbuf_addch(out, '"');
	for (const char *at = text; *at; at++) {
		if (*at == '"' || *at == '\\')
			strbuf_addch(out, '\\');
		strbuf_addch(out, *at);
	}
	strbuf_addch(out, '"');
}

const char *render_calibrate_row_name(struct arena *arena, const struct calibrate_group *group)
{
	return arena_printf(arena, "calibrated %s: %s", group->row->name, group->kernel);
}

bool render_calibrate_can_name(const struct calibrate_group *group)
{
	return is_printable(group->kernel);
}

bool render_calibrate_has_row(const struct calibrate_group *group)
{
	return group->evidence < EVIDENCE_UNKNOWN && group->before.judged > 0;
}

static void add_row(struct arena *arena, const struct calibrate_group *group, struct strbuf *out)
{
	strbuf_addstr(out, "[rule ");
	add_quoted(out, render_calibrate_row_name(arena, group));
	strbuf_addf(out, "]\n\t# %s, %zu judged: %s; ",
		    quantity_count_text(arena, group->commits, "commit", "commits"),
		    group->before.judged, calibrate_shape_name(group->shape));
	strbuf_addf(out, "%s; shows %.1f %%\n\trefines = ",
		    vocabulary_term(LANGUAGE_ENGLISH, calibrate_evidence_message(group->evidence)),
		    group->shown_after * 100);
	add_quoted(out, group->row->name);
	strbuf_addstr(out, "\n\tkernel = ");
	add_quoted(out, group->kernel);
	strbuf_addf(out, "\n\talpha = %g\n\trelative = %.4g %%\n\ttolerance = %.4g %%\n",
		    group->limits.alpha, group->limits.limits.relative * 100,
		    group->limits.tolerance * 100);
	if (!isnan(group->limits.noise))
		strbuf_addf(out, "\tnoise = %.3g %%\n", group->limits.noise * 100);
}

void render_calibrate_rows(struct arena *arena, const struct calibration *c,
			   const struct calibrate_request *request, int64_t now, struct strbuf *out)
{
	strbuf_addf(out,
		    "# By rooflog calibrate --write, %.10s, from %s (%.10s and "
		    "before) of %zu series.\n",
		    document_time(arena, now),
		    quantity_count_text(arena, c->data, "commit", "commits"), request->oid,
		    c->count);
	strbuf_addf(out,
		    "# Target: %g false alarms per %s. Replayed with these thresholds: %zu of %zu",
		    request->target, request->per, c->after.flagged, c->after.judged);
	if (!isnan(request->calls_a_week))
		strbuf_addf(out, ", %.2g per week (90 %% confidence: below %.2g)",
			    calibrate_weekly(c, request, (double)c->after.flagged),
			    calibrate_weekly_bound(c, request, &c->after));
	strbuf_addstr(out, ".\n# The next run replaces the rules between these markers.\n");
	for (size_t i = 0; i < c->group_count; i++)
		if (render_calibrate_has_row(&c->groups[i]) &&
		    render_calibrate_can_name(&c->groups[i]))
			add_row(arena, &c->groups[i], out);
}
