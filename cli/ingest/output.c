/* What ingest says when it is done: runs, formats, warnings, what was passed over. */
#include "cli/ingest/ingest.h"

#include <string.h>

#include "model/run/derive.h"
#include "model/run/short_names.h"
#include "render/markup/table.h"
#include "render/vocabulary/vocabulary.h"

enum { runs_shown = 40, skipped_shown = 20, warnings_shown = 20, mismatches_shown = 3 };

void ingest_count(struct cli *cli, struct ingest *ingest, const struct reader *reader, size_t runs)
{
	size_t at = 0;
	while (at < ingest->format_count && ingest->formats[at].reader != reader)
		at++;
	if (at == ingest->format_count) {
		ingest->formats = arena_grow(&cli->arena, ingest->formats, ingest->format_count,
					     &ingest->format_capacity, sizeof *ingest->formats);
		ingest->formats[ingest->format_count++] = (struct format_count){.reader = reader};
	}
	ingest->formats[at].files++;
	ingest->formats[at].runs += runs;
}

const char *ingest_state(const struct incoming *one, bool dry_run)
{
	return dry_run ? "read" : one->added ? "stored" : "known";
}

static struct naming naming_of_ingest(struct arena *arena, const struct ingest *ingest)
{
	const struct run **runs = arena_array(arena, ingest->run_count, sizeof *runs);
	for (size_t i = 0; i < ingest->run_count; i++)
		runs[i] = ingest->runs[i].run;
	return naming_of(arena, runs, ingest->run_count);
}

/* What many runs have in common is said once, the file too. */
static bool add_common(struct arena *arena, const struct ingest *ingest,
		       const struct naming *naming, struct strbuf *sb)
{
	const char *common = naming_common(arena, naming), *path = ingest->runs[0].path;
	bool one_file = ingest->run_count > 1;
	for (size_t i = 1; i < ingest->run_count; i++)
		one_file = one_file && strcmp(ingest->runs[i].path, path) == 0;
	if (ingest->run_count > 1 && common[0])
		strbuf_addf(sb, "all %s\n", common);
	if (one_file)
		strbuf_addf(sb, "from %s\n", path);
	if (sb->len)
		strbuf_addch(sb, '\n');
	return one_file;
}

static void add_runs(struct arena *arena, const struct ingest *ingest, bool dry_run,
		     struct strbuf *sb)
{
	struct md_table table;
	struct naming naming = naming_of_ingest(arena, ingest);
	bool one_file = add_common(arena, ingest, &naming, sb);
	md_table_init(&table, arena);
	table.width = cli_table_width();
	md_table_column(&table, "", MD_ALIGN_LEFT);
	md_table_column(&table, "run", MD_ALIGN_LEFT);
	md_table_column(&table, "kernel", MD_ALIGN_LEFT);
	md_table_column(&table, vocabulary_term(LANGUAGE_ENGLISH, naming_headline(&naming)),
			MD_ALIGN_RIGHT);
	md_table_optional(&table, "MFU", MD_ALIGN_RIGHT);
	if (!one_file)
		md_table_column(&table, "file", MD_ALIGN_LEFT);
	for (size_t i = 0; i < ingest->run_count && i < runs_shown; i++) {
		const struct incoming *one = &ingest->runs[i];
		double mfu = run_number(one->run, METRIC_MFU);
		md_table_cell(&table, ingest_state(one, dry_run));
		md_table_cell(&table, dry_run ? "--" : arena_strndup(arena, one->id, 8));
		md_table_cell(&table, naming_name(arena, &naming, one->run));
		md_table_cell(&table,
			      vocabulary_english(arena, run_headline_message(arena, one->run)));
		md_table_cell(&table, quantity_text(arena, mfu, UNIT_FRACTION));
		if (!one_file)
			md_table_cell(&table, one->path);
	}
	md_table_plain(&table, sb);
	if (ingest->run_count > runs_shown)
		strbuf_addf(sb, "... and %zu more runs\n", ingest->run_count - runs_shown);
}

