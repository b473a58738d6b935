/* Two commits side by side in the report document: one block per metric, with its numbers in one
 * unit and the geometric means last, of all rows and of each scenario. The verdicts are the gate's.
 */
#include "render/summary/summary.h"

#include "model/run/runs.h"
#include "render/document/document.h"
#include "render/vocabulary/vocabulary.h"

struct comparing {
	struct arena *arena;
	const struct gate_result *gate;
	struct short_names naming;
	const struct scenario_list *scenarios; /* NULL: none */
};

/* The comparisons of one metric, in the gate's order, and the format of their numbers. */
struct block {
	enum metric metric;
	const struct comparison **items;
	size_t count;
	struct quantity_scale scale;
};

/* The newest commit of the baseline history; NULL without one. */
static const struct revision *baseline_of(const struct gate_result *gate)
{
	return gate->input->newest < gate->input->histories->chain_count
		       ? &gate->input->histories->chain[gate->input->newest]
		       : NULL;
}

/* --- one side of a row --- */

static const char *percent(struct arena *arena, double fraction)
{
	return isnan(fraction)      ? NULL
	       : fraction >= 0.0995 ? arena_printf(arena, "%.0f%%", fraction * 100)
				    : arena_printf(arena, "%.1f%%", fraction * 100);
}

/* The standard deviation of the repeats, relative to their mean. For a single run, that of the
 * executions it represents. NAN: unknown. */
static double spread_of(const struct run_list *runs, enum metric metric)
{
	double sum = 0, squares = 0;
	size_t known = 0;
	const struct run_spread *own = NULL;
	for (size_t i = 0; i < runs->count; i++) {
		double number = run_number(runs->items[i], metric);
		if (!isfinite(number))
			continue;
		known++;
		sum += number;
		own = run_spread(runs->items[i], metric);
	}
	if (known < 2)
		return own && own->mean != 0 ? own->deviation / fabs(own->mean) : NAN;
	assert(known >= 2);
	double mean = sum / (double)known;
	for (size_t i = 0; i < runs->count; i++) {
		double number = run_number(runs->items[i], metric);
		if (isfinite(number))
			squares += (number - mean) * (number - mean);
	}
	return mean != 0 ? sqrt(squares / (double)(known - 1)) / fabs(mean) : NAN;
}

static size_t known_runs(const struct run_list *runs, enum metric metric)
{
	size_t known = 0;
	for (size_t i = 0; i < runs->count; i++)
		known += isfinite(run_number(runs->items[i], metric));
	return known;
}

static void add_side(const struct comparing *c, struct json *row, const struct block *block,
		     const struct comparison *one, bool baseline)
{
	double number = baseline ? one->judged.baseline : one->measured;
	double spread = NAN;
	size_t samples = known_runs(&one->series->candidate, one->metric);
	if (isnan(number))
		return;
	/* A baseline has a spread only with a history: the judge's scale. Exact counters have none.
	 */
	if (baseline && verdict_is_by_history(&one->judged))
		spread = one->judged.result.scale;
	else if (!baseline && one->judged.method != METHOD_EXACT)
		spread = spread_of(&one->series->candidate, one->metric);
	if (baseline)
		samples = verdict_is_by_history(&one->judged) ? one->judged.result.count : 1;
	struct json *side = document_quantity(c->arena, row, baseline ? "baseline" : "candidate",
					      number, metric_info(one->metric)->unit);
	json_set_text(c->arena, side, KEY(digits),
		      quantity_scaled_text(c->arena, &block->scale, number));
	json_set_number(c->arena, side, KEY(spread), spread);
	json_set_text(c->arena, side, KEY(spread_text), percent(c->arena, spread));
	json_set_number(c->arena, side, baseline ? "commits" : "runs", (double)samples);
	if (baseline)
		document_commit(c->arena, side, KEY(commit), one->series->baseline_revision, false);
}

/* --- a row --- */

static bool is_decided(const struct comparison *one)
{
	return one->judged.verdict != VERDICT_UNDECIDED && gate_is_judged(one->judged.verdict);
}

