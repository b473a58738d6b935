/* Records of native traces: pairs, the window, and what is odd about them. */
#include "ingest/ntff/trace/trace.h"

#include <inttypes.h>

#include "tests/unit/ntff_fixture.h"

/* --- records --- */

enum { most_records = 12, nowhere = 5, first_word = 0x100 };

/* `what` is for an instruction the address of its word and the hint, for a transfer ring << 24 |
 * bytes. What follows NEXT_TRACE is in another trace of the core. */
struct record {
	enum { NO_RECORD, INSTRUCTION, TRANSFER, EVENT, THROTTLE, NEXT_TRACE } type;
	unsigned kind, unit;
	uint32_t what;
	uint64_t time;
};

static void put_record(struct strbuf *out, const struct record *one)
{
	unsigned char bytes[16] = {0};
	for (unsigned i = 0; i < 8; i++)
		bytes[8 + i] = (unsigned char)(one->time >> 8 * i);
	for (unsigned i = 0; i < 3; i++)
		bytes[i] = (unsigned char)(one->what >> 8 * i);
	switch (one->type) {
	case INSTRUCTION:
		bytes[3] = (unsigned char)(0x80 ^ ((one->unit + 1) << 2 | one->kind));
		break;
	case TRANSFER:
		bytes[3] = (unsigned char)(0x80 ^ one->unit);
		bytes[4] = (unsigned char)(one->what >> 24 << 4 | one->kind);
		break;
	case EVENT:
		bytes[1] = 1;
		bytes[2] = (unsigned char)one->kind;
		break;
	case THROTTLE:
		bytes[2] = (unsigned char)one->unit;
		bytes[4] = (unsigned char)one->kind;
		break;
	case NO_RECORD:
	case NEXT_TRACE:
		return;
	}
	strbuf_add(out, bytes, sizeof bytes);
}

/* The program of every engine: three words from address `first_word` on. */
static void put_programs(struct strbuf *core)
{
	unsigned char words[3 * 64] = {0};
	struct strbuf stream = {0};
	words[0] = 0xa6; /* NOTIFY: the program starts */
	words[36] = 2;
	words[64] = 0x02;
	words[128] = 0xa0;
	for (unsigned engine = 0; engine < NTFF_ENGINES; engine++) {
		strbuf_reset(&stream);
		put_number(&stream, 1, engine);
		put_number(&stream, 2, (uint64_t)first_word << 6);
		put_bytes(&stream, 3, (struct span){(const char *)words, sizeof words});
		put_bytes(core, 4, strbuf_span(&stream));
	}
	strbuf_free(&stream);
}

static void put_clocks(struct strbuf *core, const struct ntff_clock *clock)
{
	struct strbuf all = {0};
	const uint64_t numbers[] = {clock->base, clock->den, clock->num};
	for (unsigned unit = 1; unit <= 7; unit++)
		put_numbers(&all, unit, 3, numbers);
	for (unsigned i = 0; i < 16; i++)
		put_numbers(&all, 8, 3, numbers);
	put_bytes(core, 10, strbuf_span(&all));
	strbuf_free(&all);
}

static void put_queues(struct strbuf *core)
{
	static const char *const names[] = {"qPoolDynamic", "qSPDynamicHW", "qSPIO0"};
	struct strbuf queue = {0};
	for (unsigned ring = 0; ring < 3; ring++) {
		strbuf_reset(&queue);
		put_number(&queue, 1, 3);
		put_number(&queue, 2, ring);
		put_text(&queue, 4, names[ring]);
		put_bytes(core, 7, strbuf_span(&queue));
	}
	strbuf_free(&queue);
}

static const struct ntff_clock picoseconds = {0, 1, 1};

/* Adds a core with these records, those of a kind in a trace of their own. */
static void put_recorded(struct strbuf *header, struct strbuf *data, const struct record *records,
			 const struct ntff_clock *clock)
{
	static const struct {
		unsigned type;
		struct ntff_segment segment;
	} kinds[] = {{INSTRUCTION, {.type = NTFF_INSTRUCTIONS}},
		     {TRANSFER, {.type = NTFF_DMA, .subtype = 1}},
		     {EVENT, {.type = NTFF_EVENTS}},
		     {THROTTLE, {.type = NTFF_THROTTLES}}};
	struct strbuf core = {0};
	put_programs(&core);
	put_clocks(&core, clock);
	put_queues(&core);
	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
		struct ntff_segment segment = kinds[i].segment;
		for (size_t k = 0; k < most_records; k++) {
			segment.at = data->len;
			for (; k < most_records && records[k].type != NEXT_TRACE; k++)
				if (records[k].type == kinds[i].type)
					put_record(data, &records[k]);
			segment.size = data->len - segment.at;
			put_segment(&core, 6, &segment);
		}
	}
	put_core(header, strbuf_span(&core));
	strbuf_free(&core);
}

