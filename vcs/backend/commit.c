/* A commit consists of header lines, an empty line and the message. */
#include "vcs/backend/commit.h"

#include <iconv.h>
#include <time.h>

#include "base/base.h"
#include "base/text/text.h"

struct header {
	struct span tree;
	struct span author;
	struct span committer;
	struct span encoding;
	struct strbuf parents;
};

/* The rest of a line that begins with "name "; empty for other lines. */
static struct span value_of(struct span line, const char *name)
{
	size_t len = strlen(name);
	if (line.len <= len || !span_starts(line, name) || line.ptr[len] != ' ')
		return (struct span){0};
	return (struct span){line.ptr + len + 1, line.len - len - 1};
}

static void header_line(struct header *header, struct span line)
{
	struct span value;
	if ((value = value_of(line, "tree")).len && !header->tree.len) {
		header->tree = value;
	} else if ((value = value_of(line, "parent")).len) {
		if (header->parents.len)
			strbuf_addch(&header->parents, ' ');
		strbuf_addspan(&header->parents, value);
	} else if ((value = value_of(line, "author")).len && !header->author.len) {
		header->author = value;
	} else if ((value = value_of(line, "committer")).len && !header->committer.len) {
		header->committer = value;
	} else if ((value = value_of(line, "encoding")).len) {
		header->encoding = value;
	}
}

/* The last second of the year 9999: what has four digits is a year to whoever reads it. */
static const int64_t LAST_TIME = 253402300799;

/* The time in "Name <mail> 1700000000 +0100"; 0 without a number, as in git. */
static int64_t time_of(struct span person)
{
	const char *mail_end = person.len ? memrchr(person.ptr, '>', person.len) : NULL;
	if (!mail_end)
		return 0;
	const char *p = mail_end + 1, *end = person.ptr + person.len;
	while (p < end && *p == ' ')
		p++;
	int64_t time = 0;
	for (; p < end && *p >= '0' && *p <= '9'; p++) {
		if (time > (INT64_MAX - 9) / 10)
			return 0;
		time = time * 10 + (*p - '0');
	}
	return time < LAST_TIME ? time : LAST_TIME;
}

/* The time in ISO 8601, UTC; NULL if there is none or it does not fit into a struct tm. */
static const char *time_text(struct arena *arena, struct span person)
{
	time_t seconds = (time_t)time_of(person);
	struct tm tm;
	char text[40];
	if (seconds == 0 || !gmtime_r(&seconds, &tm) ||
	    !strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &tm))
		return NULL;
	return arena_strdup(arena, text);
}

static struct span without_indent(struct span line, size_t indent)
{
	while (indent-- && line.len && *line.ptr == ' ')
		line = span_from(line, 1);
	return line;
}

static struct span without_trailing_blanks(struct span line)
{
	while (line.len && strchr(" \t\n\r", line.ptr[line.len - 1]))
		line.len--;
	return line;
}

/* Adds the lines of the first paragraph, joined by spaces. */
static void subject_add(struct strbuf *subject, struct span message, size_t indent)
{
	bool started = false;
	while (message.ptr) {
		struct span line = span_cut(&message, '\n');
		line = without_trailing_blanks(without_indent(line, indent));
		if (!line.len && started)
			return;
		if (!line.len)
			continue;
		if (started)
			strbuf_addch(subject, ' ');
		strbuf_addspan(subject, line);
		started = true;
	}
}

/* Converts the text in place. Leaves it unchanged if the encoding is unknown or the text is not
 * valid in it. UTF-8 needs at most 4 bytes per byte of any encoding. */
static void to_utf8(struct strbuf *text, const char *encoding)
{
	iconv_t converter = iconv_open("UTF-8", encoding);
	if (converter == (iconv_t)-1)
		return;
	size_t room = text->len * 4 + 16, left = room, in_left = text->len;
	struct strbuf converted = {0};
	strbuf_repeat(&converted, " ", room);
	char *in = text->buf, *out = converted.buf;
	size_t code = iconv(converter, &in, &in_left, &out, &left);
	iconv_close(converter);
	if (code != (size_t)-1 && in_left == 0) {
		strbuf_reset(text);
		strbuf_add(text, converted.buf, room - left);
	}
	strbuf_free(&converted);
}

static char *valid_utf8(struct arena *arena, struct span text)
{
	struct strbuf clean = {0};
	for (;;) {
		size_t good = utf8_valid_prefix(text);
		strbuf_add(&clean, text.ptr, good);
		if (good == text.len)
			break;
		strbuf_addstr(&clean, "\xef\xbf\xbd");
		text = (struct span){text.ptr + good + 1, text.len - good - 1};
	}
	return strbuf_into(&clean, arena);
}

/* At the start of a character; the text is valid. */
static void cut_to(char *text, size_t len)
{
	if (strlen(text) <= len)
		return;
	while (len && ((unsigned char)text[len] & 0xC0) == 0x80)
		len--;
	text[len] = '\0';
}

static const char *subject_of(struct arena *arena, const struct header *header, struct span message,
			      size_t indent)
{
	struct strbuf subject = {0};
	subject_add(&subject, message, indent);
	if (header->encoding.len && subject.len)
		to_utf8(&subject, arena_strndup(arena, header->encoding.ptr, header->encoding.len));
	char *valid = subject.len ? valid_utf8(arena, strbuf_span(&subject)) : NULL;
	strbuf_free(&subject);
	if (!valid)
		return "";
	cut_to(valid, SUBJECT_BYTES);
	return valid;
}

/* The author's name in "Name <mail> ...". Without the address, because reports may be read by more
 * people than the commits. */
static const char *name_of(struct arena *arena, const struct header *header)
{
	struct span person = header->author, name = {person.ptr, span_find(person, "<")};
	struct strbuf text = {0};
	strbuf_addspan(&text, span_trim(name));
	if (header->encoding.len && text.len)
		to_utf8(&text, arena_strndup(arena, header->encoding.ptr, header->encoding.len));
	const char *result = text.len ? valid_utf8(arena, strbuf_span(&text)) : "";
	strbuf_free(&text);
	return result;
}

int commit_parse(struct arena *arena, const char *oid, struct span raw, size_t indent,
		 struct revision *revision, struct error *err)
{
	bool is_cut = raw.len >= COMMIT_BYTES;
	if (is_cut)
		raw.len = COMMIT_BYTES;
	/* Git reads a commit as a C string and ignores everything after a NUL. */
	struct span rest = {raw.ptr, raw.len ? strnlen(raw.ptr, raw.len) : 0};
	struct header header = {0};
	while (rest.ptr) {
		struct span line = span_cut(&rest, '\n');
		if (line.len == 0 || (is_cut && !rest.ptr))
			break;
		header_line(&header, line);
	}
	if (!header.tree.len) {
		strbuf_free(&header.parents);
		return error_set(err, ERR_REVISION, "object %s is not a commit", oid);
	}
	*revision = (struct revision){
		.oid = arena_strdup(arena, oid),
		.tree = arena_strndup(arena, header.tree.ptr, header.tree.len),
		.patch_id = "",
		.parents = header.parents.len ? strbuf_into(&header.parents, arena) : "",
		.position = -1,
		.time = time_of(header.committer),
		.subject = subject_of(arena, &header, rest, indent),
		.author = name_of(arena, &header),
		.authored = time_text(arena, header.author),
	};
	size_t first = strcspn(revision->parents, " ");
	revision->parent = revision->parents[first] ? arena_strndup(arena, revision->parents, first)
						    : revision->parents;
	return 0;
}
