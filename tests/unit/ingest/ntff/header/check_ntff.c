/* The header of native Neuron traces: what each field becomes, what is not known, what is refused.
 */
#include "model/ntff/ntff.h"

#include <inttypes.h>
#include <stdio.h>

#include "tests/unit/ntff_fixture.h"

#define NONE                                                                                       \
	{                                                                                          \
		NULL, 0                                                                            \
	}
#define BYTES(literal)                                                                             \
	{                                                                                          \
		(literal), sizeof(literal) - 1                                                     \
	}

/* --- what is known --- */

static void put_versions(struct strbuf *header)
{
	static const unsigned fields[] = {8, 11, 12};
	for (size_t i = 0; i < 3; i++) {
		struct strbuf version = {0};
		put_number(&version, 1, 2);
		put_number(&version, 2, 20 + i);
		if (i < 2)
			put_number(&version, 3, 7);
		if (i == 0)
			put_text(&version, 5, "f954c9a8");
		put_bytes(header, fields[i], strbuf_span(&version));
		strbuf_free(&version);
	}
}

START_TEST(fields_of_the_file)
{
	struct strbuf header = {0};
	put_text(&header, 1, "/home/kim/mlp.neff");
	put_number(&header, 3, 10001);
	put_number(&header, 5, 2);
	put_number(&header, 7, 1750000000);
	put_versions(&header);
	put_text(&header, 9, "trn2.3xlarge");
	put_numbers(&header, 13, 3, (const uint64_t[]){1, 4, 1048576});
	put_numbers(&header, 15, 3, (const uint64_t[]){0, 1000, 4000});
	put_text(&header, 17, "i-0123456789abcdef0");
	put_number(&header, 18, 4711);
	struct made *made = made_of(6, strbuf_span(&header), span_of("0123456789abcdef"));
	const struct ntff *ntff = &made->ntff;
	ck_assert_msg(made->rc == 0, "%s", made->err.text);
	ck_assert_int_eq(ntff->version, 6);
	ck_assert_uint_eq(ntff->header_size, header.len);
	ck_assert_uint_eq(ntff->data_at, 128 + header.len);
	ck_assert_uint_eq(ntff->size, 128 + header.len + 16);
	ck_assert_str_eq(ntff->neff_name, "/home/kim/mlp.neff");
	ck_assert_uint_eq(ntff->physical_cores, 2);
	ck_assert_uint_eq(ntff->capture_time, 1750000000);
	ck_assert_str_eq(ntff->instance_type, "trn2.3xlarge");
	ck_assert_str_eq(ntff_version_text(&made->arena, &ntff->runtime), "2.20.7 (f954c)");
	ck_assert_str_eq(ntff_version_text(&made->arena, &ntff->driver), "2.21.7 ()");
	ck_assert_str_eq(ntff_version_text(&made->arena, &ntff->collectives), "2.22.0 ()");
	ck_assert_uint_eq(ntff->buffer_count, 1);
	ck_assert_uint_eq(ntff->buffers[0].type, 4);
	ck_assert_uint_eq(ntff->buffers[0].bytes, 1048576);
	ck_assert(ntff->has_window);
	ck_assert_uint_eq(ntff->window_start, 1000);
	ck_assert_uint_eq(ntff->window_end, 4000);
	/* The format id, and a number in the field of the uuid. The ids of the instance and of the
	 * process are neither stored nor reported. */
	ck_assert_uint_eq(ntff->unknown_count, 2);
	ck_assert_str_eq(ntff->unknowns[0].path, "3");
	ck_assert_str_eq(ntff->unknowns[1].path, "15.1");
	made_free(made);
	strbuf_free(&header);
}
END_TEST

