/* The streaming JSON reader: what it hands over, what it refuses, and where. */
#include "ingest/json/stream.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/json/json.h"
#include "base/json/token.h"
#include "base/strbuf.h"
#include "ingest/json/scan.h"
#include "tests/unit/unit.h"

/* --- a table of sections that writes down what it is given --- */

static void log_value(struct strbuf *log, const struct json_value *value)
{
	switch (value->kind) {
	case JSON_VALUE_MISSING:
		strbuf_addch(log, '?');
		break;
	case JSON_VALUE_NUMBER:
		if (value->exact)
			strbuf_addf(log, "%s%llu", value->negative ? "-" : "",
				    (unsigned long long)value->magnitude);
		else
			strbuf_addf(log, "%.17g", value->number);
		break;
	case JSON_VALUE_TEXT:
		strbuf_addf(log, "'%.*s'", (int)value->text.len, value->text.ptr);
		break;
	case JSON_VALUE_BOOL:
		strbuf_addstr(log, value->truth ? "true" : "false");
		break;
	case JSON_VALUE_CONTAINER:
		strbuf_addstr(log, "{}");
		break;
	}
}

static int log_member(void *context, struct span section, struct span name,
		      const struct json_value *value, struct error *err)
{
	struct strbuf *log = context;
	if (span_is(name, "refuse me"))
		return error_set(err, ERR_FORMAT, "refused");
	strbuf_addspan(log, section);
	strbuf_addch(log, '.');
	strbuf_addspan(log, name);
	strbuf_addch(log, '=');
	log_value(log, value);
	strbuf_addch(log, ' ');
	return 0;
}

static void log_record(void *context, const struct json_value *values)
{
	for (int i = 0; i < 3; i++) {
		log_value(context, &values[i]);
		strbuf_addch(context, ' ');
	}
	strbuf_addch(context, '|');
}

static int log_end(void *context, struct span section, struct error *err)
{
	(void)section, (void)err;
	strbuf_addch(context, '|');
	return 0;
}

static const struct json_field fields[] = {{"a", JSON_FIELD_NUMBER},
					   {"b", JSON_FIELD_TEXT},
					   {"cc", JSON_FIELD_ANY},
					   {NULL, JSON_FIELD_ANY}};
static const struct json_section sections[] = {
	{"r", fields, .record = log_record},
	{"m", .member = log_member, .end = log_end},
	{.name = NULL},
};
static const struct json_section any_section[] = {
	{"*", .member = log_member, .end = log_end},
	{.name = NULL},
};

struct outcome {
	struct strbuf log;
	struct json_stream_counts counts;
	struct error err;
	int rc;
};

static struct outcome read_text(const struct json_section *table, struct span text, bool preamble)
{
	struct outcome out = {0};
	struct json_stream stream = {
		.sections = table, .context = &out.log, .skip_preamble = preamble};
	struct input *input = input_of_bytes(text);
	out.rc = json_stream_read(&stream, input, &out.counts, &out.err);
	input_close(input);
	return out;
}

/* --- documents that are read --- */

