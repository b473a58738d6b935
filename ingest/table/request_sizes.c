/* Reads sizes and weights line by line. */
#include "ingest/table/request_sizes.h"

#include "ingest/table/lines.h"

static const double size_limit = 2147483647;

/* The next word of the line. Blanks and one separator after it are skipped. */
static struct span cut_word(struct span *line)
{
	size_t len = 0;
	while (len < line->len && !memchr(" \t,;", line->ptr[len], 4))
		len++;
	struct span word = {line->ptr, len};
	*line = span_trim((struct span){line->ptr + len, line->len - len});
	if (line->len && (line->ptr[0] == ',' || line->ptr[0] == ';'))
		*line = span_trim((struct span){line->ptr + 1, line->len - 1});
	return word;
}

static int read_line(struct span line, size_t number, struct bucket_request *request,
		     struct error *err)
{
	char excerpt[lines_excerpt_size];
	struct span whole = line, size = cut_word(&line), weight = cut_word(&line);
	request->weight = 1;
	if (line.len || !span_number(size, &request->size) ||
	    (weight.len && !span_number(weight, &request->weight)))
		return error_set(err, ERR_FORMAT,
				 "line %zu: expected a size, or a size and its weight, not \"%s\"",
				 number, lines_excerpt(excerpt, whole));
	if (!(request->size >= 1 && request->size <= size_limit) ||
	    request->size != floor(request->size))
		return error_set(err, ERR_FORMAT,
				 "line %zu: a size must be a whole number from 1 to %.0f", number,
				 size_limit);
	if (!(request->weight >= 0 && request->weight <= 1e15))
		return error_set(err, ERR_FORMAT,
				 "line %zu: a weight must be a number from 0 to 1e15", number);
	return 0;
}

static int by_size(const void *a, const void *b)
{
	const struct bucket_request *x = a, *y = b;
	return (x->size > y->size) - (x->size < y->size);
}

static size_t merge(struct bucket_request *items, size_t count)
{
	size_t last = 0;
	qsort(items, count, sizeof *items, by_size);
	for (size_t i = 1; i < count; i++) {
		if (items[i].size == items[last].size)
			items[last].weight += items[i].weight;
		else
			items[++last] = items[i];
	}
	return last + 1;
}

int request_sizes_read(struct arena *arena, struct span text, struct bucket_request **requests,
		       size_t *count, struct error *err)
{
	struct lines lines = lines_of(text);
	struct span line;
	struct bucket_request *items = NULL, request;
	size_t used = 0, capacity = 0;
	double total = 0;
	while (lines_next(&lines, &line)) {
		struct span rest = line;
		line = span_trim(span_cut(&rest, '#'));
		if (!line.len || (!used && (span_is(line, "size") || span_is(line, "size,weight"))))
			continue;
		if (used == REQUEST_SIZE_LIMIT)
			return error_set(err, ERR_FORMAT, "line %zu: more than %d sizes",
					 lines.number, (int)REQUEST_SIZE_LIMIT);
		if (read_line(line, lines.number, &request, err) < 0)
			return -1;
		*arena_next(arena, items, used, capacity) = request;
		total += request.weight;
	}
	if (!used || !(total > 0))
		return error_set(err, ERR_FORMAT, "no size has a positive weight");
	*count = merge(items, used);
	*requests = items;
	return 0;
}