static void put_example_core(struct strbuf *core)
{
	struct strbuf part = {0};
	put_text(core, 1, "sg01");
	put_number(core, 3, 5);
	put_number(&part, 1, NTFF_VECTOR);
	put_number(&part, 2, 0x3c0220000);
	put_number(&part, 7, 64);
	put_number(&part, 8, 128);
	put_bytes(core, 4, strbuf_span(&part));
	strbuf_reset(&part);
	put_number(&part, 1, NTFF_SYNC);
	put_numbers(&part, 2, 3, (const uint64_t[]){128, 7, 2});
	put_bytes(core, 5, strbuf_span(&part));
	strbuf_reset(&part);
	put_numbers(&part, 3, 3, (const uint64_t[]){9, 3, 4}); /* for the vector engine */
	put_numbers(&part, 4, 3, (const uint64_t[]){8, 5, 6}); /* of GpSimd */
	put_numbers(&part, 6, 3, (const uint64_t[]){7, 7, 8});
	put_numbers(&part, 8, 3, (const uint64_t[]){1, 1, 1});
	put_numbers(&part, 8, 3, (const uint64_t[]){2, 1, 1});
	put_bytes(core, 10, strbuf_span(&part));
	strbuf_reset(&part);
	put_number(&part, 1, 67);
	put_number(&part, 2, 1);
	put_number(&part, 3, NTFF_QUEUE_IO);
	put_text(&part, 4, "qSPIO0");
	put_bytes(core, 7, strbuf_span(&part));
	strbuf_reset(&part);
	put_number(&part, 2, 4096);
	put_text(&part, 3, "io");
	put_bytes(core, 11, strbuf_span(&part));
	put_bytes(core, 11, (struct span){"\x10\x05", 2});
	put_number(core, 14, 123456);
	strbuf_free(&part);
}

START_TEST(fields_of_a_core)
{
	struct strbuf core = {0}, header = {0}, data = {0};
	strbuf_repeat(&data, "x", 256);
	put_example_core(&core);
	put_core(&header, strbuf_span(&core));
	put_segment(&header, 16, &(struct ntff_segment){NTFF_DMA, 1, 0, 192, 32, 5, NULL});
	put_segment(&header, 16, &(struct ntff_segment){NTFF_EVENTS, 0, 0, 224, 16, 9, NULL});
	struct made *made = made_of(6, strbuf_span(&header), strbuf_span(&data));
	ck_assert_msg(made->rc == 0, "%s", made->err.text);
	ck_assert_uint_eq(made->ntff.core_count, 1);
	const struct ntff_core *one = &made->ntff.cores[0];
	uint64_t at = made->ntff.data_at;
	ck_assert_str_eq(one->name, "sg01");
	ck_assert_uint_eq(one->nc, 5);
	ck_assert_uint_eq(one->duration, 123456);
	ck_assert_uint_eq(one->streams[NTFF_VECTOR].address, 0x3c0220000);
	ck_assert_uint_eq(one->streams[NTFF_VECTOR].at, at + 64);
	ck_assert_uint_eq(one->streams[NTFF_VECTOR].size, 128);
	ck_assert_uint_eq(one->streams[NTFF_TENSOR].size, 0);
	ck_assert_uint_eq(one->patch_count, 1);
	ck_assert_uint_eq(one->patches[0].engine, NTFF_SYNC);
	ck_assert_uint_eq(one->patches[0].offset, 128);
	ck_assert_uint_eq(one->patches[0].kind, 2);
	ck_assert_uint_eq(one->engine_clocks[NTFF_VECTOR].base, 9);
	ck_assert_uint_eq(one->engine_clocks[NTFF_VECTOR].den, 3);
	ck_assert_uint_eq(one->engine_clocks[NTFF_VECTOR].num, 4);
	ck_assert_uint_eq(one->engine_clocks[NTFF_GPSIMD].base, 8);
	ck_assert_uint_eq(one->engine_clocks[NTFF_TENSOR].den, 0);
	ck_assert_uint_eq(one->event_clock.num, 8);
	ck_assert_uint_eq(one->dma_clock_count, 2);
	ck_assert_uint_eq(one->dma_clocks[1].base, 2);
	ck_assert_uint_eq(one->queue_count, 1);
	/* Engines 64 to 95 are those of cores 4 and 5. */
	ck_assert_ptr_eq(ntff_find_queue(one, 3, 1), &one->queues[0]);
	ck_assert_ptr_null(ntff_find_queue(one, 3, 0));
	ck_assert_ptr_null(ntff_find_queue(one, 19, 1));
	ck_assert_uint_eq(one->memory_count, 2);
	ck_assert_str_eq(ntff_memory_title(&one->memory[0], 0), "IO");
	ck_assert_str_eq(ntff_memory_title(&one->memory[1], 1), "Tensor Instructions");
	ck_assert_str_eq(ntff_memory_title(&one->memory[1], 99), "(unnamed)");
	ck_assert_uint_eq(one->segment_count, 1);
	ck_assert_uint_eq(one->segments[0].at, at + 192);
	ck_assert_uint_eq(made->ntff.stray_count, 1);
	ck_assert_uint_eq(made->ntff.strays[0].nc, 9);
	made_free(made);
	strbuf_free(&core);
	strbuf_free(&header);
	strbuf_free(&data);
}
END_TEST

