/*
 * Throw-away git repositories for tests, built by shell scripts and deleted by
 * fixture_end(). Names, dates and configuration are fixed, so oids are too.
 */
#ifndef TESTS_UNIT_GIT_FIXTURE_H
#define TESTS_UNIT_GIT_FIXTURE_H

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/system/process.h"
#include "base/strbuf.h"

/* libgit2 1.5 forgets the match data of patterns that do not match (reading submodules' settings)
 * and the prefixes of a patch that could not be begun (sparse index). */
const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void)
{
	return "leak:libpcre2\nleak:libgit2\n";
}

struct fixture {
	char top[64];
	struct arena arena;
};

/* commit: `git commit` one minute after the last; plain DIR: a history with a merge, inside it. */
static const char fixture_prelude[] =
	"set -e; umask 022; t=1700000000\n"
	"tick() { t=$((t + 60)); export GIT_AUTHOR_DATE=\"$t +0000\" "
	"GIT_COMMITTER_DATE=\"$t +0000\"; }\n"
	"commit() { tick; git commit -q \"$@\"; }\n"
	"grow() { cd \"$1\"; echo 1 > a; git add a; commit -m one; echo 2 >> a; commit -am two\n"
	"  git tag -a -m tag v1; git checkout -q -b side HEAD~1; echo x > b; git add b\n"
	"  commit -m side; git checkout -q main; tick; git merge -q --no-ff -m merge side\n"
	"  echo 3 >> a; commit -am three; }\n"
	"plain() { git init -q -b main \"$@\"; shift $(($# - 1)); grow \"$1\"; }\n";

/* What the script prints, without the final newline; the test fails when the script does. */
static inline char *fixture_shell(struct fixture *fixture, const char *directory,
				  const char *script)
{
	const char *where =
		*directory == '/' ? directory
				  : arena_printf(&fixture->arena, "%s/%s", fixture->top, directory);
	const char *text = arena_printf(&fixture->arena, "%s%s", fixture_prelude, script);
	const char *const argv[] = {"sh", "-c", text, NULL};
	struct process_request request = {
		.argv = argv, .directory = where, .limit = 1 << 24, .seconds = 60};
	struct process_result result;
	struct error err;
	ck_assert_msg(process_run(&request, &result, &err) == 0, "%s: %s", script, err.text);
	ck_assert_msg(result.status == 0, "%s: %s", script, strbuf_text(&result.error));
	struct span out = strbuf_span(&result.out);
	if (span_ends(out, "\n"))
		out.len--;
	char *copy = arena_strndup(&fixture->arena, out.len ? out.ptr : "", out.len);
	process_result_free(&result);
	return copy;
}

static inline void fixture_begin(struct fixture *fixture, const char *script)
{
	static const char *const variables[][2] = {
		{"GIT_CONFIG_GLOBAL", "/dev/null"},
		{"GIT_CONFIG_NOSYSTEM", "1"},
		{"GIT_AUTHOR_NAME", "A U Thor"},
		{"GIT_AUTHOR_EMAIL", "author@example.com"},
		{"GIT_COMMITTER_NAME", "C O"},
		{"GIT_COMMITTER_EMAIL", "co@example.com"},
		{"TZ", "UTC"},
	};
	for (size_t i = 0; i < sizeof variables / sizeof *variables; i++)
		setenv(variables[i][0], variables[i][1], 1);
	*fixture = (struct fixture){.top = "/tmp/rooflog.XXXXXX"};
	ck_assert_ptr_nonnull(mkdtemp(fixture->top));
	setenv("HOME", fixture->top, 1);
	fixture_shell(fixture, ".", script);
}

static inline void fixture_end(struct fixture *fixture)
{
	char command[128];
	snprintf(command, sizeof command, "rm -rf '%s'", fixture->top);
	ck_assert_int_eq(system(command), 0);
	arena_free(&fixture->arena);
}

static inline const char *fixture_path(struct fixture *fixture, const char *name)
{
	return arena_printf(&fixture->arena, "%s%s%s", fixture->top, *name ? "/" : "", name);
}

#endif
