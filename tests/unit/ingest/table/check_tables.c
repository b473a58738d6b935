/* Maps of columns, plain tables, and the tables of benchmark programs beyond their samples. */
#include "ingest/table/column_map.h"
#include "ingest/table/table.h"
#include "tests/unit/ingest_fixture.h"
#include "ingest/registry/registry.h"

START_TEST(maps_are_understood)
{
	static const struct {
		const char *map;
		enum column_target target;
		const char *column;
		enum metric metric;
		double factor;
	} maps[] = {
		{"time=latency_ms:ms", COLUMN_METRIC, "latency_ms", METRIC_TOTAL_TIME, 1e-3},
		{"time:us", COLUMN_METRIC, "time", METRIC_TOTAL_TIME, 1e-6},
		{"total_time= t :ns", COLUMN_METRIC, "t", METRIC_TOTAL_TIME, 1e-9},
		{"host_time=t:min", COLUMN_METRIC, "t", METRIC_HOST_TIME, 60},
		{"mfu=\"a:b,c=d\":percent", COLUMN_METRIC, "a:b,c=d", METRIC_MFU, 0.01},
		{"mfu=x:%", COLUMN_METRIC, "x", METRIC_MFU, 0.01},
		{"mfu=x.y:fraction", COLUMN_METRIC, "x.y", METRIC_MFU, 1},
		{"device_memory_bytes=m:MB", COLUMN_METRIC, "m", METRIC_DEVICE_MEMORY_BYTES, 1e6},
		{"device_memory_bytes=m:MiB", COLUMN_METRIC, "m", METRIC_DEVICE_MEMORY_BYTES,
		 1048576},
		{"algorithmic_rate=r:TFLOPS", COLUMN_METRIC, "r", METRIC_ALGORITHMIC_RATE, 1e12},
		{"algorithmic_bandwidth=r:GB/s", COLUMN_METRIC, "r", METRIC_ALGORITHMIC_BANDWIDTH,
		 1e9},
		{"throughput=tok_per_s", COLUMN_METRIC, "tok_per_s", METRIC_THROUGHPUT, 1},
		{"launch_count=n", COLUMN_METRIC, "n", METRIC_LAUNCH_COUNT, 1},
		{"param:M,time:s", COLUMN_PARAM, "M", 0, 1},
		{"param:N=\"n:1\",time:s", COLUMN_PARAM, "n:1", 0, 1},
		{"attr:note=d,time:s", COLUMN_ATTRIBUTE, "d", 0, 1},
		{"commit,time:s", COLUMN_COMMIT, "commit", 0, 1},
		{"instance_type=i,time:s", COLUMN_INSTANCE_TYPE, "i", 0, 1},
	};
	for (size_t i = 0; i < sizeof maps / sizeof *maps; i++) {
		struct arena arena = {0};
		struct error err = {0};
		struct column_map map;
		ck_assert_msg(column_map_parse(&arena, maps[i].map, &map, &err) == 0, "%s: %s",
			      maps[i].map, err.text);
		const struct column_item *item = &map.items[0];
		ck_assert_msg(item->target == maps[i].target, "%s", maps[i].map);
		ck_assert_str_eq(item->column, maps[i].column);
		ck_assert(item->target != COLUMN_METRIC || item->metric == maps[i].metric);
		ck_assert_msg(fabs(item->multiplier / item->divisor / maps[i].factor - 1) < 1e-15,
			      "%s: %.17g", maps[i].map, item->multiplier / item->divisor);
		arena_free(&arena);
	}
}
END_TEST