/* Versions 4 and 5 have programs inside the header. */
START_TEST(programs_inside)
{
	struct strbuf core = {0}, header = {0}, part = {0};
	put_text(&part, 3, "the program");
	put_bytes(&core, 4, strbuf_span(&part));
	put_core(&header, strbuf_span(&core));
	struct made *made = made_of(5, strbuf_span(&header), span_of(""));
	const struct ntff_stream *stream = &made->ntff.cores[0].streams[NTFF_TENSOR];
	ck_assert_uint_eq(stream->size, 11);
	ck_assert(memcmp(made->file.buf + stream->at, "the program", 11) == 0);
	made_free(made);
	strbuf_free(&core);
	strbuf_free(&header);
	strbuf_free(&part);
}
END_TEST

/* --- the uuid --- */

#define UUID "\x3f\xa1\xc4\xd2\x11\x5b\x4e\x8f\x9a\x6b\x7c\x8d\x9e\xaf\xb0\xc1"

static const struct {
	struct span copied, whole, again; /* header field 2, node field 5, field 15.1 */
	const char *text;                 /* NULL unknown */
} uuids[] = {
	{NONE, NONE, NONE, NULL},
	{BYTES(""), NONE, NONE, NULL},
	{BYTES(UUID), NONE, NONE, "3fa1c4d2115b4e8f9a6b7c8d9eafb0c1"},
	/* Bytes that followed it in memory. */
	{BYTES(UUID "\x7f\x01junk"), NONE, NONE, "3fa1c4d2115b4e8f9a6b7c8d9eafb0c1"},
	/* Cut at a zero byte, and the whole one elsewhere. */
	{BYTES("\x3f\xa1"), NONE, NONE, "3fa1"},
	{BYTES("\x3f\xa1"), BYTES("\x3f\xa1\0\x01"), NONE, "3fa10001"},
	{BYTES("\x3f\xa1"), BYTES(UUID), BYTES("\x3f\xa1"), "3fa1c4d2115b4e8f9a6b7c8d9eafb0c1"},
	{NONE, NONE, BYTES("\x01\x02\x03"), "010203"},
};

