/* The registry of readers. */
#include "ingest/reader.h"

#include "base/strbuf.h"
#include "ingest/asv.h"
#include "ingest/benchmark_action.h"
#include "ingest/devices.h"
#include "ingest/google_benchmark.h"
#include "ingest/kernel_tuner.h"
#include "ingest/kernelbench.h"
#include "ingest/kineto.h"
#include "ingest/neuron_profile.h"
#include "ingest/neuron_session.h"
#include "ingest/neuron_summary_json.h"
#include "ingest/neuron_summary_text.h"
#include "ingest/nvbench.h"
#include "ingest/params.h"
#include "ingest/proton.h"
#include "ingest/sniff.h"

/* params.json is the vaguest of them and comes last. */
const struct reader *const readers[] = {
	&neuron_profile_json_reader,
	&neuron_summary_json_reader,
	&neuron_summary_text_reader,
	&neuron_session_reader,
	&nvbench_reader,
	&google_benchmark_reader,
	&kernelbench_reader,
	&kernel_tuner_reader,
	&proton_reader,
	&kineto_reader,
	&benchmark_action_reader,
	&asv_reader,
	&devices_reader,
	&params_reader,
	NULL,
};

static int fail_unknown(struct span head, struct error *err)
{
	struct strbuf look = {0};
	if (head.len == 0)
		return error_set(err, ERR_FORMAT, "the file is empty");
	if (span_trim(head).len == 0 && head.len < input_head_size)
		return error_set(err, ERR_FORMAT, "the file is empty but for blanks");
	sniff(&look, head);
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

int reader_read(struct arena *arena, struct input *input, struct ingest_result *result,
		const struct reader **used, struct error *err)
{
	struct span head;
	*used = NULL;
	if (input_head(input, &head, err) < 0)
		return -1;
	*used = reader_detect(head, err);
	return *used ? (*used)->read(arena, input, result, err) : -1;
}
