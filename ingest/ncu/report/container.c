/* Reads blocks and their messages from a stream. */
#include "ingest/ncu/report/container.h"

#include "base/text/text.h"

enum { version = 7, magic_size = 4, string_limit = 1000000 };
static const uint64_t message_limit = (uint64_t)1 << 30;

/* --- bytes --- */

static int fail_cut(const struct native_report *report, const char *what, struct error *err)
{
	return error_set(err, ERR_FORMAT,
			 "byte %llu: the file ends inside %s; it was cut off, copy it again",
			 (unsigned long long)report->offset, what);
}

static int fail_damaged(const struct native_report *report, const char *what, struct error *err)
{
	return error_set(err, ERR_FORMAT, "before byte %llu: damaged: %s",
			 (unsigned long long)report->offset, what);
}

/* The next `size` bytes, or less at the end of the file; memory grows only as bytes arrive. */
static int take(struct native_report *report, uint64_t size, struct error *err)
{
	strbuf_reset(&report->message);
	while (report->message.len < size) {
		char part[16384];
		size_t got, want = (size_t)(size - report->message.len);
		if (input_read(report->input, part, want < sizeof part ? want : sizeof part, &got,
			       err) < 0)
			return -1;
		if (got == 0)
			break;
		strbuf_add(&report->message, part, got);
		report->offset += got;
	}
	return 0;
}

/* Passes `size` bytes over without keeping them. */
static int skip(struct native_report *report, uint64_t size, const char *what, struct error *err)
{
	while (size) {
		char part[16384];
		size_t got;
		if (input_read(report->input, part, size < sizeof part ? size : sizeof part, &got,
			       err) < 0)
			return -1;
		if (got == 0)
			return fail_cut(report, what, err);
		report->offset += got;
		size -= got;
	}
	return 0;
}

/* A length: 1; 0 at the end of the file, if that is `allowed` here; -1 and *err. */
static int take_length(struct native_report *report, const char *what, bool allowed,
		       uint64_t *length, struct error *err)
{
	*length = 0;
	if (take(report, 4, err) < 0)
		return -1;
	if (report->message.len == 0 && allowed)
		return 0;
	if (report->message.len < 4)
		return fail_cut(report, what, err);
	for (size_t i = 4; i-- > 0;)
		*length = *length << 8 | (unsigned char)report->message.buf[i];
	return 1;
}

static int take_message(struct native_report *report, uint64_t length, const char *what,
			struct wire *message, struct error *err)
{
	if (length > message_limit)
		return error_set(err, ERR_FORMAT, "byte %llu: %s of %.1f GB; at most 1 GB is read",
				 (unsigned long long)report->offset, what, (double)length / 1e9);
	if (take(report, length, err) < 0)
		return -1;
	if (report->message.len < length)
		return fail_cut(report, what, err);
	*message = wire_of(strbuf_span(&report->message));
	return 0;
}

/* --- the header of the file --- */

bool native_report_is_known(struct span head)
{
	struct wire_field field;
	if (head.len < magic_size + 4 || memcmp(head.ptr, "NVR", magic_size) != 0)
		return false;
	size_t length = (unsigned char)head.ptr[magic_size];
	if (memcmp(head.ptr + magic_size + 1, "\0\0", 3) != 0 || head.len < magic_size + 4 + length)
		return false;
	struct wire header = wire_of((struct span){head.ptr + magic_size + 4, length});
	while (wire_next(&header, &field))
		if (field.number == 1 && field.type == WIRE_VARINT)
			return field.integer == version;
	return false;
}

int native_report_open(struct native_report *report, struct arena *arena, struct input *input,
		       struct error *err)
{
	uint64_t length;
	*report = (struct native_report){.arena = arena, .input = input};
	return skip(report, magic_size, "its header", err) < 0 ||
			       take_length(report, "its header", false, &length, err) < 0
		       ? -1
		       : skip(report, length, "its header", err);
}

/* --- blocks --- */

struct span native_report_string(const struct native_report *report, uint64_t id)
{
	return id < report->string_count ? report->strings[id] : (struct span){"", 0};
}

