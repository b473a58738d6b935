/*
 * Databases of AMD's profilers: results.db of rocprof (table OPS), and rocprofv3's rocpd (tables
 * rocpd_kernel_dispatch, rocpd_info_kernel_symbol and rocpd_info_agent, whose names end with the id
 * of the session).
 */

#include "base/base.h"
#include "base/text/text.h"
#include "ingest/collect/collect.h"
#include "ingest/reader.h"
#include "ingest/rocm/rocprof_table.h"
#include "ingest/container/sqlite_file.h"

static const char dispatch_table[] = "rocpd_kernel_dispatch";

struct reading {
	struct sqlite_file *file;
	struct launches launches;
	const char *table; /* for messages */
};

static int read_time(const struct reading *r, struct sqlite_row *row, struct launch *launch,
		     struct error *err)
{
	double nanoseconds = sqlite_file_row_number(row, 0);
	if (!(nanoseconds >= 0))
		return error_set(err, ERR_FORMAT, "%s: kernel without a valid end time", r->table);
	launch->values[ROCPROF_TIME] = nanoseconds / 1e9;
	return 0;
}

/* --- rocprof: no sizes, no device name --- */

static int read_operation(void *context, struct sqlite_row *row, struct error *err)
{
	struct reading *r = context;
	struct launch launch = launches_unknown();
	launch.symbol = rocprof_symbol(sqlite_file_row_text(row, 1));
	if (span_is(launch.symbol, "<barrier packet>"))
		return 0;
	if (read_time(r, row, &launch, err) < 0)
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
	return sqlite_file_query(r->file, "SELECT EndNs - BeginNs, Name FROM OPS", read_operation,
				 r, err);
}

/* --- rocpd --- */

static int read_dispatch(void *context, struct sqlite_row *row, struct error *err)
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
	struct launch launch = launches_unknown();
	double grid[3], block[3], accumulators = sqlite_file_row_number(row, ACCUM);
	launch.symbol = sqlite_file_row_text(row, NAME);
	if (launch.symbol.len == 0)
		launch.symbol = sqlite_file_row_text(row, OTHER_NAME);
	launch.symbol = rocprof_symbol(launch.symbol);
	launch.device = span_trim(sqlite_file_row_text(row, DEVICE));
	if (!utf8_is_line(launch.device))
		launch.device = (struct span){"", 0};
	if (launch.symbol.len == 0)
		return error_set(err, ERR_FORMAT, "%s: kernel name missing", r->table);
	if (launch.device.len > 200)
		return error_set(err, ERR_FORMAT, "%s: a device name of %zu bytes is too long",
				 r->table, launch.device.len);
	for (int i = 0; i < 3; i++) {
		grid[i] = sqlite_file_row_number(row, GRID + i);
		block[i] = sqlite_file_row_number(row, BLOCK + i);
	}
	rocprof_sizes(&launch, grid, block);
	launch.values[ROCPROF_SHARED] = sqlite_file_row_number(row, LDS);
	launch.values[ROCPROF_REGISTERS] =
		sqlite_file_row_number(row, VGPR) + (isnan(accumulators) ? 0 : accumulators);
	if (read_time(r, row, &launch, err) < 0)
		return -1;
	if (launches_add(&r->launches, &launch, err) < 0)
		return error_prefix(err, "%s", r->table);
	return 0;
}

/* A table of the dispatches' session; NULL if it does not exist. */
static const char *session_table(const struct reading *r, const char *name)
{
	const char *session = r->table + strlen(dispatch_table);
	return sqlite_file_table(r->file, arena_printf(r->launches.arena, "%s%s", name, session),
				 false);
}

static bool has(const struct reading *r, const char *in, const char *column)
{
	return in && sqlite_file_has_column(r->file, in, column);
}

/* Up to schema version 2 the row of a dispatch has times and agent. Since version 3 it refers to
 * two timestamps, and to its agent by a track. */