/* --- reported records --- */

static int tell_instruction(void *context, const struct ntff_instruction *one, struct error *err)
{
	(void)err;
	strbuf_addf(context, "%d.%u", one->engine, one->pc);
	if (one->hint)
		strbuf_addf(context, "h%u", one->hint);
	strbuf_addf(context, " %" PRId64 "..%" PRId64 "%s%s; ", one->begin, one->end,
		    one->timed       ? ""
		    : one->in_window ? " untimed"
				     : " outside",
		    one->word ? "" : " wordless");
	return 0;
}

static int tell_transfer(void *context, const struct ntff_transfer *one, struct error *err)
{
	static const char *const places[] = {" outside", "", " left out"};
	(void)err;
	strbuf_addf(context, "%u/%u %s %" PRIu32 "B %" PRId64 "..%" PRId64 "%s; ", one->engine,
		    one->ring, ntff_traffic_kind_name(one->traffic), one->bytes, one->begin,
		    one->end, places[one->status]);
	return 0;
}

static int tell_event(void *context, const struct ntff_event *one, struct error *err)
{
	(void)err;
	strbuf_addf(context, "S%u %02x %" PRId64 "%s%s; ", one->id, one->op, one->time,
		    one->in_window ? "" : " outside", one->counted ? "" : " uncounted");
	return 0;
}

static int tell_throttle(void *context, const struct ntff_throttle *one, struct error *err)
{
	(void)err;
	strbuf_addf(context, "%u/%u %" PRId64 "..%" PRId64 "%s%s; ", one->k, one->n, one->begin,
		    one->end, one->in_window ? "" : " outside", one->other ? " other" : "");
	return 0;
}

static void tell_counts(struct strbuf *out, const struct ntff_counts *counts)
{
	const struct {
		const char *name;
		uint64_t count;
	} odd[] = {
		{"orphan", counts->orphan_ends + counts->orphan_transfers},
		{"open", counts->open_begins + counts->open_transfers},
		{"wrong", counts->wrong_times},
		{"unknown", counts->unknown_records},
		{"notes", counts->notifications},
		{"done", counts->transfer_completions},
		{"astride", counts->straddling},
		{"wordless", counts->outside_program},
		{"lost", counts->left_out},
	};
	for (size_t i = 0; i < sizeof odd / sizeof *odd; i++)
		if (odd[i].count)
			strbuf_addf(out, "%s=%" PRIu64 " ", odd[i].name, odd[i].count);
}

/* Everything about the file's records in one line, or the message. */
static void describe(struct strbuf *out, struct made *made)
{
	struct ntff_sink sink = {out, tell_instruction, tell_transfer, tell_event, tell_throttle};
	struct ntff_window window;
	struct ntff_counts counts;
	if (made->rc < 0 ||
	    ntff_trace_find_window(&made->ntff, made->bytes, &window, &made->err) < 0 ||
	    ntff_trace_read(&made->ntff, made->bytes, &window, &sink, &counts, &made->err) < 0) {
		strbuf_addf(out, "! %s", made->err.text);
		return;
	}
	if (window.guessed)
		strbuf_addstr(out, "guessed ");
	tell_counts(out, &counts);
	while (out->len && out->buf[out->len - 1] == ' ')
		strbuf_truncate(out, out->len - 1);
}

/* Word `n` of a program. */
#define W(n) (first_word + (n))
#define RING(ring, bytes) ((uint32_t)(ring) << 24 | (bytes))