START_TEST(maps_are_refused_with_a_question)
{
	static const struct {
		const char *map, *message;
	} maps[] = {
		{"", "--columns: no metric column; write for example time=latency_ms:ms"},
		{"kernel=op", "--columns: no metric column; write for example time=latency_ms:ms"},
		{"time=t",
		 "--columns time=t: unit missing; write time=t:UNIT with s, ms, us or ns"},
		{"mfu=m", "--columns mfu=m: unit missing; write mfu=m:UNIT with fraction (0 to 1) "
			  "or percent (0 to 100)"},
		{"mfu=m:ms", "--columns mfu: \"ms\" is not a valid unit for mfu; write fraction (0 "
			     "to 1) or percent (0 to 100)"},
		{"time=t:fortnight", "--columns time: \"fortnight\" is not a valid unit for "
				     "total_time; write s, ms, us or ns"},
		{"time=t:",
		 "--columns time: \"\" is not a valid unit for total_time; write s, ms, us or ns"},
		{"launch_count=t:ms",
		 "--columns launch_count: \"ms\" is not a valid unit for launch_count"},
		{"speed=t:ms",
		 "--columns: unknown target \"speed\"; use commit, kernel, variant, dtype, device, "
		 "instance_type, correct, param:NAME, params, attr:NAME, time or a metric name"},
		{"kernel=a:b,time:s", "--columns kernel: only metric columns take a unit, not "
				      "\"b\"; quote column names that contain a colon"},
		{"time=t:s,total_time=u:s", "--columns: total_time given twice"},
		{"param:M=a,param:M=b,time:s", "--columns: param:M given twice"},
		{"time:s,,", "--columns \"\": expected TARGET=COLUMN or TARGET=COLUMN:UNIT"},
		{"=x,time:s", "--columns \"=x\": expected TARGET=COLUMN or TARGET=COLUMN:UNIT"},
		{"kernel=,time:s",
		 "--columns \"kernel=\": expected TARGET=COLUMN or TARGET=COLUMN:UNIT"},
		{"param:=x,time:s", "--columns: param: needs a name after the colon"},
	};
	for (size_t i = 0; i < sizeof maps / sizeof *maps; i++) {
		struct arena arena = {0};
		struct error err = {0};
		struct column_map map;
		ck_assert_msg(column_map_parse(&arena, maps[i].map, &map, &err) < 0, "%s",
			      maps[i].map);
		ck_assert_int_eq(err.kind, ERR_USAGE);
		ck_assert_str_eq(err.text, maps[i].message);
		arena_free(&arena);
	}
}
END_TEST

static struct ingest_outcome read_mapped(const char *text, const char *columns, const char *locale)
{
	static struct input_hints hints;
	hints = (struct input_hints){.columns = columns, .locale = locale};
	struct input *input = input_of_bytes(span_of(text));
	input_set_hints(input, &hints);
	return ingest_input(NULL, input);
}

/* The first run's time, and the notes about the rows, each with a newline. */
static const struct {
	const char *text, *columns;
	size_t runs;
	double seconds;
	const char *notes;
} tables[] = {
	{"op,ms\ng,0.5\n", "kernel=op,time=ms:ms", 1, 0.5e-3, ""},
	{"op\tms\ng\t0.5\n", "kernel=op,time=ms:ms", 1, 0.5e-3, ""},
	{"op;ms\ng;0.5\n", "kernel=op,time=ms:ms", 1, 0.5e-3, ""},
	{"# c\n# d, e\nop,ms\n\ng,0.5\n", "kernel=op,time=ms:ms", 1, 0.5e-3, ""},
	{"\xef\xbb\xbfop,ms\r\ng,0.5\r\n", "kernel=op,time=ms:ms", 1, 0.5e-3, ""},
	{"op,t,t\ng,1,2\n", "kernel=op,time=t#2:s", 1, 2, ""},
	{"op,p\ng,\"{\"\"a\"\": {\"\"b\"\": 4}}\"\n", "kernel=op,time=p.a.b:s", 1, 4, ""},
	{"op,p.a\ng,3\n", "kernel=op,time=p.a:s", 1, 3, ""},
	{"{\"op\":\"g\",\"a.b\":{\"c\":5}}\n{\"op\":\"h\"}\n", "kernel=op,time=a.b.c:s", 1, 5,
	 "line 2: skipped: no value above 0\n"},
	{"{\"op\":\"g\",\"n\":8,\"f\":true,\"t\":\"6\"}\n", "kernel=op,param:n,param:f,time=t:s", 1,
	 6, ""},
	{"op,ms\ng,0.5\ng,1.5\nh,1\n", "kernel=op,time=ms:s", 2, 1,
	 "line 3: same kernel and parameters as an earlier row, stored as a repeat\n"},
	{"op,ms\ng,0.5,x\ng\nh,2\n", "kernel=op,time=ms:s", 1, 2,
	 "2 rows, first at line 2: skipped: cell count differs from the header\n"},
	{"c,op,ms\n,g,1\n-x,g,1\nab,g,2\n", "commit=c,kernel=op,time=ms:s", 1, 2,
	 "2 rows, first at line 2: skipped: no commit\n"},
	{"op,ms\ng,0\ng,OOM\nh,2\n", "kernel=op,time=ms:s", 1, 2,
	 "2 rows, first at line 2: skipped: no value above 0\n"
	 "line 3: text where a number is expected, treated as missing\n"},
	{"op,m,s\ng,1.5,1\nh,0.5,1\n", "kernel=op,mfu=m:fraction,time=s:s", 2, 1,
	 "m exceeds 1 (100 %) in 1 of 2 rows: the column is probably in percent, not a "
	 "fraction\n"},
	{"op,m,s\ng,0.07,1\nh,0.5,1\n", "kernel=op,mfu=m:percent,time=s:s", 2, 1,
	 "m is below 1 in every row: the column is probably a fraction, not percent\n"},
	{"op,m,s\ng,0.07,1\nh,50,1\n", "kernel=op,mfu=m:percent,time=s:s", 2, 1, ""},
	{"op,s,ok\ng,1,no\ng,2,yes\n", "kernel=op,time=s:s,correct=ok", 2, 1,
	 "line 2: result marked as incorrect; not used in comparisons\n"},
};

