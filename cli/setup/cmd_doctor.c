/* rooflog doctor: checks the environment and reports what works, what does not, and the fix. It
 * changes nothing without --repair. */
#include "cli/command.h"

#include <stdarg.h>

#include "base/system/system.h"
#include "cli/config/config.h"
#include "cli/ingest/repeats/repeats.h"
#include "cli/runs/runs.h"
#include "cli/setup/setup.h"
#include "db/replica/replica.h"
#include "ingest/json/simd/blocks.h"
#include "render/document/document.h"
#include "render/lists/lists.h"
#include "render/vocabulary/vocabulary.h"

struct report_lines {
	struct cli *cli;
	struct check_row *rows;
	size_t count, capacity;
	bool bad;
};

__attribute__((format(printf, 4, 5))) static void line(struct report_lines *out, const char *topic,
						       bool ok, const char *format, ...)
{
	struct arena *arena = &out->cli->arena;
	struct strbuf sb = {0};
	va_list args;
	va_start(args, format);
	strbuf_vaddf(&sb, format, args);
	va_end(args);
	*arena_next(arena, out->rows, out->count, out->capacity) =
		(struct check_row){topic, strbuf_into(&sb, arena), ok};
	out->bad = out->bad || !ok;
}

static void check_instructions(struct report_lines *out)
{
	struct strbuf names = {0};
	instruction_set_list(&names);
	line(out, "instructions", true, "JSON is read with %s; available: %s",
	     json_blocks_variant()->name, strbuf_text(&names));
	strbuf_free(&names);
}

static void check_repository(struct report_lines *out)
{
	struct cli *cli = out->cli;
	struct error err = {0};
	char oid[65];
	if (cli_open_repository(cli, &err) < 0) {
		const char *path;
		struct error none;
		bool elsewhere = cli_store_path(cli, &path, &none) == 0;
		line(out, "repository", elsewhere, "%s%s",
		     elsewhere ? "none (using --store): " : "", err.text);
		return;
	}
	const char *reason = NULL;
	const char *backend = repository_backend(cli->repository, &reason);
	line(out, "repository", true, "%s", repository_home(cli->repository));
	line(out, "git backend", backend != NULL, "%s%s%s%s", backend ? backend : "none",
	     reason ? " (" : "", reason ? reason : "", reason ? ")" : "");
	if (repository_is_shallow(cli->repository))
		line(out, "history", false,
		     "shallow clone: baselines may be missing; run git fetch --unshallow");
	if (repository_resolve(cli->repository, "HEAD", oid, &err) < 0)
		line(out, "HEAD", false, "%s", err.text);
	else
		line(out, "HEAD", true, "%.10s", oid);
}

/* One line for each pattern of named groups of series. */
static void add_patterns(struct report_lines *out, const char *topic,
			 const struct scenario_list *list)
{
	for (size_t i = 0; i < list->count; i++)
		for (size_t k = 0; k < list->items[i].pattern_count; k++)
			line(out, topic, true, "%s: %s", list->items[i].name,
			     list->items[i].patterns[k]);
}