static int add_strings(struct native_report *report, struct wire table, struct error *err)
{
	struct wire_field field;
	while (wire_next(&table, &field)) {
		if (field.number != 1 || field.type != WIRE_BYTES)
			continue;
		/* What isn't text names no metric; it keeps its place, since ids count places. */
		size_t len = utf8_is_line(field.bytes) ? field.bytes.len : 0;
		if (report->string_count == string_limit)
			return error_set(err, ERR_FORMAT, "more than %d names of metrics",
					 (int)string_limit);
		*arena_next(report->arena, report->strings, report->string_count,
			    report->string_capacity) =
			(struct span){arena_strndup(report->arena, field.bytes.ptr, len), len};
	}
	return table.damaged ? fail_damaged(report, "the table of strings", err) : 0;
}

static void read_process(struct native_report *report, struct wire process)
{
	struct wire_field field;
	report->process_id = report->process = (struct span){"", 0};
	while (wire_next(&process, &field))
		if (field.number == 1 && field.type == WIRE_VARINT)
			report->process_id = span_of(arena_printf(
				report->arena, "%llu", (unsigned long long)field.integer));
		else if (field.number == 3 && utf8_is_line(field.bytes))
			report->process = span_of(
				arena_strndup(report->arena, field.bytes.ptr, field.bytes.len));
}

static int read_block(struct native_report *report, struct wire header, struct error *err)
{
	struct wire_field field;
	report->sources = report->results = report->ranges = report->payload = 0;
	while (wire_next(&header, &field)) {
		uint64_t *const counts[] = {[1] = &report->sources,
					    [2] = &report->results,
					    [5] = &report->payload,
					    [7] = &report->ranges};
		if (field.number < sizeof counts / sizeof *counts && counts[field.number] &&
		    field.type == WIRE_VARINT)
			*counts[field.number] = field.integer;
		else if (field.number == 4 && add_strings(report, wire_inside(&field), err) < 0)
			return -1;
		else if (field.number == 6)
			read_process(report, wire_inside(&field));
	}
	return header.damaged ? fail_damaged(report, "the header of a block", err) : 0;
}

/* The next block: 1; 0 at the end of the file; -1 and *err. */
static int next_block(struct native_report *report, struct error *err)
{
	uint64_t length;
	struct wire header;
	if (report->payload)
		return fail_damaged(report, "a block is longer than its content", err);
	int rc = take_length(report, "the header of a block", true, &length, err);
	if (rc <= 0)
		return rc;
	return take_message(report, length, "the header of a block", &header, err) < 0 ||
			       read_block(report, header, err) < 0
		       ? -1
		       : 1;
}

/* The length of the next message of the block. */
static int entry_length(struct native_report *report, const char *what, uint64_t *length,
			struct error *err)
{
	*length = 0;
	if (report->payload >= 4 && take_length(report, what, false, length, err) < 0)
		return -1;
	if (report->payload < 4 || *length > report->payload - 4)
		return fail_damaged(report, "a block is shorter than its content", err);
	report->payload -= 4 + *length;
	return 0;
}

int native_report_next(struct native_report *report, struct wire *result, struct error *err)
{
	uint64_t length;
	for (;;) {
		if (report->sources) {
			if (entry_length(report, "a source", &length, err) < 0 ||
			    skip(report, length, "a source", err) < 0)
				return -1;
			report->sources--;
		} else if (report->results) {
			if (entry_length(report, "a result", &length, err) < 0 ||
			    take_message(report, length, "a result", result, err) < 0)
				return -1;
			report->results--;
			return 1;
		} else if (report->ranges) {
			return error_set(err, ERR_FORMAT,
					 "the report has results of ranges or graphs, whose layout "
					 "is not known; export it with: ncu --import FILE --page "
					 "raw --csv, or profile kernels: --replay-mode kernel");
		} else {
			int rc = next_block(report, err);
			if (rc <= 0)
				return rc;
		}
	}
}

void native_report_close(struct native_report *report)
{
	strbuf_free(&report->message);
}