static void add_formats(struct arena *arena, const struct ingest *ingest, bool dry_run,
			struct strbuf *sb)
{
	struct md_table table;
	md_table_init(&table, arena);
	md_table_column(&table, "format", MD_ALIGN_LEFT);
	md_table_column(&table, "files", MD_ALIGN_RIGHT);
	md_table_column(&table, dry_run ? "runs" : "stored", MD_ALIGN_RIGHT);
	if (!dry_run)
		md_table_column(&table, "known", MD_ALIGN_RIGHT);
	for (size_t i = 0; i < ingest->format_count; i++) {
		const struct format_count *format = &ingest->formats[i];
		size_t runs = 0, added = 0;
		for (size_t k = 0; k < ingest->run_count; k++)
			if (ingest->runs[k].reader == format->reader) {
				runs++;
				added += ingest->runs[k].added;
			}
		md_table_cell(&table, format->reader->name);
		md_table_cell(&table, arena_printf(arena, "%zu", format->files));
		/* params.json and the like hold no runs. */
		bool empty = format->runs == 0;
		md_table_cell(&table,
			      empty ? "--" : arena_printf(arena, "%zu", dry_run ? runs : added));
		if (!dry_run)
			md_table_cell(&table,
				      empty ? "--" : arena_printf(arena, "%zu", runs - added));
	}
	strbuf_addch(sb, '\n');
	md_table_plain(&table, sb);
}

static bool has_several_formats(const struct ingest *ingest)
{
	size_t count = 0;
	for (size_t i = 0; i < ingest->format_count; i++)
		count += ingest->formats[i].runs > 0;
	return count > 1;
}

int ingest_print(struct cli *cli, const struct ingest *ingest, bool dry_run, struct error *err)
{
	struct strbuf sb = {0};
	if (ingest->run_count)
		add_runs(&cli->arena, ingest, dry_run, &sb);
	if (has_several_formats(ingest) || ingest->run_count > runs_shown)
		add_formats(&cli->arena, ingest, dry_run, &sb);
	int rc = cli_print_clean(strbuf_text(&sb), err);
	strbuf_free(&sb);
	return rc;
}

/* The same sentence about many runs is said once. */
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
	/* Beyond what is shown only the number counts. */
	if (warnings->count > warnings_shown) {
		warnings->items[warnings_shown].runs++;
		return;
	}
	warnings->items = arena_grow(arena, warnings->items, warnings->count, &warnings->capacity,
				     sizeof *warnings->items);
	warnings->items[warnings->count++] = (struct warning){path, text, 1};
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
	const char *text, *path; /* of the first file */
	size_t count;
	bool several_files; /* else runs of one file */
};

static void tell_reason(struct cli *cli, const struct reason *reason)
{
	/* Reasons about runs name their file themselves. */
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

/* What was passed over for the same reason is told of once. */
static void tell_skipped(struct cli *cli, const struct ingest *ingest)
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
		tell_reason(cli, &reasons[i]);
	if (more)
		cli_note(cli, "skipped %zu more; --json lists all with their reasons", more);
}

void ingest_conclude(struct cli *cli, const struct ingest *ingest, bool dry_run)
{
	size_t added = 0;
	for (size_t i = 0; i < ingest->run_count; i++)
		added += ingest->runs[i].added;
	tell_skipped(cli, ingest);
	if (dry_run)
		cli_note(cli, "%zu file%s read, %zu run%s found, %zu skipped; nothing was stored",
			 ingest->files, ingest->files == 1 ? "" : "s", ingest->run_count,
			 ingest->run_count == 1 ? "" : "s", ingest->skipped_count);
	else
		cli_note(cli, "%zu file%s read, %zu run%s stored, %zu already known, %zu skipped",
			 ingest->files, ingest->files == 1 ? "" : "s", added, added == 1 ? "" : "s",
			 ingest->run_count - added, ingest->skipped_count);
}
