/* rooflog ingest: reads files and stores their runs by commit. */
#include "cli/command.h"

#include "cli/ingest/ingest.h"
#include "ingest/table/tables.h"

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

/* All steps after reading. */
static int take_in(struct cli *cli, const struct ingest_options *options, struct ingest *ingest,
		   const struct ingest_output *output, struct error *err)
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
	if (ingest_print(cli, ingest, output, err) < 0)
		return -1;
	ingest_conclude(cli, ingest, output->dry_run);
	return EXIT_PASS;
}

struct ingest_command {
	struct ingest_options completion;
	struct read_options reading;
	struct ingest_output output;
	bool no_tools;
	struct arguments paths;
};

static int check(struct cli *cli, void *options, struct error *err)
{
	struct ingest_command *o = options;
	const char *columns = o->reading.hints.columns;
	struct column_map map;
	o->reading.keep_going = o->completion.keep_going;
	return columns ? column_map_parse(&cli->arena, columns, &map, err) : 0;
}

static int ingest_files(struct cli *cli, void *options, struct error *err)
{
	const struct ingest_command *o = options;
	struct ingest ingest = {.no_tools = o->no_tools,
				.summary_only = o->reading.hints.summary_only};
	if (ingest_read(cli, o->paths.items, (int)o->paths.count, &o->reading, &ingest, err) < 0)
		return -1;
	return take_in(cli, &o->completion, &ingest, &o->output, err);
}

#define FIELD(member) OPTION_FIELD(struct ingest_command, member)
static const struct option rows[] = {
	{FIELD(completion.kernel), "kernel", "K", "the kernel, where params.json does not say it"},
	{FIELD(completion.variant), "variant", "V", "the implementation, where there are several"},
	{FIELD(completion.params), "params", "P", "parameters of the work: b=1,s=512"},
	{FIELD(completion.dtype), "dtype", "D", "bf16, fp32 ..."},
	{FIELD(completion.device), "device", "D",
	 "where the file does not say it: trn2, h100-sxm ..."},
	{FIELD(completion.cores), "cores", "N", "physical cores, where the file does not say it"},
	{FIELD(completion.commit), "commit", "REV",
	 "the commit that was measured (default: HEAD, for files that say when)"},
	{FIELD(reading.hints.locale), "locale", "SIGN",
	 "the decimal sign of the files, . or , (default: found out)", .words = ".|,"},
	{FIELD(reading.hints.columns), "columns", "MAP",
	 "the columns of a plain table: commit=sha,kernel=op,time=ms:ms"},
	{FIELD(reading.threads), "jobs", "N", "files to read at once (default: one per processor)",
	 .low = 1, .high = 64},
	{FIELD(reading.hints.summary_only), "summary-only", NULL,
	 "of profiles only the summary: neuron-profile's JSON up to there, summary-json and "
	 "summary-text; other profiles are refused"},
	{FIELD(no_tools), "no-tools", NULL,
	 "run no other program (neuron-profile, ncu, nsys) to convert native traces"},
	{FIELD(completion.keep_going), "keep-going", NULL,
	 "skip files that are broken or leave something open, and store the others"},
	{FIELD(output.dry_run), "dry-run", NULL,
	 "read and compute, store nothing, need no repository"},
	{FIELD(output.json), "json", NULL, "the runs as JSON"},
	{.kind = OPTION_END},
};

const struct command command_ingest = {
	.name = "ingest",
	.summary = "read profiles and store them under their commit",
	.usage = "[OPTION]... PATH...|-",
	.about = "Reads profiles, from files, directories or standard input (-), and stores them\n"
		 "under the commit that was measured. Formats are recognised by content, .gz and\n"
		 ".zst too. All is stored or nothing. A params.json beside a profile names its "
		 "kernel,\n"
		 "variant, dtype and parameters.",
	.options = rows,
	.arguments = {{"PATH", ARGUMENT(struct ingest_command, paths)}},
	.required = 1,
	.expected = "no PATH is given; - reads standard input",
	.examples = {"rooflog ingest profiles/",
		     "rooflog ingest --kernel mlp --dtype bf16 --device trn2 summary.json",
		     "rooflog ingest --columns commit=sha,kernel=op,time=ms:ms times.csv"},
	.options_size = sizeof(struct ingest_command),
	.check = check,
	.run = ingest_files,
};
