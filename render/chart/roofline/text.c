/* What is said around a roofline: title, legend, notes. */
#include "render/chart/roofline/roofline.h"

#include "base/text/text.h"
#include "render/document/key.h"
#include "render/vocabulary/vocabulary.h"

/* --- title --- */

/* "attention_fwd fused s=512"; the subject alone if the run's name adds nothing. */
static const char *name_of(const struct chart_roofline *drawing, const struct chart_point *point)
{
	const char *subject = drawing->runs.subject, *name = point->run->name;
	if (drawing->runs.count > 1)
		return point->run->whole;
	return strcmp(subject, name) == 0
		       ? subject
		       : arena_printf(drawing->plot.arena, "%s %s", subject, name);
}

/* Whether the memory bounds a kernel of this intensity, and what it allows. */
static bool is_memory(const struct json *run, double ai, double *attainable)
{
	const struct json *peaks = json_get(run, KEY(peaks));
	double roof = plot_number(peaks, KEY(flops)),
	       slope = plot_number(peaks, KEY(bandwidth)) * ai;
	*attainable = fmin(roof, slope);
	return slope < roof;
}

static const char *finding_of_one(struct chart_roofline *drawing)
{
	struct arena *arena = drawing->plot.arena;
	const struct chart_point *point = &drawing->points[0];
	const char *name = name_of(drawing, point);
	const struct json *run = point->run->json;
	double now, before;
	if (isnan(point->attainable))
		return arena_printf(arena, vocabulary_format("%s reaches %s"), name,
				    quantity_text(arena, point->flops, UNIT_FLOP_PER_SECOND));
	bool memory = is_memory(run, point->ai, &now);
	const char *share = roofline_point_percent(arena, point);
	if (isnan(point->base_ai))
		return arena_printf(
			arena, vocabulary_format("%s reaches %s of its %s roof"), name, share,
			memory ? vocabulary_format("memory") : vocabulary_format("compute"));
	is_memory(run, point->base_ai, &before);
	if (now < 0.95 * before)
		return arena_printf(
			arena,
			vocabulary_format(
				"%s now stands under a lower roof: %.2g times the bytes per FLOP"),
			name, point->base_ai / point->ai);
	if (now > 1.05 * before)
		return arena_printf(
			arena,
			vocabulary_format(
				"%s now stands under a higher roof: %.2g times the FLOP per byte"),
			name, point->ai / point->base_ai);
	return arena_printf(arena, vocabulary_format("%s reaches %s of its %s roof, was %.3g %%"),
			    name, share,
			    memory ? vocabulary_format("memory") : vocabulary_format("compute"),
			    point->base_flops / before * 100);
}

static const char *finding_of_many(struct chart_roofline *drawing)
{
	struct arena *arena = drawing->plot.arena;
	const struct chart_point *lowest = NULL, *highest = NULL;
	size_t memory = 0, known = 0;
	for (size_t i = 0; i < drawing->drawn; i++) {
		const struct chart_point *point = &drawing->points[i];
		double allowed, share = point->flops / point->attainable;
		if (isnan(share))
			continue;
		known++;
		memory += is_memory(point->run->json, point->ai, &allowed);
		if (!lowest || share < lowest->flops / lowest->attainable)
			lowest = point;
		if (!highest || share > highest->flops / highest->attainable)
			highest = point;
	}
	const char *runs = arena_printf(arena, vocabulary_format("%zu runs of %s"), drawing->drawn,
					drawing->runs.subject);
	if (!known)
		return runs;
	return arena_printf(
		arena, vocabulary_format("%s reach %s to %s of their roofs; %s"), runs,
		roofline_point_percent(arena, lowest), roofline_point_percent(arena, highest),
		memory == known ? vocabulary_format("all under the memory's slope")
		: memory ? arena_printf(arena, vocabulary_format("%zu under the memory's slope"),
					memory)
			 : vocabulary_format("all under the compute roof"));
}

static const char *finding(struct chart_roofline *drawing)
{
	if (!drawing->drawn)
		return arena_printf(
			drawing->plot.arena,
			vocabulary_format("Roofline of %s: no run has both FLOP and bytes"),
			drawing->runs.subject);
	return drawing->drawn == 1 ? finding_of_one(drawing) : finding_of_many(drawing);
}

/* The commit of the baselines if it is one: "; A is 7a3c5d1". */
static const char *baseline_text(const struct chart_roofline *drawing)
{
	const char *commit = "";
	for (size_t i = 0; i < drawing->drawn; i++) {
		const struct json *baseline = json_get(drawing->points[i].run->json, KEY(baseline));
		const char *own = json_text(json_get(baseline, KEY(commit)), KEY(short), "");
		if (*commit && *own && strcmp(own, commit) != 0)
			return "";
		commit = *own ? own : commit;
	}
	return *commit ? arena_printf(drawing->plot.arena, vocabulary_format("; A is %s"), commit)
		       : "";
}

