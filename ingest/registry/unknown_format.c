/* Guesses the format of unknown files: by magic numbers, then by the structure of JSON, then of
 * text. */
#include "ingest/registry/unknown_format.h"

#include "base/text/text.h"
#include "ingest/table/pasted/pasted.h"
#include "ingest/table/tables.h"
#include "ingest/input/input.h"
#include "ingest/json/document/peek.h"
#include "ingest/ncu/report/container.h"
#include "ingest/neuron/neuron.h"
#include "ingest/ntff/header/header.h"
#include "ingest/protobuf/wire.h"

/* --- binary --- */

static const char chakra[] =
	"an execution trace of Chakra, which has operators but no device times; "
	"give the profiler's trace of the same run: prof.export_chrome_trace()";

/* Formats with a magic number. */
static const struct {
	size_t at;
	struct span magic;
	const char *what;
	const char *advice;
} magics[] = {
	{0, {"\x1f\x8b", 2}, "gzip inside gzip or zstd", "; unpack it once"},
	{0, {"PK\x03\x04", 4}, "a zip archive", "; unpack it"},
	{0, {"\x28\xb5\x2f\xfd", 4}, "zstd inside gzip or zstd", "; unpack it once"},
	{0, {"\3757zXZ", 5}, "xz data", "; unpack it"},
	{0, {"BZh", 3}, "bzip2 data", "; unpack it"},
	{257, {"ustar", 5}, "a tar archive", "; unpack it"},
	{0, {"SQLite format 3\0", 16}, "an SQLite database", ""},
	{0, {"\177ELF", 4}, "an ELF binary", ""},
	{0,
	 {"NVR", 3},
	 "a report of Nsight Compute of an unknown version",
	 "; export it with: ncu --import FILE --page raw --csv"},
	{0,
	 {"version https://git-lfs", 23},
	 "a pointer of Git LFS",
	 "; fetch the file itself: git lfs pull"},
	/* A message of 7 bytes or more, which begins with the version. */
	{1,
	 {"\x0a\x05"
	  "0.0.4",
	  7},
	 chakra,
	 ""},
	{0, {"%PDF", 4}, "a PDF document", ""},
	{0, {"\x89PNG", 4}, "a PNG picture", ""},
	{0, {"\xff\xfe", 2}, "UTF-16 text", "; convert it to UTF-8"},
	{0, {"\xfe\xff", 2}, "UTF-16 text", "; convert it to UTF-8"},
};

enum unknown_format_is_native unknown_format_is_native(struct span head)
{
	if (span_starts(head, "NVR") && !native_report_is_known(head))
		return SNIFF_NATIVE_NCU;
	return ntff_header_detect(head) && !ntff_header_is_known_version(head.ptr[0])
		       ? SNIFF_NATIVE_NTFF
		       : SNIFF_NATIVE_NONE;
}

/* Native reports of Nsight Systems have no magic number, but contain their own name or the path
 * where they were made. */
static bool is_nsys(struct span head)
{
	static const char *const names[] = {"nsight-systems", "Nsight Systems", "QuadD"};
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (span_find(head, names[i]) < head.len)
			return true;
	return false;
}

/* A trace of Perfetto is a list of packets, each field 1. Its packets have a timestamp (8) or the
 * number of their sequence (10). The head may end inside the last one. */
static bool is_perfetto(struct span head)
{
	struct wire trace = wire_of(head);
	struct wire_field packet, field;
	size_t count = 0, known = 0;
	while (wire_next(&trace, &packet)) {
		if (packet.number != 1 || packet.type != WIRE_BYTES)
			return false;
		struct wire inside = wire_inside(&packet);
		count++;
		for (bool found = false; !found && wire_next(&inside, &field);) {
			found = field.type == WIRE_VARINT &&
				(field.number == 8 || field.number == 10);
			known += found;
		}
		if (inside.damaged)
			return false;
	}
	return count > 1 && known * 2 >= count;
}

