/* rooflog log: the stored runs, a line each, newest first. */
#include "cli/command.h"

#include <math.h>

#include "cli/runs.h"
#include "render/table.h"

static void add_row(struct cli *cli, struct md_table *table, const struct naming *naming,
		    const struct loaded_run *loaded)
{
	struct arena *arena = &cli->arena;
	const struct run *run = loaded->stored.run;
	const char *date = report_time(arena, loaded->stored.revision.time);
	md_table_cell(table, arena_strndup(arena, loaded->stored.id, 8));
	md_table_cell(table, arena_printf(arena, "%.10s%s", loaded->stored.revision.oid,
					  run->dirty ? "+" : ""));
	md_table_cell(table, date ? arena_strndup(arena, date, 10) : "?");
	md_table_cell(table, naming_name(arena, naming, run));
	double mfu = run_number(run, METRIC_MFU);
	double algorithmic = run_number(run, METRIC_MFU_ALGORITHMIC);
	md_table_cell(table, run_headline_text(arena, run));
	bool formula = isnan(mfu) && !isnan(algorithmic);
	md_table_cell(table,
		      arena_printf(arena, "%s%s",
				   quantity_text(arena, formula ? algorithmic : mfu, UNIT_FRACTION),
				   formula ? " alg" : ""));
}

static int print_table(struct cli *cli, const struct loaded_list *list, struct error *err)
{
	struct md_table table;
	struct strbuf sb = {0};
	struct naming naming = loaded_naming(&cli->arena, list);
	naming.dirty = false; /* the column of commits says it */
	const char *common = naming_common(&cli->arena, &naming);
	if (common[0])
		strbuf_addf(&sb, "all %s\n\n", common);
	md_table_init(&table, &cli->arena);
	table.width = cli_table_width();
	md_table_column(&table, "run", MD_ALIGN_LEFT);
	md_table_column(&table, "commit", MD_ALIGN_LEFT);
	md_table_column(&table, "date", MD_ALIGN_LEFT);
	md_table_column(&table, "kernel", MD_ALIGN_LEFT);
	md_table_column(&table, naming_headline(&naming), MD_ALIGN_RIGHT);
	md_table_optional(&table, "MFU", MD_ALIGN_RIGHT);
	for (size_t i = 0; i < list->count; i++)
		add_row(cli, &table, &naming, &list->items[i]);
	md_table_plain(&table, &sb);
	int rc = cli_print_clean(strbuf_text(&sb), err);
	strbuf_free(&sb);
	return rc;
}

static int print_json(struct cli *cli, const struct loaded_list *list, struct error *err)
{
	struct json *array = json_array(&cli->arena);
	for (size_t i = 0; i < list->count; i++) {
		const struct loaded_run *loaded = &list->items[i];
		struct report_run entry = {
			.run = loaded->stored.run,
			.id = loaded->stored.id,
			.revision = &loaded->stored.revision,
			.peaks = loaded->peaks,
			.hardware = loaded->hardware,
			.baseline_age = -1,
		};
		report_add_run(&cli->arena, array, &entry);
	}
	return cli_print_json(array, err);
}

int cmd_log(struct cli *cli, int argc, char **argv, struct error *err)
{
	struct run_filter filter = {0};
	bool json = false;
	const char *limit = NULL;
	double number = 0;
	int rest;
	const struct option options[] = {
		RUN_FILTER_OPTIONS(filter),
		{OPTION_TEXT, "limit", "N", "at most N runs", &limit},
		{OPTION_FLAG, "json", NULL, "the runs as JSON (docs/report-document.md)", &json},
		{OPTION_END, NULL, NULL, NULL, NULL},
	};
	if (cli_options(cli, "log", "[OPTION]...",
			"Lists the stored runs, newest commit first. A + after the commit marks a "
			"run that\n"
			"was measured with uncommitted changes.",
			options, argc, argv, &rest, err) < 0)
		return -1;
	if (cli->help)
		return EXIT_PASS;
	if (rest)
		return error_set(err, ERR_USAGE, "takes no argument: %s", argv[1]);
	if (limit && (!span_number(span_of(limit), &number) || number < 1 ||
		      number != floor(number) || number > 1e9))
		return error_set(err, ERR_USAGE, "--limit %s is no positive number", limit);
	struct loaded_list list = {0};
	struct run_query query = {
		.kernel = filter.kernel,
		.variant = filter.variant,
		.dtype = filter.dtype,
		.device = filter.device,
		.limit = (size_t)number,
	};
	if ((json ? cli_load_runs : cli_load_figures)(cli, &query, &list, err) < 0)
		return -1;
	if (json)
		return print_json(cli, &list, err);
	if (list.count == 0) {
		cli_note(cli, "no run matches");
		return EXIT_PASS;
	}
	return print_table(cli, &list, err);
}
