/*
 * The Performance block of a development log, and the proposals for its Issues and Insights, in
 * both languages. The aligned table is made here; the templates only place it.
 */

#include "render/document/key.h"
#include "base/base.h"
#include "render/markup/markup.h"
#include "render/report/contract.h"

enum { proposals = 3 };

static const char *with_micro(struct arena *arena, const char *text)
{
	size_t len = strlen(text);
	if (len < 3 || strcmp(text + len - 3, " us") != 0)
		return text;
	return arena_printf(arena, "%.*s μs", (int)(len - 3), text);
}

/* The preferred of two metrics that the run has: the algorithmic value comes before the counted
 * one. */
static enum metric first_known(const struct run *run, enum metric algorithmic, enum metric counted)
{
	return isnan(run_number(run, algorithmic)) ? counted : algorithmic;
}

/* A figure of the block: a row of the table, or a column if there are several shapes. */
struct figure {
	enum message_code title;
	const char *value, *versus; /* the change since the baseline */
};
enum { figure_limit = 6 };

static struct figure duration_of(const struct form *form)
{
	const struct run *run = form->entry->run;
	enum metric metric = run_time_metric(run);
	bool host = metric == METRIC_HOST_TIME;
	if (metric == METRIC_COUNT)
		metric = METRIC_TOTAL_TIME;
	const char *text = form_quantity(form, run_time(run), UNIT_SECOND);
	return (struct figure){host ? MESSAGE_LABEL_HOST_DURATION : MESSAGE_LABEL_DURATION,
			       with_micro(form->arena, text), form_versus(form, metric)};
}

/* A rate divided by `scale`, marked if it is algorithmic (from the work formula). */
static struct figure rate_of(const struct form *form, enum message_code title,
			     const enum metric metrics[2])
{
	const struct run *run = form->entry->run;
	enum metric metric = first_known(run, metrics[0], metrics[1]);
	double scale = metric_info(metric)->unit == UNIT_FLOP_PER_SECOND ? 1e12 : 1e9;
	double rate = run_number(run, metric) / scale;
	const char *text = form_figure(form, rate, UNIT_NONE);
	if (metric == metrics[0])
		text = arena_printf(form->arena, "%s (%s)", text,
				    form_term(form, MESSAGE_ALGORITHMIC));
	return (struct figure){title, text, form_versus(form, metric)};
}

/* The duration first. */
static size_t figures_of(const struct form *form, struct figure figures[figure_limit])
{
	static const enum metric flops[] = {METRIC_ALGORITHMIC_RATE, METRIC_ACHIEVED_FLOPS};
	static const enum metric bytes[] = {METRIC_ALGORITHMIC_BANDWIDTH,
					    METRIC_ACHIEVED_BANDWIDTH};
	static const struct {
		enum message_code title;
		enum metric metric;
		bool engines;
	} shares[] = {
		{MESSAGE_LABEL_MFU, METRIC_MFU, true},
		{MESSAGE_LABEL_TENSOR_ACTIVE, METRIC_TENSOR_OCCUPANCY, true},
		{MESSAGE_LABEL_DMA_ACTIVE, METRIC_DMA_OCCUPANCY, true},
		{MESSAGE_LABEL_OCCUPANCY, METRIC_ACHIEVED_OCCUPANCY, false},
		{MESSAGE_LABEL_TC_UTIL, METRIC_TENSOR_PIPE, false},
	};
	size_t count = 0;
	figures[count++] = duration_of(form);
	figures[count++] = rate_of(form, MESSAGE_LABEL_TFLOPS, flops);
	figures[count++] = rate_of(form, MESSAGE_LABEL_GBS, bytes);
	for (size_t i = 0; i < sizeof shares / sizeof *shares; i++) {
		double number = run_number(form->entry->run, shares[i].metric);
		if (shares[i].engines == form->engines)
			figures[count++] = (struct figure){shares[i].title,
							   form_figure(form, number, UNIT_FRACTION),
							   form_versus(form, shares[i].metric)};
	}
	return count;
}

static const char *table_of_one(const struct form *form)
{
	static const enum message_code columns[] = {MESSAGE_LABEL_METRIC, MESSAGE_LABEL_VALUE,
						    MESSAGE_LABEL_VERSUS_PREVIOUS};
	struct figure figures[figure_limit];
	size_t count = figures_of(form, figures);
	struct md_table table;
	md_table_init(&table, form->arena);
	for (size_t i = 0; i < sizeof columns / sizeof *columns; i++)
		md_table_column(&table, form_term(form, columns[i]), MD_ALIGN_LEFT);
	for (size_t i = 0; i < count; i++) {
		md_table_cell(&table, form_term(form, figures[i].title));
		md_table_cell(&table, figures[i].value);
		md_table_cell(&table, figures[i].versus);
	}
	return md_table_text(&table);
}