static void check_config(struct report_lines *out)
{
	struct cli *cli = out->cli;
	struct error err = {0};
	if (cli_load_config(cli, &err) < 0) {
		line(out, "configuration", false, "%s", err.text);
		return;
	}
	line(out, "configuration", true, "%s: %zu gate rule%s, %zu device%s",
	     cli->settings.file.path ? cli->settings.file.path : "none (defaults)",
	     cli->settings.policies.count, cli->settings.policies.count == 1 ? "" : "s",
	     cli->settings.devices.count, cli->settings.devices.count == 1 ? "" : "s");
	for (size_t i = 0; i < cli->settings.works.count; i++) {
		const struct work_rule *work = &cli->settings.works.items[i];
		line(out, "work", true, "%s%s%s: flops = %s, bytes = %s", work->kernel,
		     work->variant ? " " : "", work->variant ? work->variant : "",
		     work->flops ? work->flops : "(none)", work->bytes ? work->bytes : "(none)");
	}
	for (size_t i = 0; i < cli->settings.tools.count; i++)
		line(out, "tool", true, "runs of %s are stored as %s",
		     cli->settings.tools.items[i].name, cli->settings.tools.items[i].as);
	for (size_t i = 0; i < cli->settings.aliases.count; i++)
		line(out, "alias", true, "%s is called %s", cli->settings.aliases.items[i].from,
		     cli->settings.aliases.items[i].to);
	add_patterns(out, "scenario", &cli->settings.scenarios);
	add_patterns(out, "epoch", &cli->settings.epochs);
	for (size_t i = 0; i < cli->settings.policies.count; i++) {
		const struct policy *policy = &cli->settings.policies.items[i];
		const struct metric_info *info = metric_info(policy->metric);
		if (policy->refines) {
			line(out, "gate rule", true, "%s: thresholds of rule %s for %s",
			     policy->name, policy->refines, policy->kernel ? policy->kernel : "*");
			continue;
		}
		line(out, "gate rule", true, "%s: %s of %s, %s", policy->name,
		     policy->own_headline ? "time or rate" : info->key,
		     policy->kernel ? policy->kernel : "*",
		     vocabulary_say(&cli->arena, policy_message(&cli->arena, policy)));
	}
}

/* A commit as git has it; its position is that of its stored parent + 1. */
static int ask_git(void *context, struct arena *arena, const char *oid, struct revision *revision,
		   struct error *err)
{
	struct cli *cli = context;
	struct revision_list chain = {0};
	struct error shallow;
	if (cli_open_repository(cli, err) < 0 ||
	    repository_revision(cli->repository, arena, oid, true, revision, err) < 0)
		return -1;
	if (repository_first_parents(cli->repository, arena, oid, runs_known_position, cli, &chain,
				     &shallow) == 0 &&
	    chain.count && strcmp(chain.items[0].oid, oid) == 0)
		revision->position = chain.items[0].position;
	return 0;
}

/* Lines beyond these are counted: a lost page may hold hundreds of runs. */
enum { MOST_DAMAGED = 50, MOST_MIXED = 10 };

static void verify_store(struct report_lines *out, bool repair)
{
	struct cli *cli = out->cli;
	struct error err = {0};
	struct store_verification found;
	const struct store_repairer git = {ask_git, cli};
	if (store_verify(cli->store, &cli->arena, repair ? &git : NULL, &found, &err) < 0) {
		line(out, "checksums", false, "%s", err.text);
		return;
	}
	bool whole = found.line_count == found.set_aside + found.out_of_bounds;
	for (size_t i = 0; i < found.line_count && i < MOST_DAMAGED; i++)
		line(out, "damage", whole, "%s", found.lines[i]);
	if (found.line_count > MOST_DAMAGED)
		line(out, "damage", whole, "and %zu more", found.line_count - MOST_DAMAGED);
	line(out, "checksums", whole,
	     "%zu of %zu runs intact, %zu of them verified by the SHA-256 of their content",
	     found.runs - found.damaged - found.set_aside, found.runs, found.same_content);
	if (repair)
		line(out, "repair", true,
		     "rebuilt the indexes and what is derived from the runs; read %zu commit%s "
		     "from git again; corrected %zu row%s by checksum; set %zu damaged run%s aside",
		     found.restored, found.restored == 1 ? "" : "s", found.mended,
		     found.mended == 1 ? "" : "s", found.damaged, found.damaged == 1 ? "" : "s");
}

/* Stores of older versions have such series. Not a problem by itself: the user may have said that
 * the runs are repeats. */
