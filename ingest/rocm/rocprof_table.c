/* Columns and cells of tables written by AMD's profilers. */
#include "ingest/rocm/rocprof_table.h"

#include "ingest/table/tables.h"

size_t rocprof_find(const struct csv *csv, const char *const *spellings)
{
	for (size_t k = 0; spellings[k]; k++)
		for (size_t i = 0; i < csv->name_count; i++)
			if (span_is_any_case(csv->names[i], spellings[k]))
				return i;
	return csv_column_limit;
}

static int fail_cell(const struct csv *csv, size_t column, const char *what, struct error *err)
{
	char name[lines_excerpt_size], text[lines_excerpt_size];
	if (column >= csv->name_count)
		return error_set(err, ERR_FORMAT,
				 "line %zu: the begin or end column of the kernel is missing",
				 csv->line);
	return error_set(err, ERR_FORMAT, "line %zu: %s is \"%s\", %s", csv->line,
			 lines_excerpt(name, csv->names[column]),
			 lines_excerpt(text, csv_at(csv, column)), what);
}

int rocprof_number(const struct csv *csv, size_t column, double *number, struct error *err)
{
	struct span cell = csv_at(csv, column);
	*number = NAN;
	if (cell.len == 0 || span_is(cell, "nan") || span_is(cell, "N/A"))
		return 0;
	if (!span_number(cell, number))
		return fail_cell(csv, column, "not a number", err);
	return 0;
}

bool rocprof_nanoseconds(struct span cell, uint64_t *number)
{
	*number = 0;
	for (size_t i = 0; i < cell.len; i++) {
		if (cell.ptr[i] < '0' || cell.ptr[i] > '9' || *number > UINT64_MAX / 10 - 1)
			return false;
		*number = *number * 10 + (uint64_t)(cell.ptr[i] - '0');
	}
	return cell.len > 0;
}

struct span rocprof_symbol(struct span name)
{
	static const char *const suffixes[] = {" [clone .kd]", " (.kd)", ".kd"};
	name = span_trim(name);
	for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++)
		if (span_ends(name, suffixes[i]) && name.len > strlen(suffixes[i]))
			name.len -= strlen(suffixes[i]);
	return name;
}

void rocprof_sizes(struct launch *launch, const double grid[3], const double block[3])
{
	for (int i = 0; i < 3; i++)
		if (grid[i] >= 1 && block[i] >= 1) {
			launch->block[i] = block[i];
			launch->grid[i] = ceil(grid[i] / block[i]);
		}
}

bool rocprof_is_no_kernel(struct span name)
{
	static const char *const beginnings[] = {
		"hip",     "hsa_",       "__hip",    "roctx",           "ompt_",
		"MEMORY_", "HIP_",       "HSA_",     "KERNEL_DISPATCH", "MARKER_",
		"RCCL_",   "ROCDECODE_", "ROCJPEG_", "SCRATCH_"};
	if (span_starts(name, "Copy") && span_find(name, "To") < name.len)
		return true;
	for (size_t i = 0; i < sizeof beginnings / sizeof *beginnings; i++)
		if (span_starts(name, beginnings[i]) && span_find(name, "(") == name.len)
			return true;
	return false;
}

/* --- launches --- */

const struct launch_metric rocprof_metrics[ROCPROF_METRICS] = {
	[ROCPROF_TIME] = {METRIC_TOTAL_TIME, PROVENANCE_MEASURED, NULL},
	[ROCPROF_REGISTERS] = {METRIC_REGISTERS_PER_THREAD, PROVENANCE_MEASURED, NULL},
	[ROCPROF_SHARED] = {METRIC_SHARED_BYTES, PROVENANCE_MEASURED, NULL},
};
const struct launch_table rocprof_launches = {"rocprof", rocprof_metrics, ROCPROF_METRICS};

