/* The launches of a capture: devices, streams, gaps and the launches in their order. */
#include "render/terminal/terminal.h"

#include "base/text/text.h"
#include "model/timeline/launches/launches.h"
#include "render/document/document.h"
#include "render/markup/markup.h"
#include "render/vocabulary/vocabulary.h"

static double seconds(const struct launch_order *order, uint64_t ticks)
{
	return (double)ticks * order->trace->tick;
}

static const char *time_text(struct arena *arena, const struct launch_order *order, uint64_t ticks)
{
	return quantity_text(arena, seconds(order, ticks), UNIT_SECOND);
}

static const char *name_of(const struct launch_order *order, const struct trace_event *event)
{
	return event->name ? order->trace->texts[event->name].text : "unknown";
}

static const struct trace_track *track_of(const struct launch_order *order, uint32_t track)
{
	return &order->trace->tracks[track];
}

static const char *text_at(const struct launch_order *order, uint32_t text)
{
	return order->trace->texts[text].text;
}

static double share(uint64_t part, uint64_t whole)
{
	return whole ? (double)part / (double)whole : NAN;
}

/* "GPU 0 stream 7 copies" */
static const char *stream_name(struct arena *arena, const struct launch_order *order,
			       uint32_t track)
{
	return arena_printf(arena, "%s %s", text_at(order, track_of(order, track)->core),
			    text_at(order, track_of(order, track)->name));
}

/* --- text --- */

#define COUNT_TEXT(name, one, many)                                                                \
	static const char *name(struct arena *arena, size_t count)                                 \
	{                                                                                          \
		return arena_printf(arena,                                                         \
				    count == 1 ? vocabulary_format(one) : vocabulary_format(many), \
				    count);                                                        \
	}
COUNT_TEXT(kernels_text, "%zu kernel", "%zu kernels")
COUNT_TEXT(copies_text, "%zu copy", "%zu copies")
COUNT_TEXT(streams_text, "%zu stream", "%zu streams")

/* "  copies  20.54 ms (2.25 %), beside kernels 0 s (0 % of them)" */
static void add_device(struct arena *arena, const struct launch_order *order,
		       const struct launch_device *device, struct strbuf *out)
{
	enum { label_width = 14 };
	uint64_t span = device->end - device->begin;
	const struct {
		const char *label;
		uint64_t ticks;
		const char *also;
		uint64_t part;
	} rows[] = {
		{"kernels", device->kernels, "two or more at once", device->concurrent},
		{"copies, sets", device->copies, "with kernels", device->hidden},
		{"idle", span - device->busy, NULL, 0},
	};
	strbuf_addf(out, vocabulary_format("%s: %s, %s or memory sets on %s in %s\n"),
		    text_at(order, device->name), kernels_text(arena, device->kernel_count),
		    copies_text(arena, device->copy_count),
		    streams_text(arena, device->stream_count), time_text(arena, order, span));
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const char *label = vocabulary_label(rows[i].label);
		strbuf_addf(out, "  %s", label);
		strbuf_pad(out, utf8_columns(span_of(label)), label_width);
		strbuf_addf(out, vocabulary_format("%s (%s)"),
			    time_text(arena, order, rows[i].ticks),
			    quantity_text(arena, share(rows[i].ticks, span), UNIT_FRACTION));
		if (rows[i].also && rows[i].ticks)
			strbuf_addf(out, vocabulary_format(", %s %s (%s of it)"),
				    vocabulary_label(rows[i].also),
				    time_text(arena, order, rows[i].part),
				    quantity_text(arena, share(rows[i].part, rows[i].ticks),
						  UNIT_FRACTION));
		strbuf_addch(out, '\n');
	}
}

static void add_streams(struct arena *arena, const struct launch_order *order, size_t width,
			struct strbuf *out)
{
	struct md_table table =
		md_table_of(arena, width, vocabulary_label("stream|>count|>busy|>from|>to"));
	for (size_t i = 0; i < order->stream_count; i++) {
		const struct launch_stream *one = &order->streams[i];
		md_table_row(&table, stream_name(arena, order, one->track),
			     quantity_text(arena, (double)one->count, UNIT_COUNT),
			     time_text(arena, order, one->busy),
			     time_text(arena, order, one->begin),
			     time_text(arena, order, one->end));
	}
	strbuf_addch(out, '\n');
	md_table_plain(&table, out);
}

static void add_gaps(struct arena *arena, const struct launch_order *order, size_t width,
		     struct strbuf *out)
{
	struct md_table table =
		md_table_of(arena, width, vocabulary_label(">idle|>at|after|before"));
	size_t count = 0;
	for (size_t i = 0; i < order->device_count; i++)
		for (size_t k = 0; k < order->devices[i].gap_count; k++, count++) {
			const struct launch_gap *gap = &order->devices[i].gaps[k];
			md_table_row(&table, time_text(arena, order, gap->ticks),
				     time_text(arena, order, gap->begin),
				     name_of(order, gap->before), name_of(order, gap->after));
		}
	if (!count)
		return;
	strbuf_addf(out, "\n%s\n", vocabulary_label("Longest gaps"));
	md_table_plain(&table, out);
}

