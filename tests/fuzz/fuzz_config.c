/* vcs/config: whatever the bytes, entries or an error; what was read can be asked for. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "vcs/backend/config.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
	struct arena arena = {0};
	struct config config = {0};
	struct error err = {0};
	int code = config_parse(&arena, "fuzz", (struct span){(const char *)bytes, len}, &config,
				&err);
	if (code && (err.kind != ERR_USAGE || strncmp(err.text, "fuzz:", 5) != 0))
		abort();
	for (size_t i = 0; !code && i < config.count && i < 100; i++) {
		const struct config_entry *entry = &config.entries[i];
		if (!config_get(&config, entry->section, entry->subsection, entry->key))
			abort();
	}
	arena_free(&arena);
	return 0;
}