void roofline_text_heading(struct chart_roofline *drawing)
{
	struct arena *arena = drawing->plot.arena;
	const char *device = drawing->runs.device;
	struct strbuf text = {0};
	strbuf_addf(&text,
		    vocabulary_format("Achieved FLOP/s over arithmetic intensity. Runs drawn: %zu"),
		    drawing->drawn);
	for (size_t i = 0; i < drawing->drawn && i < 6; i++)
		strbuf_addf(&text, "%s%s", i ? "; " : ". ",
			    roofline_point_tooltip(arena, &drawing->points[i]));
	strbuf_addch(&text, '.');
	plot_heading(&drawing->plot, finding(drawing),
		     arena_printf(arena, vocabulary_format("Achieved and reachable FLOP/s%s%s%s"),
				  *device ? vocabulary_format(" on ") : "", device,
				  baseline_text(drawing)),
		     strbuf_into(&text, arena));
}

/* --- legend --- */

/* Numbers points in drawing order, as the labels in the plot do. */
static size_t add_keys(struct chart_roofline *drawing, struct chart_entry *entries)
{
	struct arena *arena = drawing->plot.arena;
	for (size_t i = 0; i < drawing->drawn; i++) {
		const struct chart_point *point = &drawing->points[i];
		bool known = !isnan(point->attainable);
		entries[i].mark = roofline_point_mark(drawing, point);
		entries[i].text = arena_printf(arena, "%zu  %s%s%s", i + 1, point->run->name,
					       known ? ", " : "",
					       known ? roofline_point_percent(arena, point) : "");
		entries[i].tooltip = roofline_point_tooltip(arena, point);
	}
	return drawing->drawn;
}

static bool is_series_drawn(const struct chart_roofline *drawing, size_t series)
{
	for (size_t i = 0; i < drawing->drawn; i++)
		if (drawing->points[i].run->series == series)
			return true;
	return false;
}

static size_t add_series(struct chart_roofline *drawing, struct chart_entry *entries)
{
	const struct chart_runs *runs = &drawing->runs;
	size_t count = 0;
	for (size_t i = 0; i < runs->series_count && i < CHART_SERIES_LIMIT; i++) {
		const char *name = runs->series[i];
		if (is_series_drawn(drawing, i))
			entries[count++] =
				(struct chart_entry){plot_mark_of(drawing->plot.palette, i),
						     *name ? name : "unnamed", name};
	}
	return count;
}

static bool has_arrows(const struct chart_roofline *drawing)
{
	for (size_t i = 0; i < drawing->drawn && drawing->drawn <= CHART_NUMBERED_LIMIT; i++)
		if (roofline_point_shows_baseline(drawing, &drawing->points[i]))
			return true;
	return false;
}

/* What the lines mean: only those that are drawn. */
static void draw_keys(struct chart_roofline *drawing)
{
	const struct palette *palette = drawing->plot.palette;
	struct plot_key keys[5];
	size_t count = 0;
	bool stems = drawing->drawn && drawing->drawn <= CHART_STEM_LIMIT;
	if (has_arrows(drawing))
		keys[count++] = (struct plot_key){PLOT_SAMPLE_ARROW,
						  drawing->runs.series_count == 1 ? palette->data
										  : palette->ink2,
						  vocabulary_format("from A (baseline) to B")};
	keys[count++] = (struct plot_key){PLOT_SAMPLE_LINE, palette->ink,
					  vocabulary_format("roof that counts")};
	if (drawing->ceiling_count)
		keys[count++] = (struct plot_key){PLOT_SAMPLE_DASHES, palette->accent,
						  vocabulary_format("other memory, or measured")};
	if (stems)
		keys[count++] = (struct plot_key){PLOT_SAMPLE_DOTS,
						  drawing->runs.series_count == 1 ? palette->data
										  : palette->ink2,
						  vocabulary_format("left to gain")};
	if (drawing->sets.count == 1)
		keys[count++] = (struct plot_key){PLOT_SAMPLE_AREA, palette->track,
						  vocabulary_format("out of reach")};
	plot_keys(&drawing->plot, keys, count);
}

void roofline_text_legend(struct chart_roofline *drawing)
{
	struct chart_plot *plot = &drawing->plot;
	const struct chart_runs *runs = &drawing->runs;
	struct chart_entry *entries =
		arena_array(plot->arena, runs->count + runs->series_count, sizeof *entries);
	size_t count = 0;
	if (drawing->numbered && drawing->drawn <= CHART_NUMBERED_LIMIT)
		count = add_keys(drawing, entries);
	else if (runs->series_count > 1 && drawing->numbered)
		count = add_series(drawing, entries);
	plot_legend(plot, entries, count);
	plot->below += count ? 4 : 0;
	draw_keys(drawing);
}

/* --- notes --- */