/* --- several shapes --- */

/* Runs of a kernel that differ in parameters, and these parameters. */
struct shapes {
	const struct form_group *group;
	const char **names; /* names of the parameters that differ */
	size_t count;
};

static bool differs(const struct form_group *group, const char *name)
{
	const char *first = run_param(group->items[0].entry->run, name);
	for (size_t i = 1; i < group->count; i++)
		if (!span_text_eq(first, run_param(group->items[i].entry->run, name)))
			return true;
	return false;
}

static bool is_among(const char *name, const char *const *names, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (strcmp(names[i], name) == 0)
			return true;
	return false;
}

static struct shapes shapes_of(const struct form_group *group)
{
	struct arena *arena = group->items[0].arena;
	size_t capacity = 0, seen = 0;
	for (size_t i = 0; i < group->count; i++)
		capacity += group->items[i].entry->run->param_count;
	const char **all = arena_array(arena, capacity + 1, sizeof *all);
	struct shapes shapes = {group, arena_array(arena, capacity + 1, sizeof *all), 0};
	for (size_t i = 0; i < group->count; i++) {
		const struct run *run = group->items[i].entry->run;
		for (size_t j = 0; j < run->param_count; j++) {
			const char *name = run->params[j].name;
			if (is_among(name, all, seen))
				continue;
			all[seen++] = name;
			if (differs(group, name))
				shapes.names[shapes.count++] = name;
		}
	}
	return shapes;
}

/* "s=512, t=1" of the parameters that differ. */
static const char *shape_name(const struct shapes *shapes, size_t index)
{
	const struct run *run = shapes->group->items[index].entry->run;
	struct strbuf sb = {0};
	for (size_t i = 0; i < shapes->count; i++) {
		const char *value = run_param(run, shapes->names[i]);
		if (value)
			strbuf_addf(&sb, "%s%s=%s", sb.len ? ", " : "", shapes->names[i], value);
	}
	return strbuf_into(&sb, shapes->group->items[0].arena);
}

static int by_value(const char *a, const char *b)
{
	double x, y;
	if (a && b && span_number(span_of(a), &x) && span_number(span_of(b), &y) && x != y)
		return x < y ? -1 : 1;
	return strcmp(a ? a : "", b ? b : "");
}

static int by_shape(const void *a, const void *b, void *context)
{
	const struct form *x = a, *y = b;
	const struct shapes *shapes = context;
	int order = 0;
	for (size_t i = 0; i < shapes->count && !order; i++)
		order = by_value(run_param(x->entry->run, shapes->names[i]),
				 run_param(y->entry->run, shapes->names[i]));
	return order;
}

static const char *table_of_shapes(const struct shapes *shapes)
{
	const struct form_group *group = shapes->group;
	struct figure figures[figure_limit];
	struct md_table table;
	size_t count = figures_of(&group->items[0], figures);
	md_table_init(&table, group->items[0].arena);
	for (size_t i = 0; i < shapes->count; i++)
		md_table_column(&table, shapes->names[i], MD_ALIGN_LEFT);
	for (size_t i = 0; i < count; i++) {
		md_table_column(&table, form_term(&group->items[0], figures[i].title),
				MD_ALIGN_LEFT);
		if (i == 0)
			md_table_column(&table,
					form_term(&group->items[0], MESSAGE_LABEL_VERSUS_PREVIOUS),
					MD_ALIGN_LEFT);
	}
	for (size_t i = 0; i < group->count; i++) {
		const struct form *form = &group->items[i];
		for (size_t j = 0; j < shapes->count; j++) {
			const char *value = run_param(form->entry->run, shapes->names[j]);
			md_table_cell(&table, value ? value : "--");
		}
		size_t own = figures_of(form, figures);
		for (size_t j = 0; j < own && j < count; j++) {
			md_table_cell(&table, figures[j].value);
			if (j == 0)
				md_table_cell(&table, figures[j].versus);
		}
	}
	return md_table_text(&table);
}

/* "b=1, d=128": the parameters that are not columns. */
static const char *common_params(struct arena *arena, const struct run *run,
				 const struct shapes *shapes)
{
	struct strbuf sb = {0};
	for (size_t i = 0; i < run->param_count; i++)
		if (!is_among(run->params[i].name, shapes->names, shapes->count))
			strbuf_addf(&sb, "%s%s=%s", sb.len ? ", " : "", run->params[i].name,
				    run->params[i].value);
	return strbuf_into(&sb, arena);
}

