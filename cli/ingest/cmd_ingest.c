/* rooflog ingest: reads files and stores their runs by commit. */
#include "cli/command.h"

#include "cli/gate/gate.h"
#include "cli/ingest/ingest.h"
#include "ingest/table/tables.h"
#include "model/roofline/roofline.h"
#include "model/run/runs.h"
#include "render/lists/lists.h"
#include "render/vocabulary/vocabulary.h"

/* --- the output: runs, formats, warnings, skipped files --- */

static const char *state_of(const struct incoming *one, bool dry_run)
{
	return dry_run        ? "read"
	       : one->added   ? "stored"
	       : one->back    ? "back"
	       : one->removed ? "removed"
			      : "known";
}

static struct ingest_view view_of(struct arena *arena, const struct ingest *ingest)
{
	struct ingested_run *runs = arena_array(arena, ingest->run_count, sizeof *runs);
	struct ingested_format *formats = arena_array(arena, ingest->format_count, sizeof *formats);
	struct skipped_file *skipped = arena_array(arena, ingest->skipped_count, sizeof *skipped);
	for (size_t i = 0; i < ingest->run_count; i++) {
		const struct incoming *one = &ingest->runs[i];
		runs[i] = (struct ingested_run){
			one->run,          one->path,
			one->id,           state_of(one, ingest->options->dry_run),
			one->reader->name, one->added,
			one->peaks,        one->hardware};
	}
	for (size_t i = 0; i < ingest->format_count; i++)
		formats[i] =
			(struct ingested_format){ingest->formats[i].reader->name,
						 ingest->formats[i].files, ingest->formats[i].runs};
	for (size_t i = 0; i < ingest->skipped_count; i++)
		skipped[i] =
			(struct skipped_file){ingest->skipped[i].path, ingest->skipped[i].reason};
	return (struct ingest_view){runs,
				    ingest->run_count,
				    formats,
				    ingest->format_count,
				    skipped,
				    ingest->skipped_count,
				    ingest->options->dry_run,
				    cli_table_width()};
}

/* Prints the runs on stdout. As JSON, or if there are several formats, also what was skipped and
 * the number of files per format. */
static int print(const struct ingest *ingest, struct error *err)
{
	struct ingest_view view = view_of(ingest->arena, ingest);
	struct strbuf sb = {0};
	if (ingest->cli->common.json)
		return cli_print_json(render_ingest_json(ingest->arena, &view), err);
	render_ingest_text(ingest->arena, &view, &sb);
	return cli_print_built(&sb, err);
}

/* --- warnings, what was skipped, totals --- */

enum { skipped_shown = 20, warnings_shown = 20, mismatches_shown = 3 };

/* A warning about one or more runs; equal texts are printed once. */
struct warning {
	const char *path, *text;
	size_t runs;
};

struct warnings {
	struct warning *items;
	size_t count, capacity;
};

static void add_warning(struct arena *arena, struct warnings *warnings, const char *path,
			const char *text)
{
	for (size_t i = 0; i < warnings->count; i++)
		if (strcmp(warnings->items[i].text, text) == 0) {
			warnings->items[i].runs++;
			return;
		}
	/* Beyond the number of warnings shown, only their count matters. */
	if (warnings->count > warnings_shown) {
		warnings->items[warnings_shown].runs++;
		return;
	}
	*arena_add(arena, warnings) = (struct warning){path, text, 1};
}

static void add_mismatches(struct arena *arena, const struct incoming *one,
			   struct warnings *warnings)
{
	struct mismatch found[METRIC_COUNT];
	size_t count = run_mismatches(one->run, found);
	for (size_t i = 0; i < count && i < mismatches_shown; i++)
		add_warning(arena, warnings, one->path,
			    arena_printf(
				    arena,
				    "%s: reported %.9g, recomputed %.9g (relative difference %.2g)",
				    metric_info(found[i].metric)->key, found[i].reported,
				    found[i].derived, found[i].relative));
	if (count > mismatches_shown)
		add_warning(arena, warnings, one->path,
			    arena_printf(arena, "%zu more reported ratio%s from recomputed values",
					 count - mismatches_shown,
					 count == mismatches_shown + 1 ? " differs" : "s differ"));
}

