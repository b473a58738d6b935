/* The list of readers and the choice among them. */
#include "ingest/registry/registry.h"

#include "base/base.h"
#include "base/text/text.h"
#include "ingest/container/parquet/parquet.h"
#include "ingest/registry/unknown_format.h"
#include "ingest/table/table.h"
#include "ingest/table/tables.h"

const struct reader *const readers[] = {
#define READER(name, content) &name##_reader,
#include "ingest/readers.def"
#undef READER
	NULL,
};

/* Whether the text begins with a table: two rows of as many cells. Lines of a log may have commas,
 * too, but those begin with a time. */
static bool begins_with_table(struct span text)
{
	struct arena arena = {0};
	struct error ignored;
	while (span_starts(text, "#"))
		span_cut(&text, '\n');
	struct csv csv = csv_of(&arena, text, csv_guess_separator(text));
	bool table = csv_header(&csv, &ignored) > 0 && csv.name_count > 1 &&
		     !(csv.names[0].len && ascii_is_digit(csv.names[0].ptr[0])) &&
		     csv_next(&csv, &ignored) > 0 && csv.cell_count == csv.name_count;
	arena_free(&arena);
	return table;
}

/* A sentence of the Neuron NPU profiler. */
static bool says_cpu(struct span line)
{
	return span_starts(line, "Warning: Neuron device not available") ||
	       span_is(line, "Using CPU device");
}

/* Tables, JSON and binary files may quote a line of a log. */
static bool is_log(struct span text)
{
	if (span_starts(text, "\xef\xbb\xbf"))
		text = span_from(text, 3);
	text = span_trim(text);
	return text.len && !span_starts(text, "{") && !span_starts(text, "[") &&
	       !memchr(text.ptr, 0, text.len) &&
	       (span_starts(text, "Warning: Neuron device") || !begins_with_table(text));
}

bool reader_cpu_fallback(struct span text, size_t *number, struct span *line)
{
	struct lines lines = lines_of(text);
	if (!is_log(text))
		return false;
	while (lines_next(&lines, line)) {
		*line = span_trim(*line);
		*number = lines.number;
		if (says_cpu(*line))
			return utf8_is_line(*line);
	}
	return false;
}

/* The lines of a log in a file of results: what follows was not measured on the device. */
static int refuse_cpu(struct span head, struct error *err)
{
	struct span line;
	size_t number;
	if (!reader_cpu_fallback(head, &number, &line))
		return 0;
	return error_set(err, ERR_FORMAT,
			 "times of a CPU, not of a Neuron device: line %zu says \"%.*s\"; measure "
			 "again on the device",
			 number, (int)(line.len < 120 ? line.len : 120), line.ptr);
}

static int fail_unknown(struct span head, struct error *err)
{
	struct strbuf look = {0};
	if (head.len == 0)
		return error_set(err, ERR_FORMAT, "the file is empty");
	if (span_trim(head).len == 0 && head.len < input_head_size)
		return error_set(err, ERR_FORMAT, "the file contains only whitespace");
	unknown_format_describe(&look, head);
	error_set(err, ERR_FORMAT,
		  "unsupported format: the file looks like %s; \"rooflog list formats\" lists the "
		  "supported formats",
		  look.buf);
	strbuf_free(&look);
	return -1;
}

const struct reader *reader_detect(struct span head, struct error *err)
{
	for (size_t i = 0; readers[i]; i++)
		if (readers[i]->detect(head))
			return readers[i];
	fail_unknown(head, err);
	return NULL;
}

static bool reads_summaries(const struct reader *reader)
{
	enum { FULL, SUMMARY };
	static const bool of_summaries[] = {
#define READER(name, content) content == SUMMARY,
#include "ingest/readers.def"
#undef READER
	};
	size_t i = 0;
	for (; readers[i] != reader; i++)
		assert(readers[i]);
	return of_summaries[i];
}

/* What a companion gives, as a run. */
static struct run *as_run(struct arena *arena, const struct companion *companion)
{
	struct run *run = run_new(arena);
	for (size_t i = 0; i < companion->value_count; i++)
		run->given[companion->values[i].metric] = companion->values[i].value;
	run->tallies = companion->tallies;
	run->tally_count = companion->tally_count;
	run->tensors = companion->tensors;
	run->tensor_count = companion->tensor_count;
	return run;
}

/* Every number of every format passes here. Peaks of devices are checked where they are read, for
 * narrower bounds. */
static int check_bounds(struct arena *arena, const struct ingest_result *result, struct error *err)
{
	for (size_t i = 0; i < result->runs.count; i++)
		if (run_check_bounds(result->runs.items[i], err) < 0)
			return -1;
	for (size_t i = 0; i < result->companions.count; i++) {
		const struct companion *companion = &result->companions.items[i];
		if ((companion->figures && run_check_bounds(companion->figures, err) < 0) ||
		    run_check_bounds(as_run(arena, companion), err) < 0)
			return -1;
	}
	return 0;
}

int reader_read_as(const struct reader *reader, struct arena *arena, struct input *input,
		   struct ingest_result *result, struct error *err)
{
	struct ingest_result read = {.trace = result->trace};
	if (reader->read(arena, input, &read, err) < 0 || check_bounds(arena, &read, err) < 0)
		return -1;
	*result = read;
	return 0;
}

int reader_read(struct arena *arena, struct input *input, struct ingest_result *result,
		const struct reader **used, struct error *err)
{
	struct span head;
	*used = NULL;
	if (input_head(input, &head, err) < 0 || refuse_cpu(head, err) < 0)
		return -1;
	/* A map of columns is explicit and takes precedence over detection. */
	const char *columns = input_hints(input)->columns;
	struct error why = {.kind = ERR_NONE};
	bool is_table = columns && (parquet_detect(head) ? table_fits_parquet(input, columns, &why)
							 : table_fits(head, columns, &why));
	*used = is_table ? &table_reader : reader_detect(head, err);
	bool may_be_table = strstr(err->text, "--columns") || strstr(err->text, "text that begins");
	if (!*used && why.kind && may_be_table)
		error_set(err, ERR_FORMAT,
			  "unsupported format, and --columns does not match it: %s", why.text);
	if (*used && input_hints(input)->summary_only && !reads_summaries(*used)) {
		error_set(err, ERR_FORMAT,
			  "--summary-only reads only neuron-profile summaries; this is %s",
			  (*used)->title);
		*used = NULL;
	}
	int rc = *used ? reader_read_as(*used, arena, input, result, err) : -1;
	/* A reader that asks for a map does not know why the given one does not fit. */
	if (rc < 0 && *used && why.kind && strstr(err->text, "--columns"))
		error_set(err, ERR_FORMAT, "--columns does not match the file: %s", why.text);
	return rc;
}
