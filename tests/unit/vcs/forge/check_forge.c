/* What a comment's last line may be, where a token may be sent, and members of answers. */
#include "unit/unit.h"

#include "base/json/json.h"
#include "vcs/forge/internal.h"

#define COMMIT "1111111111111111111111111111111111111111"

static const char *project_of(struct arena *arena, const char *body)
{
	struct forge_marker marker;
	return forge_marker_of(arena, span_of(body), &marker) ? marker.project : NULL;
}

START_TEST(markers)
{
	struct arena arena = {0};
	ck_assert_str_eq(project_of(&arena, "<!-- rooflog:default:" COMMIT " -->"), "default");
	ck_assert_str_eq(project_of(&arena, "text\r\n\r\n<!-- rooflog:a:b:" COMMIT " -->\r\n \n"),
			 "a:b");
	ck_assert_str_eq(
		project_of(&arena, "x\n<!-- rooflog:p:" COMMIT "111111111111111111111111 -->"),
		"p");
	static const char *const others[] = {
		"",
		"\n",
		"<!-- rooflog:default:" COMMIT " --> and more",
		"<!-- rooflog:default:" COMMIT " -->\nmore",
		"text <!-- rooflog:default:" COMMIT " -->",
		"<!-- rooflog::" COMMIT " -->",
		"<!-- rooflog:default: -->",
		"<!-- rooflog:default -->",
		"<!-- rooflog:default:1111111 -->",
		"<!-- rooflog:default:" COMMIT "1 -->",
		"<!-- rooflog:default:GGGG111111111111111111111111111111111111 -->",
		"<!-- rooflog: -->",
		"<!-- rooflog:-->",
	};
	for (size_t i = 0; i < sizeof others / sizeof *others; i++)
		ck_assert_msg(!project_of(&arena, others[i]), "%s", others[i]);
	arena_free(&arena);
}
END_TEST

START_TEST(addresses)
{
	struct error err;
	static const char *const good[] = {"https://api.github.com", "https://h:8443/api/v1",
					   "http://127.0.0.1:80/x", "http://localhost",
					   "http://[::1]:80/"};
	static const char *const bad[] = {
		"",
		"https://",
		"http://example.org",
		"http://127.0.0.1.example.org/",
		"http://localhost.example.org",
		"http://127.0.0.1@example.org/",
		"https://user@example.org",
		"https://user:password@example.org/",
		"ftp://127.0.0.1/",
		"https://a b/",
		"https://a\nHost: b",
		"file:///etc/passwd",
		"HTTPS://example.org",
	};
	for (size_t i = 0; i < sizeof good / sizeof *good; i++)
		ck_assert_msg(http_check_url("it", good[i], &err) == 0, "%s", good[i]);
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
		ck_assert_msg(http_check_url("it", bad[i], &err) < 0, "%s", bad[i]);
	ck_assert(http_is_same_host("https://a.b/x", "https://A.b?y"));
	ck_assert(!http_is_same_host("https://a.b/x", "http://a.b/x"));
	ck_assert(!http_is_same_host("https://a.b", "https://a.b:444"));
	ck_assert(!http_is_same_host("https://a.b", "https://a.b.c"));
	ck_assert(!http_is_same_host("https://a.b", "//a.b"));
	ck_assert(!http_is_same_host("https://a.b", ""));
}
END_TEST

START_TEST(members)
{
	struct arena arena = {0};
	struct error err;
	struct json *document = json_parse(
		&arena, span_of("{\"a\": {\"b\": {\"c\": \"x\"}, \"n\": 7, \"none\": null}}"),
		&err);
	ck_assert_ptr_nonnull(document);
	ck_assert_str_eq(forge_member(&arena, document, "a.b.c"), "x");
	ck_assert_str_eq(forge_member(&arena, document, "a.n"), "7");
	ck_assert_ptr_null(forge_member(&arena, document, "a.none"));
	ck_assert_ptr_null(forge_member(&arena, document, "a.none.c"));
	ck_assert_ptr_null(forge_member(&arena, document, "a.b"));
	ck_assert_ptr_null(forge_member(&arena, document, "x.y.z"));
	arena_free(&arena);
}
END_TEST

UNIT_MAIN("forge", markers, addresses, members)
