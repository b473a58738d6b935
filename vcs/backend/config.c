/*
 * Parses git's configuration syntax in one pass. next() returns one byte; CR LF and the end of the
 * text are returned as LF. There is one function per production of the grammar.
 */
#include "vcs/backend/config.h"

#include <ctype.h>
#include <strings.h>

#include "base/base.h"

struct reader {
	struct arena *arena;
	struct config config;
	const char *at;
	const char *end;
	bool ended;          /* next() has returned the end as LF */
	int line;            /* of the next byte, from 1 */
	const char *section; /* of the following keys; NULL before the first section */
	const char *subsection;
	struct strbuf text; /* the name or value that is being read */
	struct error *err;
};

static int fail(struct reader *reader, int line, const char *what)
{
	return error_set(reader->err, ERR_USAGE, "%s:%d: %s", reader->config.path, line, what);
}

static int next(struct reader *reader)
{
	if (reader->at == reader->end) {
		reader->ended = true;
		return '\n';
	}
	int c = (unsigned char)*reader->at++;
	if (c == '\r' && reader->at < reader->end && *reader->at == '\n')
		c = (unsigned char)*reader->at++;
	reader->line += c == '\n';
	return c;
}

/* Whitespace as defined by git: without vertical tab and form feed. */
static bool is_blank(int c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static bool is_name(int c)
{
	return c < 0x80 && (isalnum(c) || c == '-');
}

static void add_lower(struct strbuf *text, int c)
{
	strbuf_addch(text, (char)tolower(c));
}

/* Moves the collected text into the arena. */
static const char *finish_text(struct reader *reader)
{
	const char *text =
		arena_strndup(reader->arena, strbuf_text(&reader->text), reader->text.len);
	strbuf_reset(&reader->text);
	return text;
}

/* Reads the rest of a section's header after its name: "subsection"]. `c` is the first space. */
static int read_subsection(struct reader *reader, int c, bool dotted)
{
	int line = reader->line - (c == '\n');
	while (c != '\n' && is_blank(c))
		c = next(reader);
	if (c != '"')
		return fail(reader, line, "expected [section \"subsection\"]");
	/* [a.b "c"] is the same as [a "b.c"]. */
	if (dotted)
		strbuf_addch(&reader->text, '.');
	while ((c = next(reader)) != '"') {
		if (c == '\\')
			c = next(reader);
		if (c == '\n')
			return fail(reader, line, "the subsection's name is not closed");
		strbuf_addch(&reader->text, (char)c);
	}
	if (next(reader) != ']')
		return fail(reader, line, "expected ] after the subsection's name");
	return 0;
}

/* Reads a section's header after '['. A dot in the name begins a subsection in the old style, which
 * is converted to lower case. */
static int read_section(struct reader *reader)
{
	int line = reader->line;
	int c = next(reader);
	for (; is_name(c); c = next(reader))
		add_lower(&reader->text, c);
	reader->section = finish_text(reader);
	bool dotted = c == '.';
	if (dotted)
		for (c = next(reader); is_name(c) || c == '.'; c = next(reader))
			add_lower(&reader->text, c);
	bool nameless = c == ']' && !*reader->section && !dotted;
	if (nameless || (c != ']' && (!is_blank(c) || reader->ended)))
		return fail(reader, line,
			    "a section's name has letters, digits, - and ., and ends with ]");
	if (c != ']' && read_subsection(reader, c, dotted))
		return -1;
	reader->subsection = finish_text(reader);
	return 0;
}

/* The byte that the escape `c` means; -1 if git does not have it. */
static int unescaped(int c)
{
	switch (c) {
	case 't':
		return '\t';
	case 'n':
		return '\n';
	case 'b':
		return '\b';
	case '\\':
	case '"':
		return c;
	default:
		return -1;
	}
}

/* Reads a value after '=', including the end of the line. Spaces inside the value are part of it,
 * unquoted ones around it are not. */
static int read_value(struct reader *reader)
{
	struct strbuf *text = &reader->text;
	bool quoted = false, comment = false;
	size_t trimmed = 0; /* length without unquoted spaces at the end */
	for (;;) {
		int line = reader->line;
		int c = next(reader);
		if (c == '\n' && quoted)
			return fail(reader, line, "the quoted value is not closed on its line");
		if (c == '\n')
			break;
		if (comment)
			continue;
		if (is_blank(c) && !quoted) {
			if (text->len)
				strbuf_addch(text, (char)c);
			continue;
		}
		if (!quoted && (c == ';' || c == '#')) {
			comment = true;
			continue;
		}
		if (c == '"') {
			quoted = !quoted;
			trimmed = text->len;
			continue;
		}
		if (c == '\\') {
			c = next(reader);
			if (c == '\n') {
				trimmed = text->len;
				continue;
			}
			c = unescaped(c);
			if (c < 0)
				return fail(reader, line,
					    "after a backslash only n, t, b, \\, \" and the end "
					    "of the line are allowed");
		}
		strbuf_addch(text, (char)c);
		trimmed = text->len;
	}
	strbuf_truncate(text, trimmed);
	return 0;
}

/* Reads a key, whose first letter is `c`, and its value. */
static int read_entry(struct reader *reader, int c)
{
	struct config *config = &reader->config;
	struct config_entry entry = {.section = reader->section,
				     .subsection = reader->subsection,
				     .value = "true",
				     .line = reader->line};
	if (!reader->section)
		return fail(reader, entry.line, "a key comes before the first [section]");
	for (; is_name(c); c = next(reader))
		add_lower(&reader->text, c);
	entry.key = finish_text(reader);
	while (c == ' ' || c == '\t')
		c = next(reader);
	if (c != '\n' && c != '=')
		return fail(reader, entry.line,
			    "expected = after the key (a key has letters, digits and -)");
	if (c == '=') {
		if (read_value(reader))
			return -1;
		entry.value = finish_text(reader);
	}
	*arena_next(reader->arena, config->entries, config->count, config->capacity) = entry;
	return 0;
}

static int read_all(struct reader *reader)
{
	while (!reader->ended) {
		int c = next(reader);
		int code = 0;
		if (is_blank(c))
			continue;
		if (c == '#' || c == ';')
			while (next(reader) != '\n')
				;
		else if (c == '[')
			code = read_section(reader);
		else if (c < 0x80 && isalpha(c))
			code = read_entry(reader, c);
		else
			code = fail(reader, reader->line,
				    "expected a [section], a key or a comment");
		if (code)
			return code;
	}
	return 0;
}

static int check_no_nul(struct reader *reader)
{
	const char *start = reader->at;
	const char *nul =
		start == reader->end ? NULL : memchr(start, '\0', (size_t)(reader->end - start));
	int line = 1;
	for (const char *p = start; nul && p < nul; p++)
		line += *p == '\n';
	return nul ? fail(reader, line, "a NUL byte is not allowed") : 0;
}

int config_parse(struct arena *arena, const char *path, struct span bytes, struct config *config,
		 struct error *err)
{
	if (span_starts(bytes, "\xef\xbb\xbf"))
		bytes = span_from(bytes, 3);
	struct reader reader = {
		.arena = arena,
		.config.path = path,
		.at = bytes.ptr,
		.end = bytes.len ? bytes.ptr + bytes.len : bytes.ptr,
		.line = 1,
		.err = err,
	};
	int code = check_no_nul(&reader);
	if (!code)
		code = read_all(&reader);
	strbuf_free(&reader.text);
	if (!code)
		*config = reader.config;
	return code;
}

const char *config_get(const struct config *config, const char *section, const char *subsection,
		       const char *key)
{
	for (size_t i = config->count; i-- > 0;) {
		const struct config_entry *entry = &config->entries[i];
		if (strcasecmp(entry->section, section) == 0 &&
		    strcmp(entry->subsection, subsection ? subsection : "") == 0 &&
		    strcasecmp(entry->key, key) == 0)
			return entry->value;
	}
	return NULL;
}