/* "**Performance** (trn2, bfloat16, b=1, s=512):" */
static const char *devlog_heading(const struct form *form, const struct shapes *shapes)
{
	const struct run *run = form->entry->run;
	const char *params = common_params(form->arena, run, shapes);
	struct strbuf sb = {0};
	strbuf_addf(&sb, "**%s** (", form_term(form, MESSAGE_PERFORMANCE));
	md_text_about(&sb,
		      span_of(run->device ? run->device : form_term(form, MESSAGE_DEVICE_UNKNOWN)),
		      &md_all_ids);
	/* Under a profiler the clock is rarely the boost clock. */
	double clock = run_number(run, METRIC_SM_CLOCK);
	if (!isnan(clock) && shapes->group->count == 1)
		strbuf_addf(&sb, ", %s",
			    form_text(form, message_of(form->arena, MESSAGE_CLOCK_AT,
						       message_quantity(clock, UNIT_HERTZ))));
	strbuf_addstr(&sb, ", ");
	md_text_about(&sb, span_of(vocabulary_dtype(form->language, run->dtype)), &md_all_ids);
	strbuf_addstr(&sb, params[0] ? ", " : "");
	md_text_about(&sb, span_of(params), &md_all_ids);
	strbuf_addstr(&sb, "):");
	return strbuf_into(&sb, form->arena);
}

/* "; by rule: roofline: memory side, ncu-sol: High Throughput". Empty if the rules agree. */
static const struct message *other_verdicts(const struct form *form)
{
	const struct bottleneck *bottleneck = &form->bottleneck;
	size_t count = bottleneck->verdict_count;
	const struct message **rules = arena_array(form->arena, count + 1, sizeof(*rules));
	if (!bottleneck->disagree)
		return NULL;
	for (size_t i = 0; i < count; i++)
		rules[i] = message_of(form->arena, MESSAGE_CLASS_OF_RULE,
				      message_text(bottleneck->verdicts[i].rule),
				      message_part(bottleneck->verdicts[i].title));
	return message_of(form->arena, MESSAGE_CLASSES_BY_RULE, message_parts(rules, count));
}

static const char *bottleneck_of_one(const struct form *form)
{
	return form_text(form, message_of(form->arena, MESSAGE_CLASS_WHY,
					  message_term(form->bottleneck.title),
					  message_part(form->bottleneck.reason),
					  message_part(other_verdicts(form))));
}

/* "Latency-bound (s=256, s=512); Memory-bound (s=1024)" */
static const char *bottleneck_of_shapes(const struct shapes *shapes)
{
	const struct form_group *group = shapes->group;
	const struct form *first = &group->items[0];
	struct strbuf sb = {0};
	for (size_t i = 0; i < group->count; i++) {
		enum message_code title = group->items[i].bottleneck.title;
		struct strbuf names = {0};
		bool is_new = true;
		for (size_t j = 0; j < i; j++)
			is_new &= group->items[j].bottleneck.title != title;
		for (size_t j = i; is_new && j < group->count; j++)
			if (group->items[j].bottleneck.title == title)
				strbuf_addf(&names, "%s%s", names.len ? ", " : "",
					    shape_name(shapes, j));
		if (is_new)
			strbuf_addf(
				&sb, "%s%s", sb.len ? "; " : "",
				form_text(first, message_of(first->arena, MESSAGE_CLASS_OF_SHAPES,
							    message_term(title),
							    message_text(strbuf_text(&names)))));
		strbuf_free(&names);
	}
	return strbuf_into(&sb, first->arena);
}

/* "s=512: text", if there are several shapes. */
static const char *of_shape(const struct shapes *shapes, size_t index, const char *text)
{
	struct arena *arena = shapes->group->items[0].arena;
	return shapes->group->count == 1
		       ? text
		       : arena_printf(arena, "%s: %s", shape_name(shapes, index), text);
}

static const struct finding *next_issue(const struct form *form, size_t *at)
{
	while (*at < form->findings.count) {
		const struct finding *finding = &form->findings.items[(*at)++];
		if (finding->severity != SEVERITY_INFO)
			return finding;
	}
	return NULL;
}

