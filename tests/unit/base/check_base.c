/* base: spans, quantities, JSON, hashes. */
#include "unit/unit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/embedded.h"
#include "base/json/json.h"
#include "base/text/fill.h"
#include "base/text/quantity.h"
#include "base/hash/sha256.h"
#include "base/text/shown.h"
#include "base/text/utf8.h"

START_TEST(copies_end_where_the_text_ends)
{
	struct arena arena = {0};
	char *whole = malloc(4); /* on the heap: sanitizers see a read beyond it */
	ck_assert_ptr_nonnull(whole);
	for (size_t i = 0; i < 4; i++)
		whole[i] = "abc"[i];
	ck_assert_str_eq(arena_prefix(&arena, whole, 10), "abc");
	ck_assert_str_eq(arena_prefix(&arena, whole, 2), "ab");
	ck_assert_str_eq(arena_prefix(&arena, whole, 0), "");
	free(whole);
	arena_free(&arena);
}
END_TEST

START_TEST(quantities_read_as_people_write_them)
{
	static const struct {
		double number;
		enum unit unit;
		const char *text;
	} rows[] = {
		{4.5256596e-05, UNIT_SECOND, "45.26 us"},
		{0.0187, UNIT_SECOND, "18.70 ms"},
		{9.9996e-7, UNIT_SECOND, "1.000 us"},
		{0, UNIT_SECOND, "0.000 s"},
		{3.13e3, UNIT_SECOND, "3130 s"},
		{6815744, UNIT_BYTE, "6.816 MB"},
		{0, UNIT_BYTE, "0 B"},
		{512, UNIT_BYTE, "512 B"},
		{157.2864e12, UNIT_FLOP_PER_SECOND, "157.3 TFLOP/s"},
		{716e9, UNIT_BYTE_PER_SECOND, "716.0 GB/s"},
		{59.076923, UNIT_FLOP_PER_BYTE, "59.08 FLOP/B"},
		{219.67, UNIT_FLOP_PER_BYTE, "219.7 FLOP/B"},
		{0.056566, UNIT_FRACTION, "5.657 %"},
		{1, UNIT_FRACTION, "100.0 %"},
		{0.0001222, UNIT_FRACTION, "0.01222 %"},
		{3458, UNIT_COUNT, "3,458"},
		{-1234567, UNIT_COUNT, "-1,234,567"},
		{12, UNIT_COUNT, "12"},
		{NAN, UNIT_BYTE, "unknown"},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct arena arena = {0};
		ck_assert_str_eq(quantity_text(&arena, rows[i].number, rows[i].unit), rows[i].text);
		arena_free(&arena);
	}
}
END_TEST

/* One number (before NAN), or both sides of a change. */
START_TEST(short_quantities_have_three_digits)
{
	static const struct {
		double before, after;
		enum unit unit;
		const char *text;
	} rows[] = {
		{NAN, 1.9e-6, UNIT_SECOND, "1.90 us"},
		{NAN, 999.6e-6, UNIT_SECOND, "1.00 ms"},
		{NAN, 0.9996, UNIT_NONE, "1.00"},
		{NAN, 99.96, UNIT_FLOP_PER_BYTE, "100 FLOP/B"},
		{NAN, 0.05657, UNIT_FRACTION, "5.66 %"},
		{NAN, 0, UNIT_BYTE, "0 B"},
		{NAN, 3458, UNIT_COUNT, "3,458"},
		{66.2e-6, 78.44e-6, UNIT_SECOND, "66.2 -> 78.4 us"},
		{999.6e-6, 1.31e-3, UNIT_SECOND, "1.00 -> 1.31 ms"},
		{998.9e-6, 1.0052e-3, UNIT_SECOND, "0.9989 -> 1.005 ms"},
		{1e-6, 1e-3, UNIT_SECOND, "1.00 us -> 1.00 ms"},
		{0, 1.2e6, UNIT_BYTE, "0 B -> 1.20 MB"},
		{12, 3458, UNIT_COUNT, "12 -> 3,458"},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct strbuf text = {0};
		if (isnan(rows[i].before))
			quantity_add_short(&text, rows[i].after, rows[i].unit);
		else
			quantity_add_sides(&text, rows[i].before, rows[i].after, rows[i].unit);
		ck_assert_str_eq(strbuf_text(&text), rows[i].text);
		strbuf_free(&text);
	}
}
END_TEST