void ingest_warn(const struct ingest *ingest)
{
	struct warnings warnings = {0};
	for (size_t i = 0; i < ingest->run_count; i++) {
		const struct incoming *one = &ingest->runs[i];
		for (size_t j = 0; j < one->run->note_count; j++)
			if (strcmp(one->run->notes[j].category, "rooflog") == 0)
				add_warning(ingest->arena, &warnings, one->path,
					    one->run->notes[j].message);
		add_mismatches(ingest->arena, one, &warnings);
		const struct message *impossible = time_floor_message(ingest->arena, one->run);
		if (impossible)
			add_warning(ingest->arena, &warnings, one->path,
				    vocabulary_say(ingest->arena, impossible));
	}
	for (size_t i = 0; i < warnings.count && i < warnings_shown; i++) {
		const struct warning *one = &warnings.items[i];
		if (one->runs > 1)
			cli_warn(ingest->cli, "%s: %s (%zu runs)", one->path, one->text, one->runs);
		else
			cli_warn(ingest->cli, "%s: %s", one->path, one->text);
	}
	if (warnings.count > warnings_shown)
		cli_warn(ingest->cli, "%s; \"rooflog show RUN\" lists those of one run",
			 quantity_count_text(ingest->arena, warnings.items[warnings_shown].runs,
					     "more warning", "more warnings"));
}

struct reason {
	const char *text, *path; /* path: the first file with this reason */
	size_t count;
	bool several_files; /* false: several runs of one file */
};

static void print_reason(struct cli *cli, const struct reason *reason)
{
	/* A reason about a run begins with its path. */
	bool named = span_starts(span_of(reason->text), reason->path);
	if (reason->count == 1 && named)
		cli_note(cli, "skipped %s", reason->text);
	else if (reason->count == 1)
		cli_note(cli, "skipped %s: %s", reason->path, reason->text);
	else if (reason->several_files)
		cli_note(cli, "skipped %zu files, e.g. %s: %s", reason->count, reason->path,
			 reason->text);
	else
		cli_note(cli, "skipped %zu runs: %s", reason->count, reason->text);
}

/* Prints each reason once, with the number of files or runs. */
static void print_skipped(const struct ingest *ingest)
{
	struct reason reasons[skipped_shown];
	size_t count = 0, more = 0;
	for (size_t i = 0; i < ingest->skipped_count; i++) {
		const struct skipped *skipped = &ingest->skipped[i];
		size_t at = 0;
		while (at < count && strcmp(reasons[at].text, skipped->reason) != 0)
			at++;
		if (at == skipped_shown) {
			more++;
			continue;
		}
		if (at == count)
			reasons[count++] =
				(struct reason){skipped->reason, skipped->path, 0, false};
		reasons[at].count++;
		if (strcmp(reasons[at].path, skipped->path) != 0)
			reasons[at].several_files = true;
	}
	for (size_t i = 0; i < count; i++)
		print_reason(ingest->cli, &reasons[i]);
	if (more)
		cli_note(ingest->cli, "skipped %zu more; --json lists all with reasons", more);
}

void ingest_conclude(const struct ingest *ingest)
{
	size_t added = 0, back = 0, removed = 0;
	for (size_t i = 0; i < ingest->run_count; i++) {
		added += ingest->runs[i].added;
		back += ingest->runs[i].back;
		removed += ingest->runs[i].removed;
	}
	size_t duplicates = ingest->run_count - added - removed;
	print_skipped(ingest);
	if (back)
		cli_note(ingest->cli, "%zu removed run%s brought back", back, back == 1 ? "" : "s");
	if (ingest->replaced)
		cli_note(ingest->cli,
			 "%zu run%s of the same commit and series replaced; \"rooflog rm --undo\" "
			 "undoes it",
			 ingest->replaced, ingest->replaced == 1 ? "" : "s");
	if (ingest->options->dry_run)
		cli_note(ingest->cli,
			 "%zu file%s read: %zu run%s found, %zu skipped; dry run, nothing stored",
			 ingest->files, ingest->files == 1 ? "" : "s", ingest->run_count,
			 ingest->run_count == 1 ? "" : "s", ingest->skipped_count);
	else
		cli_note(ingest->cli,
			 "%zu file%s read: %zu run%s stored, %zu duplicate%s, %zu skipped",
			 ingest->files, ingest->files == 1 ? "" : "s", added, added == 1 ? "" : "s",
			 duplicates, duplicates == 1 ? "" : "s", ingest->skipped_count);
}

/* --- the command --- */

int ingest_fail_empty(const struct ingest *ingest, const struct arguments *paths, struct error *err)
{
	if (ingest->companion_count == 0 && paths->count == 1)
		return error_set(err, ERR_FORMAT, "no profiles found in %.300s",
				 strcmp(paths->items[0], "-") == 0 ? "standard input"
								   : paths->items[0]);
	if (ingest->companion_count == 0)
		return error_set(err, ERR_FORMAT, "no profiles found in the given paths");
	const struct placed_companion *first = &ingest->companions[0];
	return error_set(err, ERR_FORMAT,
			 "no profiles found in the given paths: %.200s (%s) has no measurements of "
			 "its own; give the profiles as well",
			 strcmp(first->path, "-") == 0 ? "standard input" : first->path,
			 first->reader->title);
}

