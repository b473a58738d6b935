/* row_reader: what a table of columns makes of rows. */
#include "ingest/table/row_reader.h"

#include "unit/unit.h"

static const struct row_column columns[] = {
	{"op", .role = ROW_KERNEL, .required = true},
	{"impl", .role = ROW_VARIANT},
	{"type", .role = ROW_DTYPE},
	{"gpu", .role = ROW_DEVICE},
	{"mode", .role = ROW_PARAM, .as = "direction"},
	{"ms", .role = ROW_VALUE, .metric = METRIC_TOTAL_TIME, .scale = 1e-3, .deviation = "std",
	 .required = true},
	{"MB", .role = ROW_VALUE, .metric = METRIC_DEVICE_MEMORY_BYTES, .scale = 1e6},
	{"GB/s", .role = ROW_RATE, .metric = METRIC_ALGORITHMIC_BANDWIDTH,
	 .count = METRIC_ALGORITHMIC_BYTES, .scale = 1e9},
	{"state", .role = ROW_RESULT, .only = "ok"},
	{"version", .role = ROW_ATTRIBUTE, .apart = true},
	{"comment", .role = ROW_ATTRIBUTE},
	{"speedup", .role = ROW_RESULT},
	{.role = ROW_END},
};

static const struct row_reader rows = {
	.tool = "bench",
	.size_limit = 1u << 20,
	.columns = columns,
	.rest_are_params = true,
	.none = "-",
	.left_out = "left out",
	.nothing = "nothing was timed",
};

/* A long table, its cells separated by semicolons. */
static const struct row_column long_columns[] = {
	{"x", .role = ROW_VALUE, .as = "speed", .unit = "ms", .shown = "ms",
	 .metric = METRIC_TOTAL_TIME, .scale = 1e-3},
	{"x", .role = ROW_VALUE, .as = "memory", .unit = "MB", .shown = "MiB",
	 .metric = METRIC_DEVICE_MEMORY_BYTES, .scale = 1048576},
	{"low", .role = ROW_QUANTILE, .as = "p20"},
	{"op", .role = ROW_KERNEL, .required = true},
	{"config", .role = ROW_PARAMS},
	{"size", .role = ROW_WORK},
	{"at", .role = ROW_PARAM, .title = "size", .filled = true},
	{.role = ROW_END},
};

static const struct row_reader long_rows = {
	.tool = "bench",
	.size_limit = 1u << 20,
	.separator = ';',
	.columns = long_columns,
	.names = "metric",
	.units = "unit",
	.left_out = "left out",
	.nothing = "nothing was timed",
};

static const struct row_column typed_columns[] = {
	{"op", .role = ROW_KERNEL, .required = true},
	{"ms", .role = ROW_VALUE, .metric = METRIC_TOTAL_TIME, .scale = 1e-3, .required = true},
	{"q", .role = ROW_OPERAND_DTYPE},
	{"flop", .role = ROW_STATED, .metric = METRIC_ALGORITHMIC_FLOPS},
	{.role = ROW_END},
};

static const struct row_reader typed_rows = {
	.tool = "bench",
	.size_limit = 1u << 20,
	.columns = typed_columns,
	.rest_are_params = true,
	.none = "-",
	.left_out = "left out",
	.nothing = "nothing was timed",
};

static const struct row_unit units[] = {
	{"us", METRIC_TOTAL_TIME, 1e-6}, {"MB", METRIC_DEVICE_MEMORY_BYTES, 1e6}, {.word = NULL}};
static const struct row_column no_columns[] = {{"ratio", .role = ROW_RESULT}, {.role = ROW_END}};

static const struct row_reader headings = {
	.tool = "bench",
	.size_limit = 1u << 20,
	.columns = no_columns,
	.headings = units,
	.rest_are_params = true,
	.left_out = "left out",
	.nothing = "nothing was timed",
};