START_TEST(numbers_of_a_column_share_a_scale)
{
	static const struct {
		double numbers[3];
		enum unit unit;
		const char *unit_text, *texts[3];
	} rows[] = {
		{{41.24e-6, 39.04e-6, 33.09e-6}, UNIT_SECOND, "us", {"41.24", "39.04", "33.09"}},
		{{1.001e-3, 998.9312e-3, 19.99e-3}, UNIT_SECOND, "ms", {"1.00", "998.93", "19.99"}},
		{{0.2525, NAN, 0.5}, UNIT_FRACTION, "%", {"25.25", "unknown", "50.00"}},
		{{6.15e6, 0, 6.15e6}, UNIT_BYTE, "MB", {"6.150", "0.000", "6.150"}},
		{{3458, 12, 0}, UNIT_COUNT, "", {"3,458", "12", "0"}},
		{{1e-9, 1, 2}, UNIT_NONE, "", {"1.00e-09", "1.0000", "2.0000"}},
		{{1.3084162e9, 1.25e-3, 1}, UNIT_NONE, "", {"1.31e+09", "0.0013", "1.0000"}},
		{{NAN, 0, 0}, UNIT_SECOND, "s", {"unknown", "0.000", "0.000"}},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct arena arena = {0};
		struct quantity_scale scale = quantity_scale_of(rows[i].numbers, 3, rows[i].unit);
		ck_assert_str_eq(scale.text, rows[i].unit_text);
		for (size_t k = 0; k < 3; k++)
			ck_assert_str_eq(quantity_scaled_text(&arena, &scale, rows[i].numbers[k]),
					 rows[i].texts[k]);
		arena_free(&arena);
	}
}
END_TEST

START_TEST(pages_write_micro_as_a_letter)
{
	static const char *const rows[][2] = {
		{"66.2 us", "66.2 µs"},
		{"1 to 2 us, then 3 us.", "1 to 2 µs, then 3 µs."},
		{"Total time, us", "Total time, µs"},
		{"总耗时，us", "总耗时，µs"},
		{"至多 5 us（共 6 us），", "至多 5 µs（共 6 µs），"},
		{"us", "µs"},
		{"use 5 used usually bus 5us", "use 5 used usually bus 5us"},
		{"2 us_copy of us", "2 us_copy of us"},
		{"", ""},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct strbuf out = {0};
		quantity_add_typeset(&out, span_of(rows[i][0]));
		ck_assert_str_eq(strbuf_text(&out), rows[i][1]);
		strbuf_free(&out);
	}
}
END_TEST

START_TEST(quantities_are_parsed_with_units)
{
	static const struct {
		const char *text;
		enum unit unit;
		double number; /* NAN: refused */
	} rows[] = {
		{"45.26 us", UNIT_SECOND, 45.26e-6},
		{"716GB/s", UNIT_BYTE_PER_SECOND, 716e9},
		{"78.6432 TFLOP/s", UNIT_FLOP_PER_SECOND, 78.6432e12},
		{"30 %", UNIT_FRACTION, 0.3},
		{"0.3", UNIT_FRACTION, 0.3},
		{"1.2e9", UNIT_HERTZ, 1.2e9},
		{"2.4 GHz", UNIT_HERTZ, 2.4e9},
		{"5 ms", UNIT_BYTE, NAN},
		{"", UNIT_SECOND, NAN},
		{"fast", UNIT_SECOND, NAN},
		{"5 Ts", UNIT_SECOND, NAN},
		{"1e999", UNIT_SECOND, NAN},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		double number = NAN;
		bool ok = quantity_parse(span_of(rows[i].text), rows[i].unit, &number);
		ck_assert_msg(ok == !isnan(rows[i].number), "%s", rows[i].text);
		if (ok)
			ck_assert_double_eq_tol(number / rows[i].number, 1, 1e-12);
	}
}
END_TEST

