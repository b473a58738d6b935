/*
 * A shared library that is loaded with dlopen() on first use. A process that does not need it saves
 * the time to map it and its dependencies. Its headers are used for compiling; it is not linked.
 *
 * The room that uses a library has a table of its functions, for example vcs/libgit2/library.h:
 *   - one list of function names, LIST(X);
 *   - a structure of function pointers, made from the list;
 *   - a macro per function that replaces its name with the member of the table.
 * A function that is called but not in the list does not link. The library stays loaded until the
 * process ends.
 */
#pragma once

#include <pthread.h>

#include "base/base.h"

/* LIST(LAZY_POINTER) is the members of the structure, LIST(LAZY_NAME) is lazy_library.names. */
#define LAZY_POINTER(function) __typeof__(function) *function;
#define LAZY_NAME(function) #function "\0"

struct lazy_library {
	const char *soname;
	const char *package; /* Debian package that contains it */
	const char *without; /* what does not work without it, for the message */
	const char *names;   /* NUL-terminated names; an empty one ends the list */
	void *table;         /* one pointer per name, in the same order */
	pthread_mutex_t lock;
	bool ready; /* the table is filled */
};

/* Defines the table `name` and its function name_open(). To be used in a source of its own, which
 * the build compiles with LAZY_SONAME and LAZY_PACKAGE. `lost` is lazy_library.without. */
#define LAZY_LIBRARY(name, LIST, lost)                                                             \
	struct name name;                                                                          \
	int name##_open(struct error *err)                                                         \
	{                                                                                          \
		static struct lazy_library library = {                                             \
			.soname = LAZY_SONAME,                                                     \
			.package = LAZY_PACKAGE,                                                   \
			.without = lost,                                                           \
			.names = LIST(LAZY_NAME),                                                  \
			.table = &name,                                                            \
			.lock = PTHREAD_MUTEX_INITIALIZER,                                         \
		};                                                                                 \
		return library_open(&library, err);                                                \
	}

/* Loads the library and fills its table, unless that is done. To be called before any function of
 * the table; safe to call from several threads. ERR_SYSTEM if the library or one of its functions
 * is missing; a later call tries again. */
int library_open(struct lazy_library *library, struct error *err);

/* The version of a library, as its function of this name returns it; `built` if that is "". NULL:
 * it cannot be loaded. */
const char *library_version(const char *soname, const char *function, const char *built);
