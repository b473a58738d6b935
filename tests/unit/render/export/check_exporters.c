/* Formats for machines over sample documents: golden files, rewritten with GOLDEN_UPDATE=1.
 * tests/cli/report/exporters.sh puts them to parsers. */
#include "unit/unit.h"

#include <string.h>

#include "base/system/file.h"
#include "base/text/utf8.h"
#include "render/export/annotation.h"
#include "render/export/exporter.h"
#include "unit/golden.h"

/* A gate with every outcome; with hostile names; with no comparisons, passing and not; a good one.
 */
static const char *const documents[] = {"gate", "names", "empty", "nothing", "passed"};

static const struct json *sample(struct arena *arena, const char *path)
{
	struct error err = {ERR_NONE, ""};
	struct span bytes;
	ck_assert_msg(file_read(arena, path, 1 << 20, &bytes, &err) == 0, "%s", err.text);
	const struct json *document = json_parse(arena, bytes, &err);
	ck_assert_msg(document != NULL, "%s: %s", path, err.text);
	return document;
}

static const struct json *golden(struct arena *arena, const char *name)
{
	return sample(arena, arena_printf(arena, "tests/golden/exporters/%s/document.json", name));
}

static const char *exported(struct arena *arena, const char *name, const struct json *document)
{
	struct strbuf out = {0};
	struct error err = {ERR_NONE, ""};
	ck_assert_msg(export_write(export_find(name), arena, document,
				   &(struct export_target){&out, NULL}, &err) == 0,
		      "%s: %s", name, err.text);
	return strbuf_into(&out, arena);
}

START_TEST(golden_files)
{
	for (size_t d = 0; d < sizeof documents / sizeof *documents; d++)
		for (const struct exporter *row = exporters; row->name; row++) {
			/* A format may change the tree that it is given. */
			struct arena arena = {0};
			const char *text =
				exported(&arena, row->name, golden(&arena, documents[d]));
			golden_compare(&arena,
				       arena_printf(&arena, "tests/golden/exporters/%s/document.%s",
						    documents[d], row->name),
				       span_of(text));
			arena_free(&arena);
		}
}
END_TEST

/* Each hostile name in a document of its own: a file of annotations holds only ten. */
START_TEST(every_name_as_annotation)
{
	struct arena arena = {0};
	struct strbuf all = {0};
	const struct json *list =
		json_get(json_get(golden(&arena, "names"), "gate"), "comparisons");
	for (struct json *one = list->first, *next; one; one = next) {
		struct json *document = json_object(&arena);
		struct json *gate = json_set_object(&arena, document, "gate");
		struct json *alone = json_set_array(&arena, gate, "comparisons");
		next = one->next;
		one->next = NULL;
		alone->first = alone->last = one;
		alone->count = 1;
		strbuf_addstr(&all, exported(&arena, "github", document));
	}
	golden_compare(&arena, "tests/golden/exporters/names/each.github", strbuf_span(&all));
	strbuf_free(&all);
	arena_free(&arena);
}
END_TEST

/* Values of runs, where the document has them. */
START_TEST(metrics_of_runs)
{
	struct arena arena = {0};
	const char *text = exported(&arena, "openmetrics",
				    sample(&arena, "tests/golden/report/runs/document.json"));
	golden_compare(&arena, "tests/golden/report/runs/document.openmetrics", span_of(text));
	arena_free(&arena);
}
END_TEST

START_TEST(without_a_gate)
{
	struct arena arena = {0};
	const struct json *document = sample(&arena, "tests/golden/report/empty/document.json");
	for (const struct exporter *row = exporters; row->name; row++) {
		struct strbuf out = {0};
		struct error err = {ERR_NONE, ""};
		int rc = export_write(row, &arena, document, &(struct export_target){&out, NULL},
				      &err);
		if (row->needs == EXPORTER_NEEDS_RUNS) {
			ck_assert_int_eq(rc, 0);
			ck_assert_str_eq(strbuf_text(&out),
					 strcmp(row->name, "hud") == 0 ? "" : "# EOF\n");
		} else if (row->needs == EXPORTER_NEEDS_NOTHING) {
			ck_assert_int_eq(rc, 0);
			ck_assert_ptr_nonnull(strstr(strbuf_text(&out), "no baseline"));
		} else {
			ck_assert_int_eq(rc, -1);
			ck_assert_ptr_nonnull(strstr(err.text, row->name));
			ck_assert_ptr_nonnull(strstr(err.text, "nothing was compared"));
			ck_assert_uint_eq(out.len, 0);
		}
		strbuf_free(&out);
	}
	arena_free(&arena);
}
END_TEST

static struct json *gate_of(struct arena *arena, size_t count, int status, const char *name)
{
	struct json *document = json_object(arena);
	struct json *gate = json_set_object(arena, document, "gate");
	json_set_number(arena, gate, "exit_status", status);
	struct json *list = json_set_array(arena, gate, "comparisons");
	for (size_t i = 0; i < count; i++) {
		struct json *one = json_add_object(arena, list);
		json_set_text(arena, one, "series", arena_printf(arena, "%s %zu", name, i));
		json_set_text(arena, one, "kernel", name);
		json_set_text(arena, one, "verdict", "regressed");
		json_set_text(arena, one, "verdict_text", "slower");
		json_set_number(arena, one, "exit_status", 1);
	}
	return document;
}

static size_t lines_of(const char *text)
{
	size_t lines = 0;
	while ((text = strchr(text, '\n'))) {
		lines++;
		text++;
	}
	return lines;
}

