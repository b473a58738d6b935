/* The tags of a repository, by the git program. */
#include "vcs/git/backend.h"

#include "model/commits/commits.h"

static const char head[] = "refs/tags/", peeled[] = "^{}";

/* "ID refs/tags/NAME", and for an annotated tag then "ID refs/tags/NAME^{}": what it is put on. */
static bool add_line(struct arena *arena, struct span line, struct span next,
		     struct release_list *list)
{
	char text[65];
	struct span oid = span_cut(&line, ' ');
	if (span_ends(line, peeled) || !span_starts(line, head))
		return true;
	struct span other = next, other_oid = span_cut(&other, ' ');
	if (span_ends(other, peeled) && other.len == line.len + strlen(peeled))
		oid = other_oid;
	if (!object_id_is_full(oid))
		return true;
	snprintf(text, sizeof text, "%.*s", (int)oid.len, oid.ptr);
	line = (struct span){line.ptr + strlen(head), line.len - strlen(head)};
	return releases_add(arena, list, line, text);
}

enum answer git_tags(void *state, struct arena *arena, struct release_list *list, struct error *err)
{
	GIT_RESULT result = {0};
	if (git_run(state, ARGUMENTS("show-ref", "--tags", "--dereference"), NULL, &result, err))
		return ANSWER_ERROR;
	/* It exits with 1, silently, without tags. */
	if (result.status && result.error.len)
		return git_failed(&result, err);
	struct span text = strbuf_span(&result.out), line = span_cut(&text, '\n');
	while (line.len) {
		struct span next = span_cut(&text, '\n');
		if (!add_line(arena, line, next, list))
			break;
		line = next;
	}
	return ANSWER_YES;
}