static const struct {
	const struct row_reader *reader;
	const char *text, *read; /* runs as listed() writes them, or the message */
} cases[] = {
	{&rows, "op,impl,type,gpu,mode,ms,MB,speedup\nadd,fast,bf16,h100-sxm,fwd,2,3,1.5\n",
	 "add fast bf16 h100-sxm [direction=fwd] 0.002 3000000; "},
	/* Repeats: neither results nor plain attributes distinguish rows. */
	{&rows, "op,ms,comment,speedup\nadd,1,a,1\nadd,3,b,2\nadd,2,a,1\n", "add [] 0.002; "},
	{&rows, "op,ms,version\nadd,1,v1\nadd,3,v2\n", "add [] 0.001; add [] 0.003; "},
	{&rows, "op,ms,n\nadd,1,8\nadd,3,9\n", "add [n=8] 0.001; add [n=9] 0.003; "},
	{&rows, "op,ms,n\nadd,1,-\nadd,3,\n", "add [] 0.002; "},
	/* A name that occurs twice is one parameter as long as its columns agree. */
	{&rows, "op,ms,n,n\nadd,1,8,8\n", "add [n=8] 0.001; "},
	{&rows, "op,ms,n,n\nadd,1,8,9\n", "add [n=8, n#4=9] 0.001; "},
	{&rows, "op,ms\nadd,0\nadd,\nmul,1\n", "mul [] 0.001; "},
	{&rows, "op,ms\nadd,0\n", "nothing was timed"},
	{&rows, "op,ms\n", "nothing was timed"},
	{&rows, "op,ms\n,1\n", "line 2: op is empty or unprintable"},
	{&rows, "op,ms\nadd,-1\n", "line 2: ms is negative"},
	{&rows, "op,ms\nadd,soon\n", "line 2: ms is \"soon\", not a number"},
	/* An operand's dtype of "-" is none. */
	{&typed_rows, "op,ms,q\nadd,1,-\nadd,3,\nadd,5,bf16\n",
	 "add [] 0.002; add bf16 [] 0.005; "},
	/* Work that is counted differently is not a repeat. */
	{&typed_rows, "op,ms,flop\nadd,1,1e6\nadd,3,1.0001e6\nadd,2,\n", "add [] 0.002; "},
	{&typed_rows, "op,ms,flop\nadd,1,1e6\nmul,1,9e6\nadd,3,9e6\n",
	 "line 4 has the same kernel and parameters as an earlier line, but flop is 9.000 MFLOP, "
	 "there 1.000 MFLOP"},
	/* The deviation is that of a row; repeats have their own. */
	{&rows, "op,ms,std\nadd,2,0.5\n", "add [] 0.002 +-0.0005; "},
	{&rows, "op,ms,std\nadd,1,0.5\nadd,3,0.5\n", "add [] 0.002 +-0.00141421356; "},
	{&rows, "op,ms,std\nadd,2,-1\n", "line 2: std is negative"},
	{&rows, "op,ms,state\nadd,1,failed\nmul,1,ok\n", "mul [] 0.001; "},
	/* 3 MB in 2 ms; with 1.23456789 GB/s the count would not be whole. */
	{&rows, "op,ms,GB/s\nadd,2,1.5\n", "add [] 0.002 of 3000000; "},
	{&rows, "op,ms,GB/s\nadd,2,1.2345678912\n", "add [] 0.002; "},
	{&long_rows,
	 "op;metric;unit;x;low;size;at;config\n"
	 "add;speed;ms;2;1.5;n;8;\"{\"\"k\"\": 1, \"\"dtype\"\": \"\"bf16\"\"}\"\n"
	 "add;memory;MB;1;;n;8;\"{\"\"k\"\": 1, \"\"dtype\"\": \"\"bf16\"\"}\"\n",
	 "add bf16 [k=1, n=8] 0.002 1048576 from 1.5 ms; "},
	{&long_rows, "op;metric;unit;x;size;at\nadd;speed;s;2;n;8\n",
	 "line 2: metric \"speed\" in \"s\" is not supported; expected speed in ms and memory in "
	 "MB"},
	/* The unit is the cause. */
	{&long_rows, "op;metric;unit;x;size;at\nadd;speed;s;-2;n;8\n",
	 "line 2: metric \"speed\" in \"s\" is not supported; expected speed in ms and memory in "
	 "MB"},
	/* Different texts of the configuration are different parameters. */
	{&long_rows,
	 "op;metric;unit;x;size;at;config\n"
	 "add;speed;ms;1;n;8;\"{\"\"k\"\": \"\"a b\"\"}\"\n"
	 "add;speed;ms;2;n;8;\"{\"\"k\"\": \"\"a\\tb\"\"}\"\n"
	 "add;speed;ms;3;n;8;\"{\"\"k\"\": \"\" a b\"\"}\"\n",
	 "add [k=a b, n=8] 0.001; add [k=\"a\\tb\", n=8] 0.002; add [k= a b, n=8] 0.003; "},
	{&long_rows, "op;metric;unit;x;size;at\nadd;speed;ms;2;n;\n",
	 "line 2: at is empty or unprintable"},
	{&headings, "n,fast (us),slow (us),ratio\n8.0,2,4,2\n9.5,,6,\n",
	 "fast [n=8] 2e-06; slow [n=8] 4e-06; slow [n=9.5] 6e-06; "},
	/* Only columns after the variants are listed ones. */
	{&headings, "ratio,n,fast (us),ratio\n1,8,2,5\n2,8,4,6\n",
	 "fast [n=8, ratio=1] 2e-06; fast [n=8, ratio=2] 4e-06; "},
	{&headings, "n,fast (us),slow (us)\n8,1,4\n8.0,3,4\n",
	 "fast [n=8] 2e-06; slow [n=8] 4e-06; "},
	{&headings, "n,fast (us)\n8,-2\n", "line 2: column 2 is \"-2\", expected a time"},
};

