/* Finds what forges turn into links. */
#include "render/markup/autolink.h"

enum { shortest_id = 7, longest_id = 40 };

static bool is_letter_or_digit(char c)
{
	return ascii_is_digit(c) || ((c | 0x20) >= 'a' && (c | 0x20) <= 'z');
}

/* As in the regular expressions of the forges. */
static bool is_word(char c)
{
	return c == '_' || is_letter_or_digit(c);
}

static char char_at(struct span text, size_t at)
{
	return at < text.len ? text.ptr[at] : 0;
}

/* --- ids of commits --- */

static size_t hex_len(const char *text, size_t len)
{
	size_t digits = 0;
	while (digits < len && (ascii_is_digit(text[digits]) ||
				((text[digits] | 0x20) >= 'a' && (text[digits] | 0x20) <= 'f')))
		digits++;
	return digits;
}

static bool always(const void *context, struct span id)
{
	(void)context;
	(void)id;
	return true;
}

const struct md_ids md_all_ids = {.may_link = always};

size_t md_autolink_id(struct span text, size_t at, const struct md_ids *ids)
{
	if (at > 0 && is_word(text.ptr[at - 1]))
		return 0;
	struct span word = {text.ptr + at, hex_len(text.ptr + at, text.len - at)};
	if (word.len < shortest_id || word.len > longest_id ||
	    is_word(char_at(text, at + word.len)))
		return 0;
	bool number = true;
	for (size_t i = 0; i < word.len; i++)
		number = number && ascii_is_digit(word.ptr[i]);
	if ((number && word.len < longest_id) || (ids && ids->may_link(ids->context, word)))
		return 0;
	return word.len;
}

/* --- signs --- */

/* Whether the hyphen at `at` is that of GH-12. */
static bool is_issue_hyphen(struct span text, size_t at)
{
	return at >= 2 && (text.ptr[at - 2] | 0x20) == 'g' && (text.ptr[at - 1] | 0x20) == 'h' &&
	       (at == 2 || !is_word(text.ptr[at - 3])) && ascii_is_digit(char_at(text, at + 1));
}

/* Whether a sign and what follows are a reference. Bytes beyond ASCII can be letters of a name. */
static bool is_reference(char sign, char next)
{
	bool letter = is_word(next) || (unsigned char)next >= 0x80;
	return sign == '@' || sign == '~' ? letter : strchr("#!$&%", sign) && ascii_is_digit(next);
}

bool md_autolink_sign(struct span text, size_t at)
{
	assert(at < text.len);
	return text.ptr[at] == '-' ? is_issue_hyphen(text, at)
				   : is_reference(text.ptr[at], char_at(text, at + 1));
}