static const char *change_text(struct arena *arena, const struct comparison *one)
{
	bool both = !isnan(one->judged.baseline) && !isnan(one->judged.candidate);
	if (both && !is_decided(one))
		return "~";
	return isnan(one->judged.change) ? NULL : quantity_change_text(arena, one->judged.change);
}

static const char *p_text(struct arena *arena, const struct comparison *one, double p)
{
	if (one->judged.method == METHOD_EXACT)
		return "exact";
	if (isnan(p))
		return NULL;
	return p < 0.0005 ? "<0.001" : arena_printf(arena, "%.3f", p);
}

/* The p of the verdict: that of a change point where it decided, not that of the commits since. Of
 * drift the reason has it. */
static double p_of(const struct comparison *one)
{
	if (!verdict_is_by_history(&one->judged) || one->judged.verdict == VERDICT_DRIFT)
		return NAN;
	if (one->change)
		return one->change->p;
	return one->judged.result.slower ? one->p : one->p_faster;
}

static void add_judgement(const struct comparing *c, struct json *row, const struct comparison *one)
{
	double p = p_of(one);
	double low = one->change_interval.low, high = one->change_interval.high;
	json_set_text(c->arena, row, KEY(verdict), verdict_name(one->judged.verdict));
	json_set_text(c->arena, row, KEY(verdict_text), report_verdict_text(one));
	json_set_text(c->arena, row, KEY(mark), verdict_mark(one->judged.verdict));
	json_set_bool(c->arena, row, KEY(decided), is_decided(one));
	json_set_number(c->arena, row, KEY(change), one->judged.change);
	json_set_text(c->arena, row, KEY(change_text), change_text(c->arena, one));
	if (!isnan(low)) {
		json_set_number(c->arena, row, KEY(low), low);
		json_set_number(c->arena, row, KEY(high), high);
		json_set_text(c->arena, row, KEY(interval_text),
			      document_interval(c->arena, low, high));
	}
	json_set_number(c->arena, row, KEY(p), p);
	json_set_text(c->arena, row, KEY(p_text), p_text(c->arena, one, p));
	json_set_text(c->arena, row, KEY(reason), vocabulary_say(c->arena, one->judged.reason));
}

static void add_row(const struct comparing *c, struct json *rows, const struct block *block,
		    const struct comparison *one)
{
	struct json *row = json_add_object(c->arena, rows);
	json_set_text(c->arena, row, KEY(name), short_names_name(c->arena, &c->naming, one->run));
	json_set_text(c->arena, row, KEY(series), one->series->key);
	add_side(c, row, block, one, true);
	add_side(c, row, block, one, false);
	if (!isnan(one->judged.baseline) && !isnan(one->judged.candidate))
		json_set_text(c->arena, row, KEY(n_text),
			      arena_printf(c->arena, "%zu+%zu",
					   verdict_is_by_history(&one->judged)
						   ? one->judged.result.count
						   : 1,
					   known_runs(&one->series->candidate, one->metric)));
	add_judgement(c, row, one);
	if (one->why && one->why->text)
		json_set_text(c->arena, row, KEY(why), vocabulary_say(c->arena, one->why->text));
}

/* The rows of a block: a long list is made when it is visited. */
struct rows {
	struct comparing comparing;
	struct block block; /* without values that are unknown on both sides */
};

static struct json *row_at(void *context, struct arena *arena, size_t index)
{
	const struct rows *rows = context;
	struct comparing c = rows->comparing;
	struct json *list = json_array(arena);
	c.arena = arena;
	add_row(&c, list, &rows->block, rows->block.items[index]);
	return list->first;
}

static void add_rows(const struct comparing *c, struct json *list, const struct block *block)
{
	struct rows *rows = arena_new(c->arena, struct rows);
	*rows = (struct rows){*c, *block};
	rows->block.count = 0;
	rows->block.items = arena_array(c->arena, block->count, sizeof *rows->block.items);
	for (size_t i = 0; i < block->count; i++)
		if (!isnan(block->items[i]->judged.baseline) || !isnan(block->items[i]->measured))
			rows->block.items[rows->block.count++] = block->items[i];
	if (rows->block.count > REPORT_KEPT_COMPARISONS) {
		json_set_items(c->arena, list, rows->block.count,
			       (struct json_items){row_at, rows});
		return;
	}
	for (size_t i = 0; i < rows->block.count; i++)
		add_row(c, list, &rows->block, rows->block.items[i]);
}