static const struct {
	const char *document, *log;
	unsigned not_numbers, duplicates;
} good[] = {
	{"{}", "", 0, 0},
	{" { } \r\n\t", "", 0, 0},
	{"\xef\xbb\xbf{\"r\":[]}", "", 0, 0},
	{"{\"r\":[{\"a\":1,\"b\":\"x\",\"cc\":true}]}", "1 'x' true |", 0, 0},
	{"{\"r\":{\"cc\":null,\"b\":\"\"}}", "? '' ? |", 0, 0},
	{"{\"r\":null,\"m\":[null,{}]}", "|", 0, 0},
	{"{\"x\":[[{\"r\":{\"a\":1}}]],\"r\":[{},{\"a\":2}]}", "? ? ? |2 ? ? |", 0, 0},
	{"{\"r\":[{\"\\u0061\":7,\"\\u0063c\":[1,{}]}]}", "7 ? {} |", 0, 0},
	{"{\"r\":[{\"b\":5},{\"b\":[\"y\"]}]}", "? ? ? |? ? ? |", 0, 0},
	{"{\"r\":[{\"a\":1,\"a\":2,\"cc\":1,\"cc\":null,\"x\":1,\"x\":2}]}", "2 ? ? |", 0, 2},
	{"{\"r\":[{\"a\":NaN,\"cc\":-Infinity,\"x\":Infinity}]}", "? ? ? |", 2, 0},
	{"{\"m\":[{\"k\":-1.5e3,\"l\":false,\"n\":{\"k\":1},\"k\":3}]}",
	 "m.k=-1500 m.l=false m.n={} m.k=3 |", 0, 1},
	{"{\"m\":{\"i\":9223372036854775807,\"u\":18446744073709551615,"
	 "\"o\":18446744073709551616,\"z\":-0,\"n\":-9223372036854775808}}",
	 "m.i=9223372036854775807 m.u=18446744073709551615 m.o=1.8446744073709552e+19 m.z=-0 "
	 "m.n=-9223372036854775808 |",
	 0, 0},
	{"{\"m\":{\"d\":0.1,\"e\":2.2250738585072011e-308,\"f\":1E+2,\"g\":5e-324}}",
	 "m.d=0.10000000000000001 m.e=2.2250738585072009e-308 m.f=100 "
	 "m.g=4.9406564584124654e-324 |",
	 0, 0},
	{"{\"m\":{\"t\":\"\\\"\\\\\\/\\b\\u00e9\\u20ac\\ud83d\\ude00\\u003c\"}}",
	 "m.t='\"\\/\b\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80<' |", 0, 0},
	{"{\"x\":\"\xed\x95\x9c \xf0\x9f\x98\x80\",\"y\":[1e999,-0.0e-0,\"\\n\"]}", "", 0, 0},
	{"{ \"r\" : [ { \"a\" : 1 , \"x\" : [ ] } , { } ] , \"y\" : { } }", "1 ? ? |? ? ? |", 0, 0},
};

START_TEST(reads_documents)
{
	for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
		struct outcome out = read_text(sections, span_of(good[i].document), false);
		ck_assert_msg(out.rc == 0, "%s: %s", good[i].document, out.err.text);
		ck_assert_str_eq(strbuf_text(&out.log), good[i].log);
		ck_assert_uint_eq(out.counts.not_numbers, good[i].not_numbers);
		ck_assert_uint_eq(out.counts.duplicates, good[i].duplicates);
		strbuf_free(&out.log);
	}
}
END_TEST

START_TEST(refuses_every_prefix)
{
	for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
		struct span text = span_trim(span_of(good[i].document));
		for (size_t len = 0; len < text.len; len++) {
			/* An exact copy lets the sanitizers see reads beyond its end. */
			char *copy = malloc(len + 1);
			memcpy(copy, text.ptr, len);
			struct outcome out = read_text(sections, (struct span){copy, len}, false);
			ck_assert_msg(out.rc < 0, "%.*s", (int)len, text.ptr);
			ck_assert_msg(strstr(out.err.text, "byte ") != NULL, "%s", out.err.text);
			strbuf_free(&out.log);
			free(copy);
		}
	}
}
END_TEST

/* --- documents that are refused --- */

