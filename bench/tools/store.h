/* What SQLite itself can do: runs and their numbers in two tables, without names, hashes, origins
 * and lists, and without a check. bench/tools/store.c compares the store with it. */
#ifndef BENCH_TOOLS_STORE_H
#define BENCH_TOOLS_STORE_H

#include <stdbool.h>

enum { KERNELS = 20, METRICS = 40 };

struct plain;

struct plain *plain_open(const char *path);
void plain_close(struct plain *plain);
void plain_begin(struct plain *plain);
void plain_commit(struct plain *plain);
void plain_add_run(struct plain *plain, unsigned kernel, unsigned commit, const double *numbers);
/* The sum of the last `runs` numbers of the first `series` series, up to a commit; a kernel has
 * METRICS of them. */
double plain_window(struct plain *plain, unsigned series, unsigned runs, unsigned commit);
/* The sum of all numbers of one metric of one kernel. */
double plain_history(struct plain *plain, unsigned kernel, unsigned metric);

#endif
