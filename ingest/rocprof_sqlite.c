/* Kernels of rocprof's and rocprofv3's databases. */
#include "ingest/rocprof_sqlite.h"

#include <math.h>
#include <string.h>

#include "base/strbuf.h"
#include "ingest/launches.h"
#include "ingest/rocprof_table.h"
#include "ingest/sqlite_file.h"

enum { TIME, REGISTERS, SHARED };
static const struct launch_metric metrics[] = {
	[TIME] = {METRIC_TOTAL_TIME, PROVENANCE_MEASURED, NULL},
	[REGISTERS] = {METRIC_REGISTERS_PER_THREAD, PROVENANCE_MEASURED, NULL},
	[SHARED] = {METRIC_SHARED_BYTES, PROVENANCE_MEASURED, NULL},
};
static const struct launch_table table = {"rocprof", metrics, sizeof metrics / sizeof *metrics};

static const char dispatch_table[] = "rocpd_kernel_dispatch";

struct reading {
	struct sqlite_file *file;
	struct launches launches;
	const char *table; /* for messages */
};

static int take_time(const struct reading *r, struct sqlite_row *row, struct launch *launch,
		     struct error *err)
{
	double nanoseconds = sqlite_row_number(row, 0);
	if (!(nanoseconds >= 0))
		return error_set(err, ERR_FORMAT,
				 "%s: a kernel has no end, or ends before it begins", r->table);
	launch->values[TIME] = nanoseconds / 1e9;
	return 0;
}

/* --- rocprof: no sizes, no device name --- */

static int take_operation(void *context, struct sqlite_row *row, struct error *err)
{
	struct reading *r = context;
	struct launch launch = launch_unknown();
	launch.symbol = rocprof_symbol(sqlite_row_text(row, 1));
	if (span_is(launch.symbol, "<barrier packet>"))
		return 0;
	if (take_time(r, row, &launch, err) < 0)
		return -1;
	if (launches_add(&r->launches, &launch, err) < 0)
		return error_prefix(err, "%s", r->table);
	return 0;
}

static int read_operations(struct reading *r, struct error *err)
{
	static const char *const wanted[] = {"BeginNs", "EndNs", "Name", NULL};
	for (size_t i = 0; wanted[i]; i++)
		if (!sqlite_file_has_column(r->file, r->table, wanted[i]))
			return error_set(err, ERR_FORMAT, "%s has no column %s", r->table,
					 wanted[i]);
	return sqlite_file_query(r->file, "SELECT EndNs - BeginNs, Name FROM OPS", take_operation,
				 r, err);
}

/* --- rocpd --- */

static int take_dispatch(void *context, struct sqlite_row *row, struct error *err)
{
	enum {
		DURATION,
		NAME,
		OTHER_NAME,
		DEVICE,
		GRID,
		BLOCK = GRID + 3,
		LDS = BLOCK + 3,
		VGPR,
		ACCUM
	};
	struct reading *r = context;
	struct launch launch = launch_unknown();
	double grid[3], block[3], accumulators = sqlite_row_number(row, ACCUM);
	launch.symbol = sqlite_row_text(row, NAME);
	if (launch.symbol.len == 0)
		launch.symbol = sqlite_row_text(row, OTHER_NAME);
	launch.symbol = rocprof_symbol(launch.symbol);
	launch.device = span_trim(sqlite_row_text(row, DEVICE));
	if (launch.symbol.len == 0)
		return error_set(err, ERR_FORMAT, "%s: a kernel's name is not in the file",
				 r->table);
	if (launch.device.len > 200)
		return error_set(err, ERR_FORMAT, "%s: a device name of %zu bytes", r->table,
				 launch.device.len);
	for (int i = 0; i < 3; i++) {
		grid[i] = sqlite_row_number(row, GRID + i);
		block[i] = sqlite_row_number(row, BLOCK + i);
	}
	rocprof_sizes(&launch, grid, block);
	launch.values[SHARED] = sqlite_row_number(row, LDS);
	launch.values[REGISTERS] =
		sqlite_row_number(row, VGPR) + (isnan(accumulators) ? 0 : accumulators);
	if (take_time(r, row, &launch, err) < 0)
		return -1;
	if (launches_add(&r->launches, &launch, err) < 0)
		return error_prefix(err, "%s", r->table);
	return 0;
}