static void check_repeats(struct report_lines *out)
{
	struct arena *arena = &out->cli->arena;
	struct mixed_list mixed = {0};
	struct error err = {0};
	if (repeats_find_mixed(out->cli->store, arena, &mixed, &err) < 0) {
		line(out, "repeats", false, "%s", err.text);
		return;
	}
	for (size_t i = 0; i < mixed.count && i < MOST_MIXED; i++) {
		const struct mixed_series *one = &mixed.items[i];
		line(out, "repeats", true,
		     "%s: runs of one commit differ at %zu commit%s, e.g. %.10s: %s %s and %s; "
		     "remove them by \"rooflog rm\" and ingest them with --split-by %s, or give "
		     "some another name by \"rooflog mv\"",
		     repeats_series_name(arena, one->identity), one->commits,
		     one->commits == 1 ? "" : "s", one->commit, repeats_title(one->trait),
		     one->values[0], one->values[1], repeats_word(one->trait));
	}
	if (mixed.count > MOST_MIXED)
		line(out, "repeats", true, "and %zu more series", mixed.count - MOST_MIXED);
}

/* Commits that were measured before a rebase or a squash gave them another id. */
static void check_rewritten(struct report_lines *out, const char *adopted)
{
	enum { MOST = 10 };
	struct rewritten_list list = {0};
	const struct rewritten *found = NULL;
	struct error err = {0};
	size_t runs = 0;
	char head[65];
	/* The lines about the repository say what is wrong with HEAD. */
	if (!out->cli->repository ||
	    repository_resolve(out->cli->repository, "HEAD", head, &err) < 0)
		return;
	if (setup_find_rewritten(out->cli, &list, &err) < 0 ||
	    (adopted && setup_adopt(out->cli, &list, adopted, &found, &runs, &err) < 0)) {
		line(out, "commits", false, "%s", err.text);
		return;
	}
	if (adopted) {
		line(out, "commits", true, "%.10s has %zu run%s of %.10s, which has the same files",
		     found->now.oid, runs, runs == 1 ? "" : "s", found->was.oid);
		return;
	}
	for (size_t i = 0; i < list.count && i < MOST; i++) {
		const struct rewritten *one = &list.items[i];
		if (one->same_tree)
			line(out, "commits", true,
			     "%.10s was never measured; %.10s, which is not in this branch, was, "
			     "and "
			     "has the same files: `rooflog doctor --adopt %.10s` takes over its "
			     "runs",
			     one->now.oid, one->was.oid, one->was.oid);
		else
			line(out, "commits", true,
			     "%.10s makes the change of %.10s, which was measured, to other files: "
			     "measure it, too",
			     one->now.oid, one->was.oid);
	}
	if (list.count > MOST)
		line(out, "commits", true, "and %zu more", list.count - MOST);
}

/* A store on a server is read through its copy. */
static void check_server(struct report_lines *out)
{
	struct cli *cli = out->cli;
	struct error err = {0};
	struct replica_check found;
	if (replica_compare(replica_of(cli->store), cli->store, &found, &err) < 0) {
		line(out, "server", false, "%s", err.text);
		return;
	}
	line(out, "server", true, "%s in %s, %s; each has the SHA-256 that it should",
	     quantity_count_text(&cli->arena, (size_t)found.size.runs, "run", "runs"),
	     quantity_count_text(&cli->arena, (size_t)found.size.packs, "pack", "packs"),
	     quantity_text(&cli->arena, (double)found.size.bytes, UNIT_BYTE));
	line(out, "copy", found.missing == 0, "%s%s", found.copy,
	     found.missing ? arena_printf(&cli->arena,
					  " lacks %zu runs of the server: `rooflog doctor "
					  "--repair` makes it again",
					  found.missing)
			   : "");
	if (found.unserved)
		line(out, "copy", false,
		     "it has %zu runs that the server does not have, which was restored from a "
		     "backup or pruned: to keep them, `rooflog store export` from the copy and "
		     "import that; `rooflog doctor --repair` drops them",
		     found.unserved);
}