static const char *listed(struct arena *arena, const struct run_list *runs, bool deviation)
{
	struct strbuf sb = {0};
	for (size_t i = 0; i < runs->count; i++) {
		const struct run *run = runs->items[i];
		double bytes = run_number(run, METRIC_DEVICE_MEMORY_BYTES);
		const char *words[] = {run->kernel, run->variant, run->dtype, run->device};
		for (size_t k = 0; k < sizeof words / sizeof *words; k++)
			if (words[k] && words[k][0])
				strbuf_addf(&sb, "%s ", words[k]);
		strbuf_addf(&sb, "[%s] %.9g", run_params_text(arena, run),
			    run_number(run, METRIC_TOTAL_TIME));
		if (bytes > 0)
			strbuf_addf(&sb, " %.9g", bytes);
		const struct run_spread *spread = run_spread(run, METRIC_TOTAL_TIME);
		if (spread && deviation && spread->deviation > 0)
			strbuf_addf(&sb, " +-%.9g", spread->deviation);
		double moved = run_number(run, METRIC_ALGORITHMIC_BYTES);
		if (moved > 0)
			strbuf_addf(&sb, " of %.9g", moved);
		if (run_attribute(run, "speed_p20"))
			strbuf_addf(&sb, " from %s", run_attribute(run, "speed_p20"));
		strbuf_addstr(&sb, "; ");
	}
	return strbuf_into(&sb, arena);
}

START_TEST(tables_become_runs)
{
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct arena arena = {0};
		struct error err = {0};
		struct ingest_result result = {0};
		struct span text = span_of(cases[i].text);
		struct input *input = input_of_bytes(text);
		const struct row_reader *reader = cases[i].reader;
		ck_assert(row_reader_detect(reader, text));
		int rc = row_reader_read(reader, &arena, input, &result, &err);
		ck_assert_str_eq(
			rc < 0 ? err.text
			       : listed(&arena, &result.runs, strstr(cases[i].text, "std") != NULL),
			cases[i].read);
		input_close(input);
		arena_free(&arena);
	}
	ck_assert(!row_reader_detect(&rows, span_of("op,impl\n")));
	ck_assert(!row_reader_detect(&long_rows, span_of("op,impl\n")));
	ck_assert(!row_reader_detect(&headings, span_of("fast (us),n\n")));
	ck_assert(!row_reader_detect(&headings, span_of("n,fast (us),slow (MB)\n")));
	ck_assert(!row_reader_detect(&headings, span_of("n,fast (us),ratio,ratio\n")));
}
END_TEST

/* Memory follows the size of the file, not parameters times variants times rows. */
START_TEST(repeated_rows_need_little_memory)
{
	enum { width = 100, row_count = 100 };
	struct arena arena = {0};
	struct error err = {0};
	struct ingest_result result = {0};
	struct strbuf text = {0};
	for (size_t i = 0; i < width; i++)
		strbuf_addf(&text, "p%zu,", i);
	for (size_t i = 0; i < width; i++)
		strbuf_addf(&text, "v%zu (us)%s", i, i + 1 < width ? "," : "\n");
	for (size_t k = 0; k < row_count; k++)
		for (size_t i = 0; i < 2 * width; i++)
			strbuf_addf(&text, "1%s", i + 1 < 2 * width ? "," : "\n");
	struct input *input = input_of_bytes(strbuf_span(&text));
	ck_assert_int_eq(row_reader_read(&headings, &arena, input, &result, &err), 0);
	ck_assert_uint_eq(result.runs.count, width);
	ck_assert_uint_lt(arena.used, 4u << 20);
	input_close(input);
	strbuf_free(&text);
	arena_free(&arena);
}
END_TEST

UNIT_MAIN("row_reader", tables_become_runs, repeated_rows_need_little_memory)
