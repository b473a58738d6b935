/* Chooses the cut that keeps all words of a column apart. */
#include "render/markup/shorten.h"

#include "base/text/text.h"

static const char dots[] = "...";
/* Columns. A word that is longer is never folded, only shortened. */
enum { LONGEST_FOLDED = 1000 };

/* Adds the first characters of a word and, after three dots, its last ones: at most `width` columns
 * in all. */
static void add_shortened(struct strbuf *out, struct span word, size_t width, size_t tail)
{
	if (utf8_fitting(word, width).len == word.len) {
		strbuf_addspan(out, word);
		return;
	}
	size_t room = width > strlen(dots) ? width - strlen(dots) : 0;
	tail = tail < room ? tail : room;
	strbuf_addspan(out, utf8_fitting(word, room - tail));
	strbuf_addspan(out, utf8_fitting(span_of(dots), width));
	for (size_t left = utf8_columns(word); left > tail;)
		left -= utf8_columns(utf8_cut(&word, NULL));
	strbuf_addspan(out, word);
}

/* Adds the word in pieces of at most `width` columns. */
static void add_folded(struct strbuf *out, struct span word, size_t width)
{
	while (word.len) {
		struct span piece = utf8_fitting(word, width);
		if (!piece.len || piece.len == word.len)
			piece = word;
		strbuf_addspan(out, piece);
		word = (struct span){word.ptr + piece.len, word.len - piece.len};
		if (word.len)
			strbuf_addch(out, ' ');
	}
}

const char *md_shortened(struct arena *arena, const struct md_shortening *shortening,
			 const char *text)
{
	struct strbuf sb = {NULL, 0, 0};
	struct span rest = span_of(text);
	while (rest.ptr) {
		struct span word = span_cut(&rest, ' ');
		if (shortening->folds && utf8_columns(word) <= LONGEST_FOLDED)
			add_folded(&sb, word, shortening->width);
		else
			add_shortened(&sb, word, shortening->width, shortening->tail);
		if (rest.ptr)
			strbuf_addch(&sb, ' ');
	}
	return strbuf_into(&sb, arena);
}

/* A word that is too wide, and how it looks. */
struct wide_word {
	struct span word;
	const char *shown;
};
struct wide_words {
	struct wide_word *items;
	size_t count, capacity;
};

static int by_looks(const void *a, const void *b)
{
	const struct wide_word *x = a, *y = b;
	return strcmp(x->shown, y->shown);
}

/* Whether two different words look alike when they are cut so. */
static bool look_alike(struct arena *arena, struct wide_words *words, size_t width, size_t tail)
{
	for (size_t i = 0; i < words->count; i++) {
		struct strbuf sb = {0};
		add_shortened(&sb, words->items[i].word, width, tail);
		words->items[i].shown = strbuf_into(&sb, arena);
	}
	array_sort(words->items, words->count, sizeof *words->items, by_looks);
	for (size_t i = 1; i < words->count; i++)
		if (by_looks(&words->items[i - 1], &words->items[i]) == 0 &&
		    !span_eq(words->items[i - 1].word, words->items[i].word))
			return true;
	return false;
}

struct md_shortening md_shortening_of(const char *const *texts, size_t count, size_t stride,
				      size_t width)
{
	size_t room = width > strlen(dots) ? width - strlen(dots) : 0;
	struct md_shortening result = {.width = width, .tail = room / 2};
	struct arena scratch = {0};
	struct wide_words words = {0};
	for (size_t i = 0; i < count; i++)
		for (struct span rest = span_of(texts[i * stride]); rest.ptr;) {
			struct span word = span_cut(&rest, ' ');
			if (utf8_fitting(word, width).len < word.len)
				*arena_add(&scratch, &words) = (struct wide_word){.word = word};
		}
	result.folds = look_alike(&scratch, &words, width, result.tail);
	/* The middle first, then ever more of the end, then ever less. */
	for (size_t step = 1; result.folds && step <= room; step++) {
		size_t tail = step <= room - room / 2 ? room / 2 + step : room - step;
		if (!look_alike(&scratch, &words, width, tail)) {
			result.tail = tail;
			result.folds = false;
		}
	}
	arena_free(&scratch);
	return result;
}
