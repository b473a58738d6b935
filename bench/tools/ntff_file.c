/* An invented trace as a file: the header's messages, then programs (version 6) and records. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/tools/ntff_trace.h"

void bytes_add(struct bytes *bytes, const void *data, size_t len)
{
	if (bytes->capacity - bytes->len < len) {
		bytes->capacity = 2 * bytes->capacity + len + 64;
		bytes->at = realloc(bytes->at, bytes->capacity);
		if (!bytes->at)
			abort();
	}
	if (len)
		memcpy(bytes->at + bytes->len, data, len);
	bytes->len += len;
}

void bytes_free(struct bytes *bytes)
{
	free(bytes->at);
	*bytes = (struct bytes){.len = 0};
}

/* --- protocol buffers --- */

static void varint(struct bytes *out, uint64_t number)
{
	unsigned char byte;
	for (; number > 127; number >>= 7) {
		byte = (unsigned char)(number | 128);
		bytes_add(out, &byte, 1);
	}
	byte = (unsigned char)number;
	bytes_add(out, &byte, 1);
}

/* A missing number is 0. */
static void number_field(struct bytes *out, unsigned field, uint64_t number)
{
	if (number == 0)
		return;
	varint(out, field << 3);
	varint(out, number);
}

static void bytes_field(struct bytes *out, unsigned field, const void *data, size_t len)
{
	varint(out, field << 3 | 2);
	varint(out, len);
	bytes_add(out, data, len);
}

static void text_field(struct bytes *out, unsigned field, const char *text)
{
	bytes_field(out, field, text, strlen(text));
}

static void message_field(struct bytes *out, unsigned field, struct bytes *message)
{
	bytes_field(out, field, message->at, message->len);
	bytes_free(message);
}

/* --- a core --- */

static void add_clock(struct bytes *clocks, unsigned field, const struct clock *clock)
{
	struct bytes message = {0};
	number_field(&message, 1, clock->base);
	number_field(&message, 2, clock->den);
	number_field(&message, 3, clock->num);
	message_field(clocks, field, &message);
}

static void add_clocks(struct bytes *out, const struct n_trace *trace)
{
	static const unsigned engine_of[] = {N_TENSOR, N_SCALAR, N_VECTOR, N_GPSIMD, N_SYNC};
	struct bytes clocks = {0};
	for (unsigned i = 0; i < N_ENGINES; i++)
		add_clock(&clocks, i + 1, &trace->engine_clocks[engine_of[i]]);
	add_clock(&clocks, 6, &trace->event_clock);
	add_clock(&clocks, 7, &trace->throttle_clock);
	for (unsigned i = 0; i < N_DMA_ENGINES; i++)
		add_clock(&clocks, 8, &trace->dma_clock);
	message_field(out, 10, &clocks);
}

static void add_queues(struct bytes *out, const struct n_core *core)
{
	for (unsigned i = 0; i < N_QUEUES; i++)
		for (unsigned engine = 0; engine < N_DMA_ENGINES; engine++) {
			struct bytes queue = {0};
			number_field(&queue, 1, core->index * N_DMA_ENGINES + engine);
			number_field(&queue, 2, n_queues[i].ring);
			number_field(&queue, 3, n_queues[i].type);
			text_field(&queue, 4, n_queues[i].name);
			message_field(out, 7, &queue);
		}
}

static void add_memory(struct bytes *out)
{
	static const struct {
		const char *name;
		uint64_t bytes;
	} uses[] = {{"generic", 4096}, {"io", 1048576}, {"profiler buffers", 268435456}};
	for (size_t i = 0; i < sizeof uses / sizeof *uses; i++) {
		struct bytes memory = {0};
		number_field(&memory, 2, uses[i].bytes);
		text_field(&memory, 3, uses[i].name);
		message_field(out, 11, &memory);
	}
}

/* The records of a core lie one kind after the other from `at` in the data area on. */
static uint64_t add_segments(struct bytes *out, const struct n_trace *trace,
			     const struct n_core *core, uint64_t at)
{
	const struct {
		unsigned type, subtype;
		size_t len;
	} segments[] = {
		{0, 0, core->instruction_trace.len}, {1, 0, core->event_trace.len},    {2, 0, 0},
		{4, 1, core->dma_trace.len},         {5, 0, core->throttle_trace.len},
	};
	for (size_t i = 0; i < sizeof segments / sizeof *segments; i++) {
		struct bytes segment = {0};
		number_field(&segment, 1, segments[i].type);
		number_field(&segment, 3, segments[i].subtype);
		number_field(&segment, 5, at);
		number_field(&segment, 6, segments[i].len);
		number_field(&segment, 7, trace->version >= 6 ? core->index : 0);
		message_field(out, trace->version >= 6 ? 16 : 6, &segment);
		at += segments[i].len;
	}
	return at;
}

