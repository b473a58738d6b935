/* show-session: the table, its nodes and cores, and tables that are not whole. */
#include "ingest/reader.h"

#include "tests/unit/ingest_fixture.h"

#define RULE "+---------+--------+\n"
#define HEAD RULE "| NODE ID | CYCLES |\n" RULE

static struct ingest_outcome read_text(const char *text)
{
	struct ingest_outcome out = ingest_text(NULL, text);
	ck_assert_msg(out.rc == 0, "%s\n%s", text, out.err.text);
	ck_assert_ptr_eq(out.used, &neuron_session_reader);
	return out;
}

static double given(const struct run *run, enum metric metric)
{
	return run->given[metric].number;
}

START_TEST(reads_two_cores)
{
	struct ingest_outcome out = read_text("neuron-profile show-session -s a.ntff\r\n"
					      "UUID: 5b2f0c1e-00aa\r\n"
					      "NTFF Version: 6\r\n"
					      "\r\n"
					      "+---------+------+\r\n"
					      "| NODE ID | EXEC TIME (NS) | EXECUTOR  | NAME | "
					      "TRACE |  CYCLES  | EVENTS | ERRORS |\r\n"
					      "+---------+------+\r\n"
					      "|       0 |              0 | ND 0 NC 4 | sg00 |   "
					      "800 | 42002434 |    513 |      0 |\r\n"
					      "|         |                | ND 0 NC 5 | sg01 |   "
					      "873 | 45256596 |    512 |      2 |\r\n"
					      "+---------+------+\r\n"
					      "done\r\n");
	ck_assert_uint_eq(out.result.runs.count, 1);
	const struct run *run = out.result.runs.items[0];
	ck_assert_str_eq(run->node, "0");
	ck_assert_str_eq(run->tool, "neuron-session");
	ck_assert_ptr_null(run->device);
	ck_assert_int_eq(run->cores, 2);
	ck_assert_str_eq(run_attribute(run, "uuid"), "5b2f0c1e-00aa");
	ck_assert_str_eq(run_attribute(run, "ntff_version"), "6");
	ingest_number(given(run, METRIC_TOTAL_TIME), 45.256596e-6);
	ingest_number(given(run, METRIC_TRACE_COUNT), 1673);
	ingest_number(given(run, METRIC_EVENT_COUNT), 1025);
	ingest_number(given(run, METRIC_CYCLE_COUNT), NAN);
	ingest_number(given(run, METRIC_TENSOR_INSTRUCTION_COUNT), NAN);
	ck_assert_uint_eq(run->core_count, 2);
	ck_assert_str_eq(run->core_work[1].name, "sg01");
	ingest_number(run->core_work[1].cycles, NAN);
	ingest_number(run->core_work[1].instructions, NAN);
	ck_assert_uint_eq(run->note_count, 3);
	ck_assert(ingest_has_note(run, "sg00 on ND 0 NC 4 ran for 42002434 ps"));
	ck_assert(ingest_has_note(run, "sg01 on ND 0 NC 5 ran for 45256596 ps"));
	ck_assert(ingest_has_note(run, "sg01 on ND 0 NC 5 recorded 2 errors"));
	for (size_t i = 0; i < run->note_count; i++)
		ck_assert_str_eq(run->notes[i].category, strstr(run->notes[i].message, "error")
								 ? "rooflog"
								 : "show-session");
	arena_free(&out.arena);
}
END_TEST

