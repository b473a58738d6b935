/* vcs/refs: whatever the bytes of a ref or of packed-refs, what is found is a full id, and a
 * symbolic ref leads somewhere. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "model/commits/object_id.h"
#include "vcs/plain/refs.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
	static const char *const names[] = {"refs/heads/main", "refs/tags/v1", "refs/heads/a"};
	struct span text = {(const char *)bytes, len}, target;
	char oid[65] = "";
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		enum ref found = refs_packed(text, names[i], oid);
		if (found == REF_UNBORN || (found == REF_FOUND && !object_id_is_full(span_of(oid))))
			abort();
	}
	enum ref loose = refs_loose(text, oid, &target);
	if (loose != REF_FOUND && loose != REF_UNCERTAIN)
		abort();
	if (loose == REF_FOUND && !target.len && !object_id_is_full(span_of(oid)))
		abort();
	return 0;
}