/* Of version 6, whose window is from 1000 to 2000 ps. */
static const struct {
	struct record records[most_records];
	const char *text;
} windowed[] = {
	{{{INSTRUCTION, 0, 0, W(1), 1100}, {INSTRUCTION, 1, 0, W(1), 1150}}, "0.1 100..150;"},
	/* First in, first out; engines and hints apart. */
	{{{INSTRUCTION, 0, 0, W(1), 1100},
	  {INSTRUCTION, 0, 0, W(1), 1200},
	  {INSTRUCTION, 1, 0, W(1), 1300},
	  {INSTRUCTION, 1, 0, W(1), 1400}},
	 "0.1 100..300; 0.1 200..400;"},
	{{{INSTRUCTION, 0, 1, W(1), 1100},
	  {INSTRUCTION, 0, 2, W(1), 1200},
	  {INSTRUCTION, 1, 2, W(1), 1300},
	  {INSTRUCTION, 1, 1, W(1), 1400}},
	 "2.1 200..300; 1.1 100..400;"},
	{{{INSTRUCTION, 0, 0, 2 << 20 | W(1), 1100}, {INSTRUCTION, 1, 0, 2 << 20 | W(1), 1150}},
	 "0.1h2 100..150;"},
	{{{INSTRUCTION, 0, 0, 2 << 20 | W(1), 1100}, {INSTRUCTION, 1, 0, W(1), 1150}},
	 "orphan=1 open=1"},
	/* The window's edges. */
	{{{INSTRUCTION, 0, 0, W(1), 1000}, {INSTRUCTION, 1, 0, W(1), 2000}}, "0.1 0..1000;"},
	{{{INSTRUCTION, 0, 0, W(1), 999}, {INSTRUCTION, 1, 0, W(1), 2000}},
	 "0.1 -1..1000 outside;"},
	{{{INSTRUCTION, 0, 0, W(1), 1000}, {INSTRUCTION, 1, 0, W(1), 2001}},
	 "0.1 0..1001 outside;"},
	{{{INSTRUCTION, 0, 0, W(1), 1100}, {INSTRUCTION, 1, 0, W(1), 1099}}, "wrong=1"},
	{{{INSTRUCTION, 0, 0, W(1), 1100}, {INSTRUCTION, 1, 0, W(1), UINT64_MAX}}, "wrong=1"},
	/* Outside the program: before it, after it; the address has 20 bits. */
	{{{INSTRUCTION, 0, 0, W(-1), 1100}, {INSTRUCTION, 1, 0, W(-1), 1150}},
	 "0.1048575 100..150 wordless; wordless=1"},
	{{{INSTRUCTION, 0, 0, W(3), 1100}, {INSTRUCTION, 1, 0, W(3), 1150}},
	 "0.3 100..150 wordless; wordless=1"},
	/* Notes, and invalid records: without engine, of kind 3, without the valid bit. */
	{{{INSTRUCTION, 2, 2, W(1), 1100},
	  {INSTRUCTION, 0, nowhere, W(1), 1100},
	  {INSTRUCTION, 3, 0, W(1), 1100},
	  {INSTRUCTION, 0x80, 0, W(1), 1100},
	  {INSTRUCTION, 0, 4, W(2), 1100}},
	 "open=1 unknown=3 notes=1"},
	{{{TRANSFER, 1, 3, RING(0, 0), 1100},
	  {TRANSFER, 5, 3, RING(0, 2048), 1200},
	  {TRANSFER, 6, 3, RING(0, 0), 1250}},
	 "3/0 software_dynamic 2048B 100..200; done=1"},
	{{{TRANSFER, 1, 3, RING(1, 0), 1100},
	  {TRANSFER, 1, 3, RING(2, 0), 1110},
	  {TRANSFER, 1, 3, RING(1, 0), 1120},
	  {TRANSFER, 5, 3, RING(2, 4), 1200},
	  {TRANSFER, 5, 3, RING(1, 8), 1210},
	  {TRANSFER, 5, 3, RING(1, 16), 1220}},
	 "3/2 unknown 4B 110..200; 3/1 hardware_dynamic 8B 100..210; 3/1 hardware_dynamic 16B "
	 "120..220;"},
	{{{TRANSFER, 1, 19, RING(14, 0), 1100}, {TRANSFER, 5, 19, RING(14, 64), 1100}},
	 "19/14 instruction 64B 100..100;"},
	/* Over the start: what follows on its ring is left out. */
	{{{TRANSFER, 1, 3, RING(0, 0), 900},
	  {TRANSFER, 5, 3, RING(0, 1), 1000},
	  {TRANSFER, 1, 3, RING(0, 0), 1100},
	  {TRANSFER, 5, 3, RING(0, 2), 1200},
	  {TRANSFER, 1, 3, RING(1, 0), 1100},
	  {TRANSFER, 5, 3, RING(1, 3), 1200}},
	 "3/0 software_dynamic 1B -100..0 outside; 3/0 software_dynamic 2B 100..200 left out; 3/1 "
	 "hardware_dynamic 3B 100..200; astride=1 lost=1"},
	/* Before it, across its end and after it. */
	{{{TRANSFER, 1, 3, RING(0, 0), 900},
	  {TRANSFER, 5, 3, RING(0, 1), 999},
	  {TRANSFER, 1, 3, RING(0, 0), 1900},
	  {TRANSFER, 5, 3, RING(0, 2), 2001},
	  {TRANSFER, 1, 3, RING(0, 0), 2001},
	  {TRANSFER, 5, 3, RING(0, 3), 2002}},
	 "3/0 software_dynamic 1B -100..-1 outside; 3/0 software_dynamic 2B 900..1001 outside; 3/0 "
	 "software_dynamic 3B 1001..1002 outside; astride=1"},
	{{{TRANSFER, 5, 3, RING(0, 1), 1100},
	  {TRANSFER, 1, 4, RING(0, 0), 1100},
	  {TRANSFER, 9, 4, RING(0, 0), 1100},
	  {TRANSFER, 1, 4 | 0x80, RING(0, 0), 1100}},
	 "orphan=1 open=1 unknown=2"},
	/* Traces of one kind are taken in the order of time, whichever is listed first. */
	{{{INSTRUCTION, 1, 0, W(1), 1150}, {.type = NEXT_TRACE}, {INSTRUCTION, 0, 0, W(1), 1100}},
	 "0.1 100..150;"},
	{{{INSTRUCTION, 0, 0, W(1), 1100},
	  {INSTRUCTION, 0, 0, W(1), 1300},
	  {INSTRUCTION, 1, 0, W(1), 1600},
	  {.type = NEXT_TRACE},
	  {INSTRUCTION, 0, 0, W(1), 1200},
	  {INSTRUCTION, 1, 0, W(1), 1400},
	  {INSTRUCTION, 1, 0, W(1), 1500}},
	 "0.1 100..400; 0.1 200..500; 0.1 300..600;"},
	{{{INSTRUCTION, 0, 0, W(1), 1100},
	  {INSTRUCTION, 0, 0, W(1), 1200},
	  {.type = NEXT_TRACE},
	  {INSTRUCTION, 1, 0, W(1), 1100},
	  {INSTRUCTION, 1, 0, W(1), 1200}},
	 "0.1 100..100; 0.1 200..200;"},
	{{{TRANSFER, 5, 3, RING(0, 1), 1200},
	  {TRANSFER, 1, 4, RING(0, 0), 1100},
	  {.type = NEXT_TRACE},
	  {TRANSFER, 1, 3, RING(0, 0), 1100},
	  {TRANSFER, 5, 4, RING(0, 2), 1300}},
	 "3/0 software_dynamic 1B 100..200; 4/0 unknown 2B 100..300;"},
	{{{EVENT, 0xf3, 0, 20, 1000}, {EVENT, 0xf9, 0, 3, 2001}, {EVENT, 0xf4, 0, 3, 999}},
	 "S20 f3 0; S3 f9 1001 outside uncounted; S3 f4 -1 outside uncounted;"},
	/* A limit holds until the next one, the last until the last instruction. */
	{{{THROTTLE, 8, 8, 0, 900},
	  {THROTTLE, 4, 8, 0, 1100},
	  {THROTTLE, 0x80, 0, 0, 1300},
	  {THROTTLE, 8, 8, 0, 1600},
	  {INSTRUCTION, 0, 0, W(1), 1100},
	  {INSTRUCTION, 1, 0, W(1), 1700}},
	 "0.1 100..700; 8/8 -100..100 outside; 4/8 100..300; 128/0 300..600 other; 8/8 600..700;"},
	{{{THROTTLE, 4, 8, 0, 1100}, {THROTTLE, 8, 8, 0, UINT64_MAX}}, "4/8 100..100; wrong=1"},
};

