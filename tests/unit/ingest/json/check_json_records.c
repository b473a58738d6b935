/* The numbers and texts of records, on every instruction set: numbers are what strtod makes of
 * them, and whole ones exact. */
#include "ingest/json/simd/blocks.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
#include "ingest/json/stream.h"
#include "tests/unit/random.h"
#include "tests/unit/unit.h"

enum { value_limit = 3000 };

/* --- what is expected, one for each record --- */

static char texts[value_limit][64];
static int count;

static void check_number(const char *text, const struct json_value *value)
{
	double number = strtod(text, NULL);
	const char *digits = text + (*text == '-');
	bool whole = strspn(digits, "0123456789") == strlen(digits);
	errno = 0;
	uint64_t magnitude = whole ? strtoull(digits, NULL, 10) : 0;
	bool exact = whole && errno == 0;
	ck_assert_msg(value->kind == JSON_VALUE_NUMBER && value->number == number &&
			      !signbit(value->number) == !signbit(number),
		      "%s: %.17g, not %.17g", text, value->number, number);
	ck_assert_msg(value->exact == exact, "%s: exact %d", text, value->exact);
	if (exact)
		ck_assert_msg(value->magnitude == magnitude && value->negative == (*text == '-'),
			      "%s: %" PRIu64, text, value->magnitude);
}

static void number_record(void *context, const struct json_value *values)
{
	int *index = context;
	check_number(texts[(*index)++], &values[0]);
}

static void text_record(void *context, const struct json_value *values)
{
	int *index = context;
	const char *text = texts[(*index)++];
	ck_assert_msg(values[0].kind == JSON_VALUE_TEXT && span_is(values[0].text, text),
		      "%s, not %.*s", text, (int)values[0].text.len, values[0].text.ptr);
}

static const struct json_field number_fields[] = {{"v", JSON_FIELD_NUMBER}, {NULL, JSON_FIELD_ANY}};
static const struct json_field text_fields[] = {{"v", JSON_FIELD_TEXT}, {NULL, JSON_FIELD_ANY}};
static const struct json_section sections[] = {
	{"numbers", number_fields, .record = number_record},
	{"texts", text_fields, .record = text_record},
	{.name = NULL},
};

/* With every variant. */
static void read_everywhere(const struct strbuf *sb)
{
	for (const struct json_blocks_variant *v = json_blocks_variants; v->name; v++) {
		int index = 0;
		struct error err;
		struct json_stream_counts counts;
		struct json_stream stream = {.sections = sections, .context = &index};
		if (!json_blocks_use(v->name))
			continue;
		struct input *input = input_of_bytes(strbuf_span(sb));
		int rc = json_stream_read(&stream, input, &counts, &err);
		ck_assert_msg(rc == 0, "%s: %s", v->name, rc ? err.text : "");
		ck_assert_int_eq(index, count);
		input_close(input);
	}
}

/* One document of all values. */
static void read_all(const char *section, const char *before, const char *behind)
{
	struct strbuf sb = {0};
	strbuf_addf(&sb, "{\"%s\":[", section);
	for (int i = 0; i < count; i++) {
		strbuf_addstr(&sb, i ? "," : "");
		strbuf_addf(&sb, "%s%s%s", before, texts[i], behind);
	}
	strbuf_addstr(&sb, "]}");
	read_everywhere(&sb);
	strbuf_free(&sb);
}

/* --- numbers --- */

static void add_digits(struct strbuf *sb, size_t digits)
{
	strbuf_addch(sb, (char)('1' + random_below(9)));
	for (size_t i = 1; i < digits; i++)
		strbuf_addch(sb, (char)('0' + random_below(10)));
}

