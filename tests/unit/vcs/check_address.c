/* vcs/address: from the addresses of clones to the pages of commits. */
#include "unit/unit.h"

#include "base/base.h"
#include "vcs/address.h"

static const struct {
	const char *address;
	bool known_hosts_only;
	const char *commits;
} rows[] = {
	{"https://github.com/o/n.git", true, "https://github.com/o/n/commit/"},
	{"https://github.com/o/n", true, "https://github.com/o/n/commit/"},
	{"https://github.com/o/n/", true, "https://github.com/o/n/commit/"},
	{"git@github.com:o/n.git", true, "https://github.com/o/n/commit/"},
	{"ssh://git@github.com:22/o/n.git", true, "https://github.com/o/n/commit/"},
	{"git://github.com/o/n", true, "https://github.com/o/n/commit/"},
	/* Passwords stay where they are. */
	{"https://user:to@ken@github.com/o/n.git", true, "https://github.com/o/n/commit/"},
	{"https://x-access-token:secret@gitlab.example.org:8443/g/sub/n.git", true,
	 "https://gitlab.example.org:8443/g/sub/n/-/commit/"},
	{"http://gitea.local:3000/o/n.git", true, "http://gitea.local:3000/o/n/commit/"},
	{"git@bitbucket.org:o/n.git", true, "https://bitbucket.org/o/n/commits/"},
	{"https://git.sr.ht/~o/n", true, "https://git.sr.ht/~o/n/commit/"},
	{"git@codeberg.org:/o/n.git", true, "https://codeberg.org/o/n/commit/"},
	/* Not known to have pages, unless a person says so. */
	{"https://example.org/o/n.git", true, NULL},
	{"https://example.org/o/n.git", false, "https://example.org/o/n/commit/"},
	{"git@example.org:o/n.git", true, NULL},
	/* No addresses of the web. */
	{NULL, false, NULL},
	{"", false, NULL},
	{"/srv/github.com/n.git", false, NULL},
	{"../n.git", false, NULL},
	{"file:///srv/github/n.git", true, NULL},
	{"ext::sh -c github.com/% /x", true, NULL},
	{"https://github.com", false, NULL},
	{"https://github.com/", false, NULL},
	{"https:///o/n", false, NULL},
	{"https://user@/o/n", false, NULL},
	{"https://github.com/o/n?x=1", true, NULL},
	{"https://github.com/o/\"><script>", true, NULL},
	{"https://git\"hub.com/o/n", false, NULL},
	{"https://github.com/o n", true, NULL},
	{"git@github.com:o/n)](javascript:x", true, NULL},
	{"C:\\github\\n", true, NULL},
};

START_TEST(clones_have_pages)
{
	struct arena arena = {0};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const char *commits =
			address_of_commits(&arena, rows[i].address, rows[i].known_hosts_only);
		ck_assert_msg(span_text_eq(commits, rows[i].commits), "%s: %s", rows[i].address,
			      commits ? commits : "none");
	}
	arena_free(&arena);
}
END_TEST

START_TEST(clones_have_a_project)
{
	static const struct {
		const char *address, *project;
	} projects[] = {
		{"git@github.com:ada/kernels.git", "github.com/ada/kernels"},
		{"https://GitHub.com/ada/Kernels", "github.com/ada/Kernels"},
		{"https://ada:secret@github.com:443/ada/kernels.git/", "github.com/ada/kernels"},
		{"http://forge.example.org:80/a/b", "forge.example.org/a/b"},
		{"https://forge.example.org:8443/a/b", "forge.example.org:8443/a/b"},
		{"ssh://git@bitbucket.org:2222/a/b", "bitbucket.org/a/b"},
		{"https://gitlab.com/a/b/c", "gitlab.com/a/b/c"},
		{"../kernels", NULL},
		{NULL, NULL},
	};
	struct arena arena = {0};
	for (size_t i = 0; i < sizeof projects / sizeof *projects; i++) {
		const char *project = address_of_project(&arena, projects[i].address);
		ck_assert_msg(span_text_eq(project, projects[i].project), "%s: %s",
			      projects[i].address, project ? project : "none");
	}
	arena_free(&arena);
}
END_TEST

UNIT_MAIN("addresses", clones_have_pages, clones_have_a_project)
