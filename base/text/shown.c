/* Copies text and replaces what does not show or passes for something else. */
#include "base/text/shown.h"

#include "base/text/utf8.h"

/* Scripts of which a word can be made, as bits. */
enum { NO_SCRIPT = 0, LATIN = 1, GREEK = 2, CYRILLIC = 4 };

static int script_of(uint32_t code)
{
	bool ascii = (code >= 'A' && code <= 'Z') || (code >= 'a' && code <= 'z');
	if (ascii || (code >= 0xc0 && code <= 0x24f && code != 0xd7 && code != 0xf7))
		return LATIN;
	if (code >= 0x370 && code <= 0x3ff)
		return GREEK;
	return code >= 0x400 && code <= 0x52f ? CYRILLIC : NO_SCRIPT;
}

/* Whether a Greek or Cyrillic letter looks like a Latin one. */
static bool is_twin(struct span letter)
{
	static const char twins[] = "ΑΒΕΖΗΙΚΜΝΟΡΤΥΧνορϲϳϹͿ"
				    "ЅІЈАВЕКМНОРСТХаеорсухѕіјҮһӀӏԁԌԚԛԜԝ";
	char text[3] = {letter.ptr[0], letter.len == 2 ? letter.ptr[1] : 0, 0};
	return letter.len == 2 && strstr(twins, text);
}

/* The letters at the beginning of a text. */
struct word {
	size_t len; /* bytes */
	int scripts;
	size_t letters, twins;
};

static struct word word_at(struct span text)
{
	struct word word = {0};
	for (struct span rest = text; rest.len; word.letters++) {
		uint32_t code;
		struct span letter = utf8_cut(&rest, &code);
		int script = script_of(code);
		if (script == NO_SCRIPT)
			break;
		word.scripts |= script;
		word.twins += is_twin(letter);
		word.len += letter.len;
	}
	return word;
}

static void add_code(struct strbuf *out, uint32_t code)
{
	strbuf_addf(out, "<U+%04X>", code);
}

static void add_word(struct strbuf *out, struct span text, const struct word *word)
{
	bool mixed = word->scripts & (word->scripts - 1);
	bool passes = word->letters >= 3 && word->twins == word->letters;
	while (text.len) {
		uint32_t code;
		struct span letter = utf8_cut(&text, &code);
		bool twin = is_twin(letter) || (mixed && script_of(code) == CYRILLIC);
		if (twin && (mixed || passes))
			add_code(out, code);
		else
			strbuf_addspan(out, letter);
	}
}

/* What becomes of white space: the characters of `stays` remain, others become blanks or, if
 * `exact`, are written as their code points. */
struct spaces {
	const char *stays;
	bool exact;
};

/* Adds a character that is not a letter of a word. */
static void add_other(struct strbuf *out, struct span character, uint32_t code,
		      const struct spaces *spaces)
{
	bool space = code >= '\t' && code <= '\r',
	     stays = space && strchr(spaces->stays, (int)code);
	if (space && !stays && !spaces->exact)
		strbuf_addch(out, ' ');
	else if (!stays && utf8_is_hidden(code))
		add_code(out, code);
	else
		strbuf_addspan(out, character);
}

/* How many bytes at the beginning are ASCII that shows. */
static size_t plain_prefix(struct span text)
{
	size_t len = 0;
	while (len < text.len && text.ptr[len] >= ' ' && text.ptr[len] <= '~')
		len++;
	return len;
}

static void add_shown(struct strbuf *out, struct span text, const struct spaces *spaces)
{
	while (text.len) {
		size_t plain = plain_prefix(text);
		/* Letters before a character beyond ASCII belong to its word. */
		while (plain && plain < text.len && script_of((unsigned char)text.ptr[plain - 1]))
			plain--;
		strbuf_add(out, text.ptr, plain);
		text = span_from(text, plain);
		if (!text.len)
			break;
		struct word word = word_at(text);
		if (word.len) {
			add_word(out, (struct span){text.ptr, word.len}, &word);
			text = (struct span){text.ptr + word.len, text.len - word.len};
			continue;
		}
		uint32_t code;
		struct span character = utf8_cut(&text, &code);
		add_other(out, character, code, spaces);
	}
}

void shown_text(struct strbuf *out, struct span text, const char *stays)
{
	add_shown(out, text, &(struct spaces){.stays = stays});
}

void shown_value(struct strbuf *out, struct span text)
{
	add_shown(out, text, &(struct spaces){.stays = "\t\n", .exact = true});
}
