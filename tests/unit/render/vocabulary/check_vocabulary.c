/* The vocabulary: every code in each language, and how templates are filled. */
#include "unit/unit.h"

#include <math.h>
#include <string.h>

#include "base/text/utf8.h"
#include "render/vocabulary/vocabulary.h"

static struct arena arena;

/* Whether the template has the value among its placeholders. */
static bool uses(const char *text, struct span name)
{
	for (; (text = strchr(text, '{')) != NULL; text++)
		if (strncmp(text + 1, name.ptr, name.len) == 0 &&
		    strchr(":?*}", text[1 + name.len]))
			return true;
	return false;
}

static bool has_value(enum message_code code, struct span name)
{
	for (size_t i = 0; i < message_arity(code); i++)
		if (span_eq(message_value_name(code, i), name))
			return true;
	return false;
}

/* Each brace opens a placeholder of a value that the message has, and closes it. */
static void check_braces(enum message_code code, const char *text)
{
	for (const char *at = text + strcspn(text, "{}"); *at; at += strcspn(at, "{}")) {
		size_t name = strcspn(at + 1, ":?*{}"), len = strcspn(at + 1, "{}");
		ck_assert_msg(*at == '{' && at[1 + len] == '}', "%s: a stray brace in %s",
			      message_code_name(code), text);
		ck_assert_msg(has_value(code, (struct span){at + 1, name}),
			      "%s has no such value: %s", message_code_name(code), at);
		at += len + 2;
	}
}

/* All values of the message are used. */
static void check_values(enum message_code code, const char *text)
{
	for (size_t i = 0; i < message_arity(code); i++) {
		struct span name = message_value_name(code, i);
		ck_assert_msg(uses(text, name), "%s: {%.*s} is not used in %s",
			      message_code_name(code), (int)name.len, name.ptr, text);
	}
}

START_TEST(each_template_is_whole)
{
	for (int i = 0; i < MESSAGE_COUNT; i++)
		for (int language = 0; language < LANGUAGE_COUNT; language++) {
			enum message_code code = (enum message_code)i;
			const char *text = vocabulary_template((enum language)language, code);
			ck_assert_ptr_nonnull(text);
			check_braces(code, text);
			check_values(code, text);
		}
}
END_TEST

/* English is ASCII; Chinese sentences have no ASCII punctuation after a Chinese
 * letter, but formulas have ASCII parentheses. */
static void check_letters(enum message_code code)
{
	const char *english = vocabulary_template(LANGUAGE_ENGLISH, code);
	const char *chinese = vocabulary_template(LANGUAGE_CHINESE, code);
	for (const char *c = english; *c; c++)
		ck_assert_msg((unsigned char)*c < 0x80, "%s: %s", message_code_name(code), english);
	for (const char *c = chinese; *c; c++)
		ck_assert_msg(c == chinese || (unsigned char)c[-1] < 0x80 || !strchr(",;:?!", *c),
			      "%s: %s", message_code_name(code), chinese);
	ck_assert_uint_eq(utf8_valid_prefix(span_of(chinese)), strlen(chinese));
}

START_TEST(each_language_has_its_letters)
{
	for (int i = 0; i < MESSAGE_COUNT; i++)
		check_letters((enum message_code)i);
}
END_TEST

/* The conversions of a printf format, in the order of its arguments: "s", ".0f", "zu". A Chinese
 * format numbers all of them or none. */
enum { CONVERSIONS = 12 };
static size_t conversions_of(const char *format, char kinds[CONVERSIONS][8])
{
	size_t count = 0;
	memset(kinds, 0, CONVERSIONS * sizeof *kinds);
	for (const char *at = strchr(format, '%'); at; at = strchr(at, '%')) {
		size_t digits = strspn(++at, "0123456789"), index = count;
		if (*at == '%') {
			at++;
			continue;
		}
		if (digits && at[digits] == '$') {
			index = (size_t)strtoul(at, NULL, 10) - 1;
			at += digits + 1;
		}
		/* A text of no character stands for a plural that Chinese does not have. */
		at += strspn(at, "+.0123456789");
		size_t len = at[0] == 'z' ? 2 : at[0] == 'l' ? 3 : 1;
		ck_assert_uint_lt(index, CONVERSIONS);
		ck_assert_msg(!kinds[index][0], "twice in %s", format);
		memcpy(kinds[index], at, len);
		count++;
		at += len;
	}
	return count;
}

