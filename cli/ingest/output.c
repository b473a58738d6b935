/* The output of ingest: runs, formats, warnings, skipped files. */
#include "cli/ingest/ingest.h"

#include "model/run/runs.h"
#include "render/lists/lists.h"

enum { skipped_shown = 20, warnings_shown = 20, mismatches_shown = 3 };

void ingest_count(struct cli *cli, struct ingest *ingest, const struct reader *reader, size_t runs)
{
	size_t at = 0;
	while (at < ingest->format_count && ingest->formats[at].reader != reader)
		at++;
	if (at == ingest->format_count) {
		*arena_next(&cli->arena, ingest->formats, ingest->format_count,
			    ingest->format_capacity) = (struct format_count){.reader = reader};
	}
	ingest->formats[at].files++;
	ingest->formats[at].runs += runs;
}

static const char *state_of(const struct incoming *one, bool dry_run)
{
	return dry_run ? "read" : one->added ? "stored" : "known";
}

static struct ingest_view view_of(struct arena *arena, const struct ingest *ingest, bool dry_run)
{
	struct ingested_run *runs = arena_array(arena, ingest->run_count, sizeof *runs);
	struct ingested_format *formats = arena_array(arena, ingest->format_count, sizeof *formats);
	struct skipped_file *skipped = arena_array(arena, ingest->skipped_count, sizeof *skipped);
	for (size_t i = 0; i < ingest->run_count; i++) {
		const struct incoming *one = &ingest->runs[i];
		runs[i] = (struct ingested_run){
			one->run,          one->path,  one->id,    state_of(one, dry_run),
			one->reader->name, one->added, one->peaks, one->hardware};
	}
	for (size_t i = 0; i < ingest->format_count; i++)
		formats[i] =
			(struct ingested_format){ingest->formats[i].reader->name,
						 ingest->formats[i].files, ingest->formats[i].runs};
	for (size_t i = 0; i < ingest->skipped_count; i++)
		skipped[i] =
			(struct skipped_file){ingest->skipped[i].path, ingest->skipped[i].reason};
	return (struct ingest_view){runs,    ingest->run_count,     formats, ingest->format_count,
				    skipped, ingest->skipped_count, dry_run, cli_table_width()};
}

int ingest_print(struct cli *cli, const struct ingest *ingest, const struct ingest_output *output,
		 struct error *err)
{
	struct ingest_view view = view_of(&cli->arena, ingest, output->dry_run);
	struct strbuf sb = {0};
	if (output->json)
		return cli_print_json(render_ingest_json(&cli->arena, &view), err);
	render_ingest_text(&cli->arena, &view, &sb);
	return cli_print_built(&sb, err);
}

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
			    arena_printf(arena,
					 "%s is reported as %.9g but recomputed as %.9g (%.2g "
					 "relative)",
					 metric_info(found[i].metric)->key, found[i].reported,
					 found[i].derived, found[i].relative));
	if (count > mismatches_shown)
		add_warning(arena, warnings, one->path,
			    arena_printf(arena,
					 "%zu more reported ratios differ from the recomputed ones",
					 count - mismatches_shown));
}

void ingest_warn(struct cli *cli, const struct ingest *ingest)
{
	struct warnings warnings = {0};
	for (size_t i = 0; i < ingest->run_count; i++) {
		const struct incoming *one = &ingest->runs[i];
		for (size_t j = 0; j < one->run->note_count; j++)
			if (strcmp(one->run->notes[j].category, "rooflog") == 0)
				add_warning(&cli->arena, &warnings, one->path,
					    one->run->notes[j].message);
		add_mismatches(&cli->arena, one, &warnings);
	}
	for (size_t i = 0; i < warnings.count && i < warnings_shown; i++) {
		const struct warning *one = &warnings.items[i];
		if (one->runs > 1)
			cli_warn(cli, "%s: %s (%zu runs)", one->path, one->text, one->runs);
		else
			cli_warn(cli, "%s: %s", one->path, one->text);
	}
	if (warnings.count > warnings_shown)
		cli_warn(cli, "%zu more warnings; \"rooflog show RUN\" tells those of a run",
			 warnings.items[warnings_shown].runs);
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
		cli_note(cli, "skipped %zu files, the first is %s: %s", reason->count, reason->path,
			 reason->text);
	else
		cli_note(cli, "skipped %zu runs: %s", reason->count, reason->text);
}

/* Prints each reason once, with the number of files or runs. */
static void print_skipped(struct cli *cli, const struct ingest *ingest)
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
		print_reason(cli, &reasons[i]);
	if (more)
		cli_note(cli, "skipped %zu more; --json lists all with their reasons", more);
}

void ingest_conclude(struct cli *cli, const struct ingest *ingest, bool dry_run)
{
	size_t added = 0;
	for (size_t i = 0; i < ingest->run_count; i++)
		added += ingest->runs[i].added;
	print_skipped(cli, ingest);
	if (dry_run)
		cli_note(cli, "%zu file%s read, %zu run%s found, %zu skipped; nothing was stored",
			 ingest->files, ingest->files == 1 ? "" : "s", ingest->run_count,
			 ingest->run_count == 1 ? "" : "s", ingest->skipped_count);
	else
		cli_note(cli, "%zu file%s read, %zu run%s stored, %zu already known, %zu skipped",
			 ingest->files, ingest->files == 1 ? "" : "s", added, added == 1 ? "" : "s",
			 ingest->run_count - added, ingest->skipped_count);
}