/* --- a block --- */

static bool has_both(const struct comparison *one)
{
	return one->judged.baseline > 0 && one->judged.candidate > 0;
}

/* What the rows with both sides have in common, or those of one scenario. */
struct mean {
	double before, after, count; /* geometric means; all numbers are positive */
	bool decided;                /* some row is */
};

static struct mean mean_of(const struct block *block, const struct scenario *scenario)
{
	struct mean mean = {0, 0, 0, false};
	for (size_t i = 0; i < block->count; i++) {
		const struct comparison *one = block->items[i];
		if (!has_both(one) || (scenario && !scenario_has(scenario, one->run)))
			continue;
		mean.before += log(one->judged.baseline);
		mean.after += log(one->judged.candidate);
		mean.count++;
		mean.decided = mean.decided || is_decided(one);
	}
	mean.before = exp(mean.before / mean.count);
	mean.after = exp(mean.after / mean.count);
	return mean;
}

static void fill_mean(const struct comparing *c, struct json *out, const struct block *block,
		      const struct mean *mean)
{
	const struct {
		const char *name;
		double number;
	} sides[] = {{"baseline", mean->before}, {"candidate", mean->after}};
	for (size_t i = 0; i < 2; i++) {
		struct json *side = document_quantity(c->arena, out, sides[i].name, sides[i].number,
						      metric_info(block->metric)->unit);
		json_set_text(c->arena, side, KEY(digits),
			      quantity_scaled_text(c->arena, &block->scale, sides[i].number));
	}
	double change = mean->after / mean->before - 1;
	json_set_number(c->arena, out, KEY(change), change);
	json_set_text(c->arena, out, KEY(change_text),
		      mean->decided ? quantity_change_text(c->arena, change) : "~");
	json_set_number(c->arena, out, KEY(count), mean->count);
}

/* Adds the geometric mean of all rows, and that of each scenario. */
static void add_means(const struct comparing *c, struct json *out, const struct block *block)
{
	const struct mean all = mean_of(block, NULL);
	struct json *list = NULL;
	if (all.count >= 2)
		fill_mean(c, json_set_object(c->arena, out, KEY(geometric_mean)), block, &all);
	for (size_t i = 0; c->scenarios && i < c->scenarios->count; i++) {
		const struct scenario *scenario = &c->scenarios->items[i];
		const struct mean mean = mean_of(block, scenario);
		if (mean.count < 1)
			continue;
		list = list ? list : json_set_array(c->arena, out, KEY(scenarios));
		struct json *one = json_add_object(c->arena, list);
		json_set_text(c->arena, one, KEY(name), scenario->name);
		fill_mean(c, one, block, &mean);
	}
}

static bool needs_reason(const struct judgement *judged)
{
	return judged->reason && judged->verdict != VERDICT_UNCHANGED &&
	       judged->verdict != VERDICT_IMPROVED && judged->verdict != VERDICT_REGRESSED;
}

/* Adds the undecided and incomparable rows with their reasons: a shared reason once, and at most a
 * few different ones. */
static void add_reasons(const struct comparing *c, struct json *out, const struct block *block)
{
	enum { REASONS = 10 };
	struct json *list = json_set_array(c->arena, out, KEY(reasons));
	size_t left_out = 0;
	for (size_t i = 0; i < block->count; i++) {
		const struct judgement *judged = &block->items[i]->judged;
		struct json *same = list->first;
		if (!needs_reason(judged))
			continue;
		const char *reason = vocabulary_say(c->arena, judged->reason);
		while (same && !span_text_eq(json_text(same, KEY(reason), ""), reason))
			same = same->next;
		if (same) {
			json_get(same, KEY(count))->number++;
		} else if (list->count == REASONS) {
			left_out++;
		} else {
			same = json_add_object(c->arena, list);
			json_set_text(c->arena, same, KEY(verdict), verdict_name(judged->verdict));
			json_set_text(c->arena, same, KEY(verdict_text),
				      report_verdict_text(block->items[i]));
			json_set_text(c->arena, same, KEY(reason), reason);
			json_set_text(c->arena, same, KEY(first),
				      short_names_name(c->arena, &c->naming, block->items[i]->run));
			json_set_number(c->arena, same, KEY(count), 1);
		}
	}
	if (left_out)
		json_set_number(c->arena, out, KEY(more_reasons), (double)left_out);
}

