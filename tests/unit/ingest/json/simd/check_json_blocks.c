/* The quick way through JSON against the slow one: on every instruction set of this machine and
 * with buffers of all sizes both must hand over the same values and say the same of what is bad. */
#include "ingest/json/simd/blocks.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "ingest/json/scan.h"
#include "tests/unit/json_log.h"
#include "tests/unit/random.h"
#include "tests/unit/unit.h"

/* An emulated processor (tests/lint/processors.sh) checks only some of the documents, and so do
 * sanitizers, under which the fuzzer compares the same. */
#ifndef CHECK_ONE_IN
#ifdef __SANITIZE_ADDRESS__
#define CHECK_ONE_IN 20
#else
#define CHECK_ONE_IN 2
#endif
#endif

/* --- the ways side by side --- */

static const struct json_field fields[] = {{"duration", JSON_FIELD_NUMBER},
					   {"opcode", JSON_FIELD_TEXT},
					   {"a_name_that_is_longer_than_24_bytes", JSON_FIELD_ANY},
					   {"k", JSON_FIELD_ANY},
					   {NULL, JSON_FIELD_ANY}};
static const struct json_section sections[] = {
	{"r", fields, .record = json_log_record},
	{"s", fields, .record = json_log_record},
	{"m", .member = json_log_member, .end = json_log_end},
	{.name = NULL},
};

static void compare(struct span text, const char *variant, struct json_stream how,
		    const struct json_log *want, struct json_log *got)
{
	json_log_read(got, how, variant, text);
	ck_assert_msg(json_log_same(want, got),
		      "%s, %zu bytes, until %s: handed over\n%s\nand not\n%s\nsaid\n%s\nand "
		      "not\n%s\n%.*s",
		      variant, how.room, how.until ? how.until : "the end", strbuf_text(&got->text),
		      strbuf_text(&want->text), got->err.text, want->err.text, (int)text.len,
		      text.ptr);
}

static const size_t all_rooms[] = {64, 100, 250, 700, 4096, json_buffer_size, 0};

/* On every instruction set of this machine, with buffers of some sizes; whether it was read. */
static bool compare_rooms(struct span text, const char *until, const size_t *rooms)
{
	static struct json_log want, got;
	struct json_stream how = {.sections = sections, .until = until};
	json_log_read(&want, how, "none", text);
	for (const struct json_blocks_variant *v = json_blocks_variants; v->name; v++)
		for (size_t i = 0; v->supported() && rooms[i]; i++) {
			how.room = rooms[i];
			compare(text, v->name, how, &want, &got);
		}
	return want.rc == 0;
}

static bool compare_all(struct span text)
{
	bool whole = compare_rooms(text, NULL, all_rooms);
	bool begun = compare_rooms(text, "s", all_rooms);
	/* What is less strict takes all that is taken. */
	ck_assert_msg(begun || !whole, "%.*s", (int)text.len, text.ptr);
	return whole;
}

/* --- documents --- */

static const char *pick(const char *const *list, size_t count)
{
	return list[random_below(count)];
}
#define PICK(...)                                                                                  \
	pick((const char *const[]){__VA_ARGS__},                                                   \
	     sizeof((const char *const[]){__VA_ARGS__}) / sizeof(char *))

static int spaced; /* of 8 places, how many have white space */

static void space(struct strbuf *sb)
{
	if ((int)random_below(8) < spaced)
		strbuf_addstr(sb, PICK(" ", "\n  ", "\t", "\r\n", "          "));
}

static void add_string(struct strbuf *sb)
{
	strbuf_addch(sb, '"');
	for (size_t n = random_below(5); n > 0; n--)
		strbuf_addstr(sb, PICK("opcode", "duration\\\":5,", "\\\\", "\\\"", "\\u003c",
				       "\xc3\xa9", "\xf0\x9f\x98\x80", "\\ud83d\\ude00", "},{\\\"",
				       "[{,:}]", "a longer piece of plain text 0123456", "\\n\\/",
				       "\x7f", "|", "!#$%&'()*+-./;<=>?@^_`~"));
	strbuf_addch(sb, '"');
}

