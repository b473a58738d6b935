/* The registry of readers. */
#include "ingest/reader.h"

#include "ingest/neuron_profile.h"
#include "ingest/neuron_summary_json.h"

const struct reader *const reader_table[] = {&neuron_profile_json_reader, &neuron_summary_json_reader, NULL};

const struct reader *reader_detect(struct span head, struct error *err)
{
	for (size_t i = 0; reader_table[i]; i++)
		if (reader_table[i]->detect(head))
			return reader_table[i];
	error_set(err, ERR_FORMAT, "no reader knows this format");
	return NULL;
}

int reader_read(struct arena *arena, struct input *input, struct ingest_result *result,
		const struct reader **used, struct error *err)
{
	struct span head;
	if (input_head(input, &head, err) < 0)
		return -1;
	*used = reader_detect(head, err);
	return *used ? (*used)->read(arena, input, result, err) : -1;
}
