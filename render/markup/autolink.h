/*
 * What GitHub and GitLab turn into links in the text of a comment, although Markdown does not:
 * @name, #12, GH-12, owner/name#12, name@id, !12, $12, &12, %12, ~label and ids of commits. They
 * search the rendered text, so that a backslash does not help: something that does not show has to
 * stand in between. Emoji (:name:) and prefixes that a repository defines itself stay.
 */
#pragma once

#include "base/base.h"

/* Which ids of commits may become links. */
struct md_ids {
	bool (*may_link)(const void *context, struct span id);
	const void *context;
};
/* For files of a repository, in which forges link no ids. */
extern const struct md_ids md_all_ids;

/* Whether a sign that begins a reference, e.g. the @ of @name, stands at text.ptr[at]. Everything
 * in `text` shows. */
bool md_autolink_sign(struct span text, size_t at);
/* The length of the word at `at` if it could be the id of a commit, else 0: hexadecimal digits, at
 * least one of them a letter unless there are 40. Those of `ids`, which may be NULL, do not count.
 */
size_t md_autolink_id(struct span text, size_t at, const struct md_ids *ids);