static void add_scalar(struct strbuf *sb)
{
	switch (random_below(5)) {
	case 0:
		strbuf_addstr(sb, PICK("true", "false", "null", "0", "-0", "-0.0", "1e-400",
				       "0.1e5", "123456789012345678901234567890", "NaN",
				       "18446744073709551615", "9007199254740993", "-Infinity",
				       "0.30000000000000004", "2.2250738585072011e-308"));
		break;
	case 1:
		strbuf_addf(sb, "%zu.%zu", random_below(100), random_below(1000000));
		break;
	case 2:
		add_string(sb);
		break;
	default:
		strbuf_addf(sb, "%llu", random_state >> random_below(64));
	}
}

static void add_value(struct strbuf *sb, unsigned depth)
{
	size_t kind = depth < 4 ? random_below(6) : 5;
	if (kind >= 2) {
		add_scalar(sb);
		return;
	}
	strbuf_addch(sb, kind ? '[' : '{');
	space(sb);
	for (size_t i = 0, n = random_below(4); i < n; i++) {
		strbuf_addstr(sb, i ? "," : "");
		space(sb);
		if (kind == 0) {
			add_string(sb);
			space(sb);
			strbuf_addch(sb, ':');
			space(sb);
		}
		add_value(sb, depth + 1);
		space(sb);
	}
	strbuf_addch(sb, kind ? ']' : '}');
}

static void add_name(struct strbuf *sb, const char *name)
{
	strbuf_addf(sb, "\"%s\"", name);
	space(sb);
	strbuf_addch(sb, ':');
	space(sb);
}

static void add_wanted(struct strbuf *sb)
{
	switch (random_below(4)) {
	case 0:
		add_name(sb, "duration");
		strbuf_addf(sb, "%zu", random_below(700));
		break;
	case 1:
		add_name(sb, "opcode");
		add_string(sb);
		break;
	case 2:
		add_name(sb, "a_name_that_is_longer_than_24_bytes");
		add_value(sb, 2);
		break;
	default:
		add_name(sb, PICK("k", "k", "k", "xk", "dur\\u0061tion", "ration"));
		add_value(sb, 2);
	}
}

static void add_record(struct strbuf *sb)
{
	strbuf_addch(sb, '{');
	space(sb);
	for (size_t i = 0, n = random_below(7); i < n; i++) {
		strbuf_addstr(sb, i ? "," : "");
		space(sb);
		if (random_below(3)) {
			add_wanted(sb);
		} else {
			add_string(sb);
			strbuf_addch(sb, ':');
			add_value(sb, 1);
		}
		space(sb);
	}
	strbuf_addch(sb, '}');
}

static void add_section(struct strbuf *sb, const char *name)
{
	strbuf_addf(sb, "\"%s\":", name);
	space(sb);
	if (random_below(8) == 0) {
		add_value(sb, 0);
		return;
	}
	strbuf_addch(sb, '[');
	for (size_t i = 0, n = random_below(12); i < n; i++) {
		space(sb);
		strbuf_addstr(sb, i ? "," : "");
		space(sb);
		if (random_below(40))
			add_record(sb);
		else
			add_value(sb, 2);
	}
	space(sb);
	strbuf_addch(sb, ']');
}

static void make_document(struct strbuf *sb)
{
	spaced = (int)random_below(4) * 2;
	strbuf_reset(sb);
	strbuf_addch(sb, '{');
	space(sb);
	for (size_t i = 0, n = random_below(5); i < n; i++) {
		strbuf_addstr(sb, i ? "," : "");
		add_section(sb, PICK("r", "r", "s", "m", "x", "y"));
		space(sb);
	}
	strbuf_addch(sb, '}');
}