START_TEST(json_is_strict)
{
	static const struct {
		const char *text;
		const char *error; /* NULL: accepted */
	} rows[] = {
		{"{\"a\": 1}", NULL},
		{"\xef\xbb\xbf{\"a\": 1}", NULL},
		{"", "empty"},
		{"  \n", "empty"},
		{"{\"a\": 1} x", "line 1, column 10"},
		{"{\"a\": 1", "ends too early"},
		{"{\"a\": 1e999}", "too large"},
		{"{\"a\": 12345678901234567}", "2^53"},
		{"{\"a\": \"\xff\"}", "invalid UTF-8 at line 1, column 8"},
		{"{\"a\": \"\\u0000\"}", "NUL"},
		{"{\n\"a\": tru}", "line 2"},
		{"[\"\\\"\\\\\\/\\b\\f\\n\\r\\t\\u00e9\\uD83D\\ude00\", -0.5e+10, 0, -0]\r\n\t ",
		 NULL},
		{"[01]", "malformed number at line 1, column 2"},
		{"[1.]", "malformed number"},
		{"[-.5]", "malformed number"},
		{"[-]", "malformed number"},
		{"[1e]", "malformed number"},
		{"[1e+]", "malformed number"},
		{"[1.5.2]", "malformed number"},
		{"[+1]", "invalid JSON"},
		{"[.5]", "invalid JSON"},
		{"[NaN]", "invalid JSON"},
		{"[1,\x01 2]", "control character at line 1, column 4"},
		{"[1,\f2]", "control character"},
		{"[\"a\nb\"]", "control character in a string at line 1, column 4"},
		{"[\"\t\"]", "control character in a string"},
		{"[\"\\u12g4\"]", "malformed escape at line 1, column 3"},
		{"[\"\\u12\"]", "malformed escape"},
		{"[\"\\x41\"]", "malformed escape"},
		{"[\"\\ud83d\"]", "malformed escape"},
		{"[\"\\ud83d\\u0041\"]", "malformed escape"},
		{"[\"\\ude00\"]", "malformed escape"},
		{"[\"\\", "ends too early"},
		{"[\"abc", "ends too early"},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct arena arena = {0};
		struct error err = {0};
		struct json *json = json_parse(&arena, span_of(rows[i].text), &err);
		ck_assert_msg((json != NULL) == (rows[i].error == NULL), "%s: %s", rows[i].text,
			      err.text);
		if (rows[i].error)
			ck_assert_msg(strstr(err.text, rows[i].error) != NULL, "%s: %s",
				      rows[i].text, err.text);
		arena_free(&arena);
	}
}
END_TEST

START_TEST(json_integers_are_exact_or_refused)
{
	static const struct {
		const char *text;
		double number; /* NAN: refused */
	} rows[] = {
		{"9007199254740992", 9007199254740992.0},
		{"9007199254740993", NAN},
		{"-9007199254740993", NAN},
		{"10000000000000000", 1e16},
		{"-10000000000000000", -1e16},
		{"10000000000000001", NAN},
		{"10000000000000000000000", 1e22},
		{"100000000000000000000000", NAN},
		{"1e16", 1e16},
		{"1e17", 1e17},
		{"12345678901234567e0", 12345678901234567.0},
		{"12345678901234567.0", 12345678901234567.0},
		{"-0", -0.0},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct arena arena = {0};
		struct error err = {0};
		struct json *json = json_parse(&arena, span_of(rows[i].text), &err);
		ck_assert_msg((json == NULL) == isnan(rows[i].number), "%s: %s", rows[i].text,
			      err.text);
		if (json)
			ck_assert_double_eq(json->number, rows[i].number);
		else
			ck_assert_ptr_nonnull(strstr(err.text, "beyond 2^53"));
		arena_free(&arena);
	}
}
END_TEST

