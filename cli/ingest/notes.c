/* What ingest says on standard error: warnings, what was skipped and why, the totals. */
#include "cli/ingest/ingest.h"

#include "model/roofline/roofline.h"
#include "model/run/runs.h"
#include "render/vocabulary/vocabulary.h"

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