static bool sniff_binary(struct strbuf *out, struct span head)
{
	for (size_t i = 0; i < sizeof magics / sizeof *magics; i++) {
		struct span magic = magics[i].magic;
		size_t at = magics[i].at;
		if (head.len >= at + magic.len &&
		    memcmp(head.ptr + at, magic.ptr, magic.len) == 0) {
			strbuf_addf(out, "%s%s", magics[i].what, magics[i].advice);
			return true;
		}
	}
	if (ntff_header_detect(head)) {
		strbuf_addf(out,
			    "an NTFF trace of version %d (supported: 4 to 6); convert it with: "
			    "neuron-profile view -n FILE.neff -s FILE.ntff --output-format json",
			    head.ptr[0]);
		return true;
	}
	if (is_perfetto(head)) {
		strbuf_addstr(out, "a trace of Perfetto; let the profiler write another format: "
				   "rocprofv3 --output-format csv, prof.export_chrome_trace() of "
				   "PyTorch, neuron-profile view --output-format json");
		return true;
	}
	/* The head may end inside a character. */
	size_t valid = utf8_valid_prefix(head);
	if (memchr(head.ptr, 0, head.len) || valid + 4 < head.len) {
		strbuf_addstr(out, is_nsys(head) ? "a native report of Nsight Systems; export it "
						   "with: nsys export --type sqlite FILE"
						 : "a binary file");
		return true;
	}
	return false;
}

/* --- JSON --- */

/* Some of these files labeled a fraction as a percentage, or host time as the kernel's. */
static const char worked_out[] = "results computed by another program, with unverified units; give "
				 "the profiler's own output";

/* Names at the top level that identify the program that wrote the file. */
static const struct {
	const char *name;
	const char *what;
	const char *text; /* in the value; NULL: any value */
	bool is_whole;    /* `what` says all, without "JSON with" */
	int below;        /* containers between the document and the name */
} json_kinds[] = {
	{"traceEvents", "a Chrome or PyTorch trace", NULL, false, 0},
	{"trace_events", "a system profile; rooflog reads kernel profiles", NULL, false, 0},
	{"metrics", worked_out, NULL, false, 0},
	{"measurements", worked_out, NULL, false, 0},
	{"results", worked_out, NULL, false, 0},
	{"benchmarks", "benchmark results", NULL, false, 0},
	{"schema", chakra, "chakra", true, 0},
	{"op_type", "a definition of flashinfer-bench; give its results: traces/*.jsonl", NULL,
	 true, 0},
	{"request_throughput",
	 "a serving benchmark, which times requests and no kernels; for its times, map members: "
	 "--columns host_time=mean_ttft_ms:ms",
	 NULL, true, 0},
	{"param_names",
	 "descriptions of asv benchmarks; give their results: results/MACHINE/*.json", NULL, true,
	 1},
};

struct json_look {
	struct span first; /* name at the top level */
	const char *kind;
	bool is_whole;         /* as in json_kinds */
	size_t summary_fields; /* at the top level */
	bool in_list;          /* the document is a list */
	bool lists_objects;
};

static void look_at(struct json_look *look, const struct json_peek_value *value)
{
	if (value->depth == 0)
		look->in_list = value->kind == '[';
	if (value->depth > 1 && value->is_item && value->kind == '{')
		look->lists_objects = true;
	if (value->is_item)
		return;
	if (value->depth == 1 && !look->first.ptr)
		look->first = value->name;
	if (value->depth == 1)
		look->summary_fields += neuron_summary_is_number(value->name);
	for (size_t i = 0; i < sizeof json_kinds / sizeof *json_kinds; i++)
		if (!look->is_whole && value->depth == json_kinds[i].below + 1 &&
		    span_is(value->name, json_kinds[i].name) &&
		    (!json_kinds[i].text ||
		     span_find(value->text, json_kinds[i].text) < value->text.len)) {
			look->kind = json_kinds[i].what;
			look->is_whole = json_kinds[i].is_whole;
		}
}

static void describe_json(struct strbuf *out, const struct json_look *look, enum json_peek_end end)
{
	char name[lines_excerpt_size];
	if (look->summary_fields > 2)
		strbuf_addstr(out, "summary fields without their node; unmodified summary-json has "
				   "them inside \"n_<hash>\"");
	else if (look->kind)
		strbuf_addf(out, "%s%s", look->is_whole ? "" : "JSON with ", look->kind);
	else if (look->in_list)
		strbuf_addstr(out, "a JSON list");
	else if (end == JSON_PEEK_MORE)
		strbuf_addstr(out, "several concatenated JSON documents; for one object per line, "
				   "use --columns");
	else if (look->lists_objects)
		strbuf_addstr(out, "tables written by another program (JSON)");
	else
		strbuf_addstr(out, "JSON of an unknown kind");
	if (look->first.ptr && look->summary_fields <= 2 && !look->is_whole)
		strbuf_addf(out, " (its first member is \"%s\")", lines_excerpt(name, look->first));
}