/* The time grows with the size, not with its square: this took 20 seconds once. */
START_TEST(json_objects_of_many_members)
{
	enum { MEMBERS = 110000, DISTINCT = 100000 };
	struct arena arena = {0};
	struct error err = {0};
	struct strbuf sb = {0};
	for (int i = 0; i < MEMBERS; i++)
		strbuf_addf(&sb, "%c\"key%d\":%d", i ? ',' : '{', i % DISTINCT, i);
	strbuf_addch(&sb, '}');
	clock_t start = clock();
	const struct json *json = json_parse(&arena, strbuf_span(&sb), &err);
	ck_assert_msg((double)(clock() - start) / CLOCKS_PER_SEC < 5, "too slow");
	ck_assert_uint_eq(json->count, DISTINCT);
	int at = 0;
	for (const struct json *child = json->first; child; child = child->next, at++) {
		ck_assert_str_eq(child->name, arena_printf(&arena, "key%d", at));
		ck_assert_double_eq(child->number, at < MEMBERS - DISTINCT ? at + DISTINCT : at);
	}
	ck_assert_int_eq(at, DISTINCT);
	ck_assert_ptr_eq(json->last, json_get(json, "key99999"));
	strbuf_free(&sb);
	arena_free(&arena);
}
END_TEST

START_TEST(json_last_duplicate_wins_and_case_counts)
{
	struct arena arena = {0};
	struct error err = {0};
	struct json *json = json_parse(
		&arena, span_of("{\"a\":1,\"A\":2,\"a\":0,\"a\":[3,\"x\",null],\"\":4,\"\":5}"),
		&err);
	ck_assert_ptr_nonnull(json);
	struct strbuf sb = {0};
	json_write(&sb, json, true);
	ck_assert_str_eq(sb.buf, "{\"a\":[3,\"x\",null],\"A\":2,\"\":5}");
	ck_assert_uint_eq(json->count, 3);
	ck_assert_ptr_eq(json->last, json_get(json, ""));
	strbuf_free(&sb);
	arena_free(&arena);
}
END_TEST

START_TEST(json_numbers_round_trip)
{
	static const double rows[] = {0,     -0.0,           1,      0.1, 4.5256596e-05,
				      1e300, 123456789012.0, 1.0 / 3};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct arena arena = {0};
		struct error err = {0};
		struct json *object = json_object(&arena);
		json_set_number(&arena, object, "n", rows[i]);
		struct strbuf sb = {0};
		json_write(&sb, object, false);
		struct json *back = json_parse(&arena, strbuf_span(&sb), &err);
		ck_assert_msg(json_number(back, "n", NAN) == rows[i], "%s", sb.buf);
		strbuf_free(&sb);
		arena_free(&arena);
	}
}
END_TEST