struct ingest_command {
	struct ingest_options options;
	struct arguments paths;
};

static const struct ingest_command defaults = {.options.max_series = INGEST_SERIES};

static int check(struct cli *cli, void *options, struct error *err)
{
	const struct ingest_command *o = options;
	const struct reading_options *reading = &o->options.reading;
	const char *against = o->options.against;
	if (against && !gate_command_branch(against))
		return error_set(err, ERR_USAGE,
				 "--against %s: ingest takes merge-base or merge-base:BRANCH",
				 against);
	return facts_check_reading(&cli->arena, reading, err);
}

/* Whether a line with the paths alone says the same. */
static bool has_only_paths(const struct cli *cli, const struct ingest_options *o)
{
	return !facts_reads(&o->reading) && !o->commit && !o->against && !o->split_by &&
	       !o->keep_going && !o->again && !o->replace && !o->history && !o->dry_run &&
	       !cli->common.json && !o->trust.work_tree &&
	       o->max_series == defaults.options.max_series;
}

static int ingest_files(struct cli *cli, void *options, struct error *err)
{
	const struct ingest_command *o = options;
	struct ingest ingest = {.cli = cli,
				.arena = &cli->arena,
				.options = &o->options,
				.paths = &o->paths,
				.only_paths = has_only_paths(cli, &o->options)};
	bool dry_run = o->options.dry_run;
	if (ingest_read(&ingest, &o->paths, err) < 0 || ingest_complete(&ingest, err) < 0)
		return -1;
	if (ingest.run_count == 0) {
		ingest_conclude(&ingest);
		return ingest_fail_empty(&ingest, &o->paths, err);
	}
	ingest_warn(&ingest);
	if ((!dry_run && ingest_store(&ingest, err) < 0) || print(&ingest, err) < 0)
		return -1;
	ingest_conclude(&ingest);
	return EXIT_PASS;
}

#define FIELD(member) OPTION_FIELD(struct ingest_command, member)
static const struct option rows[] = {
	{OPTION_GROUP(struct ingest_command, options.reading, reading_option_rows),
	 .help = "Reading (the same in every command that reads FILE)"},
	{.kind = OPTION_TITLE, .help = "Storing"},
	{FIELD(options.commit), "commit", "COMMIT", "the commit that was measured (default: HEAD)"},
	{FIELD(options.keep_going), "keep-going", NULL,
	 "skip files that cannot be read, store the others"},
	{FIELD(options.replace), "replace", NULL,
	 "replace stored runs of the same series and commit"},
	{FIELD(options.again), "again", NULL, "bring back runs that were removed"},
	{FIELD(options.split_by), "split-by", "WHAT",
	 "distinguish runs by file, folder, hash, flop or shape; none: they are repeats",
	 .choices = "file|folder|hash|flop|shape|none"},
	{FIELD(options.history), "history", NULL,
	 "let files that name commits add runs to commits other than HEAD"},
	{FIELD(options.max_series), "max-series", "N",
	 "the largest number of new series (default: 10000)", .low = 1, .high = 10000000},
	{FIELD(options.dry_run), "dry-run", NULL, "read and report, store nothing"},
	{FIELD(options.against), "against", "WHAT",
	 "merge-base[:BRANCH]: whose configuration applies"},
	{OPTION_GROUP(struct ingest_command, options.trust, trust_option_rows)},
	{.kind = OPTION_END},
};

const struct command command_ingest = {
	.name = "ingest",
	.group = GROUP_STORE,
	.summary = "read profiles and store their runs under a commit",
	.usage = "FILE... [OPTION]...\n"
		 "- [OPTION]... <FILE",
	.about = "Read profiles and store their runs under the commit that was measured. FILE may\n"
		 "be a folder; .gz and .zst are unpacked; formats are recognized by content. All\n"
		 "files are stored, or none.",
	.notes = "A params.json next to a profile states the same as --set for its folder.\n"
		 "'rooflog list formats' has all formats. The first ingest sets up the repository.",
	.examples = {"rooflog ingest out/profiles",
		     "rooflog ingest ncu.csv --set device=h100-sxm,dtype=bf16",
		     "rooflog ingest --commit HEAD~1 out/again",
		     "rooflog ingest times.csv --columns commit=sha,kernel=op,time=ms:ms"},
	.options = rows,
	.arguments = {{"PATH", ARGUMENT(struct ingest_command, paths)}},
	.required = 1,
	.expected = "FILE is missing (- reads standard input)",
	.options_size = sizeof(struct ingest_command),
	.defaults = &defaults,
	.check = check,
	.run = ingest_files,
	.sections = "device work tool alias epoch",
	.documents = "ingest",
	.see_also = "show init rm formats",
};