/* One or two bytes become others, vanish, or are doubled. */
static void spoil(struct strbuf *sb)
{
	static const char bytes[] = "{}[]\",:\\ 0-9eE.+tfnu\n\t\x01\xff\xc3\x7f";
	for (size_t n = 1 + random_below(2); n > 0 && sb->len > 1; n--) {
		size_t at = random_below(sb->len);
		switch (random_below(3)) {
		case 0:
			sb->buf[at] = bytes[random_below(sizeof bytes - 1)];
			break;
		case 1:
			memmove(sb->buf + at, sb->buf + at + 1, sb->len - at - 1);
			sb->len--;
			break;
		default:
			strbuf_addch(sb, ' ');
			memmove(sb->buf + at + 1, sb->buf + at, sb->len - at - 1);
		}
	}
}

START_TEST(agrees_with_the_slow_way)
{
	struct strbuf text = {0};
	int taken = 0, refused = 0;
	for (int i = 0; i < 600 / CHECK_ONE_IN; i++) {
		make_document(&text);
		if (i % 3 == 2)
			spoil(&text);
		if (compare_all(strbuf_span(&text)))
			taken++;
		else
			refused++;
	}
	ck_assert_int_gt(taken, 100 / CHECK_ONE_IN);
	ck_assert_int_gt(refused, 100 / CHECK_ONE_IN);
	strbuf_free(&text);
}
END_TEST

/* Every byte of a document, one after the other, as every byte that means something. */
START_TEST(agrees_about_every_byte)
{
	static const char document[] =
		"{\"r\":[{\"duration\":10,\"opcode\":\"a\\\"b\",\"k\":[1.5,{\"duration\":7}]},"
		"{\"x\":{\"y\":[]},\"k\":true},{\"duration\":0}],\"x\":[[\"\\\\\"],-2e3,{}]}";
	static const char bytes[] = "{}[]\",:\\ 01-eE.+tu\n\x01\x80";
	char text[sizeof document + 200];
	memset(text, ' ', sizeof text);
	for (size_t at = 0; at < sizeof document - 1; at += CHECK_ONE_IN)
		for (size_t i = 0; i < sizeof bytes - 1; i++) {
			memcpy(text, document, sizeof document - 1);
			text[at] = bytes[i];
			compare_all((struct span){text, sizeof text});
		}
}
END_TEST

/* One bracket, quote or backslash in many becomes another, far before the end of their container.
 */
START_TEST(agrees_about_brackets)
{
	static const size_t rooms[] = {250, json_buffer_size, 0};
	static const char bytes[] = "{}[]|\\\",:_";
	struct strbuf text = {0};
	int taken = 0, refused = 0;
	spaced = 0;
	for (int i = 0; i < 2000 / CHECK_ONE_IN; i++) {
		strbuf_reset(&text);
		strbuf_addf(&text, "{\"%s\":[", PICK("r", "x"));
		size_t begin = text.len;
		for (size_t n = 1 + random_below(8); n > 0; n--) {
			if (random_below(4))
				add_record(&text);
			else
				add_value(&text, random_below(4));
			strbuf_addch(&text, ',');
		}
		const char *those = random_below(3) ? "{}[]" : "{}[]\"\\";
		char *at = text.buf + begin + random_below(text.len - begin);
		while (!strchr(those, *at) && at > text.buf + begin)
			at--;
		if (random_below(3)) /* a bracket of the other kind, the other one of its kind, or
				      * both */
			*at ^= PICK("\x20", "\x06", "\x26")[0];
		else if (random_below(3))
			*at = bytes[random_below(sizeof bytes - 1)];
		strbuf_repeat(&text, "{\"duration\":1},", 300);
		strbuf_addstr(&text, "{}]}");
		if (compare_rooms(strbuf_span(&text), NULL, rooms))
			taken++;
		else
			refused++;
	}
	ck_assert_int_gt(taken, 200 / CHECK_ONE_IN);
	ck_assert_int_gt(refused, 200 / CHECK_ONE_IN);
	strbuf_free(&text);
}
END_TEST

/* No variant accepts a truncated document. Only a document that is read up to a section may be cut
 * after that section. */
