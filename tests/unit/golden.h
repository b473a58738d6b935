/* Golden files: what was accepted once is expected again. GOLDEN_UPDATE=1 accepts what is there. */
#ifndef TESTS_UNIT_GOLDEN_H
#define TESTS_UNIT_GOLDEN_H

#include <check.h>
#include <stdlib.h>

#include "base/system/file.h"

static inline void golden_compare(struct arena *arena, const char *path, struct span text)
{
	enum { shown = 400, most = 1 << 24 };
	struct error err = {ERR_NONE, ""};
	struct span expected = {"", 0};
	if (getenv("GOLDEN_UPDATE")) {
		ck_assert_msg(file_write(path, text, &err) == 0, "%s", err.text);
		return;
	}
	ck_assert_msg(file_read(arena, path, most, &expected, &err) == 0, "%s", err.text);
	size_t same = 0, rest;
	while (same < text.len && same < expected.len && text.ptr[same] == expected.ptr[same])
		same++;
	rest = text.len - same < shown ? text.len - same : shown;
	ck_assert_msg(same == text.len && same == expected.len,
		      "%s differs at byte %zu; GOLDEN_UPDATE=1 rewrites it:\n%.*s", path, same,
		      (int)rest, text.ptr + same);
}

#endif