static void add_block(const struct comparing *c, struct json *blocks, struct block *block)
{
	const struct metric_info *info = metric_info(block->metric);
	double *numbers = arena_array(c->arena, 2 * block->count, sizeof *numbers);
	for (size_t i = 0; i < block->count; i++) {
		numbers[2 * i] = block->items[i]->judged.baseline;
		numbers[2 * i + 1] = block->items[i]->measured;
	}
	block->scale = quantity_scale_of(numbers, 2 * block->count, info->unit);
	struct json *out = json_add_object(c->arena, blocks);
	json_set_text(c->arena, out, KEY(metric), info->key);
	json_set_text(c->arena, out, KEY(title),
		      report_title(c->arena, block->items[0]->run, block->metric));
	json_set_text(c->arena, out, KEY(unit_text), block->scale.text);
	/* Values unknown on both sides are listed below, as a reason. */
	add_rows(c, json_set_array(c->arena, out, KEY(rows)), block);
	add_means(c, out, block);
	add_reasons(c, out, block);
}

static void add_commit(struct arena *arena, struct json *out, const char *side, const char *name,
		       const struct revision *revision)
{
	struct json *object = json_set_object(arena, out, side);
	json_set_text(arena, object, KEY(name), name);
	document_commit(arena, object, KEY(commit), revision, false);
}

/* Adds the series that the baseline commit lacks, which are compared with an older commit. */
static void add_older(const struct comparing *c, struct json *out)
{
	const struct gate_result *gate = c->gate;
	const struct comparison *first = NULL;
	double count = 0;
	for (size_t i = 0; i < gate->count; i++) {
		const struct comparison *one = &gate->comparisons[i];
		const struct revision *revision = one->series->baseline_revision;
		if (!revision || span_text_eq(revision->oid, baseline_of(gate)->oid) ||
		    !one->series->candidate.count)
			continue;
		first = first ? first : one;
		count++;
	}
	if (!first)
		return;
	struct json *older = json_set_object(c->arena, out, KEY(older));
	json_set_number(c->arena, older, KEY(count), count);
	json_set_text(c->arena, older, KEY(first),
		      short_names_name(c->arena, &c->naming, first->run));
	document_commit(c->arena, older, KEY(commit), first->series->baseline_revision, false);
}

void summary_add_compare(struct arena *arena, struct json *document, const struct gate_result *gate,
			 const struct report_sides *sides, const struct scenario_list *scenarios)
{
	struct block block = {.items = arena_array(arena, gate->count + 1, sizeof *block.items)};
	struct comparing c = {arena, gate, gate_short_names(arena, gate), scenarios};
	struct json *out = json_set_object(arena, document, KEY(compare));
	add_commit(arena, out, "baseline", sides->baseline, baseline_of(gate));
	add_commit(arena, out, "candidate", sides->candidate, &gate->input->candidate);
	json_set_text(arena, out, KEY(common), short_names_common(arena, &c.naming));
	add_older(&c, out);
	struct json *blocks = json_set_array(arena, out, KEY(blocks));
	/* In the order of the metrics table, which begins with times. */
	for (int metric = 0; metric < METRIC_COUNT; metric++) {
		block.metric = (enum metric)metric;
		block.count = 0;
		for (size_t i = 0; i < gate->count; i++)
			if (gate->comparisons[i].metric == block.metric)
				block.items[block.count++] = &gate->comparisons[i];
		if (block.count)
			add_block(&c, blocks, &block);
	}
}

void summary_add_compare_of_gate(struct arena *arena, struct json *document,
				 const struct gate_result *gate,
				 const struct scenario_list *scenarios)
{
	const struct revision *baseline = baseline_of(gate);
	const struct report_sides sides = {baseline ? arena_prefix(arena, baseline->oid, 10)
						    : "nothing",
					   arena_prefix(arena, gate->input->candidate.oid, 10)};
	summary_add_compare(arena, document, gate, &sides, scenarios);
}
