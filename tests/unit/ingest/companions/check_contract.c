/* The files of a profiling run: its path, its tilings, the tables of its report. */
#include "ingest/companions/contract_path.h"

#include <stdio.h>

#include "ingest/reader.h"
#include "tests/unit/ingest_fixture.h"

START_TEST(paths)
{
	static const struct {
		const char *directory, *mode, *kernel, *timestamp;
	} rows[] = {
		{"out/profiles/ncu/mla/b1/2026", "ncu", "mla", "2026"},
		{"/x/profiles/event/mla/b1", "event", "mla", NULL},
		{"profiles/nsys", "nsys", NULL, NULL},
		{"profiles/annotation/k/p/t/deeper", "annotation", "k", "t"},
		{"profiles/profiles/ncu/k/p/t", "ncu", "k", "t"},
		{"ncu/mla/b1/2026", NULL, NULL, NULL},
		{"profiles/other/mla/b1/t", NULL, NULL, NULL},
		{".", NULL, NULL, NULL},
		{"", NULL, NULL, NULL},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct arena arena = {0};
		struct contract_path path = contract_path_of(&arena, rows[i].directory);
		ck_assert_pstr_eq(path.mode, rows[i].mode);
		ck_assert_pstr_eq(path.kernel, rows[i].kernel);
		ck_assert_pstr_eq(path.timestamp, rows[i].timestamp);
		arena_free(&arena);
	}
}
END_TEST

START_TEST(tuning_histories)
{
	static const struct {
		const char *text, *best;
		double seconds;
		const char *tried, *failed;
	} rows[] = {
		{"[{\"Bm\":1,\"time_ms\":2},{\"Bm\":2,\"time_ms\":1}]", "Bm=2", 1e-3, "2", "0"},
		{"{\"k\":\"x\",\"trials\":[{\"tiling\":{\"Bm\":8},\"duration_ns\":5}]}", "Bm=8",
		 5e-9, "1", "0"},
		{"[{\"cfg\":{\"a\":\"b\",\"w\":true},\"us\":4},{\"cfg\":{\"a\":1},\"us\":null}]",
		 "a=b, w=true", 4e-6, "2", "1"},
		{"[{\"config\":{\"n\":1},\"time_s\":0},{\"config\":{\"n\":2},\"time_s\":0.5}]",
		 "n=2", 0.5, "2", "1"},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct ingest_outcome out = ingest_text(NULL, rows[i].text);
		ck_assert_msg(out.rc == 0, "%s: %s", rows[i].text, out.err.text);
		ck_assert_str_eq(out.used->name, "autotuning");
		const struct companion *one = &out.result.companions.items[0];
		ck_assert_str_eq(one->directory, "tiling");
		ck_assert_str_eq(one->tallies[0].name, rows[i].best);
		ck_assert_double_eq_tol(one->tallies[0].seconds, rows[i].seconds, 1e-15);
		ck_assert_str_eq(one->attributes[0].text, rows[i].tried);
		ck_assert_str_eq(one->attributes[1].text, rows[i].failed);
		ck_assert_str_eq(one->attributes[2].text, rows[i].best);
		arena_free(&out.arena);
	}
}
END_TEST

START_TEST(tilings)
{
	static const struct {
		const char *text, *reader;
	} rows[] = {
		{"{\"Bm\":64}", "tiling"},
		{"{\"stage\":{\"BLOCK_M\":64,\"x\":\"y\"}}", "tiling"},
		{"{\"num_warps\":4,\"unset\":null}", "tiling"},
		{"{\"Bm\":64,\"dtype\":\"bf16\"}", "params"},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct ingest_outcome out = ingest_text(NULL, rows[i].text);
		ck_assert_msg(out.rc == 0, "%s: %s", rows[i].text, out.err.text);
		ck_assert_str_eq(out.used->name, rows[i].reader);
		arena_free(&out.arena);
	}
}
END_TEST