static const struct {
	const char *document, *message;
} bad[] = {
	{"", "byte 0: not a JSON document"},
	{" \n", "byte 2: not a JSON document"},
	{"[]", "byte 0: the document must start with '{'"},
	{"{\"r\":[{\"a\":\"45\"}]}", "r[0].a: byte 11: expected a number, found a string"},
	{"{\"r\":[{},{\"a\":true}]}", "r[1].a: byte 14: expected a number, found true or false"},
	{"{\"r\":{\"a\":[]}}", "r.a: byte 10: expected a number, found an object or array"},
	{"{\"r\":[{\"a\":1e999}]}", "r[0].a: byte 11: the number 1e999 is beyond the range"},
	{"{\"m\":[{\"k\":-1e400}]}", "m[0].k: byte 11: the number -1e400 is beyond the range"},
	{"{\"m\":{\"refuse me\":1}}", "m.refuse me: byte 18: refused"},
	{"{\"r\":[1]}", "r[0]: byte 6: expected an object"},
	{"{\"r\":\"x\"}", "r: byte 5: expected an object"},
	{"{\"r\":[],\"r\":[]}", "byte 12: duplicate section \"r\""},
	{"{\"a\":\"\\u0000\"}", "byte 6: \\u0000 in a string"},
	{"{\"a\":\"\\ud800\"}", "byte 6: unpaired \\u surrogate"},
	{"{\"a\":\"\\ud800xxxxxx\"}", "byte 6: unpaired \\u surrogate"},
	{"{\"a\":\"\\udc00\"}", "byte 6: unpaired \\u surrogate"},
	{"{\"a\":\"\\u00g0\"}", "byte 6: invalid escape sequence"},
	{"{\"a\":\"\\x\"}", "byte 6: invalid escape sequence"},
	{"{\"a\":\"x\xff\"}    ", "byte 7: invalid UTF-8"},
	{"{\"a\":\"\xc0\x80\"}  ", "byte 6: invalid UTF-8"},
	{"{\"a\":\"\xed\xa0\x80\"}  ", "byte 6: invalid UTF-8"},
	{"{\"r\":[{\"b\":\"x\xff....\"}]}", "r[0].b: byte 13: invalid UTF-8"},
	{"{\"a\":\"x\ty\"}", "byte 7: control character in a string"},
	{"{\"a\":1} x", "byte 8: trailing data after the end of the document"},
	{"{} {}", "byte 3: trailing data after the end of the document"},
	{"{\"a\":[1,]}", "byte 8: expected a value, found ']'"},
	{"{\"a\":1,}", "byte 7: expected a quoted name, found '}'"},
	{"{,\"a\":1}", "byte 1: expected a quoted name, found ','"},
	{"{\"a\" 1}", "byte 5: expected ':', found '1'"},
	{"{\"a\":[1 2]}", "byte 8: expected ',' or ']', found '2'"},
	{"{\"a\":{\"b\":1]}", "byte 11: expected ',' or '}', found ']'"},
	{"{\"a\":[1}", "byte 7: expected ',' or ']', found '}'"},
	{"{\"a\":01}", "byte 6: expected ',' or '}', found '1'"},
	{"{\"a\":-}", "byte 5: a malformed number"},
	{"{\"a\":1.}", "byte 5: a malformed number"},
	{"{\"a\":1e+}", "byte 5: a malformed number"},
	{"{\"a\":.5}", "byte 5: expected a value, found '.'"},
	{"{\"a\":+1}", "byte 5: expected a value, found '+'"},
	{"{\"a\":0x10}", "byte 6: expected ',' or '}', found 'x'"},
	{"{\"a\":nul}", "byte 5: expected a value, found 'n'"},
	{"{\"a\":nullx}", "byte 9: expected ',' or '}', found 'x'"},
	{"{\"a\":TRUE}", "byte 5: expected a value, found 'T'"},
	{"{\"a\":'x'}", "byte 5: expected a value, found '''"},
	{"{\"a\":\x01}", "byte 5: expected a value, found byte 0x01"},
	{"{\"a\":1", "byte 6: truncated JSON document"},
	{"{\"r\":[{},{}],\"m\":", "m: byte 17: truncated JSON document"},
	{"{\"r\":[{},{}],\"m\" 1", "byte 17: expected ':', found '1'"},
	{"{\"a\":\"x\xff", "byte 7: invalid UTF-8"},
	{"{\"a\":\"x\xc1", "byte 7: invalid UTF-8"},
	{"{\"a\":\"x\xf5\x80", "byte 7: invalid UTF-8"},
	{"{\"a\":\"x\xe2\"}", "byte 7: invalid UTF-8"},
	{"{\"a\":\"x\xe2\x82\"", "byte 7: invalid UTF-8"},
	{"{\"a\":\"x\xed\xa0", "byte 7: invalid UTF-8"},
	{"{\"a\":\"x\xe0\x9f", "byte 7: invalid UTF-8"},
	{"{\"a\":\"x\xf0\x8f\xbf", "byte 7: invalid UTF-8"},
	{"{\"a\":\"x\xf4\x90", "byte 7: invalid UTF-8"},
	{"{\"a\":\"x\xe2\x82", "byte 9: truncated JSON document"},
	{"{\"a\":\"x\xe0\xa0", "byte 9: truncated JSON document"},
	{"{\"a\":\"x\xed", "byte 8: truncated JSON document"},
	{"{\"a\":\"x\xf0\x90\x80", "byte 10: truncated JSON document"},
	{"{\"a\":\"x\xf4", "byte 8: truncated JSON document"},
};