/* Percent signs of formats without conversions stand alone: they are never formats. */
static bool is_plain(const char *english)
{
	return strncmp(english, "95 % ", 5) == 0 || strstr(english, "100 % ");
}

START_TEST(formats_take_the_same_values)
{
	const char *english, *chinese;
	size_t i = 0;
	for (; vocabulary_format_at(i, &english, &chinese); i++) {
		char one[CONVERSIONS][8], other[CONVERSIONS][8];
		if (is_plain(english))
			continue;
		size_t count = conversions_of(english, one);
		ck_assert_msg(count == conversions_of(chinese, other), "%s: %s", english, chinese);
		for (size_t k = 0; k < count; k++)
			ck_assert_msg(strcmp(one[k], other[k]) == 0, "%s: %s", english, chinese);
		const char *first, *text;
		for (size_t k = 0; k < i && vocabulary_format_at(k, &first, &text); k++)
			ck_assert_msg(strcmp(first, english) != 0, "twice: %s", english);
	}
	ck_assert_uint_gt(i, 200);
}
END_TEST

START_TEST(values_are_filled_in)
{
	const struct message *part =
		message_of(&arena, MESSAGE_REGISTERS_PER_THREAD, message_quantity(255, UNIT_COUNT));
	const struct {
		const struct message *message;
		const char *texts[LANGUAGE_COUNT];
	} rows[] = {
		{NULL, {"", ""}},
		{message_plain(MESSAGE_NONE), {"", ""}},
		{message_plain(MESSAGE_BOUND_LATENCY), {"Latency-bound", "延迟受限"}},
		{message_of(&arena, MESSAGE_FOUND_THEORETICAL_OCCUPANCY, message_fraction(0.25),
			    message_fraction(0.8), message_part(part)),
		 {"Theoretical occupancy is 25.00 % (threshold 80.00 %), with 255 registers per "
		  "thread",
		  "理论占用率为 25.00%（阈值 80.00%），每线程 255 个寄存器"}},
		{message_of(&arena, MESSAGE_FOUND_THEORETICAL_OCCUPANCY, message_fraction(0.25),
			    message_fraction(NAN), message_part(NULL)),
		 {"Theoretical occupancy is 25.00 % (threshold unknown)",
		  "理论占用率为 25.00%（阈值未知）"}},
		{message_of(&arena, MESSAGE_ENGINES_BOTH_LOW, message_fraction(0.1),
			    message_fraction(0.2), message_fraction(0.6)),
		 {"MBU 10.00 % and tensor engine active 20.00 % are both below 60 %",
		  "MBU 10.00%，张量引擎活跃率 20.00%，均低于 60%"}},
		{message_of(
			 &arena, MESSAGE_WHY_SINCE, message_difference(-5.954e-6, UNIT_SECOND),
			 message_text("0123456789"),
			 message_part(message_of(
				 &arena, MESSAGE_WHY_PARTS_AND_CAUSES,
				 message_parts(
					 (const struct message *const[]){
						 message_of(&arena, MESSAGE_PART_MOVED,
							    message_term(MESSAGE_PART_HBM_TRAFFIC),
							    message_change(5, 2, UNIT_BYTE)),
						 message_of(&arena, MESSAGE_CLOCK,
							    message_fraction(-0.1))},
					 2),
				 message_parts((const struct message *const[]){message_of(
						       &arena, MESSAGE_FACT_CHANGED,
						       message_text("driver"), message_text("1"),
						       message_text("2"))},
					       1)))),
		 {"-5.95 us since 0123456789: HBM traffic 2.5x less, clock -10.0 %; driver 1 -> 2",
		  "自 0123456789 起 -5.95 us：HBM 访存量减至 1/2.5，时钟频率 -10.0%；driver 1 -> "
		  "2"}},
		{message_of(&arena, MESSAGE_SELFTEST_LET_PASS,
			    verdict_value(VERDICT_SUSPECT, true)),
		 {"unclear (unconfirmed), which fail-on does not list",
		  "待定（待确认），fail-on 中没有列出"}},
		{message_of(&arena, MESSAGE_SELFTEST_LET_PASS,
			    verdict_value(VERDICT_IMPROVED, false)),
		 {"better, which fail-on does not list", "变好，fail-on 中没有列出"}},
		/* What a value says is not read as a template. */
		{message_of(&arena, MESSAGE_NAMED, message_text("{name} {")),
		 {"{name} {", "{name} {"}},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		for (int language = 0; language < LANGUAGE_COUNT; language++)
			ck_assert_str_eq(
				vocabulary_text(&arena, (enum language)language, rows[i].message),
				rows[i].texts[language]);
	arena_free(&arena);
}
END_TEST

/* The words of the glossary (docs/glossary.md), of a time and of another metric. */
START_TEST(each_verdict_has_its_words)
{
	static const char *const words[] = {"slower",  "faster", "unchanged", "unclear",
					    "missing", "new",    "impossible"};
	static const char *const others[] = {"worse",   "better", "unchanged", "unclear",
					     "missing", "new",    "impossible"};
	for (enum verdict verdict = 0; verdict < VERDICT_LIMIT; verdict++) {
		struct span speed = span_of(vocabulary_verdict(LANGUAGE_ENGLISH, verdict, true));
		struct span other = span_of(vocabulary_verdict(LANGUAGE_ENGLISH, verdict, false));
		const char *chinese = vocabulary_verdict(LANGUAGE_CHINESE, verdict, true);
		size_t word = 0;
		struct span first = span_cut(&speed, ' '), second = span_cut(&other, ' ');
		ck_assert_uint_ge((unsigned char)chinese[0], 0x80);
		while (word < sizeof words / sizeof *words && !span_is(first, words[word]))
			word++;
		ck_assert_msg(word < sizeof words / sizeof *words, "%s", first.ptr);
		ck_assert_msg(span_is(second, others[word]), "%s", second.ptr);
		ck_assert(!speed.ptr || (speed.ptr[0] == '(' && speed.ptr[speed.len - 1] == ')'));
		ck_assert(!speed.ptr == !other.ptr);
		ck_assert(!speed.ptr || span_is(speed, other.ptr));
	}
	ck_assert_str_eq(vocabulary_verdict(LANGUAGE_ENGLISH, VERDICT_DRIFT, true),
			 "slower (drift)");
	ck_assert_str_eq(vocabulary_verdict(LANGUAGE_CHINESE, VERDICT_DRIFT, false),
			 "变差（缓慢退化）");
}
END_TEST

START_TEST(a_word_follows_its_number)
{
	static const char *const expected[] = {
		"Work on one core: only 1 of 8 physical cores works; against its own peak it "
		"reaches MFU 5.000 %",
		"Work on one core: only 2 of 8 physical cores work; against their own peak they "
		"reach MFU 5.000 %"};
	for (size_t working = 1; working <= 2; working++)
		ck_assert_str_eq(vocabulary_say(&arena, message_of(&arena, MESSAGE_FOUND_IDLE_CORE,
								   message_integer(working),
								   message_integer(8),
								   message_fraction(0.05))),
				 expected[working - 1]);
	arena_free(&arena);
}
END_TEST

UNIT_MAIN("vocabulary", each_template_is_whole, each_language_has_its_letters,
	  formats_take_the_same_values, values_are_filled_in, each_verdict_has_its_words,
	  a_word_follows_its_number)
