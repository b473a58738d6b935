/* Optimal string alignment distance: Levenshtein distance in which exchanging two neighbors is one
 * step. Three rows of the table suffice: the current one, the one above, and the one before that
 * for exchanges. */
#include "cli/config/similar.h"

/* LENGTH_LIMIT: no command or option is longer. FARTHEST: two typing mistakes; more would suggest
 * unrelated words. */
enum { LENGTH_LIMIT = 31, FARTHEST = 2 };

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
	return (struct similar){.wanted = wanted, .distance = FARTHEST + 1};
}

void similar_offer(struct similar *similar, const char *word)
{
	struct span offered = span_of(word);
	if (similar->wanted.len > LENGTH_LIMIT || offered.len > LENGTH_LIMIT)
		return;
	size_t distance = distance_of(similar->wanted, offered);
	if (distance >= similar->distance || 2 * distance >= similar->wanted.len)
		return;
	similar->word = word;
	similar->distance = distance;
}
