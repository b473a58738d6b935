/* rooflog init: creates the store, a commented configuration and a .gitignore. Files that exist are
 * left as they are. */
#include "cli/command.h"

#include "base/system/system.h"
#include "cli/accept/accept.h"

static const char config_text[] =
	"# rooflog's configuration, in git-config syntax. The gate reads it from the commit that a "
	"change "
	"is\n"
	"# compared with: what you write here counts once it is committed and merged, until then "
	"with\n"
	"# --trust-work-tree.\n"
	"#\n"
	"# What all rows of the gate share. A commit is judged by the noise between the commits "
	"before\n"
	"# it. Until a series has 8 commits of its own (or others like it have), this much is\n"
	"# assumed; without it the gate says undecided until then.\n"
	"[gate]\n"
	"\tnoise = 1 %\n"
	"#\tconfirm = true\n"
	"#\tseen-within = 30\n"
	"#\tundecided = pass\n"
	"#\n"
	"# A row of the gate: what is judged of which kernels. A change counts when it is beyond "
	"both\n"
	"# limits. Without any row the time of every kernel is judged, from 1 % on.\n"
	"#\n"
	"# [rule \"time\"]\n"
	"#\tmetric = total_time\n"
	"#\tkernel = *\n"
	"#\trelative = 3 %\n"
	"#\tabsolute = 0.5 us\n"
	"#\n"
	"# [rule \"utilisation\"]\n"
	"#\tmetric = mfu\n"
	"#\tkernel = mlp*\n"
	"#\tat-least = 30 %\n"
	"#\n"
	"# Peaks given here win over the profile's own and over the built-in table.\n"
	"#\n"
	"# [device \"trn2\"]\n"
	"#\tbf16 = 78.6432 TFLOP/s\n"
	"#\tbandwidth = 716 GB/s\n"
	"#\tper-core = true\n"
	"#\tsource = our own measurement\n"
	"#\n"
	"# Work of a kernel by formulas over its parameters; w is the bytes of an element.\n"
	"#\n"
	"# [work \"gemm*\"]\n"
	"#\tflops = 2*m*n*k\n"
	"#\tbytes = w*(m*k + k*n + m*n)\n";

static int write_config(struct cli *cli, const char *path, struct error *err)
{
	if (file_exists(path)) {
		cli_note(cli, "kept %s", path);
		return 0;
	}
	if (file_write(path, span_of(config_text), err) < 0)
		return -1;
	cli_note(cli, "wrote %s: commit it, the gate reads it from commits", path);
	return 0;
}

/* The configuration and the acceptances belong into git. A user who ignores all of .rooflog/ to
 * keep the store out would lose them on other machines. */
static void warn_when_ignored(struct cli *cli)
{
	bool ignored = false;
	struct error none;
	if (repository_is_ignored(cli->repository, acceptance_path, &ignored, &none) < 0 ||
	    !ignored)
		return;
	cli_warn(cli,
		 "git ignores .rooflog/, but its config and accept are to be committed; take it "
		 "out of .gitignore: .rooflog/.gitignore keeps the store out");
}

static int make_store(struct cli *cli, void *options, struct error *err)
{
	(void)options;
	const char *store;
	if (cli_store_path(cli, &store, err) < 0)
		return -1;
	bool existed = file_exists(store), repaired = false;
	if (cli_open_store(cli, STORE_CREATE, err) < 0)
		return -1;
	if (store_repair(cli->store, &repaired, err) < 0)
		return -1;
	cli_note(cli, "%s %s%s", existed ? "kept" : "made", store,
		 repaired ? ", and made its damaged history anew" : "");
	/* Without a repository there is only the store: the other files have no place. */
	struct error none;
	if (cli_open_repository(cli, &none) < 0)
		return EXIT_PASS;
	const char *home =
		arena_printf(&cli->arena, "%s/.rooflog", repository_home(cli->repository));
	if (file_make_directory(home, err) < 0 ||
	    write_config(cli, arena_printf(&cli->arena, "%s/config", home), err) < 0 ||
	    cli_ignore_store(cli, err) < 0)
		return -1;
	warn_when_ignored(cli);
	return EXIT_PASS;
}

const struct command command_init = {
	.name = "init",
	.group = GROUP_OTHER,
	.summary = "set up a repository: a store and a configuration",
	.usage = "[OPTION]...",
	.about = "Makes the run store .rooflog/runs.db beside .git, a commented configuration\n"
		 ".rooflog/config, and a .gitignore that keeps the store out of git. What exists "
		 "is\n"
		 "kept; an older store is migrated, and its history is made anew where it is\n"
		 "damaged.",
	.examples = {"rooflog init"},
	.run = make_store,
};
