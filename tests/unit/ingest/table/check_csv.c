/* Tables as text: cells, rows, names, numbers, and what is refused. */
#include "ingest/table/csv.h"

#include <math.h>
#include <string.h>

#include "base/strbuf.h"
#include "tests/unit/unit.h"

/* Rows joined by "/", cells by "|". */
static const struct {
	const char *text;
	char separator;
	const char *rows;
} tables[] = {
	{"", ',', ""},
	{"\n\r\n\n", ',', ""},
	{"a,b\n1,2\n", ',', "a|b/1|2"},
	{"a,b\n1,2", ',', "a|b/1|2"},
	{"a,b\r\n1,2\r\n", ',', "a|b/1|2"},
	{"\xef\xbb\xbf"
	 "a,b\n1,2\n",
	 ',', "a|b/1|2"},
	{"\xef\xbb\xbf\"a\",b\n", ',', "a|b"},
	{" a , b\t,c \n", ',', "a|b|c"},
	{"a\tb,c\td\n", '\t', "a|b,c|d"},
	{"a;b\n1,5;2\n", ';', "a|b/1,5|2"},
	{"\"a,b\",\"c\"\"d\",\"\"\n", ',', "a,b|c\"d|"},
	{"\"\"\"\"\n", ',', "\""},
	{"\"two\nlines\",x\ny,z\n", ',', "two\nlines|x/y|z"},
	{"\"a\" ,b\r\n\"c\"\r\n", ',', "a|b/c"},
	{"a\"b,c\n", ',', "a\"b|c"},
	{"a,\n,b\n,\n", ',', "a|/|b/|"},
	{"a\n\nb,c,d\ne,f\n", ',', "a/b|c|d/e|f"},
	{"\"a\",\"\"", ',', "a|"},
};

START_TEST(rows_are_cut_into_cells)
{
	for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
		struct arena arena = {0};
		struct strbuf sb = {0};
		struct error err = {0};
		struct csv csv = csv_of(&arena, span_of(tables[i].text), tables[i].separator);
		int rc;
		while ((rc = csv_next(&csv, &err)) > 0) {
			strbuf_addstr(&sb, sb.len ? "/" : "");
			for (size_t k = 0; k < csv.cell_count; k++) {
				strbuf_addstr(&sb, k ? "|" : "");
				strbuf_addspan(&sb, csv.cells[k]);
			}
		}
		ck_assert_msg(rc == 0, "%s: %s", tables[i].text, err.text);
		ck_assert_uint_eq(csv.cell_count, 0);
		ck_assert_str_eq(strbuf_text(&sb), tables[i].rows);
		strbuf_free(&sb);
		arena_free(&arena);
	}
}
END_TEST

START_TEST(damage_is_refused_with_its_line)
{
	static const struct {
		const char *text, *message;
	} bad[] = {
		{"a,b\n1,\"2\n3\n", "line 2: unterminated quote; the file is truncated or damaged"},
		{"\"", "line 1: unterminated quote; the file is truncated or damaged"},
		{"a\n\"x\ny\"\n\"b\"c\n", "line 4: text after a closing quote"},
		{"\"a\"\"b\" \"\n", "line 1: text after a closing quote"},
	};
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		struct arena arena = {0};
		struct error err = {0};
		struct csv csv = csv_of(&arena, span_of(bad[i].text), ',');
		int rc;
		while ((rc = csv_next(&csv, &err)) > 0)
			;
		ck_assert_int_eq(rc, -1);
		ck_assert_int_eq(err.kind, ERR_FORMAT);
		ck_assert_str_eq(err.text, bad[i].message);
		arena_free(&arena);
	}
}
END_TEST

