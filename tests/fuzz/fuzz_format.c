/* Any bytes as a file of the format that the environment variable FORMAT names: every reader of the
 * registry is fuzzed, none needs a target of its own. */
#include "tests/fuzz/mutate/reader_target.h"
#include "tests/fuzz/mutate/wire_mutate.h"
#include "ingest/registry/registry.h"

size_t LLVMFuzzerCustomMutator(uint8_t *bytes, size_t size, size_t room, unsigned seed);

/* Formats whose bytes are messages keep their lengths right. */
size_t LLVMFuzzerCustomMutator(uint8_t *bytes, size_t size, size_t room, unsigned seed)
{
	static const char *const messages[] = {"ncu-report", "xplane"};
	const char *format = getenv("FORMAT");
	for (size_t i = 0; format && i < sizeof messages / sizeof *messages; i++)
		if (strcmp(format, messages[i]) == 0)
			return wire_mutate(bytes, size, room, seed);
	return LLVMFuzzerMutate ? LLVMFuzzerMutate(bytes, size, room) : size;
}

static const struct reader *reader_named(const char *name)
{
	for (size_t i = 0; name && readers[i]; i++)
		if (strcmp(readers[i]->name, name) == 0)
			return readers[i];
	return NULL;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	static const struct reader *reader;
	if (!reader)
		reader = reader_named(getenv("FORMAT"));
	REQUIRE(reader);
	return fuzz_reader(reader, bytes, size);
}