static void add_items(struct arena *arena, const struct launch_order *order, size_t width,
		      struct strbuf *out)
{
	struct md_table table = md_table_of(
		arena, width, vocabulary_label(">start|>time|>idle before|stream|what|details"));
	const struct trace *trace = order->trace;
	for (size_t i = 0; i < order->count; i++) {
		const struct trace_event *event = order->items[i].event;
		md_table_row(&table, time_text(arena, order, event->begin - trace->origin),
			     time_text(arena, order, event->duration),
			     order->items[i].first ? "--"
						   : time_text(arena, order, order->items[i].idle),
			     text_at(order, track_of(order, event->track)->name),
			     name_of(order, event), text_at(order, event->operands));
	}
	strbuf_addf(out, "\n%s\n", vocabulary_label("Launches"));
	md_table_plain(&table, out);
	if (order->left_out)
		strbuf_addf(
			out,
			vocabulary_format("%s more: --from TIME shows later ones, --json all\n"),
			quantity_text(arena, (double)order->left_out, UNIT_COUNT));
}

void terminal_launches(struct arena *arena, const struct launch_order *order, size_t width,
		       struct strbuf *out)
{
	for (size_t i = 0; i < order->device_count; i++)
		add_device(arena, order, &order->devices[i], out);
	add_streams(arena, order, width, out);
	add_gaps(arena, order, width, out);
	add_items(arena, order, width, out);
	vocabulary_close_percents(out);
}

/* --- JSON --- */

static void add_device_json(struct arena *arena, const struct launch_order *order,
			    const struct launch_device *device, struct json *list)
{
	struct json *one = json_add_object(arena, list), *gaps;
	const struct document_member members[] = {
		{KEY(name), TEXT(text_at(order, device->name))},
		{KEY(kernel_count), NUMBER((double)device->kernel_count)},
		{KEY(copy_count), NUMBER((double)device->copy_count)},
		{KEY(span), QUANTITY(seconds(order, device->end - device->begin), UNIT_SECOND)},
		{KEY(kernel_time), QUANTITY(seconds(order, device->kernels), UNIT_SECOND)},
		{KEY(concurrent_time), QUANTITY(seconds(order, device->concurrent), UNIT_SECOND)},
		{KEY(copy_time), QUANTITY(seconds(order, device->copies), UNIT_SECOND)},
		{KEY(hidden_copy_time), QUANTITY(seconds(order, device->hidden), UNIT_SECOND)},
		{KEY(busy_time), QUANTITY(seconds(order, device->busy), UNIT_SECOND)},
	};
	document_fill(arena, one, members);
	gaps = json_set_array(arena, one, KEY(gaps));
	for (size_t k = 0; k < device->gap_count; k++) {
		const struct launch_gap *gap = &device->gaps[k];
		const struct document_member places[] = {
			{KEY(at), QUANTITY(seconds(order, gap->begin), UNIT_SECOND)},
			{KEY(idle), QUANTITY(seconds(order, gap->ticks), UNIT_SECOND)},
			{KEY(after), TEXT(name_of(order, gap->before))},
			{KEY(before), TEXT(name_of(order, gap->after))},
		};
		document_fill(arena, json_add_object(arena, gaps), places);
	}
}

static void add_item_json(struct arena *arena, const struct launch_order *order,
			  const struct launch_item *item, struct json *list)
{
	const struct trace_event *event = item->event;
	const struct document_member members[] = {
		{KEY(start),
		 QUANTITY(seconds(order, event->begin - order->trace->origin), UNIT_SECOND)},
		{KEY(time), QUANTITY(seconds(order, event->duration), UNIT_SECOND)},
		{KEY(idle), QUANTITY(item->first ? NAN : seconds(order, item->idle), UNIT_SECOND)},
		{KEY(stream), TEXT(stream_name(arena, order, event->track))},
		{KEY(name), TEXT(name_of(order, event))},
		{KEY(details), TEXT(text_at(order, event->operands))},
	};
	document_fill(arena, json_add_object(arena, list), members);
}

struct json *terminal_launches_json(struct arena *arena, const struct launch_order *order)
{
	struct json *document = document_begin(arena, SCHEMA(launches));
	struct json *devices = json_set_array(arena, document, KEY(devices));
	for (size_t i = 0; i < order->device_count; i++)
		add_device_json(arena, order, &order->devices[i], devices);
	struct json *streams = json_set_array(arena, document, KEY(streams));
	for (size_t i = 0; i < order->stream_count; i++) {
		const struct launch_stream *one = &order->streams[i];
		const struct document_member members[] = {
			{KEY(name), TEXT(stream_name(arena, order, one->track))},
			{KEY(count), NUMBER((double)one->count)},
			{KEY(busy_time), QUANTITY(seconds(order, one->busy), UNIT_SECOND)},
			{KEY(start), QUANTITY(seconds(order, one->begin), UNIT_SECOND)},
			{KEY(end), QUANTITY(seconds(order, one->end), UNIT_SECOND)},
		};
		document_fill(arena, json_add_object(arena, streams), members);
	}
	struct json *launches = json_set_array(arena, document, KEY(launches));
	for (size_t i = 0; i < order->count; i++)
		add_item_json(arena, order, &order->items[i], launches);
	json_set_number(arena, document, KEY(left_out), (double)order->left_out);
	return document;
}