/* The three tables of one session, joined: names and registers are those of the symbol, the
 * product name is that of the agent. */
static int read_dispatches(struct reading *r, struct error *err)
{
	static const char *const launch_columns[] = {
		"grid_size_x",      "grid_size_y",      "grid_size_z",        "workgroup_size_x",
		"workgroup_size_y", "workgroup_size_z", "group_segment_size", NULL};
	const char *session = r->table + strlen(dispatch_table);
	struct arena *arena = r->launches.arena;
	const char *symbols = sqlite_file_table(
		r->file, arena_printf(arena, "rocpd_info_kernel_symbol%s", session), false);
	const char *agents = sqlite_file_table(
		r->file, arena_printf(arena, "rocpd_info_agent%s", session), false);
	struct strbuf sql = {0};
	if (!symbols || !sqlite_file_has_column(r->file, symbols, "kernel_name") ||
	    !sqlite_file_has_column(r->file, symbols, "id"))
		return error_set(err, ERR_FORMAT,
				 "there is no table rocpd_info_kernel_symbol%.60s with id and "
				 "kernel_name: the database is not whole",
				 session);
	bool display = sqlite_file_has_column(r->file, symbols, "display_name");
	bool vgpr = sqlite_file_has_column(r->file, symbols, "arch_vgpr_count");
	bool accum = sqlite_file_has_column(r->file, symbols, "accum_vgpr_count");
	bool product = agents && sqlite_file_has_column(r->file, agents, "product_name") &&
		       sqlite_file_has_column(r->file, r->table, "agent_id");
	strbuf_addf(&sql, "SELECT t.\"end\" - t.start, %s, s.kernel_name, %s, ",
		    display ? "s.display_name" : "NULL", product ? "a.product_name" : "NULL");
	sqlite_file_columns(r->file, &sql, r->table, launch_columns);
	strbuf_addf(&sql, ", %s, %s FROM \"%s\" t LEFT JOIN \"%s\" s ON s.id = t.kernel_id",
		    vgpr ? "s.arch_vgpr_count" : "NULL", accum ? "s.accum_vgpr_count" : "NULL",
		    r->table, symbols);
	if (product)
		strbuf_addf(&sql, " LEFT JOIN \"%s\" a ON a.id = t.agent_id", agents);
	int rc = sqlite_file_query(r->file, sql.buf, take_dispatch, r, err);
	strbuf_free(&sql);
	return rc;
}

/* --- the file --- */

static int read_tables(struct reading *r, struct error *err)
{
	r->table = sqlite_file_table(r->file, dispatch_table, true);
	if (r->table)
		return read_dispatches(r, err);
	r->table = sqlite_file_table(r->file, "OPS", false);
	if (r->table)
		return read_operations(r, err);
	return error_set(
		err, ERR_FORMAT,
		"the database has no kernels (no table OPS or rocpd_kernel_dispatch): they "
		"were not traced (rocprof --hip-trace, rocprofv3 --kernel-trace)");
}

static int read_rocprof(struct arena *arena, struct input *input, struct ingest_result *result,
			struct error *err)
{
	struct reading r = {.launches = launches_of(arena, &table)};
	r.file = sqlite_file_open(arena, input, err);
	if (!r.file)
		return -1;
	int rc = read_tables(&r, err);
	sqlite_file_close(r.file);
	if (rc < 0)
		return -1;
	if (r.launches.count == 0)
		return error_set(err, ERR_FORMAT, "the database has no kernels: %.80s is empty",
				 r.table);
	kernel_runs_add(arena, launches_works(&r.launches), r.launches.group_count, &result->runs);
	return 0;
}

/* rocprof quotes the names of its few tables. */
static bool detect(struct span head)
{
	static const char *const words[] = {"rocpd_", "TABLE OPS (\"BeginNs\"",
					    "TABLE KERN (\"Index\"", "TABLE HIP (\"BeginNs\"",
					    NULL};
	return sqlite_file_looks_like(head, words);
}

const struct reader rocprof_sqlite_reader = {"rocprof-sqlite",
					     "AMD rocprof results.db and rocprofv3 rocpd",
					     NEEDS_DEVICE, detect, read_rocprof};
