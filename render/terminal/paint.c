/* Colors in finished text: the verdict of a line, its mark and its change. Tables are laid out
 * before they are painted, so an escape never counts as a column. */
#include "render/terminal/terminal.h"

#include "model/verdict/verdicts.h"
#include "render/vocabulary/vocabulary.h"

static const char red[] = "\033[31m", green[] = "\033[32m", yellow[] = "\033[33m",
		  bold[] = "\033[1m", plain[] = "\033[0m";

/* Slower is red, faster green, what is not clear yellow. */
static const char *color_of(enum verdict verdict)
{
	switch (verdict) {
	case VERDICT_REGRESSED:
	case VERDICT_FAILED:
	case VERDICT_DRIFT:
	case VERDICT_IMPOSSIBLE:
	case VERDICT_MISSING:
	case VERDICT_SUSPECT:
		return red;
	case VERDICT_IMPROVED:
		return green;
	case VERDICT_INCOMPARABLE:
	case VERDICT_UNPROVEN:
	case VERDICT_ENVIRONMENT:
	case VERDICT_UNDECIDED:
	case VERDICT_STALE:
		return yellow;
	default:
		return NULL;
	}
}

static bool ends_word(struct span line, size_t at)
{
	return at == line.len || line.ptr[at] == ' ';
}

/* The words at a place of a line of a table: after their mark, or without marks at either end. A
 * series may have the same name. */
static struct span find_words(struct span line, const char *words, const char *mark)
{
	struct span found = {NULL, 0};
	size_t len = strlen(words), marked = strlen(mark) + 1;
	struct span rest = line;
	for (size_t at; (at = line.len - rest.len + span_find(rest, words)) < line.len;) {
		rest = (struct span){line.ptr + at + 1, line.len - at - 1};
		if (!ends_word(line, at + len))
			continue;
		if (at >= marked && memcmp(line.ptr + at - marked, mark, marked - 1) == 0)
			return (struct span){line.ptr + at - marked, len + marked};
		if ((at == 0 && line.len > len + 1 && line.ptr[len + 1] == ' ') ||
		    (at + len == line.len && at > 0 && line.ptr[at - 1] == ' '))
			found = (struct span){line.ptr + at, len};
	}
	return found;
}

/* The verdict in a line of a table: the longest, because "slower (drift)" begins with another. */
static bool find_verdict(struct span line, struct span *found, const char **color)
{
	struct arena arena = {0};
	*found = (struct span){NULL, 0};
	for (int i = 0; i < 4 * VERDICT_WORDS_LIMIT; i++) {
		int words = i / 4;
		enum verdict verdict =
			words == VERDICT_WORDS_CLEAR ? VERDICT_SUSPECT : (enum verdict)words;
		const char *text = vocabulary_verdict(LANGUAGE_ENGLISH, words, i % 2 == 0);
		if (i % 4 > 1)
			text = vocabulary_verdict_in_table(&arena, text, 0);
		struct span at = find_words(line, text, verdict_mark(verdict));
		if (!color_of(verdict) || at.len <= found->len)
			continue;
		*found = at;
		*color = color_of(verdict);
	}
	arena_free(&arena);
	return found->len > 0;
}

/* "+18.07 %" */
static struct span find_change(struct span line)
{
	for (size_t at = 1; at < line.len; at++) {
		size_t len = 1;
		if ((line.ptr[at] != '+' && line.ptr[at] != '-') || line.ptr[at - 1] != ' ')
			continue;
		while (at + len < line.len && strchr("0123456789.,", line.ptr[at + len]))
			len++;
		if (len > 1 && at + len + 1 < line.len && line.ptr[at + len] == ' ' &&
		    line.ptr[at + len + 1] == '%')
			return (struct span){line.ptr + at, len + 2};
	}
	return (struct span){NULL, 0};
}

static void add_colored(struct strbuf *out, const char *color, struct span text)
{
	strbuf_addstr(out, color);
	strbuf_addspan(out, text);
	strbuf_addstr(out, plain);
}

static void paint_line(struct strbuf *out, struct span line)
{
	struct span verdict, change;
	const char *color, *at = line.ptr, *end = line.ptr + line.len;
	if (!find_verdict(line, &verdict, &color)) {
		strbuf_addspan(out, line);
		return;
	}
	change = find_change(line);
	const struct span parts[] = {change.ptr && change.ptr < verdict.ptr ? change : verdict,
				     change.ptr && change.ptr > verdict.ptr ? change
				     : change.ptr                           ? verdict
						  : (struct span){end, 0}};
	for (size_t i = 0; i < 2; i++) {
		strbuf_add(out, at, (size_t)(parts[i].ptr - at));
		if (parts[i].len)
			add_colored(out, color, parts[i]);
		at = parts[i].ptr + parts[i].len;
	}
	strbuf_add(out, at, (size_t)(end - at));
}

/* "fail: 1 of 9 series slower": the words before the colon. */
static bool paint_headline(struct strbuf *out, struct span line)
{
	static const struct {
		const char *word, *color;
	} words[] = {{"pass", green},
		     {"fail", red},
		     {"incomplete", red},
		     {"unclear", yellow},
		     {"no baseline", yellow}};
	size_t colon = span_find(line, ": ");
	const char *color = NULL;
	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (span_is((struct span){line.ptr, colon}, words[i].word))
			color = words[i].color;
	if (!color)
		return false;
	strbuf_addstr(out, bold);
	add_colored(out, color, (struct span){line.ptr, colon});
	strbuf_add(out, line.ptr + colon, line.len - colon);
	return true;
}

void terminal_paint(struct strbuf *out, struct span text)
{
	bool first = true;
	while (text.len) {
		const char *newline = memchr(text.ptr, '\n', text.len);
		struct span line = {text.ptr, newline ? (size_t)(newline - text.ptr) : text.len};
		if (!first || !paint_headline(out, line))
			paint_line(out, line);
		first = false;
		if (newline)
			strbuf_addch(out, '\n');
		text.ptr += line.len + (newline != NULL);
		text.len -= line.len + (newline != NULL);
	}
}
