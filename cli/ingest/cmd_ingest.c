/* rooflog ingest: files in, runs stored under their commit. */
#include "cli/command.h"

#include <math.h>
#include <string.h>

#include "cli/ingest/ingest.h"
#include "ingest/table/column_map.h"

struct output {
	bool dry_run, json;
};

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
		json_set_text(arena, runs->last, "state", ingest_state(one, dry_run));
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

static int check_reading(struct cli *cli, const char *jobs, struct read_options *reading,
			 struct error *err)
{
	const char *locale = reading->hints.locale;
	double number = 0;
	if (locale && strcmp(locale, ".") != 0 && strcmp(locale, ",") != 0)
		return error_set(err, ERR_USAGE, "--locale is . or , and not \"%.20s\"", locale);
	if (jobs && (!span_number(span_of(jobs), &number) || number < 1 || number > 64 ||
		     number != floor(number)))
		return error_set(err, ERR_USAGE, "--jobs %s is no number from 1 to 64", jobs);
	reading->threads = (size_t)number;
	struct column_map map;
	const char *columns = reading->hints.columns;
	return columns ? column_map_parse(&cli->arena, columns, &map, err) : 0;
}

static int fail_empty(const struct ingest *ingest, struct error *err)
{
	if (ingest->companion_count == 0)
		return error_set(err, ERR_FORMAT, "no profile was found in what was given");
	const struct placed_companion *first = &ingest->companions[0];
	return error_set(err, ERR_FORMAT,
			 "no profile was found in what was given: %.200s is read (%s) and has no "
			 "figures of its own; name the profiles too",
			 strcmp(first->path, "-") == 0 ? "standard input" : first->path,
			 first->reader->title);
}

/* All after reading; `json` chooses what is printed. */
static int take_in(struct cli *cli, const struct ingest_options *options, struct ingest *ingest,
		   const struct output *output, struct error *err)
{
	if (ingest_complete(cli, options, ingest, err) < 0)
		return -1;
	if (ingest->run_count == 0) {
		ingest_conclude(cli, ingest, output->dry_run);
		return fail_empty(ingest, err);
	}
	ingest_warn(cli, ingest);
	if (!output->dry_run && ingest_store(cli, options, ingest, err) < 0)
		return -1;
	if ((output->json ? print_json : ingest_print)(cli, ingest, output->dry_run, err) < 0)
		return -1;
	ingest_conclude(cli, ingest, output->dry_run);
	return EXIT_PASS;
}

static const char about[] =
	"Reads profiles, from files, directories or standard input (-), and stores "
	"them\n"
	"under the commit that was measured. Formats are recognised by content, .gz "
	"and\n"
	".zst too. All is stored or nothing. A params.json beside a profile names its "
	"kernel,\n"
	"variant, dtype and parameters.";

int cmd_ingest(struct cli *cli, int argc, char **argv, struct error *err)
{
	struct ingest_options o = {0};
	struct read_options reading = {0};
	struct ingest ingest = {0};
	const char *jobs = NULL;
	struct output output = {false, false};
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
		{OPTION_TEXT, "commit", "REV",
		 "the commit that was measured (default: HEAD, for files that say when)",
		 &o.commit},
		{OPTION_TEXT, "locale", "SIGN",
		 "the decimal sign of the files, . or , (default: found out)",
		 &reading.hints.locale},
		{OPTION_TEXT, "columns", "MAP",
		 "the columns of a plain table: commit=sha,kernel=op,time=ms:ms",
		 &reading.hints.columns},
		{OPTION_TEXT, "jobs", "N", "files to read at once (default: one per processor)",
		 &jobs},
		{OPTION_FLAG, "summary-only", NULL,
		 "of profiles only the summary: neuron-profile's JSON up to there, "
		 "summary-json and summary-text; other profiles are refused",
		 &reading.hints.summary_only},
		{OPTION_FLAG, "no-tools", NULL,
		 "run no other program (neuron-profile, ncu, nsys) to convert native traces",
		 &ingest.no_tools},
		{OPTION_FLAG, "keep-going", NULL,
		 "skip files that are broken or leave something open, and store the others",
		 &o.keep_going},
		{OPTION_FLAG, "dry-run", NULL,
		 "read and compute, store nothing, need no repository", &output.dry_run},
		{OPTION_FLAG, "json", NULL, "the runs as JSON", &output.json},
		{OPTION_END, NULL, NULL, NULL, NULL},
	};
	if (cli_options(cli, "ingest", "[OPTION]... PATH...|-", about, options, argc, argv, &rest,
			err) < 0)
		return -1;
	if (cli->help)
		return EXIT_PASS;
	if (rest == 0)
		return error_set(err, ERR_USAGE, "no PATH is given; - reads standard input");
	reading.keep_going = o.keep_going;
	ingest.summary_only = reading.hints.summary_only;
	if (check_reading(cli, jobs, &reading, err) < 0 ||
	    ingest_read(cli, argv + 1, rest, &reading, &ingest, err) < 0)
		return -1;
	return take_in(cli, &o, &ingest, &output, err);
}
