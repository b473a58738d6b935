/* rooflog inspect, a report of Nsight Compute: launches as a table, or with all metrics as JSON
 * lines, in the file's order. */
#include "cli/inspect/inspect.h"

#include "base/json/json.h"
#include "base/text/text.h"
#include "ingest/ncu/report/result.h"
#include "render/markup/markup.h"

enum { flush_size = 256 * 1024 };

struct printing {
	struct cli *cli;
	struct native_report *report;
	struct strbuf out;
	struct md_table table;
	size_t launches, rows, limit; /* rows: also those that the table does not show */
	bool closed;                  /* the reader of the pipe is gone */
};

static const char *copy(struct arena *arena, struct span text)
{
	return arena_strndup(arena, text.ptr, text.len);
}

/* --- a JSON line --- */

static void set_sizes(struct arena *arena, struct json *launch, const char *name,
		      const uint64_t sizes[3])
{
	struct json *list = json_set_array(arena, launch, name);
	for (int i = 0; i < 3; i++)
		json_add_number(arena, list, (double)sizes[i]);
}

static int set_metrics(struct arena *arena, const struct native_report *report, struct wire result,
		       struct json *metrics, struct error *err)
{
	struct wire_field field;
	struct native_report_metric metric;
	while (wire_next(&result, &field)) {
		if (field.number != native_report_metric_field)
			continue;
		if (!native_report_metric_of(report, wire_inside(&field), &metric))
			return error_set(err, ERR_FORMAT, "damaged: a metric has no name");
		const char *name = copy(arena, metric.name);
		/* A name may occur twice; the first value counts. */
		if (json_get(metrics, name))
			continue;
		if (metric.text.len)
			json_set_text(arena, metrics, name, copy(arena, metric.text));
		else
			json_set_number(arena, metrics, name, metric.number);
	}
	return result.damaged ? error_set(err, ERR_FORMAT, "damaged") : 0;
}

/* One launch lives at a time. */
static int print_line(struct printing *p, const struct native_report_names *names,
		      struct wire result, struct error *err)
{
	struct arena arena = {0};
	struct json *launch = json_object(&arena);
	json_set_number(&arena, launch, "launch", (double)p->launches);
	json_set_text(&arena, launch, "kernel", copy(&arena, names->symbol));
	set_sizes(&arena, launch, "grid", names->grid);
	set_sizes(&arena, launch, "block", names->block);
	int rc = set_metrics(&arena, p->report, result, json_set_object(&arena, launch, "metrics"),
			     err);
	if (rc == 0)
		json_write(&p->out, launch, true);
	strbuf_addstr(&p->out, rc == 0 ? "\n" : "");
	arena_free(&arena);
	return rc;
}

/* --- the table --- */

static int add_row(struct printing *p, const struct native_report_names *names, struct wire result,
		   struct error *err)
{
	struct arena *arena = &p->cli->arena;
	struct wire_field field;
	struct native_report_metric metric;
	size_t metrics = 0, rules = 0;
	double ns = NAN;
	while (wire_next(&result, &field)) {
		rules += field.number == native_report_rule_field;
		if (field.number != native_report_metric_field)
			continue;
		if (!native_report_metric_of(p->report, wire_inside(&field), &metric))
			return error_set(err, ERR_FORMAT, "damaged: a metric has no name");
		metrics++;
		if (isnan(ns) && span_is(metric.name, "gpu__time_duration.sum"))
			ns = metric.number;
	}
	if (result.damaged)
		return error_set(err, ERR_FORMAT, "damaged");
	if (p->rows++ >= p->limit)
		return 0;
	md_table_cell(&p->table, arena_printf(arena, "%zu", p->launches));
	md_table_cell(&p->table, copy(arena, names->symbol));
	for (int i = 0; i < 2; i++) {
		const uint64_t *sizes = i ? names->block : names->grid;
		md_table_cell(&p->table, arena_printf(arena, "%" PRIu64 " %" PRIu64 " %" PRIu64,
						      sizes[0], sizes[1], sizes[2]));
	}
	md_table_cell(&p->table, quantity_text(arena, ns * 1e-9, UNIT_SECOND));
	md_table_cell(&p->table, arena_printf(arena, "%zu", metrics));
	md_table_cell(&p->table, arena_printf(arena, "%zu", rules));
	return 0;
}

static void begin_table(struct printing *p)
{
	p->table = md_table_of(&p->cli->arena, cli_table_width(),
			       ">launch|kernel|grid|block|>time|>metrics|>rules");
	p->table.ascii = !cli_terminal(p->cli).utf8;
}

static void end_table(struct printing *p, const char *name)
{
	strbuf_addf(&p->out, "%s: report of Nsight Compute, %zu launch%s\n\n", name, p->launches,
		    p->launches == 1 ? "" : "es");
	md_table_plain(&p->table, &p->out);
	if (p->rows > p->limit)
		strbuf_addf(&p->out, "%zu more; --top N lists more launches\n", p->rows - p->limit);
	strbuf_addstr(&p->out, "\n--events prints all metrics of each launch\n");
}

/* --- all launches --- */

static int print_launches(struct printing *p, bool events, struct error *err)
{
	struct wire result;
	int more;
	while ((more = native_report_next(p->report, &result, err)) > 0 && !p->closed) {
		struct native_report_names names = native_report_names_of(result);
		p->launches++;
		int rc = events ? print_line(p, &names, result, err)
				: add_row(p, &names, result, err);
		if (rc < 0)
			return error_prefix(err, "launch %zu", p->launches);
		rc = events && p->out.len > flush_size ? inspect_write(&p->out, err) : 0;
		p->closed = rc == 1;
		if (rc < 0)
			return -1;
	}
	return more < 0 ? -1 : 0;
}

int inspect_report(struct cli *cli, struct input *input, bool events, size_t top, struct error *err)
{
	struct native_report report;
	struct printing p = {.cli = cli, .report = &report, .limit = top};
	struct error second;
	if (native_report_open(&report, &cli->arena, input, err) < 0)
		return -1;
	if (!events)
		begin_table(&p);
	int rc = print_launches(&p, events, err);
	if (rc == 0 && !events) {
		cli_page(cli);
		end_table(&p, input_name(input));
	}
	/* Launches before a damaged one are printed as well. */
	if (!p.closed && inspect_write(&p.out, rc < 0 ? &second : err) < 0)
		rc = -1;
	native_report_close(&report);
	strbuf_free(&p.out);
	return rc;
}