START_TEST(tables_are_read)
{
	for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
		struct ingest_outcome out = read_mapped(tables[i].text, tables[i].columns, NULL);
		ck_assert_msg(out.rc == 0, "%s: %s", tables[i].text, out.err.text);
		ck_assert_str_eq(out.used->name, "table");
		ck_assert_uint_eq(out.result.runs.count, tables[i].runs);
		const struct run *run = out.result.runs.items[0];
		struct strbuf notes = {0};
		ingest_number(run_number(run, METRIC_TOTAL_TIME), tables[i].seconds);
		for (size_t k = 0; k < run->note_count; k++)
			strbuf_addf(&notes, "%s\n", run->notes[k].message);
		ck_assert_str_eq(strbuf_text(&notes), tables[i].notes);
		strbuf_free(&notes);
		arena_free(&out.arena);
	}
}
END_TEST

START_TEST(tables_are_refused_with_their_place)
{
	static const struct {
		const char *text, *columns, *message;
	} bad[] = {
		{"op,ms\ng,\"1,234\"\n", "kernel=op,time=ms:ms",
		 "line 2: ms is \"1,234\", not a number; set the decimal separator with --decimal, "
		 "and do not group digits"},
		{"op,ms\ng,-1\n", "kernel=op,time=ms:ms",
		 "line 2: ms is \"-1\", negative or too large"},
		{"op,d,ms\ng,bf17,1\n", "kernel=op,dtype=d,time=ms:ms",
		 "line 2: d is \"bf17\", unknown dtype"},
		{"op,ms\n,1\n", "kernel=op,time=ms:ms", "line 2: op is empty: kernel name missing"},
		{"op,ms\n\xff,1\n", "kernel=op,time=ms:ms",
		 "line 2: op is \"?\", not one line of printable text"},
		{"op,ok,ms\ng,42,1\n", "kernel=op,correct=ok,time=ms:ms",
		 "line 2: ok is \"42\", not true or false"},
		{"op,p\ng,{\n", "kernel=op,time=p.a:ms",
		 "line 2: p.a: expected JSON in the cell: the JSON ends too early at line 1, "
		 "column 2 "
		 "(byte 1)"},
		{"{\"op\":\"g\",\"t\":1}\n{\"op\":\"g\",\"t\":2}\n", "kernel=op,time=s:ms",
		 "no row has a \"s\""},
		{"op,p\ng,{}\n", "kernel=op,time=p.a:ms", "no row has a \"p.a\""},
		/* The first row may say nothing of its work. */
		{"op,ms,f\ng,10,\ng,10,4e9\ng,1,4e8\n",
		 "kernel=op,time=ms:ms,hardware_flops=f:FLOP",
		 "lines 3 and 4 have the same kernel and parameters in the mapped columns, but f "
		 "is 4.000 GFLOP and 400.0 MFLOP: also map the column that distinguishes them "
		 "(n=COLUMN)"},
		{"op,ms,f\ng,10,\ng,9,\nh,10,1e9\ng,10,1e9\ng,8,\ng,1,4e8\n",
		 "kernel=op,time=ms:ms,hardware_flops=f:FLOP",
		 "lines 5 and 7 have the same kernel and parameters in the mapped columns, but f "
		 "is 1.000 GFLOP and 400.0 MFLOP: also map the column that distinguishes them "
		 "(n=COLUMN)"},
		{"{\"op\":\"g\",\"t\":1}\n{]\n", "kernel=op,time=t:ms",
		 "line 2 of the file: the JSON ends too early at line 1, column 3 (byte 2)"},
	};
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		struct ingest_outcome out = read_mapped(bad[i].text, bad[i].columns, NULL);
		ck_assert_msg(out.rc < 0, "%s", bad[i].text);
		ck_assert_str_eq(out.err.text, bad[i].message);
		ck_assert_uint_eq(out.result.runs.count, 0);
		arena_free(&out.arena);
	}
}
END_TEST

