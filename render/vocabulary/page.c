/* Labels in the spoken language. */
#include "render/vocabulary/vocabulary.h"

static enum language spoken = LANGUAGE_ENGLISH;

static const struct phrase {
	const char *english, *chinese;
} phrases[] =
	{
#define PHRASE(ENGLISH, CHINESE) {ENGLISH, CHINESE},
#define LABEL(ENGLISH, CHINESE)
#include "render/vocabulary/page.def"
#undef LABEL
#undef PHRASE
},
  labels[] =
	  {
#define PHRASE(ENGLISH, CHINESE)
#define LABEL(ENGLISH, CHINESE) {ENGLISH, CHINESE},
#define FORMAT(ENGLISH, CHINESE)
#include "render/vocabulary/page.def"
#include "render/vocabulary/terminal.def"
#undef FORMAT
#undef LABEL
#undef PHRASE
},
  formats[] = {
#define FORMAT(ENGLISH, CHINESE) {ENGLISH, CHINESE},
#define LABEL(ENGLISH, CHINESE)
#include "render/vocabulary/chart.def"
#include "render/vocabulary/summary.def"
#include "render/vocabulary/terminal.def"
#undef LABEL
#undef FORMAT
};
enum {
	phrase_count = sizeof phrases / sizeof *phrases,
	label_count = sizeof labels / sizeof *labels,
	format_count = sizeof formats / sizeof *formats
};

void vocabulary_speak(enum language language)
{
	spoken = language;
}

enum language vocabulary_spoken(void)
{
	return spoken;
}

static const char *chinese_of(const struct phrase *rows, size_t count, const char *english)
{
	for (size_t i = 0; english && i < count; i++)
		if (strcmp(rows[i].english, english) == 0)
			return rows[i].chinese;
	return english;
}

const char *vocabulary_label(const char *english)
{
	return spoken == LANGUAGE_CHINESE ? chinese_of(labels, label_count, english) : english;
}

const char *vocabulary_format(const char *english)
{
	return spoken == LANGUAGE_CHINESE ? chinese_of(formats, format_count, english) : english;
}

bool vocabulary_format_at(size_t index, const char **english, const char **chinese)
{
	if (index >= format_count)
		return false;
	*english = formats[index].english;
	*chinese = formats[index].chinese;
	return true;
}

static bool is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* The longest phrase at this place of a template; not a part of a longer word. */
static const struct phrase *phrase_at(const char *start, const char *at)
{
	const struct phrase *best = NULL;
	size_t longest = 0;
	for (size_t i = 0; i < phrase_count; i++) {
		const char *text = phrases[i].english;
		size_t len = strlen(text);
		bool cut = (at > start && is_letter(at[-1]) && is_letter(text[0])) ||
			   (strncmp(at, text, len) == 0 && is_letter(text[len - 1]) &&
			    is_letter(at[len]));
		if (len > longest && !cut && strncmp(at, text, len) == 0) {
			best = &phrases[i];
			longest = len;
		}
	}
	return best;
}

/* The length of a tag, "{{...}}" or one of HTML; 0: none begins here. */
static size_t tag_at(const char *at, bool html)
{
	bool raw = strncmp(at, "{{{", 3) == 0;
	const char *end = NULL;
	if (strncmp(at, "{{", 2) == 0)
		end = strstr(at, raw ? "}}}" : "}}");
	else if (html && at[0] == '<')
		end = strchr(at, '>');
	return end ? (size_t)(end - at) + (at[0] == '<' ? 1 : raw ? 3 : 2) : 0;
}

/* Whether the phrase is an attribute of HTML: alt="...". */
static bool is_attribute(const struct phrase *phrase)
{
	return strstr(phrase->english, "=\"") != NULL;
}

/* Adds what stands at this place, translated; returns its length. */
static size_t add_next(struct strbuf *sb, const char *template, const char *at, bool in_tag)
{
	const struct phrase *phrase = phrase_at(template, at);
	if (phrase && is_attribute(phrase) == in_tag) {
		strbuf_addstr(sb, phrase->chinese);
		return strlen(phrase->english);
	}
	size_t tag = tag_at(at, false), len = tag ? tag : 1;
	strbuf_add(sb, at, len);
	return len;
}

const char *vocabulary_page(struct arena *arena, const char *template)
{
	struct strbuf sb = {0};
	bool html = strstr(template, "</") || strstr(template, "<html");
	if (spoken == LANGUAGE_ENGLISH)
		return template;
	for (const char *at = template; *at;) {
		size_t tag = phrase_at(template, at) ? 0 : tag_at(at, html);
		const char *end = at + tag;
		do
			at += add_next(&sb, template, at, tag && end[-1] == '>');
		while (at < end);
	}
	return strbuf_into(&sb, arena);
}

static void close_percents(struct strbuf *text)
{
	size_t to = 0;
	for (size_t i = 0; i < text->len; i++) {
		bool blank = text->buf[i] == ' ' && i && i + 1 < text->len &&
			     text->buf[i + 1] == '%' && text->buf[i - 1] >= '0' &&
			     text->buf[i - 1] <= '9';
		if (!blank)
			text->buf[to++] = text->buf[i];
	}
	strbuf_truncate(text, to);
}

void vocabulary_close_percents(struct strbuf *text)
{
	if (spoken != LANGUAGE_ENGLISH)
		close_percents(text);
}

const char *vocabulary_figure(struct arena *arena, enum language language, const char *text)
{
	struct strbuf sb = {0};
	if (language == LANGUAGE_ENGLISH)
		return text;
	strbuf_addstr(&sb, text);
	close_percents(&sb);
	return strbuf_into(&sb, arena);
}

const char *vocabulary_value(struct arena *arena, const char *text)
{
	if (strcmp(text, "unknown") == 0)
		return vocabulary_label(text);
	return vocabulary_figure(arena, spoken, text);
}
