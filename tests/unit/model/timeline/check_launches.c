/* Streams, overlap, gaps and order of launches against a count for every tick. */
#include "model/timeline/launches/launches.h"

#include <math.h>
#include <string.h>

#include "tests/unit/unit.h"

enum { horizon = 2048, streams = 3, launches = 60 };

static uint64_t random_state = 3;

static unsigned random_below(unsigned limit)
{
	random_state = random_state * 6364136223846793005u + 1442695040888963407u;
	return (unsigned)(random_state >> 33) % limit;
}

struct ticks {
	unsigned kernels[horizon], copies[horizon];
};

/* Streams whose kernels do not overlap, and copies anywhere. */
static struct trace *random_trace(struct arena *arena, struct ticks *ticks)
{
	struct trace *trace = trace_new(arena);
	uint64_t next[streams] = {0};
	trace->tick = 1e-9;
	for (unsigned i = 0; i < launches; i++) {
		unsigned stream = random_below(streams);
		bool copy = random_below(4) == 0;
		uint64_t begin =
			copy ? random_below(horizon - 40) : next[stream] + random_below(30);
		struct trace_event event = {.begin = begin, .duration = 1 + random_below(40)};
		if (begin + event.duration >= horizon)
			continue;
		next[stream] = copy ? next[stream] : begin + event.duration;
		const char *name = arena_printf(arena, "stream %u", stream);
		event.track = trace_track(trace, copy ? TRACE_QUEUE : TRACE_ENGINE,
					  span_of("GPU 0"), span_of(name));
		event.name = trace_text(trace, span_of(copy ? "copy" : "k"));
		trace_add(trace, event);
		for (uint64_t tick = begin; tick < begin + event.duration; tick++)
			(copy ? ticks->copies : ticks->kernels)[tick]++;
	}
	return trace;
}

START_TEST(sums_are_what_counting_gives)
{
	for (unsigned trial = 0; trial < 100; trial++) {
		struct arena arena = {0};
		struct ticks ticks = {{0}, {0}};
		struct trace *trace = random_trace(&arena, &ticks);
		struct launch_order order = launch_order_of(
			&arena, trace, &(struct launch_request){NAN, NAN, SIZE_MAX});
		uint64_t kernels = 0, concurrent = 0, copies = 0, hidden = 0, busy = 0, gap = 0,
			 longest = 0;
		bool begun = false;
		for (unsigned tick = 0; tick < horizon; tick++) {
			unsigned k = ticks.kernels[tick], c = ticks.copies[tick];
			kernels += k > 0;
			concurrent += k > 1;
			copies += c > 0;
			hidden += k && c;
			busy += k || c;
			if (k || c) {
				longest = begun && gap > longest ? gap : longest;
				begun = true;
			}
			gap = k || c ? 0 : gap + 1;
		}
		ck_assert_uint_eq(order.device_count, 1);
		ck_assert_uint_eq(order.devices->kernels, kernels);
		ck_assert_uint_eq(order.devices->concurrent, concurrent);
		ck_assert_uint_eq(order.devices->copies, copies);
		ck_assert_uint_eq(order.devices->hidden, hidden);
		ck_assert_uint_eq(order.devices->busy, busy);
		ck_assert_uint_eq(order.count, trace->count);
		ck_assert_uint_eq(order.devices->gap_count ? order.devices->gaps->ticks : 0,
				  longest);
		for (size_t i = 1; i < order.count; i++)
			ck_assert_uint_le(order.items[i - 1].event->begin,
					  order.items[i].event->begin);
		for (size_t i = 1; i < order.devices->gap_count; i++)
			ck_assert_uint_ge(order.devices->gaps[i - 1].ticks,
					  order.devices->gaps[i].ticks);
		arena_free(&arena);
	}
}
END_TEST

static void add(struct trace *trace, const char *name, uint64_t begin, uint64_t duration)
{
	trace_add(trace,
		  (struct trace_event){.begin = begin,
				       .duration = duration,
				       .track = trace_track(trace, TRACE_ENGINE, span_of("GPU 0"),
							    span_of("stream 7")),
				       .name = trace_text(trace, span_of(name))});
}

static const char *name_of(const struct trace *trace, const struct trace_event *event)
{
	return trace->texts[event->name].text;
}

/* a 10-20, b 25-60, c 30-40, d 100-101: the gap before d follows b, which ends last. */
START_TEST(gaps_name_their_neighbours)
{
	struct arena arena = {0};
	struct trace *trace = trace_new(&arena);
	trace->tick = 1e-9;
	trace->origin = 10;
	add(trace, "d", 100, 1);
	add(trace, "c", 30, 10);
	add(trace, "b", 25, 35);
	add(trace, "a", 10, 10);
	struct launch_order order =
		launch_order_of(&arena, trace, &(struct launch_request){20e-9, 89e-9, 1});
	const struct launch_device *device = order.devices;
	ck_assert_uint_eq(device->gap_count, 2);
	ck_assert_uint_eq(device->gaps[0].ticks, 40);
	ck_assert_uint_eq(device->gaps[0].begin, 50);
	ck_assert_str_eq(name_of(trace, device->gaps[0].before), "b");
	ck_assert_str_eq(name_of(trace, device->gaps[0].after), "d");
	ck_assert_uint_eq(device->gaps[1].ticks, 5);
	/* From 20 to 89 ns since a began: b and c, of which one is wanted. */
	ck_assert_uint_eq(order.count, 1);
	ck_assert_uint_eq(order.left_out, 1);
	ck_assert_str_eq(name_of(trace, order.items[0].event), "b");
	ck_assert_uint_eq(order.items[0].idle, 5);
	ck_assert(!order.items[0].first);
	arena_free(&arena);
}
END_TEST

UNIT_MAIN("launches", sums_are_what_counting_gives, gaps_name_their_neighbours)
