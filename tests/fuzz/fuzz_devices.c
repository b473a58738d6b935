/* Any bytes as a devices.json. */
#include "ingest/devices.h"

#include "tests/fuzz/reader_target.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	return fuzz_reader(&devices_reader, bytes, size);
}