START_TEST(uuid_cases)
{
	for (size_t i = 0; i < sizeof uuids / sizeof *uuids; i++) {
		struct strbuf header = {0}, part = {0};
		put_text(&header, 1, "k.neff");
		if (uuids[i].copied.ptr)
			put_bytes(&header, 2, uuids[i].copied);
		if (uuids[i].whole.ptr) {
			put_bytes(&part, 5, uuids[i].whole);
			put_bytes(&header, 4, strbuf_span(&part));
		}
		strbuf_reset(&part);
		if (uuids[i].again.ptr) {
			put_bytes(&part, 1, uuids[i].again);
			put_bytes(&header, 15, strbuf_span(&part));
		}
		struct made *made = made_of(6, strbuf_span(&header), span_of(""));
		const char *text = ntff_uuid_text(&made->arena, &made->ntff);
		ck_assert_msg(span_text_eq(text, uuids[i].text), "uuid %zu: %s, not %s", i,
			      text ? text : "none", uuids[i].text ? uuids[i].text : "none");
		made_free(made);
		strbuf_free(&header);
		strbuf_free(&part);
	}
}
END_TEST

/* --- what is not known --- */

static const struct {
	struct span header;
	const char *unknowns; /* path:wire xcount=value or [size]first byte */
} odd[] = {
	{BYTES("\x0a\x01k\x18\x05\x18\x06"), "3:0 x2=5"},
	{BYTES("\x0a\x01k\x92\x01\x03"
	       "abc"),
	 ""}, /* a private field of another wire type */
	{BYTES("\x0a\x01k\xba\x01\x03"
	       "abc"),
	 "23:2 x1[3]61"},
	{BYTES("\x08\x07"), "1:0 x1=7"},        /* a name that is a number */
	{BYTES("\x2a\x01\x07"), "5:2 x1[1]07"}, /* a number that is bytes */
	{BYTES("\x35\x01\0\0\0"), "6:5 x1=1"},
	{BYTES("\x22\x02\x30\x07"), "4.6:0 x1=7"},
	{BYTES("\x22\x06\x22\x04\x0a\x02\x30\x07"), "4.4.1.6:0 x1=7"},
	{BYTES("\x22\x0a\x22\x08\x0a\x06\x52\x04\x4a\x02\x08\x01"), "4.4.1.10.9:2 x1[2]08"},
	/* A program of an engine that there is not. */
	{BYTES("\x22\x08\x22\x06\x0a\x04\x22\x02\x08\x05"), "4.4.1.4:2 x1[2]08"},
};

START_TEST(unknown_fields_are_counted)
{
	for (size_t i = 0; i < sizeof odd / sizeof *odd; i++) {
		struct made *made = made_of(6, odd[i].header, span_of(""));
		struct strbuf out = {0};
		ck_assert_msg(made->rc == 0, "header %zu: %s", i, made->err.text);
		for (size_t k = 0; k < made->ntff.unknown_count; k++) {
			const struct ntff_unknown *one = &made->ntff.unknowns[k];
			strbuf_addf(&out, "%s%s:%d x%" PRIu64, k ? " " : "", one->path, one->wire,
				    one->count);
			if (one->wire == 2)
				strbuf_addf(&out, "[%" PRIu64 "]%02x", one->size, one->bytes[0]);
			else
				strbuf_addf(&out, "=%" PRIu64, one->value);
		}
		ck_assert_msg(strcmp(strbuf_text(&out), odd[i].unknowns) == 0,
			      "header %zu: %s, not %s", i, strbuf_text(&out), odd[i].unknowns);
		strbuf_free(&out);
		made_free(made);
	}
}
END_TEST

START_TEST(many_unknown_fields)
{
	struct strbuf header = {0};
	for (unsigned i = 0; i < 200; i++)
		put_number(&header, 100 + i % 100, i);
	struct made *made = made_of(6, strbuf_span(&header), span_of(""));
	ck_assert_uint_eq(made->ntff.unknown_count, 64);
	ck_assert_uint_eq(made->ntff.unknowns[63].count, 2);
	ck_assert(made->ntff.more_unknowns);
	made_free(made);
	strbuf_free(&header);
}
END_TEST

/* Names come from the host. */
static const struct {
	struct span name;
	const char *text;
} names[] = {
	{BYTES("\xe2\x82\xac"), "\xe2\x82\xac"},
	{BYTES("a\nb\x1b[31m"), "a?b?[31m"},
	{BYTES("a\0b"), "a?b"},
	{BYTES("\xe2\x82"), "??"},
};

