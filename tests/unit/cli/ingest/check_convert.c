/* cli/convert: which tool, with which arguments, and what becomes of what it does. Tools are small
 * scripts in a directory that comes first in PATH. */
#include "cli/ingest/vendor_tools/vendor_tools.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/system/file.h"
#include "base/strbuf.h"
#include "ingest/reader.h"
#include "ingest/ntff/ntff.h"
#include "tests/unit/unit.h"

/* Every test is a process of its own: its folder is new. */
static char folder[] = "/tmp/check-convert.XXXXXX";
static struct arena arena;

static const char *place(const char *name)
{
	return arena_printf(&arena, "%s/%s", folder, name);
}

static void put(const char *name, const char *text)
{
	struct error err;
	ck_assert_int_eq(file_write(place(name), span_of(text), &err), 0);
}

static void put_tool(const char *name, const char *script)
{
	put(name, arena_printf(&arena, "#!/bin/sh\n%s\n", script));
	ck_assert_int_eq(chmod(place(name), 0755), 0);
}

static void set_up(void)
{
	ck_assert_ptr_nonnull(mkdtemp(folder));
	ck_assert_int_eq(chdir(folder), 0);
	setenv("PATH", arena_printf(&arena, ":.:relative:%s:/usr/bin:/bin", folder), 1);
	put("a_exec_2.ntff", "\x06 trace");
	put("a.neff", "neff");
	put("b.ncu-rep", "NVR");
	put("c.nsys-rep", "nsys");
}

static void tear_down(void)
{
	const char *command = arena_printf(&arena, "rm -rf '%s'", folder);
	ck_assert_int_eq(chdir("/"), 0);
	ck_assert_int_eq(system(command), 0);
	arena_free(&arena);
}

static const struct conversion *conversion_of(const char *name)
{
	/* A version that no reader knows. */
	static const char ntff[200] = {7, 0x58, 0x0c, [128] = 0x0a};
	struct span head = strstr(name, "ntff")  ? (struct span){ntff, sizeof ntff}
			   : strstr(name, "ncu") ? span_of("NVR\001")
						 : span_of("?");
	return vendor_tools_for(head, name);
}

START_TEST(knows_native_traces)
{
	ck_assert_str_eq(conversion_of("x.ntff")->tools[0], "neuron-explorer");
	ck_assert_str_eq(conversion_of("x.ncu")->tools[0], "ncu");
	ck_assert_str_eq(conversion_of("x.nsys-rep")->tools[0], "nsys");
	ck_assert_ptr_null(conversion_of("x.json"));
	for (char version = 4; version <= 6; version++) {
		const char known[200] = {version, 0x58, 0x0c, [128] = 0x0a};
		ck_assert_ptr_null(vendor_tools_for((struct span){known, sizeof known}, "x.ntff"));
	}
	ck_assert_ptr_eq(vendor_tools_of_reader(&ntff_reader), conversion_of("x.ntff"));
	ck_assert_ptr_null(vendor_tools_of_reader(&neff_reader));
	ck_assert_ptr_null(vendor_tools_of_reader(NULL));
	ck_assert_str_eq(
		vendor_tools_command(&arena, conversion_of("x.ntff"), "x.ntff"),
		"neuron-explorer view -n FILE.neff -s x.ntff --output-format summary-json");
	arena_free(&arena);
}
END_TEST

/* The arguments one by one, and a blank in the path does no harm. */
START_TEST(passes_arguments)
{
	static const struct {
		const char *tool, *file, *expected;
	} rows[] = {
		{"neuron-profile", "a_exec_2.ntff",
		 "<view><-n><FOLDER/a.neff><-s><FOLDER/a_exec_2.ntff><--output-format>"
		 "<summary-json>"},
		{"neuron-explorer", "a_exec_2.ntff",
		 "<view><-n><FOLDER/a.neff><-s><FOLDER/a_exec_2.ntff><--output-format>"
		 "<summary-json>"},
		{"ncu", "b.ncu-rep", "<--import><FOLDER/b.ncu-rep><--page><raw><--csv>"},
		{"neuron-profile", "d $(x).ntff",
		 "<view><-n><FOLDER/d $(x).neff><-s><FOLDER/d $(x).ntff><--output-format>"
		 "<summary-json>"},
	};
	set_up();
	put("d $(x).ntff", "trace");
	put("d $(x).neff", "neff");
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct converted out;
		struct error err;
		put_tool(rows[i].tool, "printf '<%s>' \"$@\"; echo message >&2");
		int rc = convert(&arena, conversion_of(rows[i].file), place(rows[i].file), &out,
				 &err);
		ck_assert_msg(rc == 0, "%s", err.text);
		ck_assert_str_eq(out.tool, rows[i].tool);
		ck_assert_str_eq(out.messages, "message\n");
		ck_assert_ptr_null(out.file);
		struct strbuf sb = {0};
		for (struct span rest = span_of(rows[i].expected); rest.len;) {
			size_t at = span_find(rest, "FOLDER");
			strbuf_add(&sb, rest.ptr, at);
			if (at < rest.len)
				strbuf_addstr(&sb, folder);
			at = at < rest.len ? at + strlen("FOLDER") : at;
			rest = span_from(rest, at);
		}
		ck_assert_str_eq(out.bytes.ptr, strbuf_text(&sb));
		strbuf_free(&sb);
		vendor_tools_free(&out);
		ck_assert(!file_exists(out.directory));
		unlink(place(rows[i].tool));
	}
	tear_down();
}
END_TEST

