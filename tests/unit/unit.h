/* The main program of every unit test: one suite, results in TAP-free Check output. */
#ifndef TESTS_UNIT_UNIT_H
#define TESTS_UNIT_UNIT_H

#include <check.h>
#include <stdlib.h>

/* Defines main() that runs the given test functions as one case. */
#define UNIT_MAIN(suite_name, ...)                                                                 \
	int main(void)                                                                             \
	{                                                                                          \
		const TTest *const tests[] = {__VA_ARGS__};                                        \
		Suite *suite = suite_create(suite_name);                                           \
		TCase *tcase = tcase_create(suite_name);                                           \
		for (size_t i = 0; i < sizeof tests / sizeof *tests; i++)                          \
			tcase_add_test(tcase, tests[i]);                                           \
		suite_add_tcase(suite, tcase);                                                     \
		SRunner *runner = srunner_create(suite);                                           \
		srunner_run_all(runner, CK_NORMAL);                                                \
		int failed = srunner_ntests_failed(runner);                                        \
		srunner_free(runner);                                                              \
		return failed ? EXIT_FAILURE : EXIT_SUCCESS;                                       \
	}

#endif
