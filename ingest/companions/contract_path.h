/*
 * The path of a profiling run: out/profiles/<mode>/<kernel>/<params>/<timestamp>/, mode being
 * annotation, event, ncu or nsys. It names the kernel and how it was measured; the parameters are
 * in params.json, whatever <params> says.
 */
#pragma once

#include "base/base.h"

struct contract_path {
	const char *mode;   /* NULL: the path is no such path */
	const char *kernel; /* NULL where the path ends before it; likewise below */
	const char *timestamp;
};

/* `directory` is as tree_directory() writes it. */
struct contract_path contract_path_of(struct arena *arena, const char *directory);