START_TEST(records_inside_a_window)
{
	for (size_t i = 0; i < sizeof windowed / sizeof *windowed; i++) {
		struct strbuf header = {0}, data = {0}, text = {0};
		put_numbers(&header, 15, 3, (const uint64_t[]){0, 1000, 2000});
		put_recorded(&header, &data, windowed[i].records, &picoseconds);
		struct made *made = made_of(6, strbuf_span(&header), strbuf_span(&data));
		describe(&text, made);
		ck_assert_msg(strcmp(strbuf_text(&text), windowed[i].text) == 0,
			      "records %zu: %s\nnot: %s", i, strbuf_text(&text), windowed[i].text);
		made_free(made);
		strbuf_free(&header);
		strbuf_free(&data);
		strbuf_free(&text);
	}
}
END_TEST

/* Of version 5: the window begins with the end of the first core's tensor note. */
static const struct {
	struct ntff_clock clock;
	struct record first[most_records], second[most_records];
	const char *text;
} noted[] = {
	{{0, 1, 1},
	 {{INSTRUCTION, 0, 0, W(0), 500},
	  {INSTRUCTION, 1, 0, W(0), 1000},
	  {INSTRUCTION, 0, 1, W(1), 999},
	  {INSTRUCTION, 1, 1, W(1), 1100},
	  {INSTRUCTION, 0, 1, W(1), 1000},
	  {INSTRUCTION, 1, 1, W(1), 1u << 31}},
	 {{NO_RECORD, 0, 0, 0, 0}},
	 "0.0 -500..0 outside; 1.1 -1..100 outside; 1.1 0..2147482648;"},
	/* Events are counted from the first on. */
	{{0, 1, 1},
	 {{INSTRUCTION, 0, 0, W(0), 500},
	  {INSTRUCTION, 1, 0, W(0), 1000},
	  {EVENT, 0xf3, 0, 7, 400}},
	 {{NO_RECORD, 0, 0, 0, 0}},
	 "0.0 -500..0 outside; S7 f3 -600 outside;"},
	/* The notes of other engines do not count, nor does a later one of the tensor engine. */
	{{0, 1, 1},
	 {{INSTRUCTION, 0, 3, W(0), 500},
	  {INSTRUCTION, 1, 3, W(0), 800},
	  {INSTRUCTION, 0, 0, W(0), 900},
	  {INSTRUCTION, 1, 0, W(0), 1000},
	  {INSTRUCTION, 0, 0, W(0), 1100},
	  {INSTRUCTION, 1, 0, W(0), 1200}},
	 {{NO_RECORD, 0, 0, 0, 0}},
	 "3.0 -500..-200 outside; 0.0 -100..0 outside; 0.0 100..200;"},
	/* The earlier of two traces counts, not the one that is listed first. */
	{{0, 1, 1},
	 {{INSTRUCTION, 0, 0, W(0), 1100},
	  {INSTRUCTION, 1, 0, W(0), 1200},
	  {.type = NEXT_TRACE},
	  {INSTRUCTION, 0, 0, W(0), 900},
	  {INSTRUCTION, 1, 0, W(0), 1000}},
	 {{NO_RECORD, 0, 0, 0, 0}},
	 "0.0 -100..0 outside; 0.0 100..200;"},
	/* The second core's instructions are timed from its own note on. */
	{{0, 1, 1},
	 {{INSTRUCTION, 0, 0, W(0), 500}, {INSTRUCTION, 1, 0, W(0), 1000}},
	 {{INSTRUCTION, 0, 1, W(1), 1100},
	  {INSTRUCTION, 1, 1, W(1), 1150},
	  {INSTRUCTION, 0, 0, W(0), 1190},
	  {INSTRUCTION, 1, 0, W(0), 1200},
	  {INSTRUCTION, 0, 1, W(1), 1200},
	  {INSTRUCTION, 1, 1, W(1), 1250}},
	 "0.0 -500..0 outside; 1.1 100..150 untimed; 0.0 190..200 untimed; 1.1 200..250;"},
	/* Without a note: the first begin of any engine. */
	{{0, 1, 1},
	 {{INSTRUCTION, 0, 1, W(1), 1100},
	  {INSTRUCTION, 0, 2, W(1), 1050},
	  {INSTRUCTION, 1, 1, W(1), 1200},
	  {INSTRUCTION, 1, 2, W(1), 1300}},
	 {{INSTRUCTION, 0, 1, W(1), 1040}, {INSTRUCTION, 1, 1, W(1), 1060}},
	 "1.1 50..150; 2.1 0..250; 1.1 -10..10 outside; guessed"},
	/* Begin and end are rounded down, not the duration. */
	{{1000, 2, 3},
	 {{INSTRUCTION, 0, 0, W(0), 990},
	  {INSTRUCTION, 1, 0, W(0), 1001},
	  {INSTRUCTION, 0, 1, W(1), 1002},
	  {INSTRUCTION, 1, 1, W(1), 1003},
	  {INSTRUCTION, 0, 1, W(1), 1003},
	  {INSTRUCTION, 1, 1, W(1), 1004}},
	 {{NO_RECORD, 0, 0, 0, 0}},
	 "0.0 -16..0 outside; 1.1 2..3; 1.1 3..5;"},
	/* One wrong time does not spoil the others, wherever it is. */
	{{0, 1, 1},
	 {{INSTRUCTION, 0, 1, W(1), UINT64_MAX},
	  {INSTRUCTION, 0, 0, W(0), 500},
	  {INSTRUCTION, 1, 0, W(0), 1000},
	  {INSTRUCTION, 0, 2, W(1), 1100},
	  {INSTRUCTION, 1, 2, W(1), 1200}},
	 {{NO_RECORD, 0, 0, 0, 0}},
	 "0.0 -500..0 outside; 2.1 100..200; open=1"},
	/* A record without the valid bit does not begin anything. */
	{{0, 1, 1},
	 {{INSTRUCTION, 0x80, 1, W(1), 100},
	  {INSTRUCTION, 0, 2, W(1), 1100},
	  {INSTRUCTION, 1, 2, W(1), 1200}},
	 {{NO_RECORD, 0, 0, 0, 0}},
	 "2.1 0..100; guessed unknown=1"},
	{{0, 1, 1},
	 {{EVENT, 0xf3, 0, 7, 400}},
	 {{NO_RECORD, 0, 0, 0, 0}},
	 "! the first core has no instruction, so the start of the execution is unknown: repeat "
	 "the capture"},
	{{0, 0, 1},
	 {{INSTRUCTION, 0, 1, W(1), 1100}},
	 {{NO_RECORD, 0, 0, 0, 0}},
	 "! core : the header has no clock for its tensor records, so they cannot be placed in "
	 "time: repeat the capture"},
};

