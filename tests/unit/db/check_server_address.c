/* Addresses of stores on a server: what is shown of them has no password. */
#include "unit/unit.h"

#include "db/postgres/address.h"

static const struct {
	const char *address, *shown, *project;
} rows[] = {
	{"postgresql://h/d", "postgresql://h/d", NULL},
	{"postgres:///d?host=/run&port=5#p", "postgres:///d?host=/run&port=5#p", "p"},
	{"postgresql://u@h:5432/d#github.com/ada/kernels",
	 "postgresql://u@h:5432/d#github.com/ada/kernels", "github.com/ada/kernels"},
	{"postgresql://u:sesame@h/d#p", "postgresql://u@h/d#p", "p"},
	{"postgresql://u:@h/d#", "postgresql://u@h/d#", NULL},
	/* libpq takes all of this for passwords. */
	{"postgresql://u:a?sesame@h/d", "postgresql://u@h/d", NULL},
	{"postgresql://u:a#sesame@h/d#p", "postgresql://u@h/d#p", "p"},
	{"postgresql://u:a/sesame@h/d", "postgresql://u@h/d", NULL},
	{"postgresql://u:a@sesame@h/d", "postgresql://u@h/d", NULL},
	{"postgresql://u:a:sesame@h", "postgresql://u@h", NULL},
	/* Options may have some, too. */
	{"postgresql://h/d?password=sesame&sslmode=require", "postgresql://h/d?sslmode=require",
	 NULL},
	{"postgresql://h/d?p%61ssword=sesame", "postgresql://h/d", NULL},
	{"postgresql://h/d?sslpassword=sesame&oauth_client_secret=sesame#p", "postgresql://h/d#p",
	 "p"},
	{"postgresql://h/d?options=-c%20x=sesame", "postgresql://h/d", NULL},
};

START_TEST(no_password_is_shown)
{
	struct arena arena = {0};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const char *address = rows[i].address, *shown = server_shown(&arena, address);
		ck_assert(server_is_address(address));
		ck_assert_msg(strcmp(shown, rows[i].shown) == 0, "%s: %s", address, shown);
		ck_assert_ptr_null(strstr(shown, "sesame"));
		const char *project = server_project_of(address);
		ck_assert_msg(span_text_eq(project, rows[i].project), "%s: %s", address,
			      project ? project : "none");
	}
	arena_free(&arena);
}
END_TEST

START_TEST(words_that_quote_a_password_are_known)
{
	static const char address[] = "postgresql://u:Xk3@secret9/x@localhost/d";
	ck_assert(server_quotes_secret(address, "host name \"secret9/x@localhost\""));
	ck_assert(server_quotes_secret(address, "invalid port number: \"Xk3\""));
	ck_assert(!server_quotes_secret(address, "connection to server at \"localhost\" failed"));
	ck_assert(!server_quotes_secret("postgresql://localhost/d", "localhost"));
}
END_TEST

START_TEST(files_are_no_addresses)
{
	static const char *const files[] = {"runs.db", "postgresql:/x", "./postgresql://h", "",
					    NULL};
	for (size_t i = 0; i < sizeof files / sizeof *files; i++)
		ck_assert(!server_is_address(files[i]));
}
END_TEST

UNIT_MAIN("server addresses", no_password_is_shown, words_that_quote_a_password_are_known,
	  files_are_no_addresses)
