/* Optimal string alignment distance: Levenshtein distance in which exchanging two neighbors is one
 * step. Three rows of the table suffice: the current one, the one above, and the one before that
 * for exchanges. */
#include "cli/config/similar.h"

/* LENGTH_LIMIT: no command or option is longer. FARTHEST: two typing mistakes; more would suggest
 * unrelated words. */
enum { LENGTH_LIMIT = 31, FARTHEST = 2, SHORT_WORD = 4, SHORTEST_BEGINNING = 3 };

static size_t minimum(size_t a, size_t b)
{
	return a < b ? a : b;
}

static size_t distance_of(struct span a, struct span b)
{
	size_t rows[3][LENGTH_LIMIT + 1] = {{0}};
	assert(a.len <= LENGTH_LIMIT && b.len <= LENGTH_LIMIT);
	for (size_t j = 0; j <= b.len; j++)
		rows[0][j] = j;
	for (size_t i = 1; i <= a.len; i++) {
		const size_t *above = rows[(i - 1) % 3], *before = rows[(i + 1) % 3];
		size_t *row = rows[i % 3];
		row[0] = i;
		for (size_t j = 1; j <= b.len; j++) {
			row[j] = minimum(minimum(above[j], row[j - 1]) + 1,
					 above[j - 1] + (a.ptr[i - 1] != b.ptr[j - 1]));
			if (i > 1 && j > 1 && a.ptr[i - 1] == b.ptr[j - 2] &&
			    a.ptr[i - 2] == b.ptr[j - 1])
				row[j] = minimum(row[j], before[j - 2] + 1);
		}
	}
	return rows[a.len % 3][b.len];
}

struct similar similar_to(struct span wanted)
{
	return (struct similar){.wanted = wanted};
}

/* How near a word is; more than FARTHEST: not at all. A word that begins with what is wanted is as
 * near as one typing mistake. */
static size_t nearness(struct span wanted, struct span offered)
{
	if (wanted.len > LENGTH_LIMIT || offered.len > LENGTH_LIMIT)
		return FARTHEST + 1;
	size_t distance = distance_of(wanted, offered);
	if (distance > (wanted.len <= SHORT_WORD ? 1 : FARTHEST) || 2 * distance >= wanted.len)
		distance = FARTHEST + 1;
	if (wanted.len >= SHORTEST_BEGINNING && offered.len > wanted.len &&
	    memcmp(offered.ptr, wanted.ptr, wanted.len) == 0)
		distance = minimum(distance, 1);
	return distance;
}

void similar_offer(struct similar *similar, const char *word)
{
	size_t distance = nearness(similar->wanted, span_of(word)), at = similar->count;
	if (distance > FARTHEST)
		return;
	for (size_t i = 0; i < similar->count; i++)
		if (strcmp(similar->words[i], word) == 0)
			return;
	while (at && similar->distances[at - 1] > distance)
		at--;
	if (at == SIMILAR_WORDS)
		return;
	similar->count += similar->count < SIMILAR_WORDS;
	for (size_t i = similar->count - 1; i > at; i--) {
		similar->words[i] = similar->words[i - 1];
		similar->distances[i] = similar->distances[i - 1];
	}
	similar->words[at] = word;
	similar->distances[at] = distance;
	similar->word = similar->words[0];
}

void similar_hint(const struct similar *similar, struct strbuf *out)
{
	for (size_t i = 0; i < similar->count; i++)
		strbuf_addf(out, "%s'%s'",
			    i == 0                    ? "\nhint: did you mean "
			    : i + 1 == similar->count ? " or "
						      : ", ",
			    similar->words[i]);
	if (similar->count)
		strbuf_addch(out, '?');
}

int similar_refuse(const struct similar *similar, const char *message, struct error *err)
{
	struct strbuf hint = {0};
	similar_hint(similar, &hint);
	error_set(err, ERR_USAGE, "%s%s", message, strbuf_text(&hint));
	strbuf_free(&hint);
	return -1;
}
