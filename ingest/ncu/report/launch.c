/* Reads a result: names, sizes, metrics, rules. */
#include "ingest/ncu/report/launch.h"

#include "base/text/text.h"
#include "ingest/ncu/report/result.h"

enum { seen_limit = 512 };

/* A result while it is read. What it no longer needs is not in the arena, which the launches share.
 */
struct result {
	struct ncu_profile *profile;
	const struct native_report *report;
	struct ncu_identity identity;
	struct ncu_launch *launch;
	/* The values that were used, to find names that occur twice. */
	struct {
		uint64_t id;
		double number;
	} seen[seen_limit];
	size_t seen_count;
	double cc_major, cc_minor;
	struct strbuf advice; /* the text of the rule that is read */
};

static struct span keep(struct result *result, struct span text)
{
	struct arena *arena = result->profile->arena;
	return utf8_is_line(text)
		       ? (struct span){arena_strndup(arena, text.ptr, text.len), text.len}
		       : (struct span){"", 0};
}

/* --- names and sizes --- */

/* "(1024, 5, 1)", as ncu prints it */
static struct span sizes_text(struct result *result, const uint64_t size[3])
{
	return span_of(arena_printf(result->profile->arena,
				    "(%" PRIu64 ", %" PRIu64 ", %" PRIu64 ")", size[0], size[1],
				    size[2]));
}

static void read_names(struct result *result, struct wire message)
{
	struct native_report_names names = native_report_names_of(message);
	result->identity.symbol = keep(result, names.symbol);
	result->identity.grid = sizes_text(result, names.grid);
	result->identity.block_size = sizes_text(result, names.block);
}

/* --- metrics --- */

/* A name may occur twice; the first value counts. */
static bool is_first(struct result *result, uint64_t id, struct span name, double number)
{
	for (size_t i = 0; i < result->seen_count; i++) {
		if (result->seen[i].id != id)
			continue;
		if (result->seen[i].number < number || result->seen[i].number > number)
			result->launch->collected_twice = name;
		return false;
	}
	if (result->seen_count < seen_limit) {
		result->seen[result->seen_count].id = id;
		result->seen[result->seen_count++].number = number;
	}
	return true;
}

/* Values are in base units: ns, byte, %. The number is parsed like one of another page, so that
 * scaling rounds it once. */
static int add_number(struct result *result, uint64_t id, struct span name, double number,
		      struct error *err)
{
	const struct span none = {"", 0};
	struct span types;
	bool per_cycle;
	if (!isfinite(number) ||
	    (!ncu_metric_find(none, name, none) && !ncu_is_tensor_ops(name, &types, &per_cycle)))
		return 0;
	if (!is_first(result, id, name, number))
		return 0;
	char text[40];
	snprintf(text, sizeof text, "%.17g", number);
	struct ncu_entry entry = {
		.section = none,
		.name = name,
		.unit = none,
		.text = span_of(text),
		.line = result->profile->count,
	};
	return ncu_profile_add(result->profile, result->launch, &entry, err);
}

static int read_metric(struct result *result, struct wire message, struct error *err)
{
	struct native_report_metric metric;
	if (!native_report_metric_of(result->report, message, &metric))
		return error_set(err, ERR_FORMAT, "result %zu: damaged: a metric has no name",
				 result->profile->count);
	if (span_is(metric.name, "device__attribute_display_name"))
		result->launch->device_name = keep(result, metric.text);
	else if (span_is(metric.name, "device__attribute_compute_capability_major"))
		result->cc_major = metric.number;
	else if (span_is(metric.name, "device__attribute_compute_capability_minor"))
		result->cc_minor = metric.number;
	return add_number(result, metric.id, metric.name, metric.number, err);
}

/* --- rules --- */

/* What a mark shows: "section:Id:Shown", "source:...:Shown", "url:Shown:address". */
static bool shown_part(struct span mark, struct span *shown)
{
	bool is_url = span_starts(mark, "url:");
	if (!is_url && !span_starts(mark, "section:") && !span_starts(mark, "source:"))
		return false;
	span_cut(&mark, ':');
	if (!is_url)
		span_cut(&mark, ':');
	*shown = is_url ? span_cut(&mark, ':') : mark;
	return true;
}

/* "the @section:SchedulerStats:Scheduler Statistics@" -> "the Scheduler Statistics" */
static struct span without_marks(struct result *result, struct span text)
{
	struct strbuf *sb = &result->advice;
	strbuf_reset(sb);
	while (text.len) {
		size_t at = span_find(text, "@");
		strbuf_add(sb, text.ptr, at);
		if (at == text.len)
			break;
		text = (struct span){text.ptr + at + 1, text.len - at - 1};
		struct span rest = text, mark = span_cut(&rest, '@'), shown;
		if (shown_part(mark, &shown)) {
			strbuf_addspan(sb, shown);
			text = rest;
		} else {
			strbuf_addch(sb, '@');
		}
	}
	return strbuf_span(sb);
}

