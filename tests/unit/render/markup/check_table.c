/* Tables: alignment, escaping, both printers. */
#include "unit/unit.h"

#include <string.h>

#include "render/markup/table.h"

static void check_both(const struct md_table *table, const char *markdown, const char *plain)
{
	struct strbuf out = {NULL, 0, 0};
	md_table_markdown(table, &out);
	ck_assert_str_eq(strbuf_text(&out), markdown);
	strbuf_reset(&out);
	md_table_plain(table, &out);
	ck_assert_str_eq(strbuf_text(&out), plain);
	strbuf_free(&out);
}

START_TEST(devlog_table_is_aligned)
{
	static const char *const cells[] = {
		"Duration", "45.26 µs", "49.3% faster", "Achieved TFLOPs/s",
		"8.90",     "+49.3%",   "MFU",          "5.66%",
		"--"};
	struct arena arena = {0};
	struct md_table table;
	md_table_init(&table, &arena);
	md_table_column(&table, "Metric", MD_ALIGN_LEFT);
	md_table_column(&table, "Value", MD_ALIGN_LEFT);
	md_table_column(&table, "vs Previous", MD_ALIGN_LEFT);
	for (size_t i = 0; i < sizeof cells / sizeof *cells; i++)
		md_table_cell(&table, cells[i]);
	ck_assert_uint_eq(md_table_rows(&table), 3);
	check_both(&table,
		   "| Metric            | Value    | vs Previous  |\n"
		   "| ----------------- | -------- | ------------ |\n"
		   "| Duration          | 45.26 µs | 49.3% faster |\n"
		   "| Achieved TFLOPs/s | 8.90     | +49.3%       |\n"
		   "| MFU               | 5.66%    | --           |\n",
		   "Metric             Value     vs Previous\n"
		   "Duration           45.26 µs  49.3% faster\n"
		   "Achieved TFLOPs/s  8.90      +49.3%\n"
		   "MFU                5.66%     --\n");
	arena_free(&arena);
}
END_TEST

START_TEST(rows_are_added_whole)
{
	struct arena arena = {0};
	struct md_table table = md_table_of(&arena, 0, "|name|>count|");
	md_table_row(&table, "a", NULL, "1", "");
	md_table_row(&table, md_no_cell, "b", "x", "10", "y");
	check_both(&table,
		   "|     | name    | count |     |\n"
		   "| --- | ------- | ----: | --- |\n"
		   "| a   | unknown |     1 |     |\n"
		   "| b   | x       |    10 | y   |\n",
		   "   name     count\n"
		   "a  unknown      1\n"
		   "b  x           10  y\n");
	arena_free(&arena);
}
END_TEST

START_TEST(cells_are_escaped_for_their_destination)
{
	struct arena arena = {0};
	struct md_table table;
	md_table_init(&table, &arena);
	md_table_column(&table, "n", MD_ALIGN_RIGHT);
	md_table_column(&table, "a|b", MD_ALIGN_LEFT);
	md_table_cell(&table, "1");
	md_table_cell(&table, "中`x`\n\x1b[31m");
	md_table_cell(&table, "12");
	md_table_cell(&table, NULL);
	md_table_cell(&table, "100");
	check_both(&table,
		   "|   n | a\\|b                    |\n"
		   "| --: | ----------------------- |\n"
		   "|   1 | 中\\`x\\` \\<U+001B\\>\\[31m |\n"
		   "|  12 | unknown                 |\n"
		   "| 100 |                         |\n",
		   "  n  a|b\n"
		   "  1  中`x` <U+001B>[31m\n"
		   " 12  unknown\n"
		   "100\n");
	arena_free(&arena);
}
END_TEST

START_TEST(no_rows_and_no_columns)
{
	struct arena arena = {0};
	struct md_table table;
	md_table_init(&table, &arena);
	check_both(&table, "", "");
	md_table_column(&table, "a", MD_ALIGN_RIGHT);
	check_both(&table, "|   a |\n| --: |\n", "a\n");
	ck_assert_str_eq(md_table_text(&table), "|   a |\n| --: |");
	arena_free(&arena);
}
END_TEST

START_TEST(a_narrow_table_keeps_every_word)
{
	struct arena arena = {0};
	struct strbuf out = {NULL, 0, 0};
	struct md_table table;
	md_table_init(&table, &arena);
	table.width = 36;
	md_table_column(&table, "kernel", MD_ALIGN_LEFT);
	md_table_column(&table, "time", MD_ALIGN_RIGHT);
	md_table_optional(&table, "MFU", MD_ALIGN_RIGHT);
	md_table_cell(&table, "matmul bf16 batch_size=64 hidden_size=4096");
	md_table_cell(&table, "1.250 ms");
	md_table_cell(&table, NULL);
	md_table_cell(&table, "µ_very_long_symbol_of_a_template_instance_L1013 s=1");
	md_table_cell(&table, "17 us");
	md_table_cell(&table, NULL);
	md_table_plain(&table, &out);
	ck_assert_str_eq(strbuf_text(&out), "kernel                          time\n"
					    "matmul bf16 batch_size=64   1.250 ms\n"
					    "hidden_size=4096\n"
					    "µ_very_long_...tance_L1013     17 us\n"
					    "s=1\n");
	strbuf_free(&out);
	arena_free(&arena);
}
END_TEST

/* What can be missed goes first, and only as far as needed; the text columns then have more room.
 */
