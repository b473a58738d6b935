/* What the tests of the store share: temporary folders, a run with every member set, and a
 * comparison of all members. */
#ifndef TESTS_UNIT_STORE_FIXTURE_H
#define TESTS_UNIT_STORE_FIXTURE_H

#include "unit/unit.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "db/store/internal.h"
#include "db/store/store.h"

#define COUNT_OF_ROWS(rows) (sizeof(rows) / sizeof *(rows))
#define MUST(call) ck_assert_msg((call) == 0, "%s", err.text)

/* For a repair that cannot ask git. */
__attribute__((unused)) static const struct store_repairer no_git = {NULL, NULL};

struct repository_path {
	char folder[64];
	char path[96]; /* path of the store in the folder */
};

static inline void place_make(struct repository_path *place)
{
	snprintf(place->folder, sizeof place->folder, "/tmp/rooflog-store-XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(place->folder));
	snprintf(place->path, sizeof place->path, "%s/runs.db", place->folder);
}

static inline void place_remove(const struct repository_path *place)
{
	static const char *const names[] = {"", "-wal", "-shm", "-journal"};
	char path[128];
	for (size_t i = 0; i < COUNT_OF_ROWS(names); i++) {
		snprintf(path, sizeof path, "%s%s", place->path, names[i]);
		unlink(path);
	}
	ck_assert_int_eq(rmdir(place->folder), 0);
}

static inline struct store *open_store(const struct repository_path *place, enum store_mode mode)
{
	struct error err = {0};
	struct store *store = NULL;
	MUST(store_open(place->path, mode, &store, &err));
	return store;
}

/* Changes rows as a program would that wrote them so: with their seals. */
static inline void change(struct store *store, const char *statements)
{
	struct error err = {0};
	MUST(sql_execute(store->sql, statements, &err));
	MUST(store_seals_make(store, 0, &err));
}

/* Changes one byte of the entry of an index, which is found by the bytes that it holds: `at` counts
 * from the first of them, and the rowid follows the last one. Pages of indexes without children
 * begin with 10. */
static inline void change_entry(const struct repository_path *place, const void *bytes, size_t len,
				size_t at, unsigned char flip)
{
	enum { PAGE = 4096, INDEX_LEAF = 10 };
	unsigned char page[PAGE];
	size_t changed = 0;
	FILE *file = fopen(place->path, "r+b");
	ck_assert_ptr_nonnull(file);
	for (long start = 0; fread(page, 1, PAGE, file) == PAGE; start += PAGE) {
		unsigned char *found =
			page[0] == INDEX_LEAF ? memmem(page, PAGE, bytes, len) : NULL;
		if (!found)
			continue;
		found[at] ^= flip;
		changed++;
		ck_assert_int_eq(fseek(file, start, SEEK_SET), 0);
		ck_assert_uint_eq(fwrite(page, 1, PAGE, file), PAGE);
		ck_assert_int_eq(fflush(file), 0);
	}
	ck_assert_uint_eq(changed, 1);
	ck_assert_int_eq(fclose(file), 0);
}

/* The id of the commit of this number, two digits. */
#define OID(digits) "00000000000000000000000000000000000000" digits

/* Commit OID(number), whose first parent is OID(number - 1). */
static inline void add_commit(struct store *store, int number)
{
	struct error err = {0};
	char oid[41], parent[41];
	snprintf(oid, sizeof oid, "%040d", number);
	snprintf(parent, sizeof parent, "%040d", number > 0 ? number - 1 : 0);
	struct revision revision = {.oid = oid,
				    .tree = "t",
				    .patch_id = "p",
				    .subject = "s",
				    .parent = number ? parent : "",
				    .parents = number ? parent : "",
				    .position = number,
				    .time = 1700000000 + number};
	MUST(store_add_revision(store, &revision, &err));
}

static inline struct run *simple_run(struct arena *arena, const char *kernel, int commit,
				     double total_time)
{
	struct run *run = run_new(arena);
	run->kernel = kernel;
	run->dtype = "bf16";
	run->device = "trn2";
	run->instance_type = "trn2.3xlarge";
	run->cores = 2;
	run->tool = "neuron-profile";
	run->commit = arena_printf(arena, "%040d", commit);
	run_set(run, METRIC_TOTAL_TIME, total_time, PROVENANCE_MEASURED);
	return run;
}

static inline bool add_run(struct store *store, const struct run *run)
{
	struct error err = {0};
	char id[65];
	enum store_added added;
	MUST(store_add_run(store, run, id, &added, &err));
	return added;
}

static inline void fill_lists(struct arena *arena, struct run *run)
{
	struct run_engine tensor = {"tensor", 0x3p-16, true, {0}};
	for (int i = 0; i < TIMELINE_BINS; i++)
		tensor.timeline[i] = (float)i / 255;
	run_add_engine(arena, run, tensor);
	run_add_engine(arena, run, (struct run_engine){"dma", NAN, false, {0}});
	run_add_tally(arena, run,
		      (struct run_tally){TALLY_SOURCE, "mlp.py:7", 3, 0x1p-20, NAN, NAN});
	run_add_tally(arena, run, (struct run_tally){TALLY_OPCODE, "MATMUL", 9, 0x1p-19, NAN, 4e8});
	run_add_tally(arena, run, (struct run_tally){TALLY_MEMORY, "tensors", NAN, NAN, 5e6, NAN});
	run_add_tally(arena, run, (struct run_tally){TALLY_DMA_QUEUE, "", 1, 0.125, 2, NAN});
	run_add_throttle(arena, run, (struct run_throttle){1, "activity_0", 0, 0x5p-18, 0.5});
	run_add_throttle(arena, run, (struct run_throttle){-1, NULL, 0x5p-18, NAN, 1});
	run_add_core(arena, run, (struct run_core){"sg00", 63359, 1024, NAN, 0x1p-15});
	run_add_core(arena, run, (struct run_core){"sg01", NAN, 1025, 1e9, NAN});
	run_add_tensor(arena, run, (struct run_tensor){"x", "IN", "[128 512]", 131072});
	run_add_tensor(arena, run, (struct run_tensor){"w", NULL, NULL, NAN});
	run_add_attribute(arena, run, "compiler_version", "2.21.18209.0");
	run_add_attribute(arena, run, "host", NULL);
	run_add_note(arena, run, "Missing Data", "no \"DMA\" trace; it's µ-small\nand long");
	run_add_note(arena, run, "rooflog", "");
}

/* tests/golden/stores/v1.sql holds this run: change neither. Its numbers are short in binary and in
 * decimal, because SQLite does not read every decimal number as the nearest double. */
static inline struct run *full_run(struct arena *arena)
{
	static const struct {
		enum metric metric;
		double number;
	} rows[] = {
		{METRIC_HARDWARE_FLOPS, 0.375},
		{METRIC_TRANSPOSE_FLOPS, -0.0},
		{METRIC_HBM_READ_BYTES, 4503599627370497},
		{METRIC_HBM_WRITE_BYTES, 0},
		{METRIC_MFU, 0x1p-20},
		{METRIC_HFU, -1048576},
	};
	struct run *run = simple_run(arena, "mlp [fused]/a", 2, 0x1p-14);
	run->variant = "v'3\"";
	run_set_param(arena, run, "s", "512");
	run_set_param(arena, run, "b", "1");
	run_set_param(arena, run, "note", "a,b=\"µ\"");
	run->node = "n_0123";
	run->dirty = true;
	run->ingested_at = 1760000000;
	run->source = "out/profiles/mlp.json";
	run->kernel_hash = "f00d";
	for (size_t i = 0; i < COUNT_OF_ROWS(rows); i++)
		run_set(run, rows[i].metric, rows[i].number,
			(enum provenance)(PROVENANCE_MEASURED + i % 4));
	fill_lists(arena, run);
	return run;
}

/* tests/golden/stores/v2.sql holds full_run() with these repeats. */
static inline struct run *spread_run(struct arena *arena)
{
	static const double numbers[] = {0x1p-14, 0x3p-15, 0x1p-13};
	struct run *run = full_run(arena);
	run_add_spread(arena, run,
		       (struct run_spread){METRIC_TOTAL_TIME, 3, 0x1p-14, 0x3p-15, NAN, 0x1p-13,
					   0x1p-16, numbers, COUNT_OF_ROWS(numbers)});
	run_add_spread(arena, run,
		       (struct run_spread){METRIC_HOST_TIME, 20, NAN, NAN, 0.5, NAN, NAN, NULL, 0});
	return run;
}

/* tests/golden/stores/v3.sql and v4.sql hold this: spread_run() that may serve as history. */
static inline struct run *clean_run(struct arena *arena)
{
	struct run *run = spread_run(arena);
	run->dirty = false;
	return run;
}

static inline void same_text(const char *a, const char *b)
{
	ck_assert_pstr_eq(a, b);
}

/* Bit by bit, but one NAN is as good as another. */
static inline void same_number(double a, double b)
{
	ck_assert_msg((isnan(a) && isnan(b)) || memcmp(&a, &b, sizeof a) == 0, "%.17g, not %.17g",
		      a, b);
}

static inline void same_identity(const struct run *a, const struct run *b)
{
	same_text(a->kernel, b->kernel);
	same_text(a->variant, b->variant);
	same_text(a->dtype, b->dtype);
	same_text(a->device, b->device);
	same_text(a->instance_type, b->instance_type);
	ck_assert_int_eq(a->cores, b->cores);
	same_text(a->tool, b->tool);
	same_text(a->node, b->node);
	same_text(a->commit, b->commit);
	ck_assert_int_eq(a->dirty, b->dirty);
	ck_assert_int_eq(a->ingested_at, b->ingested_at);
	same_text(a->source, b->source);
	same_text(a->kernel_hash, b->kernel_hash);
	ck_assert_uint_eq(a->param_count, b->param_count);
	for (size_t i = 0; i < a->param_count; i++) {
		same_text(a->params[i].name, b->params[i].name);
		same_text(a->params[i].value, b->params[i].value);
	}
}

static inline void same_engines(const struct run *a, const struct run *b)
{
	ck_assert_uint_eq(a->engine_count, b->engine_count);
	for (size_t i = 0; i < a->engine_count; i++) {
		same_text(a->engines[i].name, b->engines[i].name);
		same_number(a->engines[i].active_time, b->engines[i].active_time);
		ck_assert_int_eq(a->engines[i].has_timeline, b->engines[i].has_timeline);
		ck_assert_mem_eq(a->engines[i].timeline, b->engines[i].timeline,
				 sizeof a->engines[i].timeline);
	}
}

static inline void same_tallies(const struct run *a, const struct run *b)
{
	ck_assert_uint_eq(a->tally_count, b->tally_count);
	for (size_t i = 0; i < a->tally_count; i++) {
		ck_assert_int_eq(a->tallies[i].kind, b->tallies[i].kind);
		same_text(a->tallies[i].name, b->tallies[i].name);
		same_number(a->tallies[i].count, b->tallies[i].count);
		same_number(a->tallies[i].seconds, b->tallies[i].seconds);
		same_number(a->tallies[i].bytes, b->tallies[i].bytes);
		same_number(a->tallies[i].flops, b->tallies[i].flops);
	}
}

static inline void same_cores(const struct run *a, const struct run *b)
{
	ck_assert_uint_eq(a->core_count, b->core_count);
	for (size_t i = 0; i < a->core_count; i++) {
		same_text(a->core_work[i].name, b->core_work[i].name);
		same_number(a->core_work[i].cycles, b->core_work[i].cycles);
		same_number(a->core_work[i].instructions, b->core_work[i].instructions);
		same_number(a->core_work[i].flops, b->core_work[i].flops);
		same_number(a->core_work[i].tensor_active_time, b->core_work[i].tensor_active_time);
	}
	ck_assert_uint_eq(a->throttle_count, b->throttle_count);
	for (size_t i = 0; i < a->throttle_count; i++) {
		ck_assert_int_eq(a->throttles[i].core, b->throttles[i].core);
		same_text(a->throttles[i].type, b->throttles[i].type);
		same_number(a->throttles[i].start, b->throttles[i].start);
		same_number(a->throttles[i].duration, b->throttles[i].duration);
		same_number(a->throttles[i].limit, b->throttles[i].limit);
	}
}

static inline void same_words(const struct run *a, const struct run *b)
{
	ck_assert_uint_eq(a->tensor_count, b->tensor_count);
	for (size_t i = 0; i < a->tensor_count; i++) {
		same_text(a->tensors[i].name, b->tensors[i].name);
		same_text(a->tensors[i].role, b->tensors[i].role);
		same_text(a->tensors[i].shape, b->tensors[i].shape);
		same_number(a->tensors[i].bytes, b->tensors[i].bytes);
	}
	ck_assert_uint_eq(a->attribute_count, b->attribute_count);
	for (size_t i = 0; i < a->attribute_count; i++) {
		same_text(a->attributes[i].key, b->attributes[i].key);
		same_text(a->attributes[i].text, b->attributes[i].text);
	}
	ck_assert_uint_eq(a->note_count, b->note_count);
	for (size_t i = 0; i < a->note_count; i++) {
		same_text(a->notes[i].category, b->notes[i].category);
		same_text(a->notes[i].message, b->notes[i].message);
	}
}

static inline void same_spreads(const struct run *a, const struct run *b)
{
	ck_assert_uint_eq(a->spread_count, b->spread_count);
	for (size_t i = 0; i < a->spread_count; i++) {
		const struct run_spread *x = &a->spreads[i], *y = &b->spreads[i];
		ck_assert_int_eq(x->metric, y->metric);
		same_number(x->count, y->count);
		same_number(x->minimum, y->minimum);
		same_number(x->median, y->median);
		same_number(x->mean, y->mean);
		same_number(x->maximum, y->maximum);
		same_number(x->deviation, y->deviation);
		ck_assert_uint_eq(x->number_count, y->number_count);
		for (size_t k = 0; k < x->number_count; k++)
			same_number(x->numbers[k], y->numbers[k]);
	}
}

static inline void same_run(const struct run *a, const struct run *b)
{
	same_identity(a, b);
	for (size_t i = 0; i < METRIC_COUNT; i++) {
		same_number(a->given[i].number, b->given[i].number);
		ck_assert_int_eq(a->given[i].provenance, b->given[i].provenance);
	}
	for (size_t i = 0; i <= COMPUTED_COUNT; i++)
		ck_assert_double_nan(b->derived[i]);
	same_engines(a, b);
	same_tallies(a, b);
	same_cores(a, b);
	same_words(a, b);
	same_spreads(a, b);
}

static inline struct store_run_list read_runs(struct store *store, struct arena *arena,
					      struct run_query query)
{
	struct error err = {0};
	struct store_run_list runs = {0};
	MUST(store_runs(store, arena, &query, &runs, &err));
	return runs;
}

#endif
