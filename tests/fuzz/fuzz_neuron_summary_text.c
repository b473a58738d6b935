/* Any bytes as the summary-text of neuron-profile, in the log of a terminal. */
#include "ingest/neuron_summary_text.h"

#include "tests/fuzz/reader_target.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	return fuzz_reader(&neuron_summary_text_reader, bytes, size);
}
