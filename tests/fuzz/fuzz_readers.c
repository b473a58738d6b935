/* Any bytes as any file: detection, the message about foreign files, and whichever reader takes
 * it. Being in the registry means being fuzzed. */
#include "tests/fuzz/mutate/reader_target.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	return fuzz_reader(NULL, bytes, size);
}
