/*
 * The path of a profiling run: out/profiles/<mode>/<kernel>/<params>/<timestamp>/, where mode is
 * annotation, event, ncu or nsys. It determines the kernel and the kind of measurement. Parameters
 * are read from params.json and not from <params>.
 */
#ifndef INGEST_COMPANIONS_CONTRACT_PATH_H
#define INGEST_COMPANIONS_CONTRACT_PATH_H

#include "base/arena.h"

struct contract_path {
	const char *mode;   /* NULL: not such a path */
	const char *kernel; /* NULL if the path ends before it; so are the members below */
	const char *timestamp;
};

/* `directory` is a result of tree_directory(). */
struct contract_path contract_path_of(struct arena *arena, const char *directory);

#endif