/* The headings that occur, their units, and cells in every spelling. */
START_TEST(report_cells)
{
	static const struct {
		const char *heading, *cell;
		double seconds;
	} rows[] = {
		{"Duration (us)", "45.5", 45.5e-6},   {"Duration", "45.5 us", 45.5e-6},
		{"Duration (ms)", "**1.5**", 1.5e-3}, {"duration (\xce\xbcs)", "2", 2e-6},
		{"DURATION", "3 \xc2\xb5s", 3e-6},    {"Duration (us)", "4 ns", 4e-9},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		char text[256];
		snprintf(text, sizeof text,
			 "| Kernel | %s | Occ%% |\n|--|--|--|\n| a | %s | 25 |\n", rows[i].heading,
			 rows[i].cell);
		struct ingest_outcome out = ingest_text(&profile_report_reader, text);
		ck_assert_msg(out.rc == 0, "%s: %s", text, out.err.text);
		const struct run *run = out.result.runs.items[0];
		ck_assert_double_eq_tol(run->given[METRIC_TOTAL_TIME].number, rows[i].seconds,
					1e-15);
		ck_assert_double_eq(run->given[METRIC_ACHIEVED_OCCUPANCY].number, 0.25);
		ck_assert_str_eq(run_param(run, "stage"), "a");
		arena_free(&out.arena);
	}
}
END_TEST

/* Only the words of reports stand for no figure; another program's are refused with their line. */
START_TEST(absent_figures)
{
	static const struct {
		const char *cell;
		bool absent;
	} rows[] = {
		{"--", true},       {"-", true},    {"n/a", true},   {"N/A", true},
		{"unknown", true},  {"", true},     {"nan", false},  {"None", false},
		{"Unknown", false}, {"NaN", false}, {"null", false}, {"N/a", false},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		char text[256], message[256];
		snprintf(text, sizeof text,
			 "| Kernel | Duration | Occ%% |\n|--|--|--|\n| a | 3 us | %s |\n",
			 rows[i].cell);
		snprintf(message, sizeof message,
			 "line 3: occ%% is \"%s\": expected a number with its unit", rows[i].cell);
		if (!rows[i].absent) {
			ingest_refuses(&profile_report_reader, text, message);
			continue;
		}
		struct ingest_outcome out = ingest_text(&profile_report_reader, text);
		ck_assert_msg(out.rc == 0, "%s: %s", text, out.err.text);
		ingest_number(out.result.runs.items[0]->given[METRIC_ACHIEVED_OCCUPANCY].number,
			      NAN);
		arena_free(&out.arena);
	}
	ingest_refuses(&profile_report_reader, "| Kernel | Duration |\n|--|--|\n| a | nan |\n",
		       "line 3: duration is \"nan\": expected a number with its unit");
}
END_TEST

/* Tables before and after a change are different work: neither is overwritten, nor a repeat. */
START_TEST(figures_that_occur_twice)
{
	static const struct {
		const char *text, *message;
	} rows[] = {
		{"| Stage | Duration |\n|--|--|\n| a | 3 us |\n\n"
		 "| Stage | Duration |\n|--|--|\n| a | 2 us |\n",
		 "line 7: a second value \"2 us\" for duration: put each run into its own file"},
		{"| Metric | Value |\n|--|--|\n| Duration | 3 us |\n\n"
		 "| Metric | Value |\n|--|--|\n| Duration | 2 us |\n",
		 "line 7: a second value \"2 us\" for duration: put each run into its own file"},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		ingest_refuses(&profile_report_reader, rows[i].text, rows[i].message);
	struct ingest_outcome out =
		ingest_text(&profile_report_reader,
			    "| Stage | Duration |\n|--|--|\n| a | 3 us |\n\n"
			    "| Stage | Duration | Occ% |\n|--|--|--|\n| a | 3 us | 25 |\n");
	ck_assert_msg(out.rc == 0, "%s", out.err.text);
	ck_assert_uint_eq(out.result.runs.count, 1);
	arena_free(&out.arena);
}
END_TEST

UNIT_MAIN("contract", paths, tuning_histories, tilings, report_cells, absent_figures,
	  figures_that_occur_twice)
