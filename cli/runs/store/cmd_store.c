/* rooflog store: the verbs that move runs between stores. */
#include "cli/runs/store/move.h"

#define FIELD(member) OPTION_FIELD(struct move_options, member)

static int check_copy(struct cli *cli, void *options, struct error *err)
{
	const struct move_options *wanted = options;
	(void)cli;
	return wanted->paths.count <= 2
		       ? 0
		       : error_set(err, ERR_USAGE, "copy takes TO, or FROM and TO, not %zu stores",
				   wanted->paths.count);
}

static const struct option export_rows[] = {
	{FIELD(output), "output", "FILE",
	 "FILE.jsonl (default: standard output); FILE.parquet: one row per run; numbers=FILE: one "
	 "row per number, in Parquet",
	 .letter = 'o'},
	{OPTION_GROUP(struct move_options, filter, run_filter_options)},
	{.kind = OPTION_END},
};

static const struct command verb_merge = {
	.name = "store merge",
	.summary = "add the runs of other stores",
	.arguments = {{"STORE", ARGUMENT(struct move_options, paths)}},
	.required = 1,
	.expected = "STORE is missing",
	.options_size = sizeof(struct move_options),
	.run = move_merge,
};
static const struct command verb_copy = {
	.name = "store copy",
	.summary = "add all that one store has to another, which may be new",
	.arguments = {{"STORE", ARGUMENT(struct move_options, paths)}},
	.required = 1,
	.takes = "TO, or FROM and TO",
	.options_size = sizeof(struct move_options),
	.check = check_copy,
	.run = move_copy,
};
static const struct command verb_export = {
	.name = "store export",
	.summary = "write a store as lines of JSON",
	.options = export_rows,
	.options_size = sizeof(struct move_options),
	.check = move_check_export,
	.run = move_export,
};
static const struct command verb_import = {
	.name = "store import",
	.summary = "add the runs of exports",
	.arguments = {{"FILE", ARGUMENT(struct move_options, paths)}},
	.required = 1,
	.expected = "FILE is missing (- reads standard input)",
	.options_size = sizeof(struct move_options),
	.run = move_import,
};
static const struct command verb_push = {
	.name = "store push",
	.summary = "share the runs with all clones",
	.arguments = {{"REMOTE", ARGUMENT(struct move_options, remote)}},
	.takes = "one REMOTE",
	.options_size = sizeof(struct move_options),
	.run = move_push,
};
static const struct command verb_pull = {
	.name = "store pull",
	.summary = "add the runs that clones share",
	.arguments = {{"REMOTE", ARGUMENT(struct move_options, remote)}},
	.takes = "one REMOTE",
	.options_size = sizeof(struct move_options),
	.run = move_pull,
};
static const struct option prune_rows[] = {
	{FIELD(keep), "keep", "N", "keep the latest N commits of each series", .low = 1,
	 .high = 1000000},
	{FIELD(samples), "samples", "N", "drop the single repeats of older ones (not their spread)",
	 .low = 1, .high = 1000000},
	{FIELD(dry_run), "dry-run", NULL, "show what would be deleted"},
	{OPTION_GROUP(struct move_options, filter, run_filter_options)},
	{.kind = OPTION_END},
};
static const struct command verb_prune = {
	.name = "store prune",
	.summary = "delete old runs for good",
	.options = prune_rows,
	.options_size = sizeof(struct move_options),
	.check = move_check_prune,
	.run = move_prune,
};
static const struct command verb_size = {
	.name = "store size",
	.summary = "say how much a store holds",
	.options_size = sizeof(struct move_options),
	.run = move_size,
};
static const struct command *const verbs[] = {&verb_merge,  &verb_copy, &verb_export,
					      &verb_import, &verb_push, &verb_pull,
					      &verb_prune,  &verb_size, NULL};

const struct command command_store = {
	.name = "store",
	.group = GROUP_STORE,
	.summary = "merge, copy, share or prune stores",
	.usage = "merge STORE...\n"
		 "copy [FROM] TO\n"
		 "export [-o FILE] [FILTER]...\n"
		 "import FILE...\n"
		 "push [REMOTE]\n"
		 "pull [REMOTE]\n"
		 "prune [--keep N] [--samples N] [FILTER]... [--dry-run]\n"
		 "size",
	.about = "Combine, copy and export stores: files, or postgresql:// addresses. merge and\n"
		 "import add to the store in use; the order does not matter, and merging twice\n"
		 "changes nothing. A run that both have stays as it was ingested first. All is\n"
		 "stored, or nothing. push and pull share runs through refs/rooflog/runs of a git\n"
		 "remote (default: origin), without a branch. prune deletes old runs for good;\n"
		 "releases, baselines and ten commits on both sides of each change stay.",
	.notes = "An export is JSON, one commit, run, edit or baseline a line; an import of it\n"
		 "makes the same store. With filters it has neither edits nor removed runs.",
	.verbs = verbs,
	.examples = {"rooflog store merge ci-1.db ci-2.db", "rooflog store copy runs.db backup.db",
		     "rooflog store export -o runs.jsonl --kernel attention",
		     "rooflog store export -o runs.parquet", "rooflog store import runs.jsonl",
		     "rooflog store prune --keep 500 --dry-run"},
	.options_size = sizeof(struct move_options),
	.documents = "moved written store size",
	.see_also = "ingest log doctor",
};
