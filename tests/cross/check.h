/* As much of libcheck as a test needs that runs on an emulated processor, for which Debian's
 * compiler has no libraries but C's: tests run one after the other, and the first failure ends
 * them. */
#ifndef TESTS_CROSS_CHECK_H
#define TESTS_CROSS_CHECK_H

#include <stdio.h>
#include <stdlib.h>

typedef struct {
	void (*run)(void);
} TTest;

#define START_TEST(name)                                                                           \
	static void name##_run(void);                                                              \
	static const TTest name##_test = {name##_run}, *const name = &name##_test;                 \
	static void name##_run(void)                                                               \
	{
#define END_TEST }

#define ck_assert_msg(holds, ...)                                                                  \
	do {                                                                                       \
		if (!(holds)) {                                                                    \
			fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #holds);                \
			fprintf(stderr, __VA_ARGS__);                                              \
			fputc('\n', stderr);                                                       \
			exit(EXIT_FAILURE);                                                        \
		}                                                                                  \
	} while (0)
#define ck_assert(holds) ck_assert_msg(holds, "failed")
#define ck_assert_int_eq(a, b) ck_assert((a) == (b))
#define ck_assert_int_gt(a, b) ck_assert((a) > (b))
#define ck_assert_int_ge(a, b) ck_assert((a) >= (b))
#define ck_assert_int_lt(a, b) ck_assert((a) < (b))
#define ck_assert_str_eq(a, b) ck_assert(strcmp(a, b) == 0)

typedef struct {
	const TTest *tests[32];
	size_t count;
} TCase;
typedef TCase Suite;
typedef TCase SRunner;
enum { CK_NORMAL };

static inline Suite *suite_create(const char *name)
{
	static Suite suite;
	(void)name;
	return &suite;
}

static inline TCase *tcase_create(const char *name)
{
	return suite_create(name);
}

static inline void tcase_add_test(TCase *tcase, const TTest *test)
{
	tcase->tests[tcase->count++] = test;
}

static inline void suite_add_tcase(Suite *suite, const TCase *tcase)
{
	(void)suite, (void)tcase;
}

static inline SRunner *srunner_create(Suite *suite)
{
	return suite;
}

static inline void srunner_run_all(const SRunner *runner, int how)
{
	(void)how;
	for (size_t i = 0; i < runner->count; i++)
		runner->tests[i]->run();
	printf("%zu tests passed\n", runner->count);
}

static inline int srunner_ntests_failed(const SRunner *runner)
{
	(void)runner;
	return 0;
}

static inline void srunner_free(const SRunner *runner)
{
	(void)runner;
}

#endif
