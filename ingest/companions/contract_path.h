/*
 * The path of a profiling run: out/profiles/<mode>/<kernel>/<params>/<timestamp>/, where mode is
 * annotation, event, ncu or nsys. It determines the kernel and the kind of measurement. Parameters
 * are read from params.json and not from <params>.
 *
 * Never add metrics of runs.
 */
#pragma once

#include "base/base.h"

struct contract_path {
	const char *mode;   /* NULL: not such a path */
	const char *kernel; /* NULL if the path ends before it; so are the members below */
	const char *timestamp;
};

/* `directory` is a result of directory_walk_open(). */
struct contract_path contract_path_of(struct arena *arena, const char *directory);
