/*
 * A shared library that is opened when something in it is first needed: a process that needs
 * nothing of it does not pay for mapping it and all that it depends on. Its headers are used when
 * compiling, but it is not linked.
 *
 * The folder that owns a library has a table of its functions (vcs/libgit2/library.h): a structure
 * of pointers and their names, both made from one list, and each function defined as its member of
 * the table. A function that is called and missing there does not link. The library stays open
 * until the process ends.
 */
#pragma once

#include <pthread.h>
#include <stdbool.h>

#include "base/base.h"

/* For LIST(LAZY_POINTER) in the structure, and LIST(LAZY_NAME) in lazy_library. */
#define LAZY_POINTER(function) __typeof__(function) *function;
#define LAZY_NAME(function) #function "\0"

struct lazy_library {
	const char *soname;
	const char *package; /* of Debian, which has it */
	const char *without; /* what is lost without it, for the message */
	const char *names;   /* each ended by a NUL, the last by two */
	void *table;         /* as many pointers as names */
	pthread_mutex_t lock;
	bool ready;
};

/* What lazy_NAME.c has to have, which is compiled with LAZY_SONAME and LAZY_PACKAGE: defines the
 * table `name` and name_open(). `lost` goes into `without`. */
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
		return lazy_open(&library, err);                                                   \
	}

/* Before the first call of a function in the table, by any thread. When the library or one of the
 * functions is not there, ERR_SYSTEM, and the next call tries again. */
int lazy_open(struct lazy_library *library, struct error *err);
