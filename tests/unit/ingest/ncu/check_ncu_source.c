/* The source page of Nsight Compute: what its rows become, and what is refused. */
#include "ingest/reader.h"

#include "tests/unit/ingest_fixture.h"

#define SASS                                                                                       \
	"\"Kernel Name\",\"k(int)\",\n\"Address\",\"Source\",\"# Samples\",\"Instructions "        \
	"Executed\"\n"
#define LINES                                                                                      \
	"\"File Path\",\"/h/k.cu\"\n\"Function Name\",\"k\"\n"                                     \
	"\"Line No\",\"Source\",\"Address\",\"Source\",\"Instructions Executed\",\"stall_wait\"\n"

static struct ingest_outcome read_text(const char *text)
{
	struct ingest_outcome out = ingest_text(NULL, text);
	ck_assert_msg(out.rc == 0, "%s\n%s", text, out.err.text);
	ck_assert_str_eq(out.used->name, "ncu-source");
	return out;
}

static const struct run *only(const struct ingest_outcome *out)
{
	ck_assert_uint_eq(out->result.companions.count, 1);
	return out->result.companions.items[0].figures;
}

/* The index of a tally; it must be there. */
static size_t at(const struct run *run, enum tally_kind kind, const char *name)
{
	for (size_t i = 0; i < run->tally_count; i++)
		if (run->tallies[i].kind == kind && strcmp(run->tallies[i].name, name) == 0)
			return i;
	ck_abort_msg("no %s", name);
}

START_TEST(launches_are_added_up)
{
	struct ingest_outcome out =
		read_text(SASS "\"0x10\",\"@!P0  LDG.E R2, [R4]\",\"42\",\"1,000\"\n"
			       "\"0x20\",\"      LDG.E R3, [R4]\",\"8\",\"1,000\"\n" SASS
			       "\"0x10\",\"@!P0  LDG.E R2, [R4]\",\"40\",\"3,000\"\n"
			       "\"0x20\",\"      EXIT\",\"0\",\"-\"\n");
	const struct run *run = only(&out);
	ck_assert_str_eq(run->kernel, "k");
	ck_assert_str_eq(out.result.companions.items[0].tool, "ncu");
	size_t load = at(run, TALLY_OPCODE, "LDG.E");
	ingest_number(run->tallies[load].count, 5000);
	ingest_number(run_tally_figure(run, load, "samples"), 90);
	ingest_number(run->tallies[at(run, TALLY_OPCODE, "EXIT")].count, NAN);
	ck_assert(run_is_sampled(run));
	/* of one launch */
	ingest_number(run->given[METRIC_WARP_INSTRUCTIONS].number, 2500);
	ingest_number(run->given[METRIC_WARP_SAMPLES].number, 45);
	ingest_number(run->given[METRIC_LAUNCH_COUNT].number, 2);
	arena_free(&out.arena);
}
END_TEST

/* Quotes are not doubled, inlined instructions recur, and "..." has no numbers. */
START_TEST(lines_are_as_ncu_prints_them)
{
	struct ingest_outcome out =
		read_text("==PROF== Connected to process 7 (a)\n" LINES
			  "\"3\",\"f(\"a\",\"b\", \"\\\",\"c\");\r\",\"-\",\"-\",\"4\",\"3\"\r\n"
			  "\"\",\"\",\"0x10\",\"BAR.SYNC 0x0\",\"4\",\"3\"\n"
			  "\"\",\"\",\"...\",\"...\",\"-\",\"-\"\n"
			  "\"9\",\"\tg(\"\"d\"\");\",\"-\",\"-\",\"6\",\"5\"\n"
			  "\"\",\"\",\"0x10\",\"BAR.SYNC 0x0\",\"4\",\"3\"\n"
			  "\"\",\"\",\"0x20\",\"EXIT\",\"2\",\"2\"\n");
	const struct run *run = only(&out);
	size_t line = at(run, TALLY_SOURCE, "/h/k.cu:3");
	double samples;
	ingest_number(run->tallies[line].count, 4);
	ck_assert_str_eq(run_tally_text(run, line), "f(\"a\",\"b\", \"\\\",\"c\");");
	ck_assert_str_eq(run_tally_stall(run, line, &samples), "wait");
	ingest_number(samples, 3);
	ck_assert_str_eq(run_tally_text(run, at(run, TALLY_SOURCE, "/h/k.cu:9")), "g(\"d\");");
	ingest_number(run->tallies[at(run, TALLY_OPCODE, "BAR.SYNC")].count, 4);
	ingest_number(run->given[METRIC_WARP_INSTRUCTIONS].number, 6);
	ck_assert(ingest_has_note(run, "the source page has no warp samples; collect them with "
				       "--section SourceCounters or --set full"));
	arena_free(&out.arena);
}
END_TEST