/* nsys writes a file, in a directory that goes away. */
START_TEST(takes_written_files)
{
	struct converted out;
	struct error err;
	struct span bytes;
	set_up();
	put_tool("nsys", "echo '0 percent'; echo database >\"$7\"; echo waste >more");
	ck_assert_int_eq(convert(&arena, conversion_of("c.nsys-rep"), "c.nsys-rep", &out, &err), 0);
	ck_assert_int_eq(file_read(&arena, out.file, 100, &bytes, &err), 0);
	ck_assert(span_is(bytes, "database\n"));
	ck_assert(!file_exists("more"));
	vendor_tools_free(&out);
	ck_assert(!file_exists(out.file));
	tear_down();
}
END_TEST

START_TEST(says_what_went_wrong)
{
	static const struct {
		const char *script, *message;
	} rows[] = {
		{"echo first >&2; echo 'no licence' >&2; exit 3",
		 "neuron-profile failed with exit status 3: no licence"},
		{"exit 1", "neuron-profile failed with exit status 1"},
		{"kill -9 $$", "neuron-profile failed with exit status 137"},
		{"true", "neuron-profile printed nothing"},
		{"echo; echo ' '", "neuron-profile printed nothing"},
		{"sleep 50", "did not end within 1 s"},
		{"sleep 50 & sleep 50", "did not end within 1 s"},
	};
	set_up();
	struct conversion quick = *conversion_of("a_exec_2.ntff");
	quick.seconds = 1;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct converted out;
		struct error err;
		put_tool("neuron-profile", rows[i].script);
		ck_assert_int_eq(convert(&arena, &quick, "a_exec_2.ntff", &out, &err), -1);
		ck_assert_msg(strstr(err.text, rows[i].message) != NULL, "%s: %s", rows[i].script,
			      err.text);
	}
	tear_down();
}
END_TEST

/* The NEFF of the same name, with or without _exec_<N>, or the only one that is not another's. */
START_TEST(finds_the_neff)
{
	static const struct {
		const char *trace, *neff;
		bool by_name;
	} rows[] = {
		{"one/a.ntff", "one/a.neff", true},
		{"one/a_exec_12.ntff", "one/a.neff", true},
		{"one/b.ntff", NULL, false}, /* a.neff is that of a.ntff */
		{"two/a_exec_2.ntff", "two/a_exec_2.neff", true},
		{"three/b.ntff", "three/a.neff", false},
		{"four/a.ntff", NULL, false},
	};
	set_up();
	static const char *const files[] = {"one",         "one/a.neff",        "one/a.ntff",
					    "two",         "two/a_exec_2.neff", "two/a.neff",
					    "three",       "three/a.neff",      "four",
					    "four/b.neff", "four/c.neff"};
	for (size_t i = 0; i < sizeof files / sizeof *files; i++)
		if (strchr(files[i], '/'))
			put(files[i], "");
		else
			ck_assert_int_eq(mkdir(place(files[i]), 0755), 0);
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		bool by_name = !rows[i].by_name;
		const char *neff =
			vendor_tools_neff(&arena, conversion_of("x.ntff"), rows[i].trace, &by_name);
		ck_assert_msg(span_text_eq(neff, rows[i].neff), "%s: %s", rows[i].trace, neff);
		ck_assert(by_name == rows[i].by_name);
	}
	tear_down();
}
END_TEST

/* No program is taken from the current directory, and neither a directory nor a plain file counts
 * as a program. */
START_TEST(takes_tools_from_the_path_alone)
{
	const struct conversion *ntff = conversion_of("x.ntff");
	set_up();
	put_tool("neuron-profile", "echo here");
	ck_assert_str_eq(vendor_tools_tool(&arena, ntff), place("neuron-profile"));
	ck_assert_int_eq(chmod(place("neuron-profile"), 0644), 0);
	ck_assert(geteuid() == 0 || !vendor_tools_tool(&arena, ntff));
	unlink(place("neuron-profile"));
	ck_assert_int_eq(mkdir(place("neuron-profile"), 0755), 0);
	ck_assert_ptr_null(vendor_tools_tool(&arena, ntff));
	rmdir(place("neuron-profile"));
	put_tool("neuron-profile", "echo here");
	static const char *const paths[] = {"", ".", ":", "relative", "/nowhere"};
	for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
		setenv("PATH", paths[i], 1);
		ck_assert_ptr_null(vendor_tools_tool(&arena, ntff));
	}
	setenv("PATH", "/usr/bin:/bin", 1);
	tear_down();
}
END_TEST

START_TEST(needs_the_neff)
{
	struct converted out;
	struct error err;
	set_up();
	put_tool("neuron-profile", "echo here");
	put("other.ntff", "trace");
	ck_assert_int_eq(convert(&arena, conversion_of("x.ntff"), "other.ntff", &out, &err), 0);
	vendor_tools_free(&out);
	put("b.neff", "neff"); /* now it could be either */
	ck_assert_int_eq(convert(&arena, conversion_of("x.ntff"), "other.ntff", &out, &err), -1);
	ck_assert_str_eq(err.text, "no NEFF next to it; neuron-explorer needs it");
	tear_down();
}
END_TEST

UNIT_MAIN("convert", knows_native_traces, passes_arguments, takes_written_files,
	  says_what_went_wrong, takes_tools_from_the_path_alone, needs_the_neff, finds_the_neff)