START_TEST(refuses_every_beginning)
{
	static struct json_log log;
	struct strbuf text = {0};
	for (int i = 0; i < 40 / CHECK_ONE_IN; i++) {
		do
			make_document(&text);
		while (text.len < 2 || text.len > 2000 || !compare_all(strbuf_span(&text)));
		for (size_t len = 0; len < text.len; len++) {
			struct span begun = {text.buf, len};
			for (const struct json_blocks_variant *v = json_blocks_variants; v->name;
			     v++) {
				struct json_stream how = {.sections = sections, .room = 64};
				if (!v->supported())
					continue;
				json_log_read(&log, how, v->name, begun);
				ck_assert_msg(log.rc < 0, "%s: %.*s", v->name, (int)len, text.buf);
				how.until = "no such section";
				json_log_read(&log, how, v->name, begun);
				ck_assert_msg(log.rc < 0, "%s: %.*s", v->name, (int)len, text.buf);
			}
		}
	}
	strbuf_free(&text);
}
END_TEST

/* Up to the last section that is read, skipped parts are checked as everywhere. */
START_TEST(stops_after_a_section)
{
	static const struct {
		const char *document;
		const char *log;     /* log of the section "m" after it */
		const char *message; /* NULL: none */
	} cases[] = {
		{"{\"x\":%s[{\"a\":\"]}\"},[[]]],\"m\":{\"a\":1}", "a1=0x1p+0,1,0,1 m:|", NULL},
		{"{\"x\":%s{\"a\":[\"\\\"}\\\\\",{}]},\"m\":{}", "m:|", NULL},
		{"{\"x\":%s\"}\",\"m\":{} and so on", "m:|", NULL},
		{"{\"x\":%s{[}],\"m\":{}", "", "expected a quoted name, found '['"},
		{"{\"x\":%s[1 2],\"m\":{}", "", "expected ',' or ']', found '2'"},
		{"{\"x\":%s[nul],\"m\":{}", "", "expected a value, found 'n'"},
		{"{\"x\":%s[\"\xff\"],\"m\":{}", "", "invalid UTF-8"},
		{"{\"x\":%s[}],\"m\":{}", "", "expected a value, found '}'"},
		{"{\"x\":%s[\"]", "", "truncated JSON document"},
		{"{\"x\":%s[\"\\", "", "truncated JSON document"},
		{"{\"x\":%s[{", "", "truncated JSON document"},
		{"{\"x\":%s[]}", "", NULL},
	};
	enum { shifts = 2 * 64 + 2 }; /* two blocks */
	static const size_t rooms[] = {64, 77, 250, json_buffer_size};
	static struct json_log log;
	for (const struct json_blocks_variant *v = json_blocks_variants; v->name; v++)
		for (size_t i = 0; v->supported() && i < 4 * shifts * sizeof cases / sizeof *cases;
		     i++) {
			struct strbuf text = {0}, blanks = {0};
			struct json_stream how = {.sections = sections, .until = "m"};
			how.room = rooms[i / shifts % 4];
			strbuf_repeat(&blanks, " ", i % shifts);
			size_t row = i / (4 * shifts);
			struct span before = span_of(cases[row].document);
			before.len = span_find(before, "%s");
			strbuf_addspan(&text, before);
			strbuf_addstr(&text, strbuf_text(&blanks));
			strbuf_addstr(&text, cases[row].document + before.len + 2);
			json_log_read(&log, how, v->name, strbuf_span(&text));
			ck_assert_str_eq(strbuf_text(&log.text), cases[row].log);
			ck_assert_int_eq(log.rc < 0, cases[row].message != NULL);
			ck_assert_msg(!cases[row].message ||
					      strstr(log.err.text, cases[row].message),
				      "%s: %s", strbuf_text(&text), log.err.text);
			strbuf_free(&text);
			strbuf_free(&blanks);
		}
}
END_TEST

/* --- the parts --- */