static bool sniff_json(struct strbuf *out, struct span head)
{
	struct json_peek peek = json_peek_of(head);
	struct json_peek_value value;
	struct json_look look = {0};
	size_t values = 0;
	struct span text = span_trim(peek.rest);
	if (!span_starts(text, "{") && !span_starts(text, "["))
		return false;
	for (; json_peek_next(&peek, &value); values++)
		look_at(&look, &value);
	bool empty = values <= 1 && peek.end == JSON_PEEK_CLOSED;
	if (empty)
		strbuf_addstr(out, "an empty JSON document");
	/* "[INFO] ..." and "{{template}}" begin like JSON and are not. */
	else if (values <= 1 ||
		 (peek.end == JSON_PEEK_BROKEN && peek.depth < json_peek_depth && values <= 2))
		return false;
	else
		describe_json(out, &look, peek.end);
	return true;
}

/* --- text --- */

static size_t count_of(struct span line, char c)
{
	size_t count = 0;
	bool quoted = false;
	for (size_t i = 0; i < line.len; i++) {
		quoted ^= line.ptr[i] == '"';
		count += !quoted && line.ptr[i] == c;
	}
	return count;
}

/* Whether the first line has at least `minimum` separators, and the second one about as many. */
static bool is_table(struct span head, char separator, size_t minimum)
{
	struct lines lines = lines_of(head);
	struct span first, second;
	if (!lines_next(&lines, &first))
		return false;
	size_t count = count_of(first, separator);
	/* The head may end inside the second line, or it may contain quoted line ends. */
	return count >= minimum && lines_next(&lines, &second) &&
	       (!lines.terminated || count_of(second, separator) >= (count + 1) / 2);
}

static bool is_ncu(struct span line)
{
	return span_find(line, "\"Process ID\"") < line.len &&
	       span_find(line, "\"Kernel Name\"") < line.len;
}

static bool is_html(struct span head)
{
	static const char *const starts[] = {"<!DOCTYPE html", "<!doctype html", "<html", "<HTML"};
	for (size_t i = 0; i < sizeof starts / sizeof *starts; i++)
		if (span_starts(head, starts[i]))
			return true;
	return false;
}

struct text_look {
	bool ncu;        /* CSV of ncu, which may print lines of its own before it */
	bool markdown;   /* a Markdown table of summary fields */
	bool mentions;   /* a command whose output would be readable */
	bool node;       /* a line "n_..." */
	size_t assigned; /* number of lines "key = value" of a summary */
	size_t bare;     /* number of fields of a summary */
};

static struct span without(struct span text, const char *characters)
{
	while (text.len && memchr(characters, text.ptr[0], strlen(characters)))
		text = span_from(text, 1);
	return text;
}

static void look_at_line(struct text_look *look, struct span line)
{
	struct span rest = without(span_trim(line), "|* ");
	bool in_table = rest.len < span_trim(line).len;
	size_t end = 0;
	look->ncu |= is_ncu(line);
	look->node |= span_starts(line, "n_");
	look->mentions |= span_find(line, "show-session") < line.len ||
			  span_find(line, "summary-text") < line.len;
	while (end < rest.len && !memchr(" \t*|", rest.ptr[end], 4))
		end++;
	if (!neuron_summary_is_number((struct span){rest.ptr, end}))
		return;
	rest = span_trim(span_from(rest, end));
	look->markdown |= in_table;
	look->assigned += span_starts(rest, "=");
	look->bare += rest.len && memchr("0123456789", rest.ptr[0], 10);
}

static const char csv_table[] = "a CSV table", tab_table[] = "a table with tabs";
/* The source page of ncu without --csv: a table of fixed width below a comment. */
static bool is_source_page(struct span head)
{
	struct span line;
	while (head.len) {
		line = span_cut(&head, '\n');
		size_t source = span_find(line, " Source  ");
		if (span_starts(line, "Address  ") && source < line.len &&
		    span_find(span_from(line, source), "Instru") + source < line.len)
			return true;
	}
	return false;
}

