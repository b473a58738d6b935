/*
 * What is switched off when git is started. Whoever made a repository wrote its configuration: an
 * unpacked archive brings its own. Arguments win over every configuration file.
 *
 * Git runs what these name, too, but not in the commands that vcs/git uses: aliases (the names of
 * git's own commands are never aliases), pagers, editors, merge drivers, signature checks,
 * uploadpack.packObjectsHook, submodule.*.update, trailer.*, browser.*, man.*, *tool.*.
 * tests/cli/program/git_programs.sh sets each of them. The filters have no switch: see
 * vcs/git/dirty.c.
 */
#include "vcs/git/safe.h"

static const char *const settings[] = {
	/* A hook, or with "true" a daemon, that is asked which files changed by every command that
	 * reads the index. */
	"core.fsmonitor=false",
	/* reference-transaction, post-index-change and others. */
	"core.hooksPath=/dev/null",
	/* An object that a partial clone lacks is fetched: git_safe_environment forbids it. These
	 * are what it would run, should a git not know those variables. */
	"protocol.allow=never",
	"core.sshCommand=false",
	"core.gitProxy=false",
	"core.askPass=false",
	"core.alternateRefsCommand=false",
	"credential.helper=",
	"gc.auto=0",
	"maintenance.auto=false",
	/* `diff-tree --patch`: see its arguments, too. */
	"diff.external=",
	/* None of the commands checks a signature or asks for a text. */
	"log.showSignature=false",
	"gpg.program=false",
	"core.editor=false",
};

static const char *const options[] = {
	"--no-pager",
	"--no-optional-locks",
};

/* Git must not take locks, must not prompt, and must print English messages, some of which are
 * searched for. Replacements and grafts are one user's view of the history and must not enter a
 * store that is shared. All else that the caller set for git (GIT_DIR, GIT_WORK_TREE,
 * GIT_CONFIG_COUNT ...) is passed on: it is the caller's word. GIT_CONFIG is not: only `git config`
 * reads it, and would list other filters than those that run (vcs/git/dirty.c). */
const char *const git_safe_environment[] = {
	"LC_ALL=C",
	"GIT_OPTIONAL_LOCKS=0",
	"GIT_TERMINAL_PROMPT=0",
	"GIT_NO_REPLACE_OBJECTS=1",
	"GIT_GRAFT_FILE=/dev/null",
	"GIT_NO_LAZY_FETCH=1", /* since git 2.45 */
	"ROOFLOG_NOTHING=",    /* vcs/git/dirty.c */
	"GIT_CONFIG",
	/* Every git: wins over each protocol.NAME.allow, for which protocol.allow is only the
	 * default. No transport has this name. */
	"GIT_ALLOW_PROTOCOL=none",
	NULL,
};

size_t git_safe_arguments(const char *arguments[SAFE_ARGUMENTS])
{
	enum { SETTINGS = sizeof settings / sizeof *settings };
	enum { OPTIONS = sizeof options / sizeof *options };
	_Static_assert(2 * SETTINGS + OPTIONS <= SAFE_ARGUMENTS, "there is room for all");
	size_t count = 0;
	for (size_t i = 0; i < OPTIONS; i++)
		arguments[count++] = options[i];
	for (size_t i = 0; i < SETTINGS; i++) {
		arguments[count++] = "-c";
		arguments[count++] = settings[i];
	}
	return count;
}
