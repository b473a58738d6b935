/* Members of documents. */
#include "render/document/document.h"

#include "tests/unit/unit.h"

static const char *filled(struct arena *arena, const struct document_member *members, size_t count)
{
	struct strbuf text = {0};
	json_write(&text, document_append(arena, json_object(arena), members, count), true);
	return strbuf_into(&text, arena);
}

START_TEST(shows_every_kind)
{
	struct arena arena = {0};
	const struct revision revision = {
		.oid = "0123456789abcdef", .subject = "Tile by 128", .time = 86400};
	const struct document_member inner[] = {{"a", NUMBER(1)}, {"b", TEXT("c")}};
	const struct message *const messages[] = {message_plain(MESSAGE_SHAPE_PLAIN),
						  message_plain(MESSAGE_SHAPE_PLAIN)};
	const struct {
		struct document_member member;
		const char *expected;
	} cases[] = {
		{{"m", TEXT("a \"b\"")}, "{\"m\":\"a \\\"b\\\"\"}"},
		{{"m", NUMBER((size_t)3)}, "{\"m\":3}"},
		{{"m", BOOL(false)}, "{\"m\":false}"},
		{{"m", PERCENT(0.0312)}, "{\"m\":\"3.1 %\"}"},
		{{"m", CHANGE(0.0312)}, "{\"m\":\"+3.12 %\"}"},
		{{"m", INTERVAL(0.029, 0.033)}, "{\"m\":\"+2.9 to +3.3 %\"}"},
		{{"m", EFFECT(-0.5, true, UNIT_SECOND)}, "{\"m\":\"-50.00 %\"}"},
		{{"m", EFFECT(4096, false, UNIT_BYTE)}, "{\"m\":\"+4.096 kB\"}"},
		{{"m", AGE(1)}, "{\"m\":\"1 commit back\"}"},
		{{"m", AGE(2)}, "{\"m\":\"2 commits back\"}"},
		{{"m", UNIT(UNIT_BYTE)}, "{\"m\":\"B\"}"},
		{{"m", AMOUNT(4096, UNIT_BYTE)}, "{\"m\":\"4.096 kB\"}"},
		{{"m", MESSAGE(messages[0])}, "{\"m\":\"plain\"}"},
		{{"m", TERM(MESSAGE_SHAPE_PLAIN)}, "{\"m\":\"plain\"}"},
		{{"m", MESSAGES(messages, 2)}, "{\"m\":[\"plain\",\"plain\"]}"},
		{{"m", QUANTITY(4096, UNIT_BYTE)},
		 "{\"m\":{\"value\":4096,\"unit\":\"B\",\"text\":\"4.096 kB\"}}"},
		{{"m", COMMIT(&revision, true)},
		 "{\"m\":{\"oid\":\"0123456789abcdef\",\"short\":\"0123456789\",\"subject\":\"Tile "
		 "by "
		 "128\",\"time\":\"1970-01-02T00:00:00Z\",\"dirty\":true}}"},
		{{"m", OBJECT(inner)}, "{\"m\":{\"a\":1,\"b\":\"c\"}}"},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		ck_assert_str_eq(filled(&arena, &cases[i].member, 1), cases[i].expected);
	arena_free(&arena);
}
END_TEST

START_TEST(unknown_is_null_or_absent)
{
	struct arena arena = {0};
	const struct document_member members[] = {
		{"m", TEXT(NULL)},         {"m", NUMBER(NAN)},   {"m", PERCENT(NAN)},
		{"m", INTERVAL(NAN, NAN)}, {"m", MESSAGE(NULL)}, {"m", AGE(-1)},
		{"m", AGE(NAN)},
	};
	for (size_t i = 0; i < sizeof members / sizeof *members; i++) {
		struct document_member optional = members[i];
		optional.optional = true;
		ck_assert_str_eq(filled(&arena, &members[i], 1), "{\"m\":null}");
		ck_assert_str_eq(filled(&arena, &optional, 1), "{}");
	}
	const struct document_member absent[] = {
		{"a", BOOL(false), OPTIONAL},
		{"b", QUANTITY(NAN, UNIT_BYTE), OPTIONAL},
		{"c", COMMIT(NULL, false)},
		{"d", MESSAGES(NULL, 0), OPTIONAL},
		{"e", CHANGE(NAN), OPTIONAL},
		{"f", EFFECT(NAN, true, UNIT_SECOND), OPTIONAL},
		{"g", TERM(MESSAGE_NONE), OPTIONAL},
	};
	const struct document_member empty[] = {{"m", TEXT("")}, {"n", TEXT(""), OPTIONAL}};
	ck_assert_str_eq(filled(&arena, empty, 2), "{\"m\":\"\",\"n\":\"\"}");
	ck_assert_str_eq(filled(&arena, absent, sizeof absent / sizeof *absent), "{}");
	const struct document_member said[] = {{"m", CHANGE(NAN)}};
	ck_assert_str_eq(filled(&arena, said, 1), "{\"m\":\"unknown\"}");
	arena_free(&arena);
}
END_TEST

/* A commit may claim any time. */
START_TEST(days_of_any_time)
{
	struct arena arena = {0};
	ck_assert_str_eq(document_day(&arena, 0), "1970-01-01");
	ck_assert_ptr_null(document_day(&arena, INT64_MAX));
	arena_free(&arena);
}
END_TEST

UNIT_MAIN("document", shows_every_kind, unknown_is_null_or_absent, days_of_any_time)