START_TEST(names_are_clean_lines)
{
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		struct strbuf header = {0};
		put_bytes(&header, 9, names[i].name);
		struct made *made = made_of(6, strbuf_span(&header), span_of(""));
		ck_assert_str_eq(made->ntff.instance_type, names[i].text);
		made_free(made);
		strbuf_free(&header);
	}
	struct strbuf header = {0}, name = {0};
	while (name.len < 5000)
		strbuf_addstr(&name, "\xe2\x82\xac");
	put_bytes(&header, 1, strbuf_span(&name));
	struct made *made = made_of(6, strbuf_span(&header), span_of(""));
	ck_assert_uint_eq(strlen(made->ntff.neff_name), 4095);
	made_free(made);
	strbuf_free(&header);
	strbuf_free(&name);
}
END_TEST

/* --- what is refused --- */

#define AGAIN "copy the file again or repeat the capture"

/* `count` times the bytes, as the only content of a core or of the header. */
static const struct {
	size_t count;
	bool in_core;
	struct span bytes;
	const char *message; /* NULL: read */
} limits[] = {
	{64, false, BYTES("\x22\x04\x22\x02\x0a\0"), NULL},
	{65, false, BYTES("\x22\x04\x22\x02\x0a\0"), "more than 64 cores"},
	{64, false, BYTES("\x6a\0"), NULL},
	{65, false, BYTES("\x6a\0"), "more than 64 notification buffers"},
	{1024, false, BYTES("\x82\x01\0"), NULL},
	{1025, false, BYTES("\x82\x01\0"), "more than 1024 traces"},
	{1024, true, BYTES("\x32\0"), NULL},
	{1025, true, BYTES("\x32\0"), "more than 1024 traces of a core"},
	{4096, true, BYTES("\x3a\0"), NULL},
	{4097, true, BYTES("\x3a\0"), "more than 4096 DMA queues of a core"},
	{4096, true, BYTES("\x2a\x02\x12\0"), NULL},
	{4097, true, BYTES("\x2a\x02\x12\0"), "more than 4096 patched parts of programs"},
	{256, true, BYTES("\x5a\0"), NULL},
	{257, true, BYTES("\x5a\0"), "more than 256 kinds of memory"},
	{16, true, BYTES("\x52\x02\x42\0"), NULL},
	{17, true, BYTES("\x52\x02\x42\0"), "more than 16 DMA clocks of a core"},
	{1 << 22, false, BYTES("\x18\0"), NULL},
	{(1 << 22) + 1, false, BYTES("\x18\0"), "more than 4194304 fields"},
};

START_TEST(limits_are_told)
{
	for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
		struct strbuf content = {0}, header = {0};
		char message[200];
		for (size_t k = 0; k < limits[i].count; k++)
			strbuf_addspan(&content, limits[i].bytes);
		if (limits[i].in_core)
			put_core(&header, strbuf_span(&content));
		else
			strbuf_addspan(&header, strbuf_span(&content));
		struct made *made = made_of(6, strbuf_span(&header), span_of(""));
		snprintf(message, sizeof message, "header: %s: the header is damaged: " AGAIN,
			 limits[i].message ? limits[i].message : "");
		ck_assert_msg((made->rc == 0) == !limits[i].message, "limit %zu: %s", i,
			      made->err.text);
		if (made->rc < 0)
			ck_assert_str_eq(made->err.text, message);
		made_free(made);
		strbuf_free(&content);
		strbuf_free(&header);
	}
}
END_TEST

START_TEST(names_are_limited_together)
{
	struct strbuf name = {0}, header = {0};
	strbuf_repeat(&name, "n", 4096);
	for (size_t i = 0; i < 2048; i++)
		put_bytes(&header, 1, strbuf_span(&name));
	struct made *made = made_of(6, strbuf_span(&header), span_of(""));
	ck_assert_int_eq(made->rc, -1);
	ck_assert_str_eq(made->err.text, "header: more than 8388608 bytes of names: the header is "
					 "damaged: " AGAIN);
	made_free(made);
	strbuf_free(&name);
	strbuf_free(&header);
}
END_TEST

