/* row_reader: what a table of columns makes of rows. */
#include "ingest/table/row_reader.h"

#include "unit/unit.h"

static const struct row_column columns[] = {
	{"op", .role = ROW_KERNEL, .required = true},
	{"impl", .role = ROW_VARIANT},
	{"type", .role = ROW_DTYPE},
	{"gpu", .role = ROW_DEVICE},
	{"mode", .role = ROW_PARAM, .as = "direction"},
	{"ms", .role = ROW_NUMBER, .required = true},
	{"MB", .role = ROW_NUMBER},
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
	.width = 2,
	.metrics = {METRIC_TOTAL_TIME, METRIC_DEVICE_MEMORY_BYTES},
	.divisors = {1e3, 1e-6},
	.left_out = "left out",
	.nothing = "nothing was timed",
};

static const struct {
	const char *text, *read; /* runs as listed() writes them, or the message */
} cases[] = {
	{"op,impl,type,gpu,mode,ms,MB,speedup\nadd,fast,bf16,h100-sxm,fwd,2,3,1.5\n",
	 "add fast bf16 h100-sxm [direction=fwd] 0.002 3000000; "},
	/* Repeats: neither results nor plain attributes distinguish rows. */
	{"op,ms,comment,speedup\nadd,1,a,1\nadd,3,b,2\nadd,2,a,1\n", "add [] 0.002; "},
	{"op,ms,version\nadd,1,v1\nadd,3,v2\n", "add [] 0.001; add [] 0.003; "},
	{"op,ms,n\nadd,1,8\nadd,3,9\n", "add [n=8] 0.001; add [n=9] 0.003; "},
	{"op,ms,n\nadd,1,-\nadd,3,\n", "add [] 0.002; "},
	/* A name that occurs twice is one parameter as long as its columns agree. */
	{"op,ms,n,n\nadd,1,8,8\n", "add [n=8] 0.001; "},
	{"op,ms,n,n\nadd,1,8,9\n", "add [n=8, n#4=9] 0.001; "},
	{"op,ms\nadd,0\nadd,\nmul,1\n", "mul [] 0.001; "},
	{"op,ms\nadd,0\n", "nothing was timed"},
	{"op,ms\n", "nothing was timed"},
	{"op,ms\n,1\n", "line 2: op is empty or no readable text"},
	{"op,ms\nadd,-1\n", "line 2: ms is negative"},
	{"op,ms\nadd,soon\n", "line 2: ms is \"soon\", which is no number"},
};

static const char *listed(struct arena *arena, const struct run_list *runs)
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
		ck_assert(row_reader_detect(&rows, text));
		int rc = row_reader_read(&rows, &arena, input, &result, &err);
		ck_assert_str_eq(rc < 0 ? err.text : listed(&arena, &result.runs), cases[i].read);
		input_close(input);
		arena_free(&arena);
	}
	ck_assert(!row_reader_detect(&rows, span_of("op,impl\n")));
}
END_TEST

UNIT_MAIN("row_reader", tables_become_runs)