START_TEST(windows_by_notes)
{
	for (size_t i = 0; i < sizeof noted / sizeof *noted; i++) {
		struct strbuf header = {0}, data = {0}, text = {0};
		put_recorded(&header, &data, noted[i].first, &noted[i].clock);
		if (noted[i].second[0].type != NO_RECORD)
			put_recorded(&header, &data, noted[i].second, &noted[i].clock);
		struct made *made = made_of(5, strbuf_span(&header), strbuf_span(&data));
		describe(&text, made);
		ck_assert_msg(strcmp(strbuf_text(&text), noted[i].text) == 0,
			      "records %zu: %s\nnot: %s", i, strbuf_text(&text), noted[i].text);
		made_free(made);
		strbuf_free(&header);
		strbuf_free(&data);
		strbuf_free(&text);
	}
}
END_TEST

START_TEST(windows_that_cannot_be)
{
	static const struct {
		int cores, fields;
		uint64_t window[3];
		const char *message;
	} cases[] = {
		{0, 3, {0, 1, 2}, "! the header describes no core: repeat the capture"},
		{1,
		 0,
		 {0, 0, 0},
		 "! the header has no start and end of the execution: repeat the capture"},
		{1,
		 3,
		 {0, 2, 1},
		 "! the header says that the execution lasted from 2 to 1 ps, which is impossible: "
		 "repeat the capture"},
		{1,
		 3,
		 {0, 0, UINT64_MAX},
		 "! the header says that the execution lasted from 0 to 18446744073709551615 ps, "
		 "which is impossible: repeat the capture"},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct strbuf header = {0}, data = {0}, text = {0};
		if (cases[i].fields)
			put_numbers(&header, 15, 3, cases[i].window);
		if (cases[i].cores)
			put_recorded(&header, &data, windowed[0].records, &picoseconds);
		struct made *made = made_of(6, strbuf_span(&header), strbuf_span(&data));
		describe(&text, made);
		ck_assert_str_eq(strbuf_text(&text), cases[i].message);
		made_free(made);
		strbuf_free(&header);
		strbuf_free(&data);
		strbuf_free(&text);
	}
}
END_TEST

UNIT_MAIN("ntff_trace", records_inside_a_window, windows_by_notes, windows_that_cannot_be)