static void make_number(char *text, size_t size)
{
	struct strbuf sb = {0};
	strbuf_addstr(&sb, random_below(4) ? "" : "-");
	if (random_below(6))
		add_digits(&sb, 1 + random_below(20));
	else
		strbuf_addch(&sb, '0');
	size_t kind = random_below(4);
	if (kind & 1) {
		strbuf_addch(&sb, '.');
		for (size_t zeros = random_below(4) ? 0 : random_below(20); zeros > 0; zeros--)
			strbuf_addch(&sb, '0');
		add_digits(&sb, 1 + random_below(19));
	}
	if (kind == 3 || (kind == 2 && random_below(2)))
		strbuf_addf(&sb, "%c%s%zu", random_below(2) ? 'e' : 'E',
			    &"-\0+\0"[2 * random_below(2)],
			    random_below(random_below(4) ? 30 : 280));
	snprintf(text, size, "%s", strbuf_text(&sb));
	strbuf_free(&sb);
}

START_TEST(numbers_are_those_of_strtod)
{
	for (count = 0; count < value_limit;) {
		make_number(texts[count], sizeof texts[count]);
		count += isfinite(strtod(texts[count], NULL));
	}
	read_all("numbers", "{\"v\":", "}");
	read_all("numbers", "{\"a\":[1,{}],\"v\" : ", " ,\"b\":3}");
}
END_TEST

START_TEST(numbers_at_the_edges)
{
	static const char *const edges[] = {
		"0",
		"-0",
		"-0.0",
		"9",
		"10",
		"1234567",
		"12345678",
		"123456789",
		"1234567890123456",
		"12345678901234567",
		"9007199254740991",
		"9007199254740992",
		"9007199254740993",
		"9007199254740993.0",
		"900719925474099.3",
		"9007199254740992.5",
		"9999999999999999999",
		"10000000000000000000",
		"18446744073709551615",
		"-18446744073709551615",
		"18446744073709551616",
		"100000000000000000000000",
		"0.1",
		"0.3",
		"0.30000000000000004",
		"1.7976931348623157e308",
		"4.9e-324",
		"5e-324",
		"2.4703282292062327e-324",
		"2.4703282292062328e-324",
		"2.2250738585072011e-308",
		"2.2250738585072014e-308",
		"1e-400",
		"1e22",
		"1e23",
		"8.5e22",
		"1.0E+2",
		"1e0",
		"0.0000000000000000001",
		"0.00000000000000000001",
		"6.25000000",
		"6.250000000",
		"1234567.12345678",
		"12345678.1234567",
		"5708990770823839207320493820740630171355",
	};
	count = sizeof edges / sizeof *edges;
	for (int i = 0; i < count; i++)
		snprintf(texts[i], sizeof texts[i], "%s", edges[i]);
	read_all("numbers", "{\"v\":", "}");
	read_all("numbers", "{\"v\":  \n", "\n}");
}
END_TEST

/* --- texts --- */

START_TEST(texts_of_all_lengths)
{
	for (count = 0; count < 1000; count++) {
		size_t len = (size_t)count % 63;
		memset(texts[count], 0, sizeof texts[count]);
		for (size_t i = 0; i < len; i++)
			texts[count][i] = "abc:,{}[]0 "[random_below(11)];
	}
	read_all("texts", "{\"v\":\"", "\"}");
	read_all("texts", "{\"w\":\"\\\\\",\"v\" : \"", "\", \"x\":\"3\"}");
}
END_TEST

/* An escape at every position; the character after it does not end the text. */
START_TEST(texts_with_escapes)
{
	struct strbuf sb = {0};
	strbuf_addstr(&sb, "{\"texts\":[");
	for (count = 0; count <= 58; count++) {
		char *text = texts[count];
		memset(text, 'x', 60);
		text[count] = '"';
		text[count + 1] = '\\';
		text[60] = '\0';
		strbuf_addf(&sb, "%s{\"v\":\"%.*s\\\"\\\\%s\"}", count ? "," : "", count, text,
			    text + count + 2);
	}
	strbuf_addstr(&sb, "]}");
	read_everywhere(&sb);
	strbuf_free(&sb);
}
END_TEST

UNIT_MAIN("json_records", numbers_are_those_of_strtod, numbers_at_the_edges, texts_of_all_lengths,
	  texts_with_escapes)