struct rule {
	struct span name, text;
	bool is_advice;
	struct ncu_rule_entry entry;
};

/* Message {1: text, 2: type}; the type 4 is OPT. */
static void read_message(struct result *result, struct rule *rule, struct wire message)
{
	enum { optimization = 4 };
	struct wire_field field;
	while (wire_next(&message, &field))
		if (field.number == 1)
			rule->text = without_marks(result, field.bytes);
		else if (field.number == 2)
			rule->is_advice = field.integer == optimization;
}

/* Speedup {1: 1 local, 2 global; 2: percent} */
static void read_speedup(struct result *result, struct rule *rule, struct wire speedup)
{
	struct wire_field field;
	while (wire_next(&speedup, &field))
		if (field.number == 1)
			rule->entry.scope = field.integer == 1   ? ADVICE_LOCAL
					    : field.integer == 2 ? ADVICE_GLOBAL
								 : ADVICE_SCOPE_UNKNOWN;
		else if (field.number == 2 && isfinite(wire_double(&field)))
			rule->entry.estimate = span_of(
				arena_printf(result->profile->arena, "%.17g", wire_double(&field)));
}

static void end_rule(struct result *result, struct rule *rule)
{
	if (span_is(rule->name, "SOLBottleneck")) {
		ncu_profile_bottleneck(result->launch, rule->text);
	} else if (rule->text.len && rule->is_advice) {
		rule->entry.name = rule->name;
		rule->entry.text = rule->text;
		ncu_profile_rule(result->profile, result->launch, &rule->entry);
	}
	*rule = (struct rule){.name = rule->name, .text = {"", 0}, .entry = {.estimate = {"", 0}}};
}

/* Body {1: item {1: message, 10: speedup of the message before it}} */
static void read_body(struct result *result, struct rule *rule, struct wire body)
{
	struct wire_field field, part;
	while (wire_next(&body, &field)) {
		struct wire item = wire_inside(&field);
		while (field.number == 1 && wire_next(&item, &part)) {
			if (part.number == 1) {
				end_rule(result, rule);
				read_message(result, rule, wire_inside(&part));
			} else if (part.number == 10) {
				read_speedup(result, rule, wire_inside(&part));
			}
		}
	}
	end_rule(result, rule);
}

/* Rule {1: identifier, 3: body} */
static void read_rule(struct result *result, struct wire message)
{
	struct wire_field field;
	struct rule rule = {.name = {"", 0}, .text = {"", 0}, .entry = {.estimate = {"", 0}}};
	while (wire_next(&message, &field))
		if (field.number == 1)
			rule.name = field.bytes;
		else if (field.number == 3)
			read_body(result, &rule, wire_inside(&field));
}

/* --- a result --- */

static int read_parts(struct result *result, struct wire message, struct error *err)
{
	struct wire_field field;
	while (wire_next(&message, &field))
		if (field.number == native_report_metric_field &&
		    read_metric(result, wire_inside(&field), err) < 0)
			return -1;
		else if (field.number == native_report_rule_field)
			read_rule(result, wire_inside(&field));
	return message.damaged
		       ? error_set(err, ERR_FORMAT, "result %zu: damaged", result->profile->count)
		       : 0;
}

int native_report_add(struct ncu_profile *profile, const struct native_report *report,
		      struct wire message, struct error *err)
{
	struct arena *arena = profile->arena;
	struct result result = {
		.profile = profile,
		.report = report,
		.identity = {.id = span_of(arena_printf(arena, "%zu", profile->count)),
			     .process_id = report->process_id,
			     .symbol = {"", 0},
			     .grid = {"", 0},
			     .block_size = {"", 0},
			     .device = {"", 0}},
		.cc_major = NAN,
		.cc_minor = NAN};
	read_names(&result, message);
	if (result.identity.symbol.len == 0)
		return error_set(err, ERR_FORMAT, "result %zu: the kernel has no valid name",
				 profile->count + 1);
	result.launch = ncu_profile_new(profile, &result.identity, err);
	if (!result.launch)
		return -1;
	result.launch->process = report->process;
	int rc = read_parts(&result, message, err);
	strbuf_free(&result.advice);
	if (rc < 0)
		return -1;
	if (result.cc_major >= 0 && result.cc_minor >= 0)
		result.launch->cc =
			span_of(arena_printf(arena, "%.0f.%.0f", result.cc_major, result.cc_minor));
	return 0;
}
