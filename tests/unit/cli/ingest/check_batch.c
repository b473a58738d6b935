/* batch: many files at once, in order, with the failure that comes first. */
#include "cli/ingest/batch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "unit/unit.h"

enum { file_count = 60 };

static char folder[] = "/tmp/rooflog-batch-XXXXXX";
static char paths[file_count][64];

static void make_files(void)
{
	ck_assert_ptr_nonnull(mkdtemp(folder));
	for (int i = 0; i < file_count; i++) {
		snprintf(paths[i], sizeof paths[i], "%s/%03d", folder, i);
		FILE *file = fopen(paths[i], "w");
		/* Files of all sizes: the last begun is not the last done. */
		fprintf(file, "n_1a\n    total_time    %d.5e-6\n    instance_type    trn2\n",
			i + 1);
		for (int k = 0; k < (file_count - i) * 40; k++)
			fprintf(file, "    unknown_field_%d    1\n", k);
		fclose(file);
	}
}

static void overwrite(int index, const char *text)
{
	FILE *file = fopen(paths[index], "w");
	fputs(text, file);
	fclose(file);
}

static void remove_files(void)
{
	for (int i = 0; i < file_count; i++)
		unlink(paths[i]);
	rmdir(folder);
	memcpy(folder + strlen(folder) - 6, "XXXXXX", 6);
}

static void fill(struct batch_item *items)
{
	memset(items, 0, file_count * sizeof *items);
	for (int i = 0; i < file_count; i++)
		items[i].path = paths[i];
}

static void count_call(void *context, const struct batch_progress *progress)
{
	size_t *files = context;
	ck_assert_uint_ge(progress->files, *files);
	*files = progress->files;
}

START_TEST(results_stay_in_order)
{
	static const size_t threads[] = {1, 2, 7, 64};
	make_files();
	for (size_t t = 0; t < sizeof threads / sizeof *threads; t++) {
		struct batch_item items[file_count];
		size_t files = 0;
		struct arena arena = {0};
		fill(items);
		ingest_batch_read(items, file_count,
				  &(struct batch_options){.threads = threads[t],
							  .watch = t % 2 ? count_call : NULL,
							  .context = &files});
		for (int i = 0; i < file_count; i++) {
			ck_assert_msg(items[i].rc == 0, "%s", items[i].err.text);
			ck_assert_str_eq(items[i].reader->name, "neuron-summary-text");
			arena_adopt(&arena, &items[i].arena);
			ck_assert_ptr_null(items[i].arena.head);
			ck_assert_double_eq_tol(
				items[i].result.runs.items[0]->given[METRIC_TOTAL_TIME].number,
				(i + 1.5) * 1e-6, 1e-12);
		}
		if (t % 2)
			ck_assert_uint_eq(files, file_count);
		arena_free(&arena);
	}
	remove_files();
}
END_TEST

/* Whatever the threads do, the failure that stands first in the list is there. */
START_TEST(the_first_failure_counts)
{
	make_files();
	overwrite(20, "n_1a\n    total_time    soon\n");
	overwrite(5, "nothing that any reader knows");
	overwrite(45, "n_1a\n    total_time    later\n");
	for (int turn = 0; turn < 20; turn++) {
		struct batch_item items[file_count];
		bool keep_going = turn % 2;
		fill(items);
		ingest_batch_read(items, file_count,
				  &(struct batch_options){.threads = 1 + (size_t)turn % 8,
							  .keep_going = keep_going});
		for (int i = 0; i < 20; i++)
			ck_assert(items[i].was_read && !ingest_batch_failed(&items[i]));
		ck_assert(items[5].rc < 0 && !items[5].reader);
		ck_assert(ingest_batch_failed(&items[20]));
		ck_assert_ptr_nonnull(
			strstr(items[20].err.text, keep_going ? "line 2" : "/020: line 2"));
		for (int i = 0; i < file_count; i++) {
			ck_assert(!keep_going || items[i].was_read);
			arena_free(&items[i].arena);
		}
		ck_assert(!keep_going || ingest_batch_failed(&items[45]));
	}
	remove_files();
}
END_TEST

START_TEST(what_cannot_be_opened_fails)
{
	make_files();
	overwrite(5, "nothing that any reader knows");
	struct batch_item items[file_count];
	fill(items);
	items[6].path = "/nonexistent/file";
	ingest_batch_read(items, 7, &(struct batch_options){.threads = 2, .keep_going = true});
	ck_assert(items[5].rc < 0 && !ingest_batch_failed(&items[5]) &&
		  ingest_batch_failed(&items[6]));
	ck_assert_ptr_nonnull(strstr(items[6].err.text, "/nonexistent/file"));
	for (int i = 0; i < file_count; i++)
		arena_free(&items[i].arena);
	remove_files();
}
END_TEST

UNIT_MAIN("batch", results_stay_in_order, the_first_failure_counts, what_cannot_be_opened_fails)
