/* rooflog ingest: files in, runs stored under their commit. */
#include "cli/command.h"

#include <string.h>

#include "cli/ingest.h"
#include "model/derive.h"
#include "render/table.h"

static const char *state_of(const struct incoming *one, bool dry_run)
{
	return dry_run ? "read" : one->added ? "stored" : "known";
}

static int print_text(struct cli *cli, const struct ingest *ingest, bool dry_run, struct error *err)
{
	struct arena *arena = &cli->arena;
	struct md_table table;
	struct strbuf sb = {0};
	md_table_init(&table, arena);
	md_table_column(&table, "", MD_ALIGN_LEFT);
	md_table_column(&table, "run", MD_ALIGN_LEFT);
	md_table_column(&table, "kernel", MD_ALIGN_LEFT);
	md_table_column(&table, "time", MD_ALIGN_RIGHT);
	md_table_column(&table, "MFU", MD_ALIGN_RIGHT);
	md_table_column(&table, "file", MD_ALIGN_LEFT);
	for (size_t i = 0; i < ingest->run_count; i++) {
		const struct incoming *one = &ingest->runs[i];
		const struct run *run = one->run;
		const char *params = run_params_text(arena, run);
		md_table_cell(&table, state_of(one, dry_run));
		md_table_cell(&table, dry_run ? "--" : arena_strndup(arena, one->id, 8));
		md_table_cell(&table,
			      arena_printf(arena, "%s%s%s%s%s%s%s", run->kernel,
					   run->variant[0] ? " " : "", run->variant,
					   run->dtype ? " " : "", run->dtype ? run->dtype : "",
					   params[0] ? " " : "", params));
		md_table_cell(&table, quantity_text(arena, run_time(run), UNIT_SECOND));
		md_table_cell(&table,
			      quantity_text(arena, run_number(run, METRIC_MFU), UNIT_FRACTION));
		md_table_cell(&table, one->path);
	}
	if (ingest->run_count)
		md_table_plain(&table, &sb);
	int rc = cli_print_clean(strbuf_text(&sb), err);
	strbuf_free(&sb);
	return rc;
}

static int print_json(struct cli *cli, const struct ingest *ingest, bool dry_run, struct error *err)
{
	struct arena *arena = &cli->arena;
	struct json *out = json_object(arena);
	json_set_bool(arena, out, "dry_run", dry_run);
	struct json *runs = json_set_array(arena, out, "runs");
	for (size_t i = 0; i < ingest->run_count; i++) {
		const struct incoming *one = &ingest->runs[i];
		struct report_run entry = {
			.run = one->run,
			.id = dry_run ? NULL : one->id,
			.peaks = one->peaks,
			.hardware = one->hardware,
			.baseline_age = -1,
		};
		report_add_run(arena, runs, &entry);
		json_set_text(arena, runs->last, "state", state_of(one, dry_run));
		json_set_text(arena, runs->last, "format", one->reader->name);
	}
	struct json *skipped = json_set_array(arena, out, "skipped");
	for (size_t i = 0; i < ingest->skipped_count; i++) {
		struct json *object = json_add_object(arena, skipped);
		json_set_text(arena, object, "path", ingest->skipped[i].path);
		json_set_text(arena, object, "reason", ingest->skipped[i].reason);
	}
	return cli_print_json(out, err);
}

enum { mismatches_shown = 3 };

/* Our own notes about the files, and ratios that do not add up. */
static void warn_of_runs(struct cli *cli, const struct ingest *ingest)
{
	struct mismatch found[METRIC_COUNT];
	for (size_t i = 0; i < ingest->run_count; i++) {
		const struct incoming *one = &ingest->runs[i];
		for (size_t j = 0; j < one->run->note_count; j++)
			if (strcmp(one->run->notes[j].category, "rooflog") == 0)
				cli_warn(cli, "%s: %s", one->path, one->run->notes[j].message);
		size_t count = run_mismatches(&cli->arena, one->run, found);
		for (size_t j = 0; j < count && j < mismatches_shown; j++)
			cli_warn(
				cli,
				"%s: %s is reported as %.9g but recomputed as %.9g (%.2g relative)",
				one->path, metric_info(found[j].metric)->key, found[j].reported,
				found[j].derived, found[j].relative);
		if (count > mismatches_shown)
			cli_warn(cli,
				 "%s: %zu more reported ratios differ from the recomputed ones",
				 one->path, count - mismatches_shown);
	}
}