static bool count_record(void *context, const char *begin, const char *end,
			 const char *const *values)
{
	int *count = context;
	ck_assert(*begin == '{' && end[-1] == '}');
	for (int i = 0; i < 2; i++)
		*count += values[i] != NULL;
	return true;
}

static bool refuse_record(void *context, const char *begin, const char *end,
			  const char *const *values)
{
	int *tries = context;
	(void)begin, (void)end, (void)values;
	++*tries;
	return false;
}

/* That the quick way is taken, and only when brackets are not nested deeper than was said. */
static void take_records(const char *nested, int depth)
{
	static char text[40000];
	const char *at = text + json_slack;
	const struct span wanted[] = {span_of("duration"), span_of("k")};
	struct json_names names;
	size_t len = json_slack;
	for (int i = 0; i < 100; i++)
		len += (size_t)snprintf(
			text + len, 300,
			"%s{\"a\":\"x\\ny !#$%%&'()*+-./:;<=>?@[]^_`{}~|\",\"b\":[-1.5,"
			"{\"k\":2,\"c\":%s}],\"duration\":%d,\"k\": null}",
			i ? "," : "", nested, i);
	ck_assert(json_blocks_names_init(&names, wanted, 2));
	for (const struct json_blocks_variant *v = json_blocks_variants; v->name; v++)
		for (int levels = 0; levels < 10; levels++) {
			int found = 0;
			bool enough = levels >= depth;
			struct json_blocks job = {.at = at,
						  .end = text + len,
						  .fresh = true,
						  .levels = levels,
						  .names = &names,
						  .record = count_record,
						  .context = &found};
			if (!v->supported() || strcmp(v->name, "none") == 0)
				continue;
			ck_assert(json_blocks_use(v->name));
			ck_assert_int_eq(json_blocks_run(&job),
					 enough ? JSON_BLOCKS_BYTES : JSON_BLOCKS_LEFT);
			/* The last one may lie in the last, incomplete block. */
			ck_assert_int_lt(job.end - job.consumed, enough ? 200 : INT_MAX);
			ck_assert_msg(enough ? found >= 198 && found <= 200 : found == 0,
				      "%s, %d levels: %d", v->name, levels, found);
		}
}

START_TEST(takes_whole_records)
{
	take_records("0", 3);
	take_records("[]", 4);
	take_records("[[],[1,{}]]", 6);
}
END_TEST

/* Records that are refused one after the other cost a try only now and then. */
START_TEST(loses_patience)
{
	struct strbuf text = {0};
	struct error err = {0};
	int tries = 0, items = 0;
	const struct span wanted[] = {span_of("duration")};
	struct json_names names;
	ck_assert(json_blocks_names_init(&names, wanted, 1));
	strbuf_addch(&text, '[');
	for (int i = 0; i < 20000; i++)
		strbuf_addstr(&text, i ? ",{\"duration\":1}" : "{\"duration\":1}");
	strbuf_addch(&text, ']');
	ck_assert(json_blocks_use("words"));
	struct input *input = input_of_bytes(strbuf_span(&text));
	struct json_scan *scan = json_scan_new(input, json_buffer_size);
	struct json_blocks job = {.names = &names, .record = refuse_record, .context = &tries};
	ck_assert_int_eq(json_scan_peek(scan, &err), '[');
	ck_assert_int_eq(json_scan_open(scan, &err), 0);
	while (json_scan_items(scan, &job, &err) == 0 && json_scan_next(scan, &err) > 0) {
		ck_assert_int_eq(json_scan_peek(scan, &err), '{');
		ck_assert_int_eq(json_scan_skip(scan, &err), 0);
		items++;
	}
	ck_assert_int_eq(items, 20000);
	ck_assert_int_gt(tries, 0);
	ck_assert_int_lt(tries, 100);
	json_scan_free(scan);
	input_close(input);
	strbuf_free(&text);
}
END_TEST

UNIT_MAIN("json_blocks", agrees_with_the_slow_way, agrees_about_every_byte, agrees_about_brackets,
	  refuses_every_beginning, stops_after_a_section, takes_whole_records, loses_patience)