/* Two traces in 64 bytes of data. */
static const struct {
	uint64_t at, size, next_at, next_size;
	const char *message; /* NULL: read; a number stands for a byte of the file */
} places[] = {
	{0, 32, 32, 32, NULL},
	{32, 32, 0, 32, NULL},
	{0, 64, 64, 0, NULL},
	{0, 64, 16, 0, NULL}, /* an empty one is nowhere */
	{0, 48, 32, 32, "the traces at bytes 164 and 196 overlap: the header is damaged: " AGAIN},
	{16, 16, 0, 64, "the traces at bytes 164 and 180 overlap: the header is damaged: " AGAIN},
	{16, 16, 16, 16, "the traces at bytes 180 and 180 overlap: the header is damaged: " AGAIN},
	{0, 24, 32, 32,
	 "the trace at byte 164 has 24 bytes, not a whole number of 16-byte records; the file is "
	 "damaged: " AGAIN},
	{0, 80, 0, 0,
	 "a trace of 80 bytes at offset 0 after the header extends beyond the end of the file, "
	 "offset 64 (byte 228): the file is truncated or damaged: " AGAIN},
};

START_TEST(traces_lie_apart)
{
	for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
		struct strbuf header = {0}, data = {0};
		char message[300];
		put_core(&header, span_of(""));
		put_segment(&header, 16,
			    &(struct ntff_segment){0, 0, 0, places[i].at, places[i].size, 0, NULL});
		put_segment(&header, 16,
			    &(struct ntff_segment){1, 0, 0, places[i].next_at, places[i].next_size,
						   7, NULL});
		strbuf_repeat(&data, "x", 64);
		struct made *made = made_of(6, strbuf_span(&header), strbuf_span(&data));
		snprintf(message, sizeof message, "header: %s",
			 places[i].message ? places[i].message : "");
		ck_assert_msg((made->rc == 0) == !places[i].message, "traces %zu: %s", i,
			      made->err.text);
		if (made->rc < 0)
			ck_assert_str_eq(made->err.text, message);
		made_free(made);
		strbuf_free(&header);
		strbuf_free(&data);
	}
}
END_TEST

START_TEST(names_of_kinds)
{
	static const struct {
		struct ntff_segment segment;
		const char *name;
	} kinds[] = {
		{{.type = NTFF_INSTRUCTIONS}, "instructions"},
		{{.type = NTFF_EVENTS}, "semaphores and events"},
		{{.type = NTFF_ERRORS}, "errors"},
		{{.type = NTFF_DMA, .subtype = 1}, "DMA descriptors"},
		{{.type = NTFF_DMA}, NULL},
		{{.type = NTFF_THROTTLES}, "throttling"},
		{{.type = NTFF_EVENTS, .subtype = 2}, "events of a collectives core"},
		{{.type = 3}, NULL},
	};
	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
		ck_assert(span_text_eq(ntff_segment_name(&kinds[i].segment), kinds[i].name));
	ck_assert_str_eq(ntff_engine_name(NTFF_GPSIMD), "gpsimd");
	ck_assert_str_eq(ntff_engine_name(5), "unknown");
	ck_assert_str_eq(ntff_engine_name(-1), "unknown");
	ck_assert_ptr_null(ntff_version_text(NULL, &(struct ntff_version){.major = 2}));
}
END_TEST

UNIT_MAIN("ntff", fields_of_the_file, fields_of_a_core, programs_inside, uuid_cases,
	  unknown_fields_are_counted, many_unknown_fields, names_are_clean_lines, limits_are_told,
	  names_are_limited_together, traces_lie_apart, names_of_kinds)
