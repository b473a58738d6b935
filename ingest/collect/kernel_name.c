/* Shortens the names of kernels. */
#include "ingest/collect/kernel_name.h"

#include <ctype.h>

#include "base/hash/hash.h"
#include "base/base.h"
#include "base/text/text.h"

/* Spellings of an anonymous namespace; the tool that prints the first one loses a bracket. */
static const char *const anonymous[] = {
	"unnamed>::", "<unnamed>::", "(anonymous namespace)::", "(anonymous)::", "_GLOBAL__N__::"};

static bool is_operator(struct span name, size_t at)
{
	return span_ends((struct span){name.ptr, at}, "operator") ||
	       span_ends((struct span){name.ptr, at}, "operator ");
}

/* The position after the bracket that closes the one at `at`. */
static size_t closed_at(struct span name, size_t at)
{
	size_t depth = 0;
	for (size_t i = at; i < name.len; i++) {
		depth += name.ptr[i] == '(';
		if (name.ptr[i] == ')' && --depth == 0)
			return i + 1;
	}
	return name.len;
}

/* The start of the parameter list: the first parenthesis outside of template arguments that does
 * not belong to an anonymous namespace or operator(). Parentheses inside of template arguments are
 * skipped, because they may contain comparisons. *name_at is the start of the last word before it.
 */
static size_t parameters_at(struct span name, size_t *name_at)
{
	size_t angle = 0, square = 0;
	*name_at = 0;
	for (size_t i = 0; i < name.len; i++) {
		char c = name.ptr[i];
		if (c == '<' && i && name.ptr[i - 1] != ' ')
			angle++;
		else if (c == '>' && angle && name.ptr[i - 1] != '-')
			angle--;
		else if (c == '[')
			square++;
		else if (c == ']' && square)
			square--;
		else if (c == ' ' && !angle && !square && !is_operator(name, i))
			*name_at = i + 1;
		if (c != '(')
			continue;
		if (!angle && !square && !is_operator(name, i) &&
		    !span_starts(span_from(name, i), "(anonymous"))
			return i;
		i = closed_at(name, i) - 1;
	}
	return name.len;
}

/* The length of a cast in template arguments, "(int)32", "(Layout)1",
 * which only some tools print. */
static size_t cast_length(struct span text)
{
	size_t end = 1;
	if (text.len == 0 || text.ptr[0] != '(')
		return 0;
	while (end < text.len && (isalnum((unsigned char)text.ptr[end]) ||
				  (text.ptr[end] && strchr("_: ", text.ptr[end]))))
		end++;
	if (end < 2 || end + 1 >= text.len || text.ptr[end] != ')')
		return 0;
	char next = text.ptr[end + 1];
	return isdigit((unsigned char)next) || next == '-' ? end + 1 : 0;
}

static void add_name(struct strbuf *sb, struct span name)
{
	while (name.len) {
		size_t anonymous_len = 0, cast = cast_length(name);
		for (size_t i = 0; i < sizeof anonymous / sizeof *anonymous; i++)
			if (!anonymous_len && span_starts(name, anonymous[i]))
				anonymous_len = strlen(anonymous[i]);
		if (anonymous_len) {
			strbuf_addstr(sb, "(anonymous)::");
			name = span_from(name, anonymous_len);
		} else if (cast) {
			name = span_from(name, cast);
		} else {
			/* Tools differ in the blanks of ", " and "> >". */
			bool drop = name.ptr[0] == ' ' && sb->len &&
				    (sb->buf[sb->len - 1] == ',' || sb->buf[sb->len - 1] == '>' ||
				     (name.len > 1 && name.ptr[1] == '>'));
			if (!drop)
				strbuf_addch(sb, name.ptr[0]);
			name = span_from(name, 1);
		}
	}
}

void kernel_name_shorten(struct strbuf *sb, size_t limit)
{
	char end[16];
	if (sb->len <= limit)
		return;
	snprintf(end, sizeof end, "...%08" PRIx32,
		 (uint32_t)(table_hash_of(strbuf_span(sb)) >> 32));
	size_t len = limit - strlen(end);
	while (len && ((unsigned char)sb->buf[len] & 0xc0) == 0x80)
		len--;
	strbuf_truncate(sb, len);
	strbuf_addstr(sb, end);
}

static const char *short_of(struct arena *arena, struct span name, size_t end)
{
	struct strbuf sb = {0};
	struct span head = span_trim((struct span){name.ptr, end});
	add_name(&sb, head.len ? head : name);
	kernel_name_shorten(&sb, kernel_name_limit);
	return strbuf_into(&sb, arena);
}

const char *kernel_name_short(struct arena *arena, struct span name)
{
	name = span_trim(name);
	if (!name.len || !utf8_is_line(name))
		return "?";
	if (span_starts(name, "void "))
		name = span_trim(span_from(name, 5));
	size_t name_at, end = parameters_at(name, &name_at);
	/* Only templates have a return type; in other names a blank is part of the name. */
	struct span type = {name.ptr, name_at};
	if (end < name.len && span_find(type, "<") < type.len)
		return short_of(arena, span_from(name, name_at), end - name_at);
	return short_of(arena, name, end);
}
