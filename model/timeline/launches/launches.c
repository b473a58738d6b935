/* Sorts the events of each device by their begin and adds up what runs at once. */
#include "model/timeline/launches/launches.h"

#include "model/timeline/interval.h"

static bool is_kernel(const struct trace *trace, const struct trace_event *event)
{
	return trace->tracks[event->track].kind == TRACE_ENGINE;
}

static int by_begin(const void *a, const void *b)
{
	const struct trace_event *x = *(const struct trace_event *const *)a;
	const struct trace_event *y = *(const struct trace_event *const *)b;
	if (x->begin != y->begin)
		return x->begin < y->begin ? -1 : 1;
	return (x > y) - (x < y);
}

static uint64_t since(const struct trace *trace, uint64_t tick)
{
	return tick > trace->origin ? tick - trace->origin : 0;
}

/* --- devices --- */

/* Events in the order of their begin. */
struct events {
	const struct trace_event **items;
	size_t count;
};

static struct launch_device *device_of(struct arena *arena, struct launch_order *order,
				       uint32_t name)
{
	for (size_t i = 0; i < order->device_count; i++)
		if (order->devices[i].name == name)
			return &order->devices[i];
	if (!order->devices)
		order->devices =
			arena_array(arena, order->trace->track_count, sizeof *order->devices);
	struct launch_device *device = &order->devices[order->device_count++];
	*device = (struct launch_device){.name = name};
	return device;
}

/* Keeps the longest gaps, the longest first. */
static void add_gap(struct launch_device *device, struct launch_gap gap)
{
	size_t at = device->gap_count;
	while (at > 0 && device->gaps[at - 1].ticks < gap.ticks)
		at--;
	if (at == LAUNCH_GAPS)
		return;
	if (device->gap_count < LAUNCH_GAPS)
		device->gap_count++;
	for (size_t i = device->gap_count - 1; i > at; i--)
		device->gaps[i] = device->gaps[i - 1];
	device->gaps[at] = gap;
}

static void find_gaps(const struct trace *trace, const struct events *events,
		      struct launch_device *device)
{
	const struct trace_event *last = NULL;
	uint64_t end = 0;
	for (size_t i = 0; i < events->count; i++) {
		const struct trace_event *event = events->items[i];
		if (trace->tracks[event->track].core != device->name)
			continue;
		if (last && event->begin > end)
			add_gap(device, (struct launch_gap){since(trace, end), event->begin - end,
							    last, event});
		if (!last || event->begin + event->duration > end) {
			last = event;
			end = event->begin + event->duration;
		}
	}
}

static void measure(const struct trace *trace, const struct events *events,
		    struct launch_device *device)
{
	struct arena scratch = {0};
	struct interval_span *all = arena_array(&scratch, events->count, sizeof *all);
	struct interval_span *kernels = arena_array(&scratch, events->count, sizeof *kernels);
	struct interval_span *copies = arena_array(&scratch, events->count, sizeof *copies);
	size_t count = 0;
	for (size_t i = 0; i < events->count; i++) {
		const struct trace_event *event = events->items[i];
		struct interval_span one = {event->begin, event->begin + event->duration};
		if (trace->tracks[event->track].core != device->name)
			continue;
		all[count++] = one;
		if (is_kernel(trace, event))
			kernels[device->kernel_count++] = one;
		else
			copies[device->copy_count++] = one;
		device->begin = count == 1 ? since(trace, one.begin) : device->begin;
		device->end =
			since(trace, one.end) > device->end ? since(trace, one.end) : device->end;
	}
	struct interval_cover one = interval_cover_of(&scratch, kernels, device->kernel_count, 1);
	struct interval_cover moved = interval_cover_of(&scratch, copies, device->copy_count, 1);
	device->kernels = one.length;
	device->concurrent = interval_cover_of(&scratch, kernels, device->kernel_count, 2).length;
	device->copies = moved.length;
	device->hidden = interval_cover_both(&one, &moved);
	device->busy = interval_cover_of(&scratch, all, count, 1).length;
	arena_free(&scratch);
}

/* --- streams and the order --- */

static void add_streams(struct arena *arena, const struct events *events,
			struct launch_order *order)
{
	const struct trace *trace = order->trace;
	order->streams = arena_array(arena, trace->track_count, sizeof *order->streams);
	order->stream_count = trace->track_count;
	for (uint32_t i = 0; i < trace->track_count; i++) {
		order->streams[i].track = i;
		device_of(arena, order, trace->tracks[i].core)->stream_count +=
			trace->tracks[i].kind == TRACE_ENGINE;
	}
	for (size_t i = 0; i < events->count; i++) {
		const struct trace_event *event = events->items[i];
		struct launch_stream *stream = &order->streams[event->track];
		uint64_t begin = since(trace, event->begin), end = begin + event->duration;
		stream->begin = stream->count++ ? stream->begin : begin;
		/* Of one stream, one after the other. */
		uint64_t from = begin > stream->end ? begin : stream->end;
		stream->busy += end > from ? end - from : 0;
		stream->end = end > stream->end ? end : stream->end;
	}
}

/* The ticks since the device's last activity. */
static void add_items(struct arena *arena, const struct events *events,
		      const struct launch_request *request, struct launch_order *order)
{
	const struct trace *trace = order->trace;
	struct arena scratch = {0};
	uint64_t *ends = arena_array(&scratch, trace->text_count, sizeof *ends);
	bool *any = arena_array(&scratch, trace->text_count, sizeof *any);
	size_t capacity = events->count < request->limit ? events->count : request->limit;
	order->items = arena_array(arena, capacity, sizeof *order->items);
	for (size_t i = 0; i < events->count; i++) {
		const struct trace_event *event = events->items[i];
		uint32_t device = trace->tracks[event->track].core;
		uint64_t end = event->begin + event->duration;
		double begins = (double)since(trace, event->begin) * trace->tick;
		struct launch_item item = {event, 0, !any[device]};
		if (any[device] && event->begin > ends[device])
			item.idle = event->begin - ends[device];
		ends[device] = any[device] && ends[device] > end ? ends[device] : end;
		any[device] = true;
		/* NAN does not limit: comparisons with it are false. */
		if (begins >= request->to ||
		    begins + (double)event->duration * trace->tick < request->from)
			continue;
		if (order->count < capacity)
			order->items[order->count++] = item;
		else
			order->left_out++;
	}
	arena_free(&scratch);
}

struct launch_order launch_order_of(struct arena *arena, const struct trace *trace,
				    const struct launch_request *request)
{
	struct launch_order order = {.trace = trace};
	struct events events = {arena_array(arena, trace->count, sizeof *events.items),
				trace->count};
	for (size_t i = 0; i < trace->count; i++)
		events.items[i] = &trace->events[i];
	array_sort(events.items, events.count, sizeof *events.items, by_begin);
	add_streams(arena, &events, &order);
	for (size_t i = 0; i < order.device_count; i++) {
		measure(trace, &events, &order.devices[i]);
		find_gaps(trace, &events, &order.devices[i]);
	}
	add_items(arena, &events, request, &order);
	return order;
}