START_TEST(a_decimal_comma_is_read_when_it_is_said)
{
	struct ingest_outcome out = read_mapped("op;ms\ng;1,5\n", "kernel=op,time=ms:s", ",");
	ck_assert_msg(out.rc == 0, "%s", out.err.text);
	ingest_number(run_number(out.result.runs.items[0], METRIC_TOTAL_TIME), 1.5);
	arena_free(&out.arena);
	out = read_mapped("op;ms\ng;1.5\n", "kernel=op,time=ms:s", ",");
	ck_assert_int_lt(out.rc, 0);
	arena_free(&out.arena);
}
END_TEST

/* A map changes nothing for files that do not have its columns. */
START_TEST(a_map_is_for_tables_that_fit_it)
{
	static const char columns[] = "kernel=op,time=ms:ms";
	struct error why;
	ck_assert(table_fits(span_of("op,ms\n"), columns, &why));
	ck_assert(!table_fits(span_of("op,us\n"), columns, &why));
	ck_assert(!table_fits(span_of(""), columns, &why));
	ck_assert(!table_fits(span_of("{\"dtype\": \"bf16\", \"b\": 1}"), columns, &why));
	ck_assert(!table_fits(span_of("{\n\"op\": 1}"), columns, &why));
	ck_assert(table_fits(span_of("{\"op\": 1}\n{\"op\": 2}\n"), columns, &why));
	ck_assert(!table_fits(span_of("op,ms\n"), "kernel", &why));
	struct ingest_outcome out = read_mapped("{\"dtype\":\"bf16\"}", columns, NULL);
	ck_assert_int_eq(out.rc, 0);
	ck_assert_str_eq(out.used->name, "params");
	arena_free(&out.arena);
	ingest_refuses(&table_reader, "op,ms\ng,1\n",
		       "plain tables need a column mapping: give --columns");
}
END_TEST

/* --- benchmark programs --- */

#define CUTLASS                                                                                    \
	"Problem,Provider,OperationKind,Operation,Disposition,Status,m,A,op_class,Bytes,Flops,"    \
	"Runtime,GB/s,GFLOPs\n"

START_TEST(rates_of_cutlass_are_checked_in_both_units)
{
	static const struct {
		const char *row;
		bool noted;
	} rows[] = {
		{"1,C,gemm,g,passed,success,8,f16,tensorop,1073741824,2000000000,1000,1,2", false},
		{"1,C,gemm,g,passed,success,8,f16,tensorop,1000000000,2000000000,1000,1,2", false},
		{"1,C,gemm,g,passed,success,8,f16,tensorop,1000000000,2000000000,1000,1.1,2", true},
		{"1,C,gemm,g,passed,success,8,f16,tensorop,1000000000,2000000000,1000,1,3", true},
		{"1,C,gemm,g,passed,success,8,f16,tensorop,,,1000,1,3", false},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct arena arena = {0};
		struct ingest_outcome out =
			ingest_text(NULL, arena_printf(&arena, CUTLASS "%s\n", rows[i].row));
		ck_assert_msg(out.rc == 0, "%s", out.err.text);
		ck_assert_msg((out.result.runs.items[0]->note_count > 0) == rows[i].noted, "%s",
			      rows[i].row);
		arena_free(&out.arena);
		arena_free(&arena);
	}
}
END_TEST