static int join_times(const struct reading *r, struct strbuf *columns, struct strbuf *joins,
		      struct error *err)
{
	const char *times = session_table(r, "rocpd_timestamp");
	if (has(r, r->table, "start") && has(r, r->table, "end")) {
		strbuf_addstr(columns, "t.\"end\" - t.start");
		return 0;
	}
	if (!has(r, r->table, "start_id") || !has(r, r->table, "end_id") || !has(r, times, "id") ||
	    !has(r, times, "value"))
		return error_set(err, ERR_FORMAT, "%.100s has no times: the database is incomplete",
				 r->table);
	strbuf_addstr(columns, "e.value - b.value");
	strbuf_addf(joins,
		    " LEFT JOIN \"%s\" b ON b.id = t.start_id LEFT JOIN \"%s\" e ON e.id = "
		    "t.end_id",
		    times, times);
	return 0;
}

static int join_names(const struct reading *r, struct strbuf *columns, struct strbuf *joins,
		      struct error *err)
{
	const char *symbols = session_table(r, "rocpd_info_kernel_symbol");
	if (!has(r, symbols, "kernel_name") || !has(r, symbols, "id") ||
	    !has(r, r->table, "kernel_id"))
		return error_set(err, ERR_FORMAT,
				 "incomplete database: no table rocpd_info_kernel_symbol%.60s with "
				 "id and kernel_name",
				 r->table + strlen(dispatch_table));
	strbuf_addf(columns, ", %s, s.kernel_name",
		    has(r, symbols, "display_name") ? "s.display_name" : "NULL");
	strbuf_addf(joins, " LEFT JOIN \"%s\" s ON s.id = t.kernel_id", symbols);
	return 0;
}

static void join_agent(const struct reading *r, struct strbuf *columns, struct strbuf *joins)
{
	const char *agents = session_table(r, "rocpd_info_agent");
	const char *tracks = session_table(r, "rocpd_track");
	bool direct = has(r, r->table, "agent_id");
	bool by_track = has(r, r->table, "track_id") && has(r, tracks, "agent_id");
	if (!has(r, agents, "product_name") || (!direct && !by_track)) {
		strbuf_addstr(columns, ", NULL, ");
		return;
	}
	strbuf_addstr(columns, ", a.product_name, ");
	if (!direct)
		strbuf_addf(joins, " LEFT JOIN \"%s\" k ON k.id = t.track_id", tracks);
	strbuf_addf(joins, " LEFT JOIN \"%s\" a ON a.id = %s.agent_id", agents, direct ? "t" : "k");
}

/* Joins the tables of one session: the symbol has the name and registers, the agent the product
 * name. */
static int read_dispatches(struct reading *r, struct error *err)
{
	static const char *const sizes[] = {
		"grid_size_x",      "grid_size_y",      "grid_size_z",        "workgroup_size_x",
		"workgroup_size_y", "workgroup_size_z", "group_segment_size", NULL};
	const char *symbols = session_table(r, "rocpd_info_kernel_symbol");
	struct strbuf sql = {0}, joins = {0};
	strbuf_addstr(&sql, "SELECT ");
	int rc = join_times(r, &sql, &joins, err);
	if (rc == 0)
		rc = join_names(r, &sql, &joins, err);
	if (rc == 0) {
		join_agent(r, &sql, &joins);
		sqlite_file_columns(r->file, &sql, r->table, sizes);
		strbuf_addf(&sql, ", %s, %s FROM \"%s\" t%s",
			    has(r, symbols, "arch_vgpr_count") ? "s.arch_vgpr_count" : "NULL",
			    has(r, symbols, "accum_vgpr_count") ? "s.accum_vgpr_count" : "NULL",
			    r->table, joins.buf);
		rc = sqlite_file_query(r->file, sql.buf, read_dispatch, r, err);
	}
	strbuf_free(&sql);
	strbuf_free(&joins);
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
	struct reading r = {.launches = launches_of(arena, &rocprof_launches)};
	r.file = sqlite_file_open(arena, input, err);
	if (!r.file)
		return -1;
	if (sqlite_file_close(r.file, read_tables(&r, err), err) < 0)
		return -1;
	return launches_finish(
		&r.launches, &result->runs,
		arena_printf(arena, "the database has no kernels: %.80s is empty", r.table), err);
}

/* rocprof quotes the names of its tables. */
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