START_TEST(expendable_columns_make_room)
{
	static const struct {
		size_t width;
		const char *printed;
	} cases[] = {
		{0, "series                      time    change       p    n\n"
		    "attention b=1 s=512  10000.00 us  +18.11 %  <0.001  1+3  = unchanged\n"},
		{65, "series                   time    change       p    n\n"
		     "attention b=1     10000.00 us  +18.11 %  <0.001  1+3  = unchanged\n"
		     "s=512\n"},
		{60, "series                      time    change    n\n"
		     "attention b=1 s=512  10000.00 us  +18.11 %  1+3  = unchanged\n"},
		{48, "series               time    change\n"
		     "attention     10000.00 us  +18.11 %  = unchanged\n"
		     "b=1 s=512\n"},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct arena arena = {0};
		struct strbuf out = {NULL, 0, 0};
		struct md_table table = md_table_of(&arena, cases[i].width, "series|>time|>change");
		md_table_expendable(&table, "p", MD_ALIGN_RIGHT);
		md_table_expendable(&table, "n", MD_ALIGN_RIGHT);
		md_table_column(&table, "", MD_ALIGN_LEFT);
		md_table_row(&table, "attention b=1 s=512", "10000.00 us", "+18.11 %", "<0.001",
			     "1+3", "= unchanged");
		md_table_plain(&table, &out);
		ck_assert_str_eq(strbuf_text(&out), cases[i].printed);
		strbuf_free(&out);
		arena_free(&arena);
	}
}
END_TEST

/* Half of a wide character does not fit: the rest of the column stays blank. A text that fits keeps
 * the blanks before its first word, a text that is cut loses them. */
START_TEST(wide_characters_are_cut_whole)
{
	struct arena arena = {0};
	struct strbuf out = {NULL, 0, 0};
	struct md_table table;
	md_table_init(&table, &arena);
	table.width = 20;
	md_table_column(&table, "kernel", MD_ALIGN_LEFT);
	md_table_column(&table, "time", MD_ALIGN_RIGHT);
	md_table_cell(&table, "行列積カーネル高速化");
	md_table_cell(&table, "17 us");
	md_table_cell(&table, " very_long_symbol_of_a_kernel");
	md_table_cell(&table, "9 us");
	md_table_cell(&table, " mlp");
	md_table_cell(&table, "8 us");
	md_table_plain(&table, &out);
	ck_assert_str_eq(strbuf_text(&out), "kernel          time\n"
					    "行列...速化    17 us\n"
					    "very_...ernel   9 us\n"
					    " mlp            8 us\n");
	strbuf_free(&out);
	arena_free(&arena);
}
END_TEST

/* Words that would look alike without their middle are cut elsewhere, or folded. */
START_TEST(shortened_words_never_look_alike)
{
	static const struct {
		const char *names[2], *printed;
	} cases[] = {
		{{"flash_attention_forward_kernel_v1_x", "flash_attention_forward_kernel_v2_x"},
		 "kernel           time\n"
		 "flash_..._v1_x  17 us\n"
		 "flash_..._v2_x   9 us\n"},
		{{"flash_attention_forward_1_kernel_x", "flash_attention_forward_2_kernel_x"},
		 "kernel           time\n"
		 "f...1_kernel_x  17 us\n"
		 "f...2_kernel_x   9 us\n"},
		{{"flash_attention_forward_fp32_backward_attention_flash",
		  "flash_attention_forward_bf16_backward_attention_flash"},
		 "kernel           time\n"
		 "flash_attentio  17 us\n"
		 "n_forward_fp32\n"
		 "_backward_atte\n"
		 "ntion_flash\n"
		 "flash_attentio   9 us\n"
		 "n_forward_bf16\n"
		 "_backward_atte\n"
		 "ntion_flash\n"},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct arena arena = {0};
		struct strbuf out = {NULL, 0, 0};
		struct md_table table = md_table_of(&arena, 21, "kernel|>time");
		md_table_row(&table, cases[i].names[0], "17 us");
		md_table_row(&table, cases[i].names[1], "9 us");
		md_table_plain(&table, &out);
		ck_assert_str_eq(strbuf_text(&out), cases[i].printed);
		strbuf_free(&out);
		arena_free(&arena);
	}
}
END_TEST

/* A megabyte without blanks takes milliseconds, not minutes. */
START_TEST(a_long_word_is_cut_in_linear_time)
{
	enum { LENGTH = 1 << 20 };
	struct arena arena = {0};
	struct strbuf out = {NULL, 0, 0}, word = {NULL, 0, 0};
	struct md_table table;
	strbuf_repeat(&word, "w", LENGTH);
	md_table_init(&table, &arena);
	table.width = 40;
	md_table_column(&table, "subject", MD_ALIGN_LEFT);
	md_table_column(&table, "time", MD_ALIGN_RIGHT);
	md_table_cell(&table, strbuf_text(&word));
	md_table_cell(&table, "17 us");
	md_table_plain(&table, &out);
	ck_assert_ptr_nonnull(strstr(strbuf_text(&out), "www...www"));
	ck_assert_uint_lt(out.len, 200);
	strbuf_free(&word);
	strbuf_free(&out);
	arena_free(&arena);
}
END_TEST

UNIT_MAIN("table", expendable_columns_make_room, shortened_words_never_look_alike,
	  a_long_word_is_cut_in_linear_time, wide_characters_are_cut_whole,
	  a_narrow_table_keeps_every_word, devlog_table_is_aligned, rows_are_added_whole,
	  cells_are_escaped_for_their_destination, no_rows_and_no_columns)
