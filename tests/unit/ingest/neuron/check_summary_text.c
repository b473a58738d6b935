/* summary-text: the block in the middle of a terminal's log, several of them, damaged ones. */
#include "ingest/reader.h"

#include <stdio.h>

#include "ingest/table/lines.h"
#include "tests/unit/ingest_fixture.h"

#define PROMPT "(venv) me@host:~$ neuron-profile view --output-format summary-text -n a.neff\n"
#define WARNING "WARN[0000] something is disabled for output format summary-text.\n"
#define NODE "n_0123456789abcdef0123456789abcdef01234567\n"

static struct ingest_outcome read_text(const char *text)
{
	struct ingest_outcome out = ingest_text(NULL, text);
	ck_assert_msg(out.rc == 0, "%s\n%s", text, out.err.text);
	ck_assert_ptr_eq(out.used, &neuron_summary_text_reader);
	return out;
}

START_TEST(reads_a_log)
{
	struct ingest_outcome out =
		read_text(PROMPT WARNING NODE "    total_time                 4.6470761e-05\n"
					      "    instance_type              trn2.3xlarge\n"
					      "    collectives_version        2.27.34 ()\n"
					      "    hbm_read_bytes             4210688\n"
					      "    throttle_active_nc0_time_ns 12645\n"
					      "    mfu_estimated_percent      0\n"
					      "    a_field_of_the_future      1 2 3\n"
					      "    ultraserver_id             \n"
					      "(venv) me@host:~$ exit\n"
					      "    total_time                 1\n");
	ck_assert_uint_eq(out.result.runs.count, 1);
	const struct run *run = out.result.runs.items[0];
	ck_assert_str_eq(run->node, "n_0123456789abcdef0123456789abcdef01234567");
	ck_assert_str_eq(run->tool, "neuron-profile");
	ck_assert_str_eq(run->device, "trn2");
	ck_assert_str_eq(run->instance_type, "trn2.3xlarge");
	ck_assert_str_eq(run_attribute(run, "collectives_version"), "2.27.34 ()");
	ck_assert_ptr_null(run_attribute(run, "ultraserver_id"));
	ingest_number(run->given[METRIC_TOTAL_TIME].number, 4.6470761e-05);
	ingest_number(run->given[METRIC_HBM_READ_BYTES].number, 4210688);
	ingest_number(run->given[METRIC_THROTTLE_TIME].number, 12645 * 1e-9);
	ingest_number(run->given[METRIC_MFU_ESTIMATED].number, 0);
	ingest_number(run->given[METRIC_HARDWARE_FLOPS].number, NAN);
	ck_assert_uint_eq(run->note_count, 0);
	arena_free(&out.arena);
}
END_TEST

/* Texts with one run that took 2 s, and the note they bring. */
static const struct {
	const char *text, *note;
} tolerated[] = {
	{NODE "    total_time    2\n", NULL},
	{NODE "    total_time    2",
	 "the last line has no line end; if the file was truncated there, total_time is wrong"},
	{NODE "    total_time    2\n    event_count    12\n    instance_type    trn2", NULL},
	{NODE "    total_time    2\n"
	      "    throttle_active_nc0_time_ns    12",
	 "the last line has no line end; if the file was truncated there, "
	 "throttle_active_nc0_time_ns is wrong"},
	{"n_0123456789abcdef\r\n    total_time    2\r\n", NULL},
	{"\xef\xbb\xbf" NODE "    total_time    2\n", NULL},
	{"\x1b[?2004l\r" NODE "    total_time    2\n", NULL},
	{NODE "\ttotal_time\t2\n", NULL},
	{NODE "\n    total_time    2\n\n", NULL},
	{NODE WARNING "    event_count  1\n" WARNING "    total_time    2\n", NULL},
	{NODE "    total_time    2\n\n  -n file.neff \\\n  -s file.ntff\n", NULL},
	{NODE "    total_time    +2.0e+00\n", NULL},
	{NODE "    total_time    1\n    total_time    2\n",
	 "fields repeated: 1; the last value of each is used"},
	{NODE "    total_time    2\n    hfu_estimated_percent    NaN\n",
	 "summary field hfu_estimated_percent is not a finite number; treated as unknown"},
	{NODE "    total_time    2\n    hfu_estimated_percent    +Inf\n",
	 "summary field hfu_estimated_percent is not a finite number; treated as unknown"},
	{NODE "    total_time    2\n    hbm_read_bytes    -1\n",
	 "summary field hbm_read_bytes is negative; treated as unknown"},
};