static uint64_t add_programs(struct bytes *out, const struct n_trace *trace,
			     const struct n_core *core, uint64_t at)
{
	for (unsigned i = 0; i < N_ENGINES; i++) {
		struct bytes stream = {0};
		number_field(&stream, 1, i);
		number_field(&stream, 2, program_address(core, i));
		if (trace->version >= 6) {
			number_field(&stream, 7, at);
			number_field(&stream, 8, core->programs[i].len);
			at += core->programs[i].len;
		} else {
			bytes_field(&stream, 3, core->programs[i].at, core->programs[i].len);
		}
		message_field(out, 4, &stream);
	}
	return at;
}

/* --- all of it --- */

static void add_version(struct bytes *out, unsigned field, unsigned major, unsigned minor)
{
	struct bytes version = {0};
	number_field(&version, 1, major);
	number_field(&version, 2, minor);
	text_field(&version, 5, "0123456789abcdef");
	message_field(out, field, &version);
}

static void add_node(struct bytes *header, const struct n_trace *trace, const unsigned char *uuid)
{
	struct bytes node = {0}, graphs = {0};
	uint64_t program_at = 0, trace_at = 0;
	for (unsigned i = 0; trace->version >= 6 && i < trace->core_count; i++)
		for (unsigned engine = 0; engine < N_ENGINES; engine++)
			trace_at += trace->cores[i].programs[engine].len;
	for (unsigned i = 0; i < trace->core_count; i++) {
		const struct n_core *core = &trace->cores[i];
		struct bytes graph = {0};
		text_field(&graph, 1, i ? "sg01" : "sg00");
		number_field(&graph, 3, core->index);
		program_at = add_programs(&graph, trace, core, program_at);
		trace_at =
			add_segments(trace->version >= 6 ? header : &graph, trace, core, trace_at);
		add_queues(&graph, core);
		add_clocks(&graph, trace);
		add_memory(&graph);
		number_field(&graph, 14, (uint64_t)core->length);
		message_field(&graphs, 1, &graph);
	}
	message_field(&node, 4, &graphs);
	bytes_field(&node, 5, uuid, 16);
	message_field(header, 4, &node);
}

static void add_header(struct bytes *header, const struct n_trace *trace)
{
	static const unsigned char uuid[16] = "invented-trace-1";
	text_field(header, 1, "invented.neff");
	bytes_field(header, 2, uuid, sizeof uuid);
	number_field(header, 3, 10001);
	add_node(header, trace, uuid);
	number_field(header, 5, trace->core_count);
	add_version(header, 8, 2, 29);
	text_field(header, 9, trace->version >= 6 ? "trn2.3xlarge" : "inf2.xlarge");
	add_version(header, 11, 2, 24);
	add_version(header, 12, 2, 28);
	if (trace->version < 6)
		return;
	struct bytes window = {0};
	bytes_field(&window, 1, uuid, sizeof uuid);
	number_field(&window, 2, (uint64_t)trace->start);
	number_field(&window, 3, (uint64_t)trace->end);
	message_field(header, 15, &window);
}

static void put(const struct bytes *bytes, FILE *file)
{
	if (bytes->len)
		fwrite(bytes->at, 1, bytes->len, file);
}

int write_ntff(const struct n_trace *trace, const char *path)
{
	unsigned char fixed[128] = {(unsigned char)trace->version};
	struct bytes header = {0};
	FILE *file = fopen(path, "wb");
	if (!file)
		return -1;
	add_header(&header, trace);
	for (unsigned i = 0; i < 8; i++)
		fixed[1 + i] = (unsigned char)((uint64_t)header.len >> 8 * i);
	fwrite(fixed, 1, sizeof fixed, file);
	put(&header, file);
	for (unsigned i = 0; trace->version >= 6 && i < trace->core_count; i++)
		for (unsigned engine = 0; engine < N_ENGINES; engine++)
			put(&trace->cores[i].programs[engine], file);
	for (unsigned i = 0; i < trace->core_count; i++) {
		put(&trace->cores[i].instruction_trace, file);
		put(&trace->cores[i].event_trace, file);
		put(&trace->cores[i].dma_trace, file);
		put(&trace->cores[i].throttle_trace, file);
	}
	bytes_free(&header);
	bool failed = ferror(file) != 0;
	return fclose(file) != 0 || failed ? -1 : 0;
}