START_TEST(refuses_documents)
{
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		struct outcome out = read_text(sections, span_of(bad[i].document), false);
		ck_assert_msg(out.rc < 0, "%s", bad[i].document);
		ck_assert_msg(strstr(out.err.text, bad[i].message) == out.err.text, "%s: %s",
			      bad[i].document, out.err.text);
		strbuf_free(&out.log);
	}
}
END_TEST

/* --- limits --- */

static void check_generated(struct strbuf *text, const char *message)
{
	struct outcome out = read_text(sections, strbuf_span(text), false);
	if (message) {
		ck_assert_int_lt(out.rc, 0);
		ck_assert_msg(strstr(out.err.text, message) != NULL, "%s", out.err.text);
	} else {
		ck_assert_msg(out.rc == 0, "%s", out.err.text);
	}
	strbuf_free(&out.log);
	strbuf_free(text);
}

static void nest(size_t depth, const char *message)
{
	struct strbuf text = {0};
	strbuf_addstr(&text, "{\"a\":");
	strbuf_repeat(&text, "[", depth - 1);
	strbuf_repeat(&text, "]", depth - 1);
	strbuf_addch(&text, '}');
	check_generated(&text, message);
}

static void lengthen(const char *before, const char *unit, size_t times, const char *after,
		     const char *message)
{
	struct strbuf text = {0};
	strbuf_addstr(&text, before);
	strbuf_repeat(&text, unit, times);
	strbuf_addstr(&text, after);
	check_generated(&text, message);
}

START_TEST(keeps_limits)
{
	nest(json_depth_limit, NULL);
	nest(json_depth_limit + 1, "byte 1028: nested deeper than 1024 levels");
	nest(100000, "nested deeper than 1024 levels");
	lengthen("{\"a\":\"", "x", json_string_limit - 1, "\"}", NULL);
	lengthen("{\"a\":\"", "\\n", json_string_limit / 2, "\"}",
		 "byte 5: a string longer than 16 MiB");
	lengthen("{\"r\":[{\"b\":\"", "x", json_text_limit, "\"}]}", NULL);
	lengthen("{\"r\":[{\"b\":\"", "x", json_text_limit + 1, "\"}]}",
		 "r[0].b: byte 11: a string longer than 65536 bytes");
	lengthen("{\"r\":[{\"a\":0.", "1", json_number_limit - 2, "}]}", NULL);
	lengthen("{\"r\":[{\"a\":0.", "1", json_number_limit - 1, "}]}",
		 "a number of more than 4096 characters");
}
END_TEST

