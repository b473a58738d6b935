/* Any bytes as a params.json. */
#include "ingest/params.h"

#include "tests/fuzz/reader_target.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	return fuzz_reader(&params_reader, bytes, size);
}