/* "Not drawn: 6 of 8 runs (4 without matmul FLOP, 2 without HBM traffic)." */
static const char *skipped_text(struct chart_roofline *drawing)
{
	static const char *const reasons[2][CHART_SKIP_LIMIT] = {
		{[CHART_SKIP_NO_FLOP] = "matmul FLOP",
		 [CHART_SKIP_NO_BYTES] = "HBM traffic",
		 [CHART_SKIP_UNKNOWN] = "known FLOP or HBM bytes"},
		{[CHART_SKIP_NO_FLOP] = "FLOP",
		 [CHART_SKIP_NO_BYTES] = "DRAM traffic",
		 [CHART_SKIP_UNKNOWN] = "known FLOP or DRAM bytes"},
	};
	size_t counts[CHART_SKIP_LIMIT] = {0};
	bool gpu = false, first = true;
	struct strbuf sb = {0};
	if (!drawing->skipped_count)
		return "";
	for (size_t i = 0; i < drawing->runs.count; i++)
		gpu = gpu || json_truth(drawing->runs.items[i].json, KEY(gpu));
	for (size_t i = 0; i < drawing->skipped_count; i++)
		counts[drawing->skipped[i].skip]++;
	strbuf_addf(&sb, vocabulary_format("Not drawn: %zu of %zu runs ("), drawing->skipped_count,
		    drawing->runs.count);
	for (int reason = CHART_SKIP_NO_FLOP; reason < CHART_SKIP_LIMIT; reason++)
		if (counts[reason]) {
			strbuf_addf(&sb, vocabulary_format("%s%zu without %s"),
				    first ? "" : vocabulary_format(", "), counts[reason],
				    vocabulary_format(reasons[gpu][reason]));
			first = false;
		}
	strbuf_addstr(&sb, vocabulary_format(")."));
	if (!drawing->drawn)
		strbuf_addf(&sb,
			    vocabulary_format(" %sA formula states what a profile lacks: [work "
					      "\"KERNEL\"] of the "
					      "configuration."),
			    gpu ? vocabulary_format("ncu --set full records both. ") : "");
	return strbuf_into(&sb, drawing->plot.arena);
}

/* The names of points whose FLOP come from a formula. */
static const char *formula_text(struct chart_roofline *drawing)
{
	size_t found = 0;
	for (size_t i = 0; i < drawing->drawn; i++)
		found += drawing->points[i].algorithmic;
	if (!found)
		return "";
	return found == drawing->drawn
		       ? vocabulary_format("FLOP and bytes are algorithmic (from the work formula, "
					   "not measured).")
		       : arena_printf(drawing->plot.arena,
				      vocabulary_format("FLOP and bytes of %zu of %zu runs are "
							"algorithmic (from the work "
							"formula, not measured)."),
				      found, drawing->drawn);
}

/* A note explaining boxes, and counting the baselines that are not drawn. */
static const char *marks_text(struct chart_roofline *drawing)
{
	struct strbuf sb = {0};
	size_t boxes = 0, hidden = 0, far = 0;
	for (size_t i = 0; i < drawing->drawn; i++) {
		const struct chart_point *point = &drawing->points[i];
		bool box = roofline_point_has_box(drawing, point);
		boxes += box;
		hidden += !box && !isnan(point->fastest);
		far += point->base_far;
	}
	bool crowd = drawing->drawn > CHART_NUMBERED_LIMIT;
	if (boxes && !crowd)
		strbuf_addstr(&sb, vocabulary_format("Boxes: slowest to fastest repeat. "));
	if (hidden && !crowd)
		strbuf_addstr(
			&sb,
			boxes ? vocabulary_format(
					"Spread of the other repeats is smaller than the marker. ")
			      : vocabulary_format(
					"Spread of repeats is smaller than the marker. "));
	if (boxes && crowd)
		strbuf_addstr(&sb, vocabulary_format("Baselines and repeats not drawn. "));
	if (far)
		strbuf_addf(&sb, vocabulary_format("%zu baseline%s outside the plot. "), far,
			    far == 1 ? "" : "s");
	return strbuf_into(&sb, drawing->plot.arena);
}

void roofline_text_notes(struct chart_roofline *drawing)
{
	struct chart_plot *plot = &drawing->plot;
	size_t series = drawing->runs.series_count;
	plot_note(plot, 2, "%s", skipped_text(drawing));
	plot_note(plot, 2, "%s", marks_text(drawing));
	plot_note(plot, 3, "%s", roofline_roofs_note(plot->arena, &drawing->sets));
	for (size_t i = 0; i < drawing->ceiling_count; i++)
		if (drawing->ceilings[i].measured) {
			plot_note(plot, 2, vocabulary_format("Measured: %s."),
				  drawing->ceilings[i].source);
			break;
		}
	plot_note(plot, 2, "%s", formula_text(drawing));
	if (drawing->drawn > CHART_NUMBERED_LIMIT && series > CHART_SERIES_LIMIT)
		plot_note(plot, 2,
			  vocabulary_format("%zu points, labels omitted. The first %d of %zu "
					    "series are listed."),
			  drawing->drawn, CHART_SERIES_LIMIT, series);
	else if (drawing->drawn > CHART_NUMBERED_LIMIT)
		plot_note(plot, 2, vocabulary_format("%zu points, labels omitted."),
			  drawing->drawn);
	if (drawing->sets.left_out)
		plot_note(plot, 1,
			  vocabulary_format("Rooflines of the first %d devices only; runs on other "
					    "devices: %zu."),
			  CHART_SET_LIMIT, drawing->sets.left_out);
}
