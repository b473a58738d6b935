/* What is written about a series: its name, what was found, and the colors of its verdict. */
#include "render/chart/series/trend_panel.h"

#include "render/document/key.h"

#include "base/json/json.h"
#include "base/text/text.h"
#include "render/vocabulary/vocabulary.h"

const char *trend_panel_name(struct arena *arena, const struct json *comparison)
{
	struct strbuf name = {0};
	const char *variant = json_text(comparison, KEY(variant), "");
	const char *params = json_text(comparison, KEY(params_text), "");
	const char *dtype = json_text(comparison, KEY(dtype), "");
	strbuf_addstr(&name, json_text(comparison, KEY(kernel), "unknown"));
	if (variant[0])
		strbuf_addf(&name, " %s", variant);
	if (params[0])
		strbuf_addf(&name, ", %s", params);
	if (dtype[0])
		strbuf_addf(&name, ", %s", dtype);
	return strbuf_into(&name, arena);
}

/* The newest change that the commits after it confirm; NULL: none. */
static const struct json *last_change(const struct json *trend)
{
	const struct json *last = NULL;
	for (const struct json *one = json_first(trend, KEY(changes)); one; one = one->next)
		if (json_truth(one, KEY(confirmed)))
			last = one;
	return last;
}

const struct json *trend_panel_accepted(const struct json *trend, double place)
{
	const struct json *one = json_first(trend, KEY(accepted));
	while (one && json_number(one, KEY(place), NAN) != place)
		one = one->next;
	return one;
}

const struct json *trend_panel_judged_change(const struct json *comparison)
{
	const char *verdict = json_text(comparison, KEY(verdict), "");
	const struct json *last = last_change(json_get(comparison, KEY(trend)));
	bool worse = strcmp(verdict, "regressed") == 0, better = strcmp(verdict, "improved") == 0;
	if (!last ||
	    !((worse && json_truth(last, KEY(worse))) || (better && json_truth(last, KEY(better)))))
		return NULL;
	return last;
}

const char *trend_panel_finding(struct arena *arena, const struct json *comparison)
{
	const char *verdict = json_text(comparison, KEY(verdict_text), "not judged");
	const char *unknown = vocabulary_label("unknown");
	const char *text = json_text(comparison, KEY(change_text), unknown);
	const struct json *change = trend_panel_judged_change(comparison);
	if (change) {
		const char *effect = json_text(change, KEY(effect_text), "");
		const char *since = json_text(json_get(change, KEY(first_after)), KEY(short), NULL);
		effect += *effect == '+' || *effect == '-';
		return since ? arena_printf(arena, vocabulary_format("%s %s since %s"), effect,
					    verdict, since)
			     : arena_printf(arena, vocabulary_format("%s %s"), effect, verdict);
	}
	return strcmp(text, unknown) == 0
		       ? verdict
		       : arena_printf(arena, vocabulary_format("%s, %s"), verdict, text);
}

/* --- colors --- */

struct trend_panel_colours trend_panel_verdict(const struct palette *palette,
					       const struct json *comparison)
{
	const struct {
		const char *verdict;
		struct trend_panel_colours colours;
	} rows[] = {
		{"regressed", {palette->slower, palette->slower_ground}},
		{"failed", {palette->slower, palette->slower_ground}},
		{"drift", {palette->slower, palette->slower_ground}},
		{"impossible", {palette->slower, palette->slower_ground}},
		{"improved", {palette->faster, palette->faster_ground}},
		{"suspect", {palette->unclear, palette->unclear_ground}},
		{"environment", {palette->unclear, palette->unclear_ground}},
		{"undecided", {palette->unclear, palette->unclear_ground}},
		{"unproven", {palette->unclear, palette->unclear_ground}},
		{"accepted", {palette->accepted, palette->accepted_ground}},
	};
	const char *verdict = json_text(comparison, KEY(verdict), "");
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		if (strcmp(verdict, rows[i].verdict) == 0)
			return rows[i].colours;
	return (struct trend_panel_colours){palette->data, palette->band};
}

struct trend_panel_colours trend_panel_change(const struct palette *palette,
					      const struct json *trend, const struct json *change)
{
	if (trend_panel_accepted(trend, json_number(change, KEY(place), NAN)))
		return (struct trend_panel_colours){palette->accepted, palette->accepted_ground};
	if (json_truth(change, KEY(worse)))
		return (struct trend_panel_colours){palette->slower, palette->slower_ground};
	if (json_truth(change, KEY(better)))
		return (struct trend_panel_colours){palette->faster, palette->faster_ground};
	return (struct trend_panel_colours){palette->ink2, palette->track};
}

void trend_panel_tally_add(struct trend_panel_tally *tally, const struct json *comparison)
{
	const struct palette *palette = palette_of(false);
	const struct {
		uint32_t colour;
		size_t *count;
	} rows[] = {{palette->slower, &tally->slower},
		    {palette->faster, &tally->faster},
		    {palette->unclear, &tally->unclear},
		    {palette->accepted, &tally->accepted}};
	uint32_t colour = trend_panel_verdict(palette, comparison).line;
	tally->all++;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		*rows[i].count += rows[i].colour == colour;
}

const char *trend_panel_tally_text(struct arena *arena, const struct trend_panel_tally *tally)
{
	const struct {
		size_t count;
		const char *word;
	} rows[] = {{tally->slower, vocabulary_format("worse")},
		    {tally->faster, vocabulary_format("better")},
		    {tally->unclear, vocabulary_format("unclear")},
		    {tally->accepted, vocabulary_format("accepted")}};
	struct strbuf text = {0};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		if (rows[i].count)
			strbuf_addf(&text, vocabulary_format("%s%zu %s"),
				    text.len ? vocabulary_format(", ") : "", rows[i].count,
				    rows[i].word);
	strbuf_addf(&text, vocabulary_format("%s of %s"),
		    text.len ? "" : vocabulary_format("No change"),
		    quantity_count_text(arena, tally->all, vocabulary_format("series"),
					vocabulary_format("series")));
	return strbuf_into(&text, arena);
}
