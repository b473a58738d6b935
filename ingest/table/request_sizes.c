/* Reads sizes and weights line by line. */
#include "ingest/table/request_sizes.h"

#include "ingest/table/lines.h"

static const double size_limit = 2147483647;

/* What a line holds: sizes of one parameter or of two. */
struct form {
	size_t sizes;
	const char *const *names;      /* of two parameters */
	const char *expected, *plural; /* for messages */
	bool swapped;                  /* the second size comes first */
};

/* The next word of the line. Blanks and one separator after it are skipped. */
static struct span cut_word(struct span *line)
{
	size_t len = 0;
	while (len < line->len && !memchr(" \t,;", line->ptr[len], 4))
		len++;
	struct span word = {line->ptr, len};
	*line = span_trim(span_from(*line, len));
	if (line->len && (line->ptr[0] == ',' || line->ptr[0] == ';'))
		*line = span_trim(span_from(*line, 1));
	return word;
}

static int check_size(double size, size_t number, struct error *err)
{
	if (!(size >= 1 && size <= size_limit) || size != floor(size))
		return error_set(err, ERR_FORMAT,
				 "line %zu: a size must be a whole number from 1 to %.0f", number,
				 size_limit);
	return 0;
}

static int read_line(const struct form *form, struct span line, size_t number,
		     struct grid_request *request, struct error *err)
{
	char excerpt[lines_excerpt_size];
	struct span whole = line, weight;
	bool is_right = true;
	for (size_t i = 0; i < form->sizes; i++)
		is_right &= span_number(cut_word(&line), &request->sizes[i]);
	weight = cut_word(&line);
	request->weight = 1;
	if (line.len || !is_right || (weight.len && !span_number(weight, &request->weight)))
		return error_set(err, ERR_FORMAT, "line %zu: expected %s, not \"%s\"", number,
				 form->expected, lines_excerpt(excerpt, whole));
	for (size_t i = 0; i < form->sizes; i++)
		if (check_size(request->sizes[i], number, err) < 0)
			return -1;
	if (!(request->weight >= 0 && request->weight <= 1e15))
		return error_set(err, ERR_FORMAT,
				 "line %zu: a weight must be a number from 0 to 1e15", number);
	return 0;
}

/* Whether it is a line of titles, which also says the order of the sizes. */
static bool is_title(struct form *form, struct span line)
{
	struct span words[3];
	if (form->sizes == 1)
		return span_is(line, "size") || span_is(line, "size,weight");
	for (size_t i = 0; i < 3; i++)
		words[i] = cut_word(&line);
	if (line.len || (words[2].len && !span_is(words[2], "weight")))
		return false;
	bool swapped = span_is(words[0], form->names[1]) && span_is(words[1], form->names[0]);
	form->swapped |= swapped;
	return swapped || (span_is(words[0], form->names[0]) && span_is(words[1], form->names[1]));
}

static void swap_sizes(struct grid_request *request)
{
	double first = request->sizes[0];
	request->sizes[0] = request->sizes[1];
	request->sizes[1] = first;
}

static int by_sizes(const void *a, const void *b)
{
	const struct grid_request *x = a, *y = b;
	int order = array_by_double(&x->sizes[0], &y->sizes[0]);
	return order ? order : array_by_double(&x->sizes[1], &y->sizes[1]);
}

static size_t merge(struct grid_request *items, size_t count)
{
	size_t last = 0;
	qsort(items, count, sizeof *items, by_sizes);
	for (size_t i = 1; i < count; i++) {
		if (by_sizes(&items[i], &items[last]) == 0)
			items[last].weight += items[i].weight;
		else
			items[++last] = items[i];
	}
	return last + 1;
}

/* Reads all lines, sorted and without duplicates. */
static int read_all(struct arena *arena, struct form *form, struct span text,
		    struct grid_request **requests, size_t *count, struct error *err)
{
	struct lines lines = lines_of(text);
	struct span line;
	struct grid_request *items = NULL, request = {0};
	size_t used = 0, capacity = 0;
	double total = 0;
	while (lines_next(&lines, &line)) {
		struct span rest = line;
		line = span_trim(span_cut(&rest, '#'));
		if (!line.len || (!used && is_title(form, line)))
			continue;
		if (used == REQUEST_SIZE_LIMIT)
			return error_set(err, ERR_FORMAT, "line %zu: more than %d %s", lines.number,
					 (int)REQUEST_SIZE_LIMIT, form->plural);
		if (read_line(form, line, lines.number, &request, err) < 0)
			return -1;
		if (form->swapped)
			swap_sizes(&request);
		*arena_next(arena, items, used, capacity) = request;
		total += request.weight;
	}
	if (!used || !(total > 0))
		return error_set(err, ERR_FORMAT, "no size has a positive weight");
	*count = merge(items, used);
	*requests = items;
	return 0;
}

int request_sizes_read(struct arena *arena, struct span text, struct bucket_request **requests,
		       size_t *count, struct error *err)
{
	struct form form = {
		.sizes = 1, .expected = "a size, or a size and its weight", .plural = "sizes"};
	struct grid_request *items;
	size_t found;
	if (read_all(arena, &form, text, &items, &found, err) < 0)
		return -1;
	*requests = arena_array(arena, found, sizeof **requests);
	for (size_t i = 0; i < found; i++)
		(*requests)[i] = (struct bucket_request){items[i].sizes[0], items[i].weight};
	*count = found;
	return 0;
}

int request_pairs_read(struct arena *arena, struct span text, const char *const names[2],
		       struct grid_request **requests, size_t *count, struct error *err)
{
	struct form form = {.sizes = 2,
			    .names = names,
			    .expected =
				    arena_printf(arena, "%.80s and %.80s, or both and their weight",
						 names[0], names[1]),
			    .plural = "pairs of sizes"};
	struct grid_request *items;
	size_t found;
	if (read_all(arena, &form, text, &items, &found, err) < 0)
		return -1;
	for (size_t i = 0; i < found; i++)
		items[i].work = items[i].weight * items[i].sizes[0] * items[i].sizes[1];
	*requests = items;
	*count = found;
	return 0;
}