START_TEST(annotations_at_most)
{
	static const struct {
		size_t count, lines;
		const char *last;
	} rows[] = {{0, 0, ""},
		    {1, 1, "::error title=slower%3A a::"},
		    {10, 10, "::error title=slower%3A a::"},
		    {11, 10, "::error title=rooflog::2 more comparisons"},
		    {10000, 10, "::error title=rooflog::9991 more comparisons"}};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct arena arena = {0};
		const char *text =
			exported(&arena, "github", gate_of(&arena, rows[i].count, 0, "a"));
		const char *last = text;
		for (const char *at = text; (at = strchr(at, '\n')) && at[1];)
			last = ++at;
		ck_assert_uint_eq(lines_of(text), rows[i].lines);
		ck_assert_msg(strncmp(last, rows[i].last, strlen(rows[i].last)) == 0, "%s", last);
		arena_free(&arena);
	}
}
END_TEST

/* A gate that fails by none of its comparisons is red in every format. */
START_TEST(a_red_gate_is_red)
{
	static const struct {
		const char *format, *has;
	} rows[] = {{"junit", "errors=\"1\""},
		    {"sarif", "\"level\": \"note\""},
		    {"gitlab", "\"severity\": \"info\""},
		    {"github", "::notice title="},
		    {"badge", "\"isError\": true"},
		    {"openmetrics", "rooflog_gate_exit_status 4\n"}};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct arena arena = {0};
		const char *text = exported(&arena, rows[i].format, gate_of(&arena, 0, 4, "a"));
		ck_assert_msg(strstr(text, rows[i].has) != NULL, "%s", text);
		arena_free(&arena);
	}
}
END_TEST

/* Bytes that JSON files never bring, but names of files may. */
START_TEST(bytes_that_are_no_text)
{
	static const char *const names[] = {"\xed\xa0\x80", "a\xff\xfe", "\xc0\xaf",
					    "\xf4\x90\x80\x80", "\xe2\x82"};
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		for (const struct exporter *row = exporters; row->name; row++) {
			struct arena arena = {0};
			const char *text =
				exported(&arena, row->name, gate_of(&arena, 1, 1, names[i]));
			ck_assert_msg(utf8_valid_prefix(span_of(text)) == strlen(text), "%s: %s",
				      row->name, text);
			/* The gate's only row has no value, so that the HUD gets no record. */
			ck_assert_msg(strstr(text, "\xef\xbf\xbd") != NULL ||
					      strcmp(row->name, "badge") == 0 ||
					      strcmp(row->name, "hud") == 0,
				      "%s: %s", row->name, text);
			arena_free(&arena);
		}
}
END_TEST

/* Only a file of the repository is a place. */
START_TEST(places)
{
	static const struct {
		const char *key, *path;
		int line;
	} rows[] = {{"kernels/mlp.py:33", "kernels/mlp.py", 33},
		    {"a b.py:1", "a b.py", 1},
		    {"mlp.py", annotation_default_path, 1},
		    {"mlp.py:", annotation_default_path, 1},
		    {"mlp.py:0", annotation_default_path, 1},
		    {"mlp.py:12x", annotation_default_path, 1},
		    {"mlp.py:99999999999999999999", annotation_default_path, 1},
		    {":12", annotation_default_path, 1},
		    {"/home/ada/mlp.py:12", annotation_default_path, 1},
		    {"../mlp.py:12", annotation_default_path, 1},
		    {"a/../../mlp.py:12", annotation_default_path, 1},
		    {"a/..:12", annotation_default_path, 1},
		    {"..a/b..:12", "..a/b..", 12},
		    {"./mlp.py:12", annotation_default_path, 1},
		    {"C:/mlp.py:12", annotation_default_path, 1},
		    {"a\nb.py:12", annotation_default_path, 1}};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct arena arena = {0};
		struct annotation annotation;
		struct json *one = json_object(&arena);
		struct json *why = json_set_object(&arena, one, "why");
		struct json *part = json_add_object(&arena, json_set_array(&arena, why, "parts"));
		json_set_text(&arena, part, "kind", "source");
		json_set_text(&arena, part, "key", rows[i].key);
		annotation_init(&arena, one, &annotation);
		ck_assert_str_eq(annotation.path, rows[i].path);
		ck_assert_int_eq(annotation.line, rows[i].line);
		arena_free(&arena);
	}
}
END_TEST

/* A regression, made when it is visited. */
static struct json *made(void *context, struct arena *arena, size_t index)
{
	size_t *visits = context;
	(*visits)++;
	return json_get(json_get(gate_of(arena, index + 1, 1, "a"), "gate"), "comparisons")->first;
}

/* Whether the gate fails by none of its comparisons is known from the first one that fails. */
START_TEST(a_long_red_gate)
{
	enum { COMPARISONS = 500 };
	struct arena arena = {0};
	struct annotation annotation;
	size_t visits = 0;
	const struct json *gate = json_get(gate_of(&arena, 0, 1, "a"), "gate");
	json_set_items(&arena, json_get(gate, "comparisons"), COMPARISONS,
		       (struct json_items){made, &visits});
	ck_assert(!annotation_of_gate(&arena, gate, &annotation));
	ck_assert_uint_eq(visits, 1);
	arena_free(&arena);
}
END_TEST

UNIT_MAIN("exporters", golden_files, every_name_as_annotation, metrics_of_runs, without_a_gate,
	  annotations_at_most, a_red_gate_is_red, a_long_red_gate, bytes_that_are_no_text, places)