static void count_up(struct cli *cli, const struct ingest *ingest, bool dry_run)
{
	size_t added = 0;
	for (size_t i = 0; i < ingest->run_count; i++)
		added += ingest->runs[i].added;
	for (size_t i = 0; i < ingest->skipped_count; i++)
		cli_note(cli, "skipped %s: %s", ingest->skipped[i].path, ingest->skipped[i].reason);
	if (dry_run)
		cli_note(cli, "%zu file%s read, %zu run%s found, %zu skipped; nothing was stored",
			 ingest->files, ingest->files == 1 ? "" : "s", ingest->run_count,
			 ingest->run_count == 1 ? "" : "s", ingest->skipped_count);
	else
		cli_note(cli, "%zu file%s read, %zu run%s stored, %zu already known, %zu skipped",
			 ingest->files, ingest->files == 1 ? "" : "s", added, added == 1 ? "" : "s",
			 ingest->run_count - added, ingest->skipped_count);
}

static int fail_empty(struct cli *cli, const struct ingest *ingest, int paths, struct error *err)
{
	const char *plural = paths == 1 ? "" : "s";
	for (size_t i = 0; i < ingest->skipped_count; i++)
		cli_note(cli, "skipped %s: %s", ingest->skipped[i].path, ingest->skipped[i].reason);
	if (ingest->companion_count == 0)
		return error_set(err, ERR_FORMAT, "no profile was found in the given path%s",
				 plural);
	const struct placed_companion *first = &ingest->companions[0];
	return error_set(err, ERR_FORMAT,
			 "no profile was found in the given path%s: %.200s is read (%s) and has no "
			 "figures of its own; name the profiles too",
			 plural, strcmp(first->path, "-") == 0 ? "standard input" : first->path,
			 first->reader->title);
}

int cmd_ingest(struct cli *cli, int argc, char **argv, struct error *err)
{
	struct ingest_options o = {0};
	struct ingest ingest = {0};
	bool dry_run = false, json = false;
	int rest;
	const struct option options[] = {
		{OPTION_TEXT, "kernel", "K", "the kernel, where params.json does not say it",
		 &o.kernel},
		{OPTION_TEXT, "variant", "V", "the implementation, where there are several",
		 &o.variant},
		{OPTION_TEXT, "params", "P", "parameters of the work: b=1,s=512", &o.params},
		{OPTION_TEXT, "dtype", "D", "bf16, fp32 ...", &o.dtype},
		{OPTION_TEXT, "device", "D", "where the file does not say it: trn2, h100-sxm ...",
		 &o.device},
		{OPTION_TEXT, "cores", "N", "physical cores, where the file does not say it",
		 &o.cores},
		{OPTION_TEXT, "commit", "REV", "the commit that was measured (default: HEAD)",
		 &o.commit},
		{OPTION_TEXT, "locale", "SIGN",
		 "the decimal sign of the files, . or , (default: found out)", &o.hints.locale},
		{OPTION_FLAG, "no-tools", NULL,
		 "run no other program (neuron-profile, ncu, nsys) to convert native traces",
		 &ingest.no_tools},
		{OPTION_FLAG, "dry-run", NULL,
		 "read and compute, store nothing, need no repository", &dry_run},
		{OPTION_FLAG, "json", NULL, "the runs as JSON", &json},
		{OPTION_END, NULL, NULL, NULL, NULL},
	};
	if (cli_options(
		    cli, "ingest", "[OPTION]... PATH...|-",
		    "Reads profiles, from files, directories or standard input (-), and stores "
		    "them\n"
		    "under the commit that was measured. Formats are recognised by content, .gz "
		    "too.\n"
		    "All is stored or nothing. A params.json beside a profile names its kernel,\n"
		    "variant, dtype and parameters.",
		    options, argc, argv, &rest, err) < 0)
		return -1;
	if (cli->help)
		return EXIT_PASS;
	if (rest == 0)
		return error_set(err, ERR_USAGE, "no PATH is given; - reads standard input");
	if (o.hints.locale && strcmp(o.hints.locale, ".") != 0 && strcmp(o.hints.locale, ",") != 0)
		return error_set(err, ERR_USAGE, "--locale is . or , and not \"%.20s\"",
				 o.hints.locale);
	if (ingest_read(cli, argv + 1, rest, &o.hints, &ingest, err) < 0 ||
	    ingest_complete(cli, &o, &ingest, err) < 0)
		return -1;
	if (ingest.run_count == 0)
		return fail_empty(cli, &ingest, rest, err);
	warn_of_runs(cli, &ingest);
	if (!dry_run && ingest_store(cli, &o, &ingest, err) < 0)
		return -1;
	int rc = json ? print_json(cli, &ingest, dry_run, err)
		      : print_text(cli, &ingest, dry_run, err);
	if (rc < 0)
		return -1;
	count_up(cli, &ingest, dry_run);
	return EXIT_PASS;
}