/* Profilers' tables that are not about kernels. */
static const struct {
	const char *begins; /* the first line without quotes */
	const char *what;
} tables[] = {
	{"Name,Calls,TotalDurationNs,AverageNs",
	 "rocprof statistics of API functions or copies; give the kernel statistics "
	 "(results.stats.csv, *_kernel_stats.csv)"},
	{"Dispatch_ID,Kernel_Name,GPU_ID,",
	 "rocprof-compute timestamps, which pmc_perf.csv already contains"},
	{"Dispatch_ID,GPU_ID,Queue_ID,PID,",
	 "rocprof-compute timestamps, which pmc_perf.csv already contains"},
};

static const char *describe_table(struct span first)
{
	char bare[128];
	size_t len = 0;
	for (size_t i = 0; i < first.len && len < sizeof bare; i++)
		if (first.ptr[i] != '"')
			bare[len++] = first.ptr[i];
	for (size_t i = 0; i < sizeof tables / sizeof *tables; i++)
		if (span_starts((struct span){bare, len}, tables[i].begins))
			return tables[i].what;
	return NULL;
}

static const char *describe_text(const struct text_look *look, struct span head, struct span first)
{
	if (describe_table(first))
		return describe_table(first);
	if (look->ncu)
		return "CSV of Nsight Compute";
	if (neuron_bench_has_several(head))
		return "several neuron-bench results without kernel names; put each into its own "
		       "file";
	if (is_source_page(head))
		return "a source page of Nsight Compute as text; export it as CSV: ncu --import "
		       "FILE --csv --page source --print-source cuda,sass";
	if (is_html(first))
		return "an HTML page";
	if (look->markdown)
		return "a Markdown table of summary fields; give the profiler's own output "
		       "(summary-text or summary-json)";
	if (look->assigned)
		return "hand-copied summary fields (\"key = value\"); give the profiler's own "
		       "output (summary-text or summary-json)";
	if (look->bare && !look->node)
		return "summary-text fields without the \"n_<hash>\" line above them";
	if (look->mentions && head.len >= input_head_size)
		return "text about neuron-profile, but no profiler output within the first 64 KiB";
	/* A sentence may have a comma, too; the title of a column seldom has a blank. */
	bool titles = !first.len || !memchr(first.ptr, ' ', first.len);
	if (is_table(head, ',', titles ? 1 : 2))
		return csv_table;
	return is_table(head, '\t', 1) ? tab_table : NULL;
}

/* Suggests --columns: such a table only lacks a map. */
static void add_columns(struct strbuf *out, struct span head, char separator)
{
	enum { shown = 8 };
	struct arena arena = {0};
	struct error ignored;
	struct csv csv = csv_of(&arena, head, separator);
	char excerpt[lines_excerpt_size];
	if (csv_header(&csv, &ignored) > 0) {
		strbuf_addstr(out, " with the columns ");
		for (size_t i = 0; i < csv.name_count && i < shown; i++)
			strbuf_addf(out, "%s\"%s\"", i ? ", " : "",
				    lines_excerpt(excerpt, csv.names[i]));
		strbuf_addf(out,
			    "%s; map them with --columns, for example --columns "
			    "kernel=NAME,time=NAME:ms",
			    csv.name_count > shown ? " ..." : "");
	}
	arena_free(&arena);
}

/* Describes a text by its tables, if it has some. */
static void add_tables(struct strbuf *out, struct span head, const char *first)
{
	struct strbuf offer = {0};
	size_t count = pasted_offer(&offer, head, NULL);
	strbuf_addf(out, "text that begins with \"%s\"", first);
	if (count)
		strbuf_addf(out, " and has %zu table%s, each of which --columns can map: %s", count,
			    count == 1 ? "" : "s", strbuf_text(&offer));
	strbuf_free(&offer);
}

static void sniff_text(struct strbuf *out, struct span head)
{
	char excerpt[lines_excerpt_size];
	struct lines lines = lines_of(head);
	struct span line, first = {NULL, 0};
	struct text_look look = {0};
	while (lines_next(&lines, &line)) {
		if (!first.len)
			first = span_trim(line);
		look_at_line(&look, line);
	}
	const char *what = describe_text(&look, head, first);
	if (what)
		strbuf_addstr(out, what);
	if (what == csv_table || what == tab_table)
		add_columns(out, head, what == csv_table ? ',' : '\t');
	if (!what)
		add_tables(out, head, lines_excerpt(excerpt, first));
}

void unknown_format_describe(struct strbuf *out, struct span head)
{
	if (sniff_binary(out, head) || sniff_json(out, head))
		return;
	sniff_text(out, head);
}