START_TEST(cells_of_a_row_are_limited)
{
	struct arena arena = {0};
	struct error err = {0};
	struct strbuf sb = {0};
	strbuf_repeat(&sb, ",", csv_column_limit - 1);
	strbuf_addstr(&sb, "x\n");
	struct csv csv = csv_of(&arena, strbuf_span(&sb), ',');
	ck_assert_int_eq(csv_next(&csv, &err), 1);
	ck_assert_uint_eq(csv.cell_count, csv_column_limit);
	strbuf_reset(&sb);
	strbuf_addstr(&sb, "\n");
	strbuf_repeat(&sb, ",", csv_column_limit);
	csv = csv_of(&arena, strbuf_span(&sb), ',');
	ck_assert_int_eq(csv_next(&csv, &err), -1);
	ck_assert_str_eq(err.text, "line 2: more than 4096 cells in a row");
	strbuf_reset(&sb);
	strbuf_repeat(&sb, "a,", csv_known_limit);
	csv = csv_of(&arena, strbuf_span(&sb), ',');
	ck_assert_int_eq(csv_known_header(&csv, &err), -1);
	ck_assert_str_eq(err.text, "line 1: the table has more than 256 columns");
	csv = csv_of(&arena, span_of("\n"), ',');
	ck_assert_int_eq(csv_known_header(&csv, &err), -1);
	ck_assert_str_eq(err.text, "the table has no header row");
	csv = csv_of(&arena, span_of("a,b\n"), ',');
	ck_assert_int_eq(csv_known_header(&csv, &err), 0);
	strbuf_free(&sb);
	arena_free(&arena);
}
END_TEST

START_TEST(lines_are_counted_through_quotes)
{
	struct arena arena = {0};
	struct error err = {0};
	struct csv csv = csv_of(&arena, span_of("a\n\n\"b\nc\nd\"\ne\n"), ',');
	static const size_t lines[] = {1, 3, 6};
	for (size_t i = 0; i < 3; i++) {
		ck_assert_int_eq(csv_next(&csv, &err), 1);
		ck_assert_uint_eq(csv.line, lines[i]);
	}
	arena_free(&arena);
}
END_TEST

START_TEST(columns_are_known_by_name)
{
	struct arena arena = {0};
	struct error err = {0};
	struct csv csv = csv_of(&arena, span_of("n,k,n,\"a \"\"b\"\"\"\n1,2,3\n4\n"), ',');
	ck_assert_int_eq(csv_header(&csv, &err), 1);
	ck_assert_uint_eq(csv.name_count, 4);
	ck_assert_uint_eq(csv_column(&csv, "n"), 0);
	ck_assert_uint_eq(csv_column(&csv, "a \"b\""), 3);
	ck_assert(csv_has(&csv, "k") && !csv_has(&csv, "K"));
	ck_assert_int_eq(csv_next(&csv, &err), 1);
	ck_assert(span_is(csv_at(&csv, 2), "3") && span_is(csv_cell(&csv, "n"), "1"));
	ck_assert_uint_eq(csv_at(&csv, 3).len, 0);
	ck_assert_uint_eq(csv_cell(&csv, "nothing").len, 0);
	ck_assert_int_eq(csv_next(&csv, &err), 1);
	ck_assert_uint_eq(csv_cell(&csv, "k").len, 0);
	ck_assert_int_eq(csv_next(&csv, &err), 0);
	csv = csv_of(&arena, span_of("\n"), ',');
	ck_assert_int_eq(csv_header(&csv, &err), 0);
	arena_free(&arena);
}
END_TEST

START_TEST(numbers_are_strict)
{
	static const struct {
		const char *cell;
		double number; /* -1: refused */
	} cells[] = {
		{"0", 0},      {"1.5e-3", 1.5e-3}, {"12", 12},        {"", NAN},     {"nan", NAN},
		{"N/A", NAN},  {"-", NAN},         {"None", NAN},     {"NULL", NAN}, {"n/a", NAN},
		{"1 234", -1}, {"1_000", -1},      {"\"1,234\"", -1}, {"inf", -1},   {"1e999", -1},
		{"0x10", -1},  {"12ms", -1},       {"--", -1},
	};
	for (size_t i = 0; i < sizeof cells / sizeof *cells; i++) {
		struct arena arena = {0};
		struct error err = {0};
		double number = -2;
		struct csv csv = csv_of(
			&arena, span_of(arena_printf(&arena, "x,t\n1,%s\n", cells[i].cell)), ',');
		ck_assert(csv_header(&csv, &err) == 1 && csv_next(&csv, &err) == 1);
		int rc = csv_number(&csv, "t", &number, &err);
		if (cells[i].number == -1)
			ck_assert_msg(rc == -1 && strstr(err.text, "line 2: t is \""), "%s: %s",
				      cells[i].cell, err.text);
		else
			ck_assert_msg(rc == 0 && (number == cells[i].number ||
						  (isnan(number) && isnan(cells[i].number))),
				      "%s: %g", cells[i].cell, number);
		arena_free(&arena);
	}
}
END_TEST

