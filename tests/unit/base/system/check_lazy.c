/* base/lazy: a library opened late has all its functions, whoever asks first; a missing one is an
 * error with its name. */
#include "unit/unit.h"

#include <dlfcn.h>
#include <pthread.h>
#include <string.h>

#include "base/system/library.h"

static struct {
	double (*fabs)(double);
	double (*sqrt)(double);
} table;

#define LIBRARY(file, list)                                                                        \
	{                                                                                          \
		.soname = (file), .package = "package1", .without = "nothing can be done",         \
		.names = (list), .table = &table, .lock = PTHREAD_MUTEX_INITIALIZER                \
	}

static void *open_and_call(void *library)
{
	struct error err = {0};
	if (library_open(library, &err) < 0)
		return NULL;
	return table.fabs(-2) == 2 && table.sqrt(9) == 3 ? library : NULL;
}

START_TEST(every_thread_finds_the_functions)
{
	struct lazy_library library = LIBRARY("libm.so.6", LAZY_NAME(fabs) LAZY_NAME(sqrt));
	pthread_t threads[8];
	memset(&table, 0, sizeof table);
	for (size_t i = 0; i < 8; i++)
		ck_assert_int_eq(pthread_create(&threads[i], NULL, open_and_call, &library), 0);
	for (size_t i = 0; i < 8; i++) {
		void *result;
		pthread_join(threads[i], &result);
		ck_assert_ptr_eq(result, &library);
	}
}
END_TEST

START_TEST(what_is_missing_is_named)
{
	static const struct {
		const char *soname, *names, *expected;
	} rows[] = {
		{"librooflog-none.so.7", LAZY_NAME(fabs), "librooflog-none.so.7: "},
		{"libm.so.6", LAZY_NAME(fabs) LAZY_NAME(no_such_function), "no_such_function"},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct lazy_library library = LIBRARY(rows[i].soname, rows[i].names);
		for (int again = 0; again < 2; again++) {
			struct error err = {0};
			ck_assert_int_eq(library_open(&library, &err), -1);
			ck_assert_int_eq(err.kind, ERR_SYSTEM);
			ck_assert_msg(strstr(err.text, rows[i].expected) != NULL, "%s", err.text);
			ck_assert_msg(strstr(err.text, " (Debian package package1); without it "
						       "nothing can be done") != NULL,
				      "%s", err.text);
		}
	}
}
END_TEST

/* One that nothing else here needs. */
START_TEST(what_lacks_a_function_is_not_kept)
{
	static const char soname[] = "libanl.so.1";
	struct lazy_library library = LIBRARY(soname, LAZY_NAME(no_such_function));
	struct error err = {0};
	void *handle = dlopen(soname, RTLD_NOW | RTLD_LOCAL);
	ck_assert_ptr_nonnull(handle);
	dlclose(handle);
	ck_assert_int_eq(library_open(&library, &err), -1);
	ck_assert_msg(strstr(err.text, "no_such_function") != NULL, "%s", err.text);
	ck_assert_ptr_null(dlopen(soname, RTLD_NOW | RTLD_NOLOAD));
}
END_TEST

UNIT_MAIN("lazy", every_thread_finds_the_functions, what_is_missing_is_named,
	  what_lacks_a_function_is_not_kept)