/* The problems: the most important ones of a run, then those of the other shapes. */
static void add_issues(const struct shapes *shapes, struct json *out)
{
	const struct form_group *group = shapes->group;
	struct arena *arena = group->items[0].arena;
	size_t *at = arena_array(arena, group->count, sizeof *at);
	struct json *issues = NULL;
	bool more = true;
	while (more && (!issues || issues->count < proposals)) {
		more = false;
		for (size_t i = 0; i < group->count; i++) {
			const struct form *form = &group->items[i];
			const struct finding *finding = next_issue(form, &at[i]);
			if (!finding || (issues && issues->count == proposals))
				continue;
			more = true;
			issues = issues ? issues : json_set_array(arena, out, KEY(issues));
			json_add_text(arena, issues,
				      of_shape(shapes, i, form_text(form, finding->text)));
		}
	}
}

/* "Overlap the engines: overlap DMA with compute, ... (up to 62.3 % of total time)" */
static const char *guidance(const struct form *form, const struct finding *finding)
{
	struct arena *arena = form->arena;
	const struct message *advice = NULL, *gain = report_gain(arena, &finding->gain);
	if (finding->advice)
		advice = message_of(arena, MESSAGE_NEXT_ADVICE, message_term(finding->advice));
	if (gain)
		gain = message_of(arena, MESSAGE_NEXT_GAIN, message_part(gain));
	return form_text(form, message_of(arena, MESSAGE_NEXT, message_part(finding->title),
					  message_part(advice), message_part(gain)));
}

/* The shape whose time moved most since its baseline; without any, the slowest. */
static size_t most_moved(const struct form_group *group)
{
	size_t best = 0;
	double most = -1;
	for (size_t i = 0; i < group->count; i++) {
		const struct form *form = &group->items[i];
		double now = run_time(form->entry->run),
		       before = form->entry->baseline ? run_time(form->entry->baseline) : NAN,
		       moved = fabs(log(now / before));
		if (isfinite(moved) && moved > most && form->why.text) {
			most = moved;
			best = i;
		}
	}
	for (size_t i = 0; most < 0 && i < group->count; i++)
		if (run_time(group->items[i].entry->run) > run_time(group->items[best].entry->run))
			best = i;
	return best;
}

/* Adds why the time changed, or else the position in the roofline, and what to do next. */
static void add_insights(const struct shapes *shapes, struct json *out)
{
	size_t index = most_moved(shapes->group);
	const struct form *form = &shapes->group->items[index];
	const struct revision *before = form->entry->baseline_revision;
	const struct finding *best[OPPORTUNITIES];
	const char *texts[2];
	size_t count = 0;
	if (form->why.text && before)
		texts[count++] = form_text(
			form, message_of(form->arena, MESSAGE_AGAINST,
					 message_text(before->file ? before->file
								   : arena_prefix(form->arena,
										  before->oid, 10)),
					 message_part(form->why.text)));
	else if (form->bottleneck.roofline)
		texts[count++] = form_text(form, form->bottleneck.roofline);
	if (findings_opportunities(&form->findings, best) > 0)
		texts[count++] = guidance(form, best[0]);
	if (count == 0)
		return;
	struct json *list = json_set_array(form->arena, out, KEY(insights));
	for (size_t i = 0; i < count; i++)
		json_add_text(form->arena, list, of_shape(shapes, index, texts[i]));
}

static void add_block(struct form_group *group, const struct shapes *shapes, enum language language,
		      struct json *out)
{
	struct arena *arena = group->items[0].arena;
	bool several = group->count > 1;
	for (size_t i = 0; i < group->count; i++)
		group->items[i].language = language;
	const struct form *first = &group->items[0];
	json_set_text(arena, out, KEY(heading), devlog_heading(first, shapes));
	json_set_text(arena, out, KEY(table),
		      several ? table_of_shapes(shapes) : table_of_one(first));
	json_set_text(arena, out, KEY(bottleneck),
		      several ? bottleneck_of_shapes(shapes) : bottleneck_of_one(first));
	add_issues(shapes, out);
	add_insights(shapes, out);
}

void form_add_devlog(struct form_group *group, struct json *run_document)
{
	struct arena *arena = group->items[0].arena;
	struct shapes shapes = shapes_of(group);
	struct json *out = json_set_object(arena, run_document, KEY(devlog));
	for (size_t i = 0; i < group->count; i++) {
		group->items[i].engines = group->items[0].engines; /* one table has one kind */
		group->items[i].why = form_why(&group->items[i]);
	}
	qsort_r(group->items, group->count, sizeof *group->items, by_shape, &shapes);
	add_block(group, &shapes, LANGUAGE_ENGLISH, out);
	add_block(group, &shapes, LANGUAGE_CHINESE, json_set_object(arena, out, KEY(zh)));
}