/* Columns are known by name wherever they stand. */
START_TEST(reads_instructions)
{
	struct ingest_outcome out = read_text(
		"| SYNC | CYCLES | TENSOR | VECTOR | SCALAR | GPSIMD | DMA QUEUES | NODE ID |\n"
		"|    1 |   1000 |      2 |      3 |      4 |      5 |          6 |       7 |\n"
		"|   10 |    999 |     20 |     30 |     40 |        |         60 |         |\n"
		"+-----+\n");
	const struct run *run = out.result.runs.items[0];
	ck_assert_str_eq(run->node, "7");
	ingest_number(given(run, METRIC_TOTAL_TIME), 1e-9);
	ingest_number(given(run, METRIC_SYNC_INSTRUCTION_COUNT), 11);
	ingest_number(given(run, METRIC_TENSOR_INSTRUCTION_COUNT), 22);
	ingest_number(given(run, METRIC_VECTOR_INSTRUCTION_COUNT), 33);
	ingest_number(given(run, METRIC_SCALAR_INSTRUCTION_COUNT), 44);
	ingest_number(given(run, METRIC_GPSIMD_INSTRUCTION_COUNT), NAN);
	ingest_number(given(run, METRIC_DMA_QUEUE_COUNT), 66);
	ingest_number(run->core_work[0].instructions, 15);
	ingest_number(run->core_work[1].instructions, NAN);
	ck_assert_str_eq(run->core_work[0].name, "core");
	arena_free(&out.arena);
}
END_TEST

START_TEST(reads_several_nodes_and_tables)
{
	struct ingest_outcome out =
		read_text("UUID: aa\n" HEAD "| 0 | 1000000000000 |\n"
			  "| 1 | 2000000000000 |\n"
			  "|   | 3000000000000 |\n"
			  "| 0 | 4000000000000 |\n" RULE "UUID: <REDACTED>\n" HEAD
			  "| 0 | 5000000000000 |\n" RULE);
	static const struct {
		const char *node, *uuid;
		int cores;
		double time;
	} expected[] = {{"0", "aa", 2, 4}, {"1", "aa", 2, 3}, {"0", NULL, 1, 5}};
	ck_assert_uint_eq(out.result.runs.count, 3);
	for (size_t i = 0; i < 3; i++) {
		const struct run *run = out.result.runs.items[i];
		const char *uuid = run_attribute(run, "uuid");
		ck_assert_str_eq(run->node, expected[i].node);
		ck_assert(!uuid == !expected[i].uuid);
		ck_assert(!uuid || strcmp(uuid, expected[i].uuid) == 0);
		ck_assert_int_eq(run->cores, expected[i].cores);
		ingest_number(given(run, METRIC_TOTAL_TIME), expected[i].time);
	}
	arena_free(&out.arena);
}
END_TEST

static const struct {
	const char *text, *message;
} wrong[] = {
	{HEAD "| 0 | 12 |\n", "line 4: the table is not closed; the file is truncated"},
	{HEAD "| 0 | 12", "line 4: the table starting at line 2 is truncated"},
	{HEAD "| 0 | 12 |\nlogout\n", "line 5: the table starting at line 2 is truncated"},
	{HEAD "| 0 |\n" RULE, "line 4: 1 cell, but the header has 2"},
	{HEAD "| 0 | 1 | 2 |\n" RULE, "line 4: 3 cells, but the header has 2"},
	{HEAD "| 0 | 1.5 |\n" RULE, "line 4: CYCLES is \"1.5\", not a whole number"},
	{HEAD "| 0 | -1 |\n" RULE, "line 4: CYCLES is \"-1\", not a whole number"},
	{HEAD "| 0 | 99999999999999999 |\n" RULE,
	 "line 4: CYCLES is \"99999999999999999\", too large"},
	{HEAD "| 0 | |\n" RULE, "line 4: CYCLES is empty"},
	{HEAD "| 0 | 0 |\n" RULE, "line 2: CYCLES of node 0 is 0: the kernel did not run"},
	{HEAD "| | 1 |\n" RULE, "line 4: the first row has no NODE ID"},
	{HEAD "| \xff | 1 |\n" RULE, "line 4: NODE ID is \"?\", not printable text"},
	{HEAD RULE, "line 2: the table has no rows"},
	{"| NODE ID | CYCLES | CYCLES |\n", "line 1: duplicate column \"CYCLES\""},
	{"| NODE ID | EVENTS |\n", "no table with NODE ID and CYCLES found"},
};

START_TEST(refuses_the_wrong)
{
	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
		ingest_refuses(&neuron_session_reader, wrong[i].text, wrong[i].message);
}
END_TEST

UNIT_MAIN("session", reads_two_cores, reads_instructions, reads_several_nodes_and_tables,
	  refuses_the_wrong)