START_TEST(sha256_vectors)
{
	/* FIPS 180-4 examples. */
	static const struct {
		const char *text, *hex;
	} rows[] = {
		{"", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
		{"abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"},
		{"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
		 "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct sha256 hash;
		char hex[65];
		sha256_init(&hash);
		sha256_add(&hash, rows[i].text, strlen(rows[i].text));
		sha256_hex(&hash, hex);
		ck_assert_str_eq(hex, rows[i].hex);
	}
}
END_TEST

/* One million "a" (the last example of FIPS 180-2), added in pieces that end anywhere in a block.
 */
START_TEST(sha256_takes_pieces_of_any_length)
{
	char piece[200], hex[65];
	struct sha256 hash;
	memset(piece, 'a', sizeof piece);
	sha256_init(&hash);
	for (size_t left = 1000000, len = 1; left; left -= len) {
		len = len % sizeof piece + 1;
		len = len < left ? len : left;
		sha256_add(&hash, piece, len);
	}
	sha256_hex(&hash, hex);
	ck_assert_str_eq(hex, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}
END_TEST

START_TEST(globs_know_stars_and_question_marks)
{
	static const struct {
		const char *pattern, *text;
		bool fits;
	} rows[] = {
		{"*", "", true},         {"*", "anything", true}, {"a*c", "abbc", true},
		{"a*c", "abbd", false},  {"a?c", "abc", true},    {"a?c", "ac", false},
		{"", "", true},          {"", "a", false},        {"a[0]b", "a[0]b", true},
		{"a[0]b", "a0b", false}, {"*aab*", "aaab", true}, {"a\\*", "a\\b", true},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		ck_assert_msg(span_glob(rows[i].pattern, rows[i].text) == rows[i].fits, "%s %s",
			      rows[i].pattern, rows[i].text);
}
END_TEST

/* one character, at every place of a text, of every length up to 40 */
START_TEST(texts_are_utf8_without_nul)
{
	static const char *const bad[] = {"\x80", "\xff", "\xc1\xbf", "\xed\xa0\x80", "\xe4\xb8"};
	static const char *const good[] = {"\x01", "\x7f", "µ", "中", "😀"};
	const size_t count = sizeof bad / sizeof *bad;
	for (size_t len = 0; len <= 40; len++)
		for (size_t at = 0; at <= len; at++)
			for (size_t i = 0; i <= count; i++) {
				char text[48];
				struct span filler = {text, len};
				memset(text, 'a', sizeof text);
				ck_assert(utf8_is_text(filler));
				if (i == count) {
					text[at] = '\0';
					ck_assert_int_eq(utf8_is_text(filler), at == len);
					continue;
				}
				filler.len = at + strlen(bad[i]);
				memcpy(text + at, bad[i], strlen(bad[i]));
				ck_assert(!utf8_is_text(filler));
				filler.len = at + strlen(good[i]);
				memcpy(text + at, good[i], strlen(good[i]));
				ck_assert(utf8_is_text(filler));
			}
}
END_TEST

START_TEST(lines_keep_a_number_and_its_unit_together)
{
	static const struct {
		const char *text;
		size_t indent, columns;
		const char *lines;
	} rows[] = {
		{"only changes above 6.7 % can be detected", 0, 23,
		 "only changes above\n6.7 % can be detected\n"},
		{"(256 -> 102 FLOP/B), 0 B -> 197 kB.", 2, 18,
		 "(256 ->\n  102 FLOP/B), 0 B\n  -> 197 kB.\n"},
		{"MATMUL 36 x, 7.311 us, 201.3 MFLOP; 5 more", 0, 12,
		 "MATMUL 36 x,\n7.311 us,\n201.3 MFLOP;\n5 more\n"},
		{"2 series of 5 spans xylophones at 5 a.m.", 0, 8,
		 "2 series\nof 5\nspans\nxylophones\nat 5\na.m.\n"},
		{"a\nb  c\n", 0, 80, "a b c\n"},
		{"", 0, 80, "\n"},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct strbuf out = {0};
		fill_text(&out, rows[i].text, rows[i].indent, rows[i].columns);
		ck_assert_str_eq(strbuf_text(&out), rows[i].lines);
		strbuf_free(&out);
	}
}
END_TEST

START_TEST(long_lines_are_as_wide_as_they_may_be)
{
	struct strbuf out = {0};
	fill_lines(&out, "short line\nTarget:  one two three four\n", 20);
	ck_assert_str_eq(strbuf_text(&out), "short line\nTarget:  one two\n         three four\n");
	strbuf_truncate(&out, 0);
	fill_lines(&out, "never broken at all\n", 0);
	ck_assert_str_eq(strbuf_text(&out), "never broken at all\n");
	strbuf_free(&out);
}
END_TEST

START_TEST(utf8_is_checked)
{
	ck_assert_uint_eq(utf8_valid_prefix(span_of("aµ中😀")), strlen("aµ中😀"));
	ck_assert_uint_eq(utf8_valid_prefix(span_of("a\xc0\x80")), 1);
	ck_assert_uint_eq(utf8_valid_prefix(span_of("\xed\xa0\x80")), 0);
	ck_assert_uint_eq(utf8_valid_prefix(span_of("\xe4\xb8")), 0);
	ck_assert(utf8_is_cut_off(span_of("\xe4\xb8")) && utf8_is_cut_off(span_of("\xf4")));
	ck_assert(!utf8_is_cut_off(span_of("\xed\xa0")) && !utf8_is_cut_off(span_of("\xc1")));
	ck_assert(!utf8_is_cut_off(span_of("a")) && !utf8_is_cut_off(span_of("\xe4\xb8\xad")));
	ck_assert_uint_eq(utf8_columns(span_of("a中e\xcc\x81")), 4);
	ck_assert_uint_eq(utf8_columns(span_of("🚀 ⚡")), 5);
	ck_assert_uint_eq(utf8_columns(span_of("●│▁·±")), 5);
	ck_assert_uint_eq(utf8_columns(span_of("ก็\u202e\u200dא")), 2);
}
END_TEST

/* Of an arena that becomes large, and of one that takes over its block. */
START_TEST(arenas_hand_out_zeros)
{
	enum { PIECE = 3000, PIECES = 1500 };
	for (int round = 0; round < 3; round++) {
		struct arena arena = {0};
		if (round == 2)
			arena_expect(&arena, (size_t)PIECE * PIECES);
		for (int i = 0; i < PIECES; i++) {
			unsigned char *piece = arena_alloc(&arena, PIECE);
			unsigned any = 0;
			for (int k = 0; k < PIECE; k++)
				any |= piece[k];
			ck_assert_uint_eq(any, 0);
			memset(piece, 0xa5, PIECE);
		}
		arena_free(&arena);
		ck_assert_ptr_null(arena.head);
		ck_assert_uint_eq(arena.used, 0);
	}
}
END_TEST

/* An expected arena takes one large block; what sanitizers watch is given back, else handed on. */
START_TEST(arenas_take_a_large_block_at_once)
{
	struct arena arena = {0};
	arena_expect(&arena, 1000);
	ck_assert_ptr_null(arena.head);
	arena_expect(&arena, 2000000);
	const struct arena_block *head = arena.head;
	ck_assert_ptr_nonnull(head);
	arena_alloc(&arena, 100000);
	arena_alloc(&arena, 100000);
	arena_expect(&arena, 2000000);
	ck_assert_ptr_eq(arena.head, head);
	arena_free(&arena);
#ifndef __SANITIZE_ADDRESS__
	arena_expect(&arena, 2000000);
	ck_assert_ptr_eq(arena.head, head);
	arena_free(&arena);
#endif
}
END_TEST

START_TEST(what_does_not_show_is_written_out)
{
	static const struct {
		const char *text, *shown;
	} rows[] = {
		{"gemm_128x64", "gemm_128x64"},
		{"a\tb\r\n", "a b  "},
		{"a\033[31m\x7f\xc2\x9b", "a<U+001B>[31m<U+007F><U+009B>"},
		{"a\xe2\x80\x8b\xf3\xa0\x81\x81", "a<U+200B><U+E0041>"},
		{"a\xc2\xa0", "a<U+00A0>"},
		{"\xff\xf4\x8f\xbf\xbf", "\xef\xbf\xbd<U+10FFFF>"},
		{"カーネル 矩阵 ядро ضرب กำลัง é µs Δt", "カーネル 矩阵 ядро ضرب กำลัง é µs Δt"},
		/* Letters of two scripts in one word, and words of nothing but such letters. */
		{"gеmm", "g<U+0435>mm"},
		{"sοftmax_ж", "s<U+03BF>ftmax_ж"},
		{"ceaнc", "cea<U+043D>c"},
		{"асе_32", "<U+0430><U+0441><U+0435>_32"},
		{"сеанс со столом", "сеанс со столом"},
		{"μs σx", "μs σx"},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct strbuf once = {0}, twice = {0};
		shown_text(&once, span_of(rows[i].text), "");
		ck_assert_str_eq(strbuf_text(&once), rows[i].shown);
		shown_text(&twice, strbuf_span(&once), "");
		ck_assert_str_eq(strbuf_text(&twice), rows[i].shown);
		strbuf_free(&once);
		strbuf_free(&twice);
	}
	struct strbuf out = {0};
	shown_text(&out, span_of("a\tb\n"), "\n");
	shown_value(&out, span_of("a\tb\r\n"));
	ck_assert_str_eq(strbuf_text(&out), "a b\na\tb<U+000D>\n");
	strbuf_free(&out);
}
END_TEST

START_TEST(json_escapes_what_does_not_show)
{
	static const char text[] = "a\xc2\x9b\xe2\x80\xae\xf3\xa0\x81\x81\x7f 中é";
	struct arena arena = {0};
	struct strbuf sb = {0};
	struct error err;
	struct json *list = json_array(&arena);
	json_add_text(&arena, list, text);
	json_write(&sb, list, true);
	ck_assert_str_eq(strbuf_text(&sb), "[\"a\\u009b\\u202e\\udb40\\udc41\\u007f 中é\"]");
	ck_assert_str_eq(json_parse(&arena, strbuf_span(&sb), &err)->first->text, text);
	strbuf_reset(&sb);
	json_exact(&sb, list);
	ck_assert_str_eq(strbuf_text(&sb),
			 "[\"a\xc2\x9b\xe2\x80\xae\xf3\xa0\x81\x81\\u007f 中é\"]");
	strbuf_free(&sb);
	arena_free(&arena);
}
END_TEST

START_TEST(texts_fit_into_columns)
{
	static const struct {
		const char *text;
		size_t columns;
		const char *fitting;
	} rows[] = {
		{"abc", 2, "ab"},          {"abc", 3, "abc"},       {"abc", 0, ""},
		{"中文", 3, "中"},         {"中文", 1, ""},         {"e\xcc\x81x", 1, "e\xcc\x81"},
		{"a\xff\xff", 2, "a\xff"}, {"\xe4\xb8", 1, "\xe4"}, {"", 5, ""},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct span fitting = utf8_fitting(span_of(rows[i].text), rows[i].columns);
		ck_assert_msg(span_is(fitting, rows[i].fitting), "row %zu: %zu bytes", i,
			      fitting.len);
	}
	struct strbuf sb = {0};
	strbuf_repeat(&sb, " ", 0);
	ck_assert_ptr_null(sb.buf); /* nothing was added */
	strbuf_addstr(&sb, "a");
	strbuf_pad(&sb, 1, 3);
	strbuf_pad(&sb, 5, 3);
	strbuf_pad(&sb, SIZE_MAX, 0);
	ck_assert_str_eq(strbuf_text(&sb), "a  ");
	strbuf_free(&sb);
}
END_TEST

START_TEST(embedded_files_are_found_by_their_last_name)
{
	static const struct embedded_file table[] = {
		{"templates/report/report.md", "a", 1}, {"report-run.md", "b", 1}, {NULL, NULL, 0}};
	ck_assert_ptr_eq(embedded_find(table, "report.md"), table);
	ck_assert_ptr_eq(embedded_find(table, "report-run.md"), table + 1);
	ck_assert_ptr_null(embedded_find(table, "report"));
	ck_assert_ptr_null(embedded_find(table, "report/report.md"));
	ck_assert_ptr_null(embedded_find(table, "run.md"));
}
END_TEST

UNIT_MAIN("base", copies_end_where_the_text_ends, quantities_read_as_people_write_them,
	  pages_write_micro_as_a_letter, quantities_are_parsed_with_units,
	  short_quantities_have_three_digits, numbers_of_a_column_share_a_scale, json_is_strict,
	  json_integers_are_exact_or_refused, json_objects_of_many_members,
	  json_last_duplicate_wins_and_case_counts, json_numbers_round_trip, sha256_vectors,
	  sha256_takes_pieces_of_any_length, globs_know_stars_and_question_marks, utf8_is_checked,
	  texts_are_utf8_without_nul, lines_keep_a_number_and_its_unit_together,
	  long_lines_are_as_wide_as_they_may_be, texts_fit_into_columns,
	  what_does_not_show_is_written_out, json_escapes_what_does_not_show, arenas_hand_out_zeros,
	  arenas_take_a_large_block_at_once, embedded_files_are_found_by_their_last_name)
