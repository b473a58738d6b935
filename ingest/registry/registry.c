/* The list of readers and the choice among them. */
#include "ingest/registry/registry.h"

#include "base/base.h"
#include "ingest/table/table.h"
#include "ingest/registry/unknown_format.h"

const struct reader *const readers[] = {
#define READER(name, content) &name##_reader,
#include "ingest/readers.def"
#undef READER
	NULL,
};

static int fail_unknown(struct span head, struct error *err)
{
	struct strbuf look = {0};
	if (head.len == 0)
		return error_set(err, ERR_FORMAT, "the file is empty");
	if (span_trim(head).len == 0 && head.len < input_head_size)
		return error_set(err, ERR_FORMAT, "the file is empty but for blanks");
	unknown_format_describe(&look, head);
	error_set(err, ERR_FORMAT,
		  "no reader knows this file; it looks like %s. \"rooflog formats\" lists what can "
		  "be read",
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

int reader_read(struct arena *arena, struct input *input, struct ingest_result *result,
		const struct reader **used, struct error *err)
{
	struct span head;
	*used = NULL;
	if (input_head(input, &head, err) < 0)
		return -1;
	/* A map of columns is explicit and takes precedence over detection. */
	const char *columns = input_hints(input)->columns;
	struct error why = {.kind = ERR_NONE};
	*used = columns && table_fits(head, columns, &why) ? &table_reader
							   : reader_detect(head, err);
	if (!*used && why.kind && strstr(err->text, "--columns"))
		error_set(err, ERR_FORMAT,
			  "no reader knows this file, nor does --columns fit it: %s", why.text);
	if (*used && input_hints(input)->summary_only && !reads_summaries(*used)) {
		error_set(err, ERR_FORMAT,
			  "--summary-only reads summaries of neuron-profile, and this is %s",
			  (*used)->title);
		*used = NULL;
	}
	return *used ? (*used)->read(arena, input, result, err) : -1;
}