START_TEST(amounts_are_not_negative)
{
	struct arena arena = {0};
	struct error err = {0};
	double number;
	struct csv csv = csv_of(&arena, span_of("a,b\n-1,2\n"), ',');
	ck_assert(csv_header(&csv, &err) == 1 && csv_next(&csv, &err) == 1);
	ck_assert_int_eq(csv_amount(&csv, "a", &number, &err), -1);
	ck_assert_str_eq(err.text, "line 2: a is negative");
	ck_assert_int_eq(csv_amount(&csv, "b", &number, &err), 0);
	ck_assert(number == 2);
	ck_assert_int_eq(csv_amount(&csv, "c", &number, &err), 0);
	ck_assert(isnan(number));
	arena_free(&arena);
}
END_TEST

START_TEST(texts_are_clean_or_nothing)
{
	struct arena arena = {0};
	struct error err = {0};
	struct csv csv = csv_of(&arena, span_of("a,b,c,d\n\xc3\xa9,\"x\ny\",\xff,\x7f\n"), ',');
	ck_assert(csv_header(&csv, &err) == 1 && csv_next(&csv, &err) == 1);
	ck_assert_str_eq(csv_text(&csv, "a"), "\xc3\xa9");
	ck_assert_ptr_null(csv_text(&csv, "b"));
	ck_assert_ptr_null(csv_text(&csv, "c"));
	ck_assert_ptr_null(csv_text(&csv, "d"));
	ck_assert_ptr_null(csv_text(&csv, "e"));
	arena_free(&arena);
}
END_TEST

/* A cell that is left out would make different work the same. */
START_TEST(known_rows_are_whole_and_readable)
{
	static const struct {
		const char *row, *message; /* NULL: it is taken */
	} rows[] = {
		{"1,\xc3\xa9", NULL},
		{"1", "line 2: 1 cell, but the header has 2; the file is truncated or damaged"},
		{"1,2,3",
		 "line 2: 3 cells, but the header has 2; the file is truncated or damaged"},
		{"1,\"x\ny\"", "line 2: b must be one line of printable text, at most 16384 bytes"},
		{"\xff,1", "line 2: a must be one line of printable text, at most 16384 bytes"},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct arena arena = {0};
		struct error err = {0};
		struct csv csv = csv_of(
			&arena, span_of(arena_printf(&arena, "a,b\n%s\n", rows[i].row)), ',');
		ck_assert(csv_known_header(&csv, &err) == 0 && csv_next(&csv, &err) == 1);
		ck_assert_int_eq(csv_known_row(&csv, &err), rows[i].message ? -1 : 0);
		ck_assert_str_eq(err.text, rows[i].message ? rows[i].message : "");
		arena_free(&arena);
	}
	struct arena arena = {0};
	struct error err;
	struct csv csv = csv_of(&arena, span_of("a,\"b\nc\"\n"), ',');
	ck_assert_int_eq(csv_known_header(&csv, &err), -1);
	ck_assert_str_eq(
		err.text,
		"line 1: the name of column 2 contains line breaks or unprintable characters");
	arena_free(&arena);
}
END_TEST

START_TEST(separators_are_guessed)
{
	static const struct {
		const char *text;
		char separator;
	} texts[] = {{"", ','},           {"a\n", ','},
		     {"a,b\tc,d\n", ','}, {"a\tb\tc,d", '\t'},
		     {"a;b;c", ';'},      {"\"a,b,c\";d\n1,2,3", ';'},
		     {"a\n;;;;", ','},    {"\"a\nb,,,\"\tc", '\t'}};
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
		ck_assert_msg(csv_guess_separator(span_of(texts[i].text)) == texts[i].separator,
			      "%s", texts[i].text);
}
END_TEST

UNIT_MAIN("csv", rows_are_cut_into_cells, damage_is_refused_with_its_line,
	  cells_of_a_row_are_limited, lines_are_counted_through_quotes, columns_are_known_by_name,
	  numbers_are_strict, amounts_are_not_negative, texts_are_clean_or_nothing,
	  known_rows_are_whole_and_readable, separators_are_guessed)
