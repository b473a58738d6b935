/*
 * The readers of Nsight Compute: CSV of its pages (ncu-csv), the wide CSV of the raw page
 * (ncu-raw), and the output on a terminal, including its failures (ncu-text). A file may mix these
 * forms with output of the application, so all three readers use the same code. This file
 * determines which forms a file contains, and explains the error if it has none.
 */

#include "ingest/reader.h"
#include "ingest/table/tables.h"
#include "ingest/ncu/csv.h"
#include "ingest/ncu/run.h"
#include "ingest/ncu/text.h"

static const size_t size_limit = (size_t)256 << 20;

/* --- failures --- */

static const struct {
	const char *part; /* a part of the tool's message */
	const char *advice;
} failures[] = {
	{"ERR_NVGPUCTRPERM", "run ncu as administrator, or load the NVIDIA kernel module with "
			     "NVreg_RestrictProfilingToAdminUsers=0"},
	{"The application returned an error",
	 "run the application without ncu and fix the error first"},
	{"No kernels were profiled",
	 "check --kernel-name, and profile child processes (--target-processes all)"},
	{"not supported", "check that this ncu version supports the device"},
	{"Failed to find metric", "list available metrics with ncu --query-metrics"},
	{"resource", "stop other profilers and DCGM"},
};

static int fail_with(const struct ncu_profile *profile, size_t which, const char *advice,
		     struct error *err)
{
	struct span message = profile->errors[which];
	while (span_ends(message, "."))
		message.len--;
	return error_set(err, ERR_FORMAT,
			 "no kernels were profiled, Nsight Compute failed: %.300s; %s",
			 ncu_one_line(profile->arena, message), advice);
}

static int fail_tool(const struct ncu_profile *profile, struct error *err)
{
	for (size_t i = 0; i < profile->error_count; i++)
		for (size_t k = 0; k < sizeof failures / sizeof *failures; k++)
			if (span_find(profile->errors[i], failures[k].part) <
			    profile->errors[i].len)
				return fail_with(profile, i, failures[k].advice, err);
	return fail_with(profile, 0, "check the application's output", err);
}

static int fail_empty(const struct ncu_profile *profile, struct error *err)
{
	if (profile->error_count)
		return fail_tool(profile, err);
	return error_set(
		err, ERR_FORMAT,
		"no kernels were profiled: ncu attached to %zu process%s but recorded no launch; "
		"check --kernel-name, and profile child processes (--target-processes all)",
		profile->processes, profile->processes == 1 ? "" : "es");
}

/* --- reading --- */

static int read_parts(struct ncu_text *text, struct span bytes, struct error *err)
{
	struct lines lines = lines_of(bytes);
	struct span before = lines.rest, line;
	while (lines_next(&lines, &line)) {
		if (ncu_csv_table(line) != NCU_NO_TABLE) {
			struct span rest = before;
			size_t number = lines.number;
			if (ncu_csv_read(text->profile, &rest, &number, err) < 0)
				return -1;
			lines.rest = rest;
			lines.number = number - 1;
		} else if (!ncu_profile_log(text->profile, line) &&
			   ncu_text_line(text, line, lines.number, err) < 0) {
			return -1;
		}
		before = lines.rest;
	}
	return 0;
}

static int read_profile(struct arena *arena, struct input *input, struct ingest_result *result,
			struct error *err)
{
	struct span bytes;
	struct ncu_profile profile = {.arena = arena};
	struct ncu_text text = {.profile = &profile};
	if (input_read_all(arena, input, size_limit, &bytes, err) < 0)
		return -1;
	int rc = read_parts(&text, bytes, err);
	ncu_text_end(&text);
	if (rc < 0)
		return -1;
	if (profile.count == 0)
		return fail_empty(&profile, err);
	if (ncu_profile_finish(&profile, input_hints(input)->locale, err) < 0)
		return -1;
	return ncu_runs(&profile, &result->runs, err);
}

/* --- detection --- */

enum form { NO_FORM, CSV, RAW, TEXT };

/* Lines of ncu's own log or of its pages, which identify its output before the first table. */
static bool is_mark(struct span line)
{
	return span_starts(line, "==PROF== Connected to process") ||
	       span_starts(line, "==PROF== Profiling ") || span_starts(line, "==ERROR== ") ||
	       span_starts(line, "==WARNING== No kernels were profiled");
}

static enum form form_of(struct span head)
{
	struct lines lines = lines_of(head);
	struct span line;
	bool marked = false, kernel = false;
	while (lines_next(&lines, &line)) {
		enum ncu_table table = ncu_csv_table(line);
		if (table != NCU_NO_TABLE)
			return table == NCU_LONG_TABLE ? CSV : RAW;
		marked |= is_mark(line);
		kernel |= ncu_text_is_kernel(line);
		marked |= kernel && span_starts(span_trim(line), "Section: ");
	}
	return marked ? TEXT : NO_FORM;
}

static bool detect_csv(struct span head)
{
	return form_of(head) == CSV;
}

static bool detect_raw(struct span head)
{
	return form_of(head) == RAW;
}

static bool detect_text(struct span head)
{
	return form_of(head) == TEXT;
}

const struct reader ncu_csv_reader = {"ncu-csv",
				      "Nsight Compute: ncu --csv, --page details or --metrics",
				      NEEDS_DEVICE, detect_csv, read_profile};
const struct reader ncu_raw_reader = {"ncu-raw", "Nsight Compute: ncu --csv --page raw",
				      NEEDS_DEVICE, detect_raw, read_profile};
const struct reader ncu_text_reader = {"ncu-text", "Nsight Compute: what ncu prints on a terminal",
				       NEEDS_DEVICE, detect_text, read_profile};
