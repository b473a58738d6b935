/* Splits the path after "profiles/" into its components. */
#include "ingest/companions/contract_path.h"

#include "base/base.h"

struct contract_path contract_path_of(struct arena *arena, const char *directory)
{
	static const char *const modes[] = {"annotation", "event", "ncu", "nsys"};
	struct span rest = span_of(directory), previous = {"", 0};
	struct contract_path path = {NULL, NULL, NULL};
	while (rest.ptr) {
		struct span part = span_cut(&rest, '/');
		for (size_t i = 0; !path.mode && i < sizeof modes / sizeof *modes; i++)
			if (span_is(previous, "profiles") && span_is(part, modes[i]))
				path.mode = modes[i];
		previous = part;
		if (path.mode)
			break;
	}
	if (!path.mode)
		return path;
	struct span parts[3] = {{NULL, 0}, {NULL, 0}, {NULL, 0}};
	for (size_t i = 0; i < 3 && rest.ptr; i++)
		parts[i] = span_cut(&rest, '/');
	if (parts[0].len)
		path.kernel = arena_strndup(arena, parts[0].ptr, parts[0].len);
	if (parts[2].len)
		path.timestamp = arena_strndup(arena, parts[2].ptr, parts[2].len);
	return path;
}