/* Every token of a document at every position around the end of the buffer. */
START_TEST(slides_its_buffer)
{
	static const char document[] =
		"\"r\":[{\"a\":-12.5e1,\"b\":\"\\u20ac\xed\x95\x9c\\ud83d\\ude00\"},{\"x\":[null,"
		"true,-Infinity,1.25],\"cc\":false}],\"m\":{\"k\":\"\\\\\",\"l\":NaN}}";
	for (size_t at = json_buffer_size - sizeof document - 8; at < json_buffer_size + 4; at++) {
		struct strbuf text = {0};
		strbuf_addch(&text, '{');
		strbuf_repeat(&text, " ", at);
		strbuf_addstr(&text, document);
		struct outcome out = read_text(sections, strbuf_span(&text), false);
		ck_assert_msg(out.rc == 0, "%s", out.err.text);
		ck_assert_str_eq(strbuf_text(&out.log),
				 "-125 '\xe2\x82\xac\xed\x95\x9c\xf0\x9f\x98\x80' ? |? ? false "
				 "|m.k='\\' m.l=? |");
		strbuf_free(&out.log);
		strbuf_free(&text);
	}
}
END_TEST

START_TEST(hands_over_any_section)
{
	static const char text[] = "WARN[0000] {not this} \xff\nINFO more\n\n  {\"n_1\":{\"a\":1},"
				   "\"n_2\":{\"b\":\"x\",\"c\":[]}}\n";
	struct outcome out = read_text(any_section, span_of(text), true);
	ck_assert_msg(out.rc == 0, "%s", out.err.text);
	ck_assert_str_eq(strbuf_text(&out.log), "n_1.a=1 |n_2.b='x' n_2.c={} |");
	strbuf_free(&out.log);
	out = read_text(any_section, span_of("only\nlines"), true);
	ck_assert_int_lt(out.rc, 0);
	ck_assert_str_eq(out.err.text, "byte 10: not a JSON document");
	out = read_text(any_section, span_of(text), false);
	ck_assert_int_lt(out.rc, 0);
}
END_TEST

/* --- against base/json on random documents --- */

static uint64_t random_state = 20240601;

static unsigned random_below(unsigned limit)
{
	random_state = random_state * 6364136223846793005u + 1442695040888963407u;
	return (unsigned)(random_state >> 33) % limit;
}

static void random_space(struct strbuf *sb)
{
	static const char *const spaces[] = {"", "", "", "", " ", "\n", "\t \r\n"};
	strbuf_addstr(sb, spaces[random_below(7)]);
}

static void random_string(struct strbuf *sb)
{
	static const char *const pieces[] = {"a",      "bc",      "\\\"",     "\\\\",
					     "\\n",    "\\u00e9", "\xc3\xa9", "\\ud83d\\ude00",
					     "{[,:]}", "0"};
	strbuf_addch(sb, '"');
	for (unsigned n = random_below(6); n > 0; n--)
		strbuf_addstr(sb, pieces[random_below(10)]);
	strbuf_addch(sb, '"');
}

static void random_scalar(struct strbuf *sb)
{
	static const char *const literals[] = {"true", "false", "null", "0", "-0.0", "1e-400"};
	switch (random_below(4)) {
	case 0:
		strbuf_addstr(sb, literals[random_below(6)]);
		break;
	case 1:
		strbuf_addf(sb, "%d", (int)random_below(2000000000) - 1000000000);
		break;
	case 2:
		strbuf_addf(sb, "%u.%ue%d", random_below(1000), random_below(1000000),
			    (int)random_below(600) - 320);
		break;
	default:
		random_string(sb);
	}
}

static void random_value(struct strbuf *sb, unsigned depth)
{
	unsigned kind = depth < 4 ? random_below(4) : 0;
	random_space(sb);
	if (kind < 2) {
		random_scalar(sb);
	} else {
		strbuf_addch(sb, kind == 2 ? '[' : '{');
		for (unsigned i = 0, n = random_below(4); i < n; i++) {
			strbuf_addstr(sb, i ? "," : "");
			random_space(sb);
			if (kind == 3) {
				random_string(sb);
				random_space(sb);
				strbuf_addch(sb, ':');
			}
			random_value(sb, depth + 1);
		}
		strbuf_addch(sb, kind == 2 ? ']' : '}');
	}
	random_space(sb);
}