enum { BEGIN, END, VGPR, ACCUM, LDS, GRID, BLOCK = GRID + 3, NAME = BLOCK + 3, COLUMNS };
/* The spellings of all tools and versions. */
static const char *const spellings[COLUMNS][5] = {
	[BEGIN] = {"Start_Timestamp", "BeginNs"},
	[END] = {"End_Timestamp", "EndNs"},
	[VGPR] = {"arch_vgpr", "VGPR_Count", "vgpr"},
	[ACCUM] = {"accum_vgpr", "Accum_VGPR_Count"},
	[LDS] = {"LDS_Per_Workgroup", "lds", "LDS_Block_Size", "Group_Segment_Size"},
	[NAME] = {"Kernel_Name", "KernelName"},
};
/* By is_product: a product has no columns for the other dimensions. */
static const char *const sizes[2][NAME - GRID][3] = {
	{{"Grid_Size_X"},
	 {"Grid_Size_Y"},
	 {"Grid_Size_Z"},
	 {"Workgroup_Size_X"},
	 {"Workgroup_Size_Y"},
	 {"Workgroup_Size_Z"}},
	{[0] = {"Grid_Size", "grd"}, [BLOCK - GRID] = {"Workgroup_Size", "wgr"}},
};
_Static_assert(COLUMNS == sizeof((struct rocprof_columns *)0)->at / sizeof(size_t),
	       "one index a column");

struct rocprof_columns rocprof_columns_of(const struct csv *csv, bool is_product)
{
	struct rocprof_columns columns = {.is_product = is_product};
	for (int i = 0; i < COLUMNS; i++)
		columns.at[i] = rocprof_find(
			csv, i >= GRID && i < NAME ? sizes[is_product][i - GRID] : spellings[i]);
	return columns;
}

/* A time in nanoseconds. rocprof-compute 3 writes fractions, as doubles. */
struct moment {
	uint64_t whole;
	double fraction;
};

static bool read_moment(struct span cell, struct moment *moment)
{
	double number;
	moment->fraction = 0;
	if (rocprof_nanoseconds(cell, &moment->whole))
		return true;
	if (!span_number(cell, &number) || !(number >= 0 && number < 1e19))
		return false;
	moment->whole = (uint64_t)number;
	moment->fraction = number - (double)moment->whole;
	return true;
}

int rocprof_time(const struct csv *csv, const struct rocprof_columns *columns, double *seconds,
		 struct error *err)
{
	size_t begin = columns->at[BEGIN], end = columns->at[END];
	struct span first = csv_at(csv, begin), last = csv_at(csv, end);
	struct moment from, to;
	*seconds = NAN;
	if (first.len == 0 && last.len == 0)
		return 0;
	if (!read_moment(first, &from))
		return fail_cell(csv, begin, "not a time in nanoseconds", err);
	if (!read_moment(last, &to))
		return fail_cell(csv, end, "not a time in nanoseconds", err);
	if (to.whole < from.whole || (to.whole == from.whole && to.fraction < from.fraction))
		return fail_cell(csv, end, "before the kernel's begin", err);
	*seconds = ((double)(to.whole - from.whole) + (to.fraction - from.fraction)) / 1e9;
	return 0;
}

int rocprof_launch(const struct csv *csv, const struct rocprof_columns *columns,
		   struct launch *launch, struct error *err)
{
	const size_t *at = columns->at;
	double numbers[COLUMNS], *grid = &numbers[GRID], *block = &numbers[BLOCK];
	*launch = launches_unknown();
	for (int i = VGPR; i < NAME; i++)
		if (rocprof_number(csv, at[i], &numbers[i], err) < 0)
			return -1;
	if (columns->is_product && grid[0] >= 1 && block[0] >= 1)
		grid[1] = grid[2] = block[1] = block[2] = 1;
	rocprof_sizes(launch, grid, block);
	launch->values[ROCPROF_REGISTERS] =
		numbers[VGPR] + (isnan(numbers[ACCUM]) ? 0 : numbers[ACCUM]);
	launch->values[ROCPROF_SHARED] = numbers[LDS];
	launch->symbol = rocprof_symbol(csv_at(csv, at[NAME]));
	return 0;
}