START_TEST(types_of_cutlass)
{
	static const struct {
		const char *type, *op_class, *dtype;
	} types[] = {{"f16:row", "tensorop", "f16"},       {"s8:row", "tensorop", "int8"},
		     {"e4m3:row", "tensorop", "fp8_e4m3"}, {"f32:row", "simt", "f32"},
		     {"f32:row", "tensorop", NULL},        {"cf32:row", "simt", NULL}};
	for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
		struct arena arena = {0};
		struct ingest_outcome out = ingest_text(
			NULL,
			arena_printf(&arena, CUTLASS "1,C,gemm,g,failed,success,8,%s,%s,,,1,,\n",
				     types[i].type, types[i].op_class));
		ck_assert_msg(out.rc == 0, "%s", out.err.text);
		const struct run *run = out.result.runs.items[0];
		ck_assert_msg(span_text_eq(run->dtype, types[i].dtype), "%s: %s", types[i].type,
			      run->dtype ? run->dtype : "none");
		ck_assert_str_eq(run_attribute(run, "correctness"), "incorrect");
		arena_free(&out.arena);
		arena_free(&arena);
	}
}
END_TEST

START_TEST(perf_reports_are_strict)
{
	static const struct {
		const char *header;
		bool is_report;
	} headers[] = {
		{"N,Triton (ms)", true},
		{"M,N,Triton (GB/s),Torch (GB/s),Diff", true},
		{"N,Triton,Torch", false},
		{"Triton (ms),Torch (ms)", false},
		{"N,Triton (ms),Torch (GB/s)", false},
		{"N,Triton (ms),K", false},
		{"dataset,Memory Throughput (%),Occupancy (%)", false},
		{"N, (ms)", false},
		{"kernel,Triton (ms),Diff,x", false},
	};
	for (size_t i = 0; i < sizeof headers / sizeof *headers; i++) {
		struct arena arena = {0};
		struct error err;
		const struct reader *reader = reader_detect(
			span_of(arena_printf(&arena, "%s\n1,2,3\n", headers[i].header)), &err);
		ck_assert_msg((reader != NULL) == headers[i].is_report, "%s", headers[i].header);
		arena_free(&arena);
	}
}
END_TEST

/* Gaps between launches are in times without a CUDA graph, and CUPTI leaves them out. */
START_TEST(flashinfer_measurements_stay_apart)
{
	struct ingest_outcome out =
		ingest_text(NULL, "routine,median_time,std_time,tflops,tb_per_sec,backend,"
				  "no_cuda_graph,use_cupti,n,n\n"
				  "k,1,0,0,0,fa2,False,False,8,8\nk,3,0,0,0,fa2,True,False,8,8\n"
				  "k,9,0,0,0,fa2,False,True,8,9\n");
	static const struct {
		const char *tool, *params;
	} runs[] = {{"flashinfer", "n=8"},
		    {"flashinfer", "n=8, no_cuda_graph=True"},
		    {"flashinfer-cupti", "n=8, n#10=9"}};
	ck_assert_msg(out.rc == 0, "%s", out.err.text);
	ck_assert_uint_eq(out.result.runs.count, 3);
	for (size_t i = 0; i < 3; i++) {
		const struct run *run = out.result.runs.items[i];
		ck_assert_str_eq(run->tool, runs[i].tool);
		ck_assert_str_eq(run_params_text(&out.arena, run), runs[i].params);
	}
	arena_free(&out.arena);
}
END_TEST

UNIT_MAIN("tables", flashinfer_measurements_stay_apart, maps_are_understood,
	  maps_are_refused_with_a_question, tables_are_read, tables_are_refused_with_their_place,
	  a_decimal_comma_is_read_when_it_is_said, a_map_is_for_tables_that_fit_it,
	  rates_of_cutlass_are_checked_in_both_units, types_of_cutlass, perf_reports_are_strict)
