/* Any bytes as a table of show-session. */
#include "ingest/neuron_session.h"

#include "tests/fuzz/reader_target.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	return fuzz_reader(&neuron_session_reader, bytes, size);
}