static void random_document(struct strbuf *sb)
{
	strbuf_reset(sb);
	strbuf_addstr(sb, "{\"x\":");
	random_value(sb, 0);
	strbuf_addstr(sb, ",\"m\":[");
	for (unsigned i = 0, n = random_below(3); i < n; i++) {
		strbuf_addstr(sb, i ? ",{" : "{");
		for (unsigned k = 0, members = random_below(4); k < members; k++) {
			strbuf_addf(sb, "%s\"k%u\":", k ? "," : "", k);
			random_value(sb, 1);
		}
		strbuf_addch(sb, '}');
	}
	strbuf_addstr(sb, "]}");
}

/* The calls of log_member, generated from the tree. */
static void log_tree(struct strbuf *log, const struct json *tree)
{
	for (const struct json *record = json_get(tree, "m")->first; record;
	     record = record->next) {
		for (const struct json *item = record->first; item; item = item->next) {
			strbuf_addf(log, "m.%s=", item->name);
			if (item->type == JSON_NUMBER)
				strbuf_addf(log, "%.17g ", item->number);
			else if (item->type == JSON_STRING)
				strbuf_addf(log, "'%s' ", item->text);
			else if (item->type == JSON_BOOL)
				strbuf_addf(log, "%s ", item->truth ? "true" : "false");
			else
				strbuf_addstr(log, item->type == JSON_NULL ? "? " : "{} ");
		}
		strbuf_addch(log, '|');
	}
}

static int log_number_member(void *context, struct span section, struct span name,
			     const struct json_value *value, struct error *err)
{
	struct json_value copy = *value;
	copy.exact = false;
	return log_member(context, section, name, &copy, err);
}

static const struct json_section double_sections[] = {
	{"m", .member = log_number_member, .end = log_end},
	{.name = NULL},
};

START_TEST(agrees_with_the_tree_parser)
{
	struct strbuf text = {0};
	for (int i = 0; i < 4000; i++) {
		struct arena arena = {0};
		struct error err = {0};
		random_document(&text);
		/* Now and then a change of one byte: most are refused then. */
		if (i % 4 == 3)
			text.buf[random_below((unsigned)text.len)] =
				"{}[]:,\"\\0x \x80"[random_below(12)];
		struct json *tree = json_parse(&arena, strbuf_span(&text), &err);
		struct outcome out = read_text(double_sections, strbuf_span(&text), false);
		bool changed = i % 4 == 3,
		     beyond = strstr(err.text, "double") || strstr(err.text, "2^53");
		if (!beyond)
			ck_assert_msg((tree != NULL) == (out.rc == 0), "%s\n%s%s",
				      strbuf_text(&text), err.text, out.err.text);
		if (tree && !changed) {
			struct strbuf log = {0};
			log_tree(&log, tree);
			ck_assert_str_eq(strbuf_text(&log), strbuf_text(&out.log));
			strbuf_free(&log);
		}
		strbuf_free(&out.log);
		arena_free(&arena);
	}
	strbuf_free(&text);
}
END_TEST

/* Another program may write to a mapped file between the check of a text and its decoding. */
START_TEST(decodes_what_is_no_escape_any_more)
{
	static const struct {
		const char *raw, *decoded;
	} cases[] = {
		{"a\\u00e9b", "a\u00e9b"},
		{"\\ud83d\\ude00", "\U0001f600"},
		{"\\u00{9b", "\ufffdb"},
		{"\\ude00b", "\ufffdb"},
		{"\\ud83d\\u00e9", "\ufffd\u00e9"},
		{"\\ud83db", "\ufffdb"},
		{"\\ud83dd\\u{e00", "\ufffdd\ufffd"},
		{"\\u00", "u00"},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		char out[64];
		size_t len = json_string_decode(span_of(cases[i].raw), out);
		ck_assert_uint_eq(len, strlen(cases[i].decoded));
		ck_assert(memcmp(out, cases[i].decoded, len) == 0);
	}
}
END_TEST

UNIT_MAIN("json_stream", reads_documents, refuses_every_prefix, refuses_documents, keeps_limits,
	  slides_its_buffer, hands_over_any_section, agrees_with_the_tree_parser,
	  decodes_what_is_no_escape_any_more)