/* The same file again is the next launch, another file is not. */
START_TEST(files_tell_launches_apart)
{
	static const char other[] =
		"\"File Path\",\"/h/k.cuh\"\n\"Function Name\",\"k\"\n"
		"\"Line No\",\"Source\",\"Address\",\"Source\",\"Instructions Executed\"\n"
		"\"1\",\"\",\"-\",\"-\",\"4\"\n\"\",\"\",\"0x10\",\"EXIT\",\"4\"\n";
	static const char one[] = LINES "\"3\",\"\",\"-\",\"-\",\"4\",\"0\"\n"
					"\"\",\"\",\"0x10\",\"EXIT\",\"4\",\"0\"\n";
	struct strbuf sb = {0};
	strbuf_addf(&sb, "%s%s%s%s", one, other, one, other);
	struct ingest_outcome out = read_text(strbuf_text(&sb));
	const struct run *run = only(&out);
	ingest_number(run->given[METRIC_LAUNCH_COUNT].number, 2);
	ingest_number(run->given[METRIC_WARP_INSTRUCTIONS].number, 4);
	ingest_number(run->tallies[at(run, TALLY_SOURCE, "/h/k.cuh:1")].count, 8);
	arena_free(&out.arena);
	strbuf_free(&sb);
}
END_TEST

START_TEST(overloads_stay_apart)
{
	struct ingest_outcome out =
		read_text(SASS "\"0x10\",\"EXIT\",\"1\",\"1\"\n"
			       "\"Kernel Name\",\"k(float)\",\n"
			       "\"Address\",\"Source\",\"# Samples\",\"Instructions Executed\"\n"
			       "\"0x10\",\"EXIT\",\"1\",\"1\"\n");
	ck_assert_uint_eq(out.result.companions.count, 2);
	for (size_t i = 0; i < 2; i++) {
		const struct companion *one = &out.result.companions.items[i];
		ck_assert_str_eq(one->kernel, "k");
		ck_assert_str_eq(run_param(one->figures, "symbol"), one->symbol);
	}
	arena_free(&out.arena);
}
END_TEST

/* A view of lines alone has no addresses, an older one other names, a cut one no kernel. */
START_TEST(other_views_and_versions)
{
	static const struct {
		const char *text;
		enum tally_kind kind;
		const char *name;
		double samples;
	} rows[] = {
		{"\"File Path\",\"k.cu\"\n\"Function Name\",\"k\"\n"
		 "\"Line No\",\"Source\",\"Warp Stall Sampling (All Cycles)\"\n\"3\",\"x\",\"5\"\n",
		 TALLY_SOURCE, "k.cu:3", 5},
		{"\"#\",\"Address\",\"Source\",\"Sampling Data (All)\",\"# Samples\"\n"
		 "\"1\",\"0x10\",\"BRA\",\"5\",\"6\"\n",
		 TALLY_OPCODE, "BRA", 5},
		{"\"#\",\"Address\",\"Source\",\"# Samples\"\n\"4\",\"\",\"y = x;\",\"70\"\n",
		 TALLY_SOURCE, "line 4", 70},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct ingest_outcome out = read_text(rows[i].text);
		const struct run *run = only(&out);
		ingest_number(run_tally_figure(run, at(run, rows[i].kind, rows[i].name), "samples"),
			      rows[i].samples);
		arena_free(&out.arena);
	}
}
END_TEST

START_TEST(the_rest_is_one_row)
{
	struct strbuf sb = {0};
	strbuf_addstr(&sb, SASS);
	for (int i = 0; i < 60; i++)
		strbuf_addf(&sb, "\"0x%d\",\"OP%d\",\"%d\",\"1\"\n", i, i, i + 1);
	struct ingest_outcome out = read_text(strbuf_text(&sb));
	const struct run *run = only(&out);
	size_t rest = at(run, TALLY_OPCODE, "(rest)");
	ck_assert_str_eq(run->tallies[0].name, "OP59");
	ingest_number(run->tallies[rest].count, 10);
	ingest_number(run_tally_figure(run, rest, "samples"), 55);
	arena_free(&out.arena);
	strbuf_free(&sb);
}
END_TEST

START_TEST(what_is_wrong_is_refused)
{
	static const struct {
		const char *text, *message;
	} wrong[] = {
		{SASS, "no rows: the source page ends after its header; the report has no source "
		       "information (ncu --section SourceCounters)"},
		{SASS "\"0x10\",\"EXIT\",\"1\"\n",
		 "line 3: 3 cells, but the header has 4; the file "
		 "is truncated or damaged"},
		{SASS "\"0x10\",\"EXIT\",\"-1\",\"1\"\n",
		 "line 3: column 3 is \"-1\", not a count"},
		{SASS "\"0x10\",\"EXIT\",\"1\",\"1e999\"\n",
		 "line 3: column 4 is \"1e999\", not a count"},
		{SASS "\"0x10\",\"EXIT\",\"1,5\",\"1\"\n\"0x20\",\"EXIT\",\"1.5\",\"1\"\n",
		 "line 3 has a decimal comma and line 4 a decimal point; choose one with "
		 "--decimal"},
		{LINES "\"3\",\"\",\"-\",\"-\",\"4\",\"0\"\n\"3e1\",\"\",\"-\",\"-\",\"4\",\"0\"\n",
		 "line 5: the line number is \"3e1\""},
		{"\"Address\",\"Source\",\"# Samples\"\n\"Kernel Name\",\"\xff\",\n"
		 "\"Address\",\"Source\",\"# Samples\"\n\"0x1\",\"EXIT\",\"1\"\n",
		 "line 4: the kernel name is not valid UTF-8"},
	};
	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
		ingest_refuses(NULL, wrong[i].text, wrong[i].message);
}
END_TEST

UNIT_MAIN("ncu source", launches_are_added_up, lines_are_as_ncu_prints_them,
	  files_tell_launches_apart, overloads_stay_apart, other_views_and_versions,
	  the_rest_is_one_row, what_is_wrong_is_refused)
