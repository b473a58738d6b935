/* The pattern of --from-path, compared with a path in all ways, so that no reading is chosen where
 * there are two. */
#include "cli/ingest/facts/facts.h"

enum { slot_limit = 16, step_limit = 100000 };

/* --- the pattern --- */

/* "{name}" at the beginning of `pattern`; false if something else stands there. */
static bool slot_at(const char *pattern, struct span *name)
{
	const char *end = pattern[0] == '{' ? strchr(pattern, '}') : NULL;
	if (!end)
		return false;
	*name = (struct span){pattern + 1, (size_t)(end - pattern - 1)};
	return true;
}

static int check_slot(const char *pattern, struct span name, const struct span *seen, size_t count,
		      struct error *err)
{
	if (name.len == 0 || memchr(name.ptr, '{', name.len) || memchr(name.ptr, '/', name.len))
		return error_set(err, ERR_USAGE, "--from-path '%.200s': {%.*s} is not a valid name",
				 pattern, (int)(name.len < 80 ? name.len : 80), name.ptr);
	for (size_t i = 0; i < count; i++)
		if (span_eq(seen[i], name))
			return error_set(err, ERR_USAGE, "--from-path '%.200s' has {%.*s} twice",
					 pattern, (int)(name.len < 80 ? name.len : 80), name.ptr);
	return count < slot_limit
		       ? 0
		       : error_set(err, ERR_USAGE, "--from-path '%.200s' names more than %d facts",
				   pattern, (int)slot_limit);
}

int facts_check_pattern(const char *pattern, struct error *err)
{
	struct span seen[slot_limit], name;
	size_t count = 0;
	for (const char *at = pattern; *at; at++) {
		if (slot_at(at, &name)) {
			if (check_slot(pattern, name, seen, count, err) < 0)
				return -1;
			seen[count++] = name;
			at = name.ptr + name.len;
		} else if (*at == '{' || *at == '}') {
			return error_set(err, ERR_USAGE, "--from-path '%.200s': unbalanced brace",
					 pattern);
		}
	}
	return count ? 0
		     : error_set(err, ERR_USAGE,
				 "--from-path '%.200s' has no name such as {variant} or {s}",
				 pattern);
}

/* --- matching --- */

struct reading {
	struct span names[slot_limit], values[slot_limit];
	size_t count;
};

struct match {
	struct reading now, found[2];
	size_t count; /* of `found`; they differ */
	size_t steps;
};

static bool is_value_of(struct span name, struct span value)
{
	double number;
	if (span_is(name, "dtype"))
		return dtype_normalise(value) != NULL;
	if (span_is(name, "cores"))
		return span_number(value, &number);
	return true;
}

static bool same_reading(const struct reading *a, const struct reading *b)
{
	for (size_t i = 0; i < a->count; i++)
		if (!span_eq(a->values[i], b->values[i]))
			return false;
	return true;
}

static void keep(struct match *match)
{
	if (match->count == 0 || !same_reading(&match->found[0], &match->now))
		match->found[match->count++] = match->now;
}

static void try(struct match *match, const char *pattern, const char *text);

static void try_slot(struct match *match, struct span name, const char *text)
{
	struct reading *now = &match->now;
	size_t at = now->count++;
	now->names[at] = name;
	for (size_t len = 1; text[len - 1] && text[len - 1] != '/'; len++) {
		now->values[at] = (struct span){text, len};
		if (is_value_of(name, now->values[at]))
			try(match, name.ptr + name.len + 1, text + len);
	}
	now->count = at;
}

/* Every way in which the pattern is the text. Two are enough. */
static void try(struct match *match, const char *pattern, const char *text)
{
	struct span name;
	for (;; pattern++, text++) {
		if (match->count == 2 || ++match->steps > step_limit)
			return;
		if (slot_at(pattern, &name)) {
			try_slot(match, name, text);
			return;
		}
		if (*pattern == '*')
			break;
		if (!*pattern && !*text)
			keep(match);
		if (!*text || !(*pattern == *text || (*pattern == '?' && *text != '/')))
			return;
	}
	for (const char *at = text;; at++) {
		try(match, pattern + 1, at);
		if (!*at || *at == '/')
			return;
	}
}

/* The last components of the path, as many as the pattern has; NULL if it has fewer. */
static const char *tail_of(const char *path, const char *pattern)
{
	const char *at = path + strlen(path);
	size_t slashes = 0;
	for (const char *c = pattern; *c; c++)
		slashes += *c == '/';
	for (; at > path; at--)
		if (at[-1] == '/' && slashes-- == 0)
			return at;
	return slashes == 0 ? path : NULL;
}

static const char *shown(struct arena *arena, const struct reading *reading)
{
	struct strbuf sb = {0};
	for (size_t i = 0; i < reading->count; i++)
		strbuf_addf(&sb, "%s%.*s=%.*s", i ? "," : "", (int)reading->names[i].len,
			    reading->names[i].ptr, (int)reading->values[i].len,
			    reading->values[i].ptr);
	return strbuf_into(&sb, arena);
}

int facts_of_path(struct arena *arena, const char *pattern, const char *path, struct facts *facts,
		  struct error *err)
{
	struct match match = {.count = 0};
	const char *tail = tail_of(path, pattern);
	if (tail)
		try(&match, pattern, tail);
	if (match.count == 2)
		return error_set(
			err, ERR_USAGE,
			"--from-path '%.100s' matches %.200s in two ways: %.200s and %.200s",
			pattern, tail, shown(arena, &match.found[0]),
			shown(arena, &match.found[1]));
	if (match.steps > step_limit)
		return error_set(err, ERR_USAGE, "--from-path '%.200s' matches in too many ways",
				 pattern);
	for (size_t i = 0; match.count && i < match.found[0].count; i++) {
		struct span name = match.found[0].names[i], value = match.found[0].values[i];
		facts_add(arena, facts, arena_strndup(arena, name.ptr, name.len),
			  arena_strndup(arena, value.ptr, value.len));
	}
	return match.count > 0;
}