START_TEST(tolerates)
{
	for (size_t i = 0; i < sizeof tolerated / sizeof *tolerated; i++) {
		struct ingest_outcome out = read_text(tolerated[i].text);
		const struct run *run = out.result.runs.items[0];
		ck_assert_uint_eq(out.result.runs.count, 1);
		ingest_number(run->given[METRIC_TOTAL_TIME].number, 2);
		ck_assert_msg(run->note_count == (tolerated[i].note != NULL), "%s",
			      tolerated[i].text);
		ck_assert(!tolerated[i].note || ingest_has_note(run, tolerated[i].note));
		arena_free(&out.arena);
	}
}
END_TEST

START_TEST(reads_several_blocks)
{
	struct ingest_outcome out =
		read_text("n_aa\n    total_time    1\n"
			  "n_bb\n    total_time    2\n" PROMPT "n_aa\n    total_time    3\n");
	static const char *const nodes[] = {"n_aa", "n_bb", "n_aa"};
	ck_assert_uint_eq(out.result.runs.count, 3);
	for (size_t i = 0; i < 3; i++) {
		const struct run *run = out.result.runs.items[i];
		ck_assert_str_eq(run->node, nodes[i]);
		ingest_number(run->given[METRIC_TOTAL_TIME].number, (double)(i + 1));
	}
	arena_free(&out.arena);
}
END_TEST

static const struct {
	const char *text, *message;
} wrong[] = {
	{NODE "    total_time    2.5e\n", "line 2: total_time is \"2.5e\", not a number"},
	{NODE "    total_time    45.3 us\n", "line 2: total_time is \"45.3 us\", not a number"},
	{NODE "    total_time = 2\n", "line 2: total_time is \"= 2\", not a number"},
	{NODE "    total_time    0x10\n", "line 2: total_time is \"0x10\", not a number"},
	{NODE "    total_time    1e999\n", "line 2: total_time is \"1e999\", not a number"},
	{NODE "    total_time    2\n    hbm_read_bytes\n", "line 3: hbm_read_bytes has no value"},
	{NODE "    total_time    2\n    hbm_read_bytes",
	 "line 3: hbm_read_bytes has no value; the file is truncated there"},
	{NODE "    total_time    2\n    hbm_rea",
	 "line 3: hbm_rea has no value; the file is truncated there"},
	{NODE "    total_time    2\n    what: 3\n", "line 3: unknown summary field \"what: 3\""},
	{NODE "    total_time    2\n    compiler_version    a\xff"
	      "b\n",
	 "line 3: compiler_version is \"a?b\", not printable text"},
	{NODE "    total_time    2\n    compiler_version    a\x01\n",
	 "line 3: compiler_version is \"a?\", not printable text"},
	{PROMPT NODE PROMPT, "line 2: no known summary field after the node"},
	{NODE "    future    1\n", "line 1: no known summary field after the node"},
	{PROMPT, "no \"n_<hash>\" line found"},
};

START_TEST(refuses_the_wrong)
{
	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
		ingest_refuses(&neuron_summary_text_reader, wrong[i].text, wrong[i].message);
}
END_TEST

START_TEST(lines_are_those_of_a_terminal)
{
	struct lines lines = lines_of(span_of("a\r\n\n 10 %\r100 %\r\r\nend"));
	static const char *const expected[] = {"a", "", "100 %", "end"};
	struct span line;
	for (size_t i = 0; i < 4; i++) {
		ck_assert(lines_next(&lines, &line));
		ck_assert_uint_eq(lines.number, i + 1);
		ck_assert(lines.terminated == (i < 3));
		ck_assert_msg(span_is(line, expected[i]), "%zu", i);
	}
	ck_assert(!lines_next(&lines, &line));
	char out[lines_excerpt_size];
	ck_assert_str_eq(lines_excerpt(out, span_of("a\tb\xc3\xa9")), "a?b??");
	char longer[100];
	snprintf(longer, sizeof longer, "%090d", 0);
	ck_assert_uint_eq(strlen(lines_excerpt(out, span_of(longer))), lines_excerpt_size - 1);
}
END_TEST

UNIT_MAIN("summary_text", reads_a_log, tolerates, reads_several_blocks, refuses_the_wrong,
	  lines_are_those_of_a_terminal)