static void check_store(struct report_lines *out, bool repair, const char *adopted)
{
	struct cli *cli = out->cli;
	struct error err = {0};
	struct store_counts counts;
	const char *path, *health;
	if (cli_store_path(cli, &path, &err) < 0) {
		line(out, "store", false, "%s", err.text);
		return;
	}
	if (!cli_store_exists(path)) {
		line(out, "store", true, "%s: not created yet (\"rooflog ingest\" creates it)",
		     path);
		return;
	}
	cli->copies_again = repair;
	if (cli_open_store(cli, repair || adopted ? STORE_WRITE : STORE_READ, &err) < 0 ||
	    store_counts(cli->store, &counts, &err) < 0 ||
	    store_check(cli->store, &cli->arena, &health, &err) < 0) {
		line(out, "store", false, "%s", err.text);
		return;
	}
	line(out, "store", true, "%s (schema %d)", cli_store_name(cli, path),
	     store_version(cli->store));
	if (replica_of(cli->store))
		check_server(out);
	line(out, "content", true, "%s in %lld series at %s, %s",
	     quantity_count_text(&cli->arena, (size_t)counts.runs, "run", "runs"),
	     (long long)counts.series,
	     quantity_count_text(&cli->arena, (size_t)counts.commits, "commit", "commits"),
	     quantity_count_text(&cli->arena, (size_t)counts.values, "value", "values"));
	if (counts.removed)
		line(out, "removed", true, "%lld run%s (\"rooflog log --view edits\" lists them)",
		     (long long)counts.removed, counts.removed == 1 ? "" : "s");
	line(out, "durability", true, "an ingest is synced to the disk before it is reported (%s)",
	     store_has_log(cli->store) ? "write-ahead log" : "rollback journal");
	const char *latest = document_time(&cli->arena, counts.latest);
	if (counts.latest > cli->now + 86400 && latest)
		line(out, "clock", false,
		     "the latest run was ingested at %s by the clock of its machine, more than a "
		     "day from now; edits are in force in the order of their time: set the clocks",
		     latest);
	if (!repair)
		line(out, "integrity", strcmp(health, "ok") == 0, "%s", health);
	verify_store(out, repair);
	check_repeats(out);
	check_rewritten(out, adopted);
}

/* The status when something is wrong. */
enum { PROBLEM = EXIT_REGRESSION };

struct doctor_options {
	bool repair;
	const char *adopt;
};

static int check_installation(struct cli *cli, void *options, struct error *err)
{
	const struct doctor_options *o = options;
	struct report_lines out = {.cli = cli};
	struct strbuf text = {0};
	line(&out, "rooflog", true, "%s", ROOFLOG_VERSION);
	check_instructions(&out);
	check_repository(&out);
	check_config(&out);
	check_store(&out, o->repair, o->adopt);
	if (!cli->common.json)
		render_checks_text(out.rows, out.count, &text);
	if ((cli->common.json
		     ? cli_print_json(render_checks_json(&cli->arena, out.rows, out.count), err)
		     : cli_print_built(&text, err)) < 0)
		return -1;
	return out.bad ? PROBLEM : EXIT_PASS;
}

#define FIELD(member) OPTION_FIELD(struct doctor_options, member)
static const struct option rows[] = {
	{FIELD(repair), "repair", NULL,
	 "migrate an old store and rebuild what can be derived from intact runs; list what "
	 "cannot"},
	{FIELD(adopt), "adopt", "COMMIT", "take over the runs of a commit that was rewritten"},
	{.kind = OPTION_END},
};

const struct command command_doctor = {
	.name = "doctor",
	.group = GROUP_OTHER,
	.summary = "find and repair problems",
	.usage = "[--repair]\n"
		 "--adopt COMMIT",
	.about = "Check the program, its libraries, the repository, the configuration and the\n"
		 "store, and say how to fix what is wrong. The exit status is 1 if something is.",
	.options = rows,
	.examples = {"rooflog doctor", "rooflog doctor --repair"},
	.options_size = sizeof(struct doctor_options),
	.run = check_installation,
	.statuses = "1 Something is wrong.",
	.sections = "rule gate device work tool alias scenario epoch",
	.documents = "doctor",
	.see_also = "init config",
};
