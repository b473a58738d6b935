/* The dump of a native trace as one JSON document; docs/formats/ntff-dump.md lists its fields.
 * Integers above 2^53 are strings of digits, because a double cannot represent them exactly. */
#include "render/ntff/internal.h"

#include "render/document/document.h"

/* A double represents integers up to 2^53 exactly. */
static void set_u64(struct arena *arena, struct json *object, const char *name, uint64_t number)
{
	if (number > (uint64_t)1 << 53)
		json_set_text(arena, object, name, arena_printf(arena, "%" PRIu64, number));
	else
		json_set_number(arena, object, name, (double)number);
}

/* Sets a number; 0 means that the file does not state it. */
static void set_known(struct arena *arena, struct json *object, const char *name, uint64_t number)
{
	if (number)
		set_u64(arena, object, name, number);
	else
		json_set_number(arena, object, name, NAN);
}

/* --- the file --- */

static void add_window(const struct ntff_summary *summary, struct json *root)
{
	struct arena *arena = summary->arena;
	const struct ntff *ntff = summary->ntff;
	struct json *window = json_set_object(arena, root, "window");
	json_set_text(arena, window, KEY(from),
		      ntff->has_window        ? "header"
		      : !summary->has_records ? NULL
		      : summary->guessed      ? "first_instruction"
					      : "program_start_note");
	if (ntff->has_window) {
		set_u64(arena, window, "start_ps", ntff->window_start);
		set_u64(arena, window, "end_ps", ntff->window_end);
	}
}

static void add_header(const struct ntff_view *view, struct json *root)
{
	const struct ntff_summary *summary = view->summary;
	struct arena *arena = summary->arena;
	const struct ntff *ntff = summary->ntff;
	json_set_text(arena, root, "file", view->name);
	json_set_number(arena, root, KEY(version), ntff->version);
	set_u64(arena, root, "size_bytes", ntff->size);
	set_u64(arena, root, "header_bytes", ntff->header_size);
	set_u64(arena, root, "data_at_byte", ntff->data_at);
	json_set_text(arena, root, "neff_uuid", ntff_uuid_text(arena, ntff));
	json_set_bool(arena, root, "neff_uuid_complete", ntff->uuid_size == sizeof ntff->uuid);
	if (view->shows_path)
		json_set_text(arena, root, "neff_path", ntff->neff_name);
	json_set_text(arena, root, KEY(instance_type), ntff->instance_type);
	set_known(arena, root, "physical_cores_per_logical_core", ntff->physical_cores);
	json_set_text(arena, root, "runtime_version",
		      render_ntff_short_version(arena, &ntff->runtime));
	json_set_text(arena, root, "driver_version",
		      render_ntff_short_version(arena, &ntff->driver));
	json_set_text(arena, root, "collectives_version",
		      render_ntff_short_version(arena, &ntff->collectives));
	set_known(arena, root, "capture_time_unix_s", ntff->capture_time);
	add_window(summary, root);
	struct json *buffers = json_set_array(arena, root, "notification_buffers");
	for (size_t i = 0; i < ntff->buffer_count; i++) {
		struct json *row = json_add_object(arena, buffers);
		set_u64(arena, row, "group", ntff->buffers[i].group);
		set_u64(arena, row, KEY(type), ntff->buffers[i].type);
		set_u64(arena, row, KEY(bytes), ntff->buffers[i].bytes);
	}
}

static void add_segment(const struct ntff_summary *summary, struct json *list,
			const struct ntff_segment *segment)
{
	struct arena *arena = summary->arena;
	struct json *row = json_add_object(arena, list);
	json_set_text(arena, row, KEY(kind), ntff_segment_name(segment));
	set_u64(arena, row, KEY(type), segment->type);
	set_u64(arena, row, "subtype", segment->subtype);
	set_u64(arena, row, KEY(index), segment->index);
	set_u64(arena, row, "at_byte", segment->at);
	set_u64(arena, row, KEY(bytes), segment->size);
	set_u64(arena, row, "records", segment->size / ntff_record_size);
	if (segment->first_record)
		json_set_text(arena, row, "first_bytes",
			      render_ntff_hex(arena, segment->first_record, ntff_record_size, ""));
}

static void add_queues(struct arena *arena, struct json *core, const struct ntff_core *from)
{
	struct json *list = json_set_array(arena, core, "dma_queues");
	for (size_t i = 0; i < from->queue_count; i++) {
		const struct ntff_queue *queue = &from->queues[i];
		struct json *row = json_add_object(arena, list);
		json_set_text(arena, row, KEY(name), queue->name);
		set_u64(arena, row, "dma_engine", queue->engine);
		set_u64(arena, row, "ring", queue->ring);
		set_u64(arena, row, KEY(type), queue->type);
		set_u64(arena, row, "axi_port", queue->axi_port);
		set_u64(arena, row, "dram_channel", queue->dram_channel);
	}
}

static void add_programs(struct arena *arena, struct json *core, const struct ntff_core *from)
{
	struct json *list = json_set_array(arena, core, "programs");
	for (int i = 0; i < NTFF_ENGINES; i++) {
		struct json *row = json_add_object(arena, list);
		json_set_text(arena, row, KEY(engine), ntff_engine_name(i));
		set_u64(arena, row, "device_address", from->streams[i].address);
		set_u64(arena, row, KEY(words), from->streams[i].size / ntff_word_size);
	}
	list = json_set_array(arena, core, "program_parts");
	for (size_t i = 0; i < from->patch_count; i++) {
		const struct ntff_patch *patch = &from->patches[i];
		struct json *row = json_add_object(arena, list);
		json_set_text(
			arena, row, KEY(engine),
			ntff_engine_name(patch->engine < NTFF_ENGINES ? (int)patch->engine : -1));
		set_u64(arena, row, "pc", patch->offset / ntff_word_size);
		set_u64(arena, row, KEY(words), patch->count);
		set_u64(arena, row, KEY(kind), patch->kind);
	}
}

static void add_memory(struct arena *arena, struct json *core, const struct ntff_core *from)
{
	struct json *list = json_set_array(arena, core, KEY(memory));
	for (size_t i = 0; i < from->memory_count; i++) {
		struct json *row = json_add_object(arena, list);
		json_set_text(arena, row, "use", ntff_memory_title(&from->memory[i], i));
		set_u64(arena, row, KEY(bytes), from->memory[i].bytes);
	}
}

/* --- sums --- */

static void set_sum(struct arena *arena, struct json *row, const struct ntff_sum *sum)
{
	set_u64(arena, row, KEY(count), sum->count);
	set_u64(arena, row, "time_ps", sum->ps);
	if (!sum->has_active)
		return;
	set_u64(arena, row, "active_time_ps", sum->active_ps);
	json_set_text(arena, row, "active_time_bound", sum->late ? "at_least" : "exact");
}

static void add_engines(struct arena *arena, struct json *object, const struct ntff_sum *sums)
{
	struct json *list = json_set_array(arena, object, KEY(engines));
	for (int i = 0; i < NTFF_ENGINES; i++) {
		struct json *row = json_add_object(arena, list);
		json_set_text(arena, row, KEY(engine), ntff_engine_name(i));
		set_sum(arena, row, &sums[i]);
	}
}

static void add_cores(const struct ntff_summary *summary, struct json *root)
{
	struct arena *arena = summary->arena;
	struct json *list = json_set_array(arena, root, KEY(cores));
	for (size_t i = 0; i < summary->ntff->core_count; i++) {
		const struct ntff_core *core = &summary->ntff->cores[i];
		struct json *row = json_add_object(arena, list);
		json_set_text(arena, row, KEY(name), core->name);
		set_u64(arena, row, KEY(index), core->nc);
		set_known(arena, row, "duration_ps", core->duration);
		if (summary->has_records) {
			set_u64(arena, row, KEY(instructions), summary->cores[i].instructions);
			set_u64(arena, row, KEY(flops), summary->cores[i].flops);
			add_engines(arena, row, summary->cores[i].engines);
		}
		add_programs(arena, row, core);
		add_queues(arena, row, core);
		struct json *segments = json_set_array(arena, row, "traces");
		for (size_t k = 0; k < core->segment_count; k++)
			add_segment(summary, segments, &core->segments[k]);
		add_memory(arena, row, core);
	}
	struct json *strays = json_set_array(arena, root, "traces_of_unknown_cores");
	for (size_t i = 0; i < summary->ntff->stray_count; i++)
		add_segment(summary, strays, &summary->ntff->strays[i]);
}

static void add_opcodes(const struct ntff_summary *summary, struct json *root)
{
	struct arena *arena = summary->arena;
	struct json *list = json_set_array(arena, root, KEY(opcodes));
	for (unsigned i = 0; i <= ntff_outside_program; i++) {
		if (summary->opcodes[i].count == 0)
			continue;
		struct json *row = json_add_object(arena, list);
		json_set_text(arena, row, "opcode", render_ntff_opcode_text(arena, i));
		json_set_number(arena, row, "code", i < ntff_outside_program ? (double)i : NAN);
		set_sum(arena, row, &summary->opcodes[i]);
		set_u64(arena, row, KEY(flops), summary->opcodes[i].flops);
	}
}

static void add_top(struct arena *arena, struct json *root, const char *name,
		    const struct ntff_top *all)
{
	struct json *list = json_set_array(arena, root, name);
	for (size_t i = 0; i < all->count; i++) {
		const struct ntff_longest *top = &all->items[i];
		struct json *row = json_add_object(arena, list);
		struct strbuf text = {0};
		if (top->has_word)
			ntff_word_text(&text, top->word);
		json_set_text(arena, row, KEY(core), top->one.core->name);
		json_set_text(arena, row, KEY(engine), ntff_engine_name(top->one.engine));
		json_set_number(arena, row, "pc", top->has_word ? (double)top->one.pc : NAN);
		json_set_text(arena, row, "opcode",
			      render_ntff_opcode_text(arena, top->has_word ? top->word[0]
									   : ntff_outside_program));
		set_u64(arena, row, "begin_ps", (uint64_t)top->one.begin);
		set_u64(arena, row, "duration_ps", (uint64_t)(top->one.end - top->one.begin));
		json_set_text(arena, row, "operands",
			      top->has_word ? strbuf_text(&text) + (text.len > 0) : NULL);
		strbuf_free(&text);
	}
}

static void add_traffic(struct arena *arena, struct json *dma, const char *name,
			const struct ntff_sum sums[NTFF_TRAFFIC_ROWS])
{
	struct json *list = json_set_array(arena, dma, name);
	for (int i = 0; i < NTFF_TRAFFIC_ROWS; i++) {
		struct json *row = json_add_object(arena, list);
		json_set_text(arena, row, "queues",
			      render_ntff_traffic_name((enum ntff_traffic_row)i));
		set_sum(arena, row, &sums[i]);
		set_u64(arena, row, KEY(bytes), sums[i].bytes);
	}
}

static void add_work(const struct ntff_summary *summary, struct json *root)
{
	static const char *const bounds[] = {[NTFF_EXACT] = "exact",
					     [NTFF_AT_LEAST] = "at_least",
					     [NTFF_AT_MOST] = "at_most",
					     [NTFF_ABOUT] = "about"};
	struct arena *arena = summary->arena;
	struct json *list = json_set_array(arena, root, KEY(work));
	for (size_t i = 0; i < ntff_figure_count; i++) {
		enum metric metric = summary->figures[i].metric;
		double number = run_number(summary->run, metric);
		struct json *row = json_add_object(arena, list);
		json_set_text(arena, row, KEY(metric), metric_info(metric)->key);
		json_set_text(arena, row, KEY(unit),
			      quantity_unit_symbol(metric_info(metric)->unit));
		json_set_number(arena, row, KEY(value), number);
		json_set_text(arena, row, "bound",
			      isnan(number) ? NULL : bounds[summary->figures[i].bound]);
		json_set_text(arena, row, KEY(provenance),
			      isnan(number) ? NULL
					    : metric_provenance_name(
						      run_value(summary->run, metric).provenance));
	}
	json_set_text(arena, root, KEY(dtype), summary->run->dtype);
	struct json *notes = json_set_array(arena, root, "work_notes");
	for (size_t i = 0; i < summary->run->note_count; i++)
		json_add_text(arena, notes, summary->run->notes[i].message);
}

static void add_throttles(const struct ntff_summary *summary, struct json *root)
{
	struct arena *arena = summary->arena;
	struct json *list = json_set_array(arena, root, "clock_limits");
	for (size_t i = 0; i < summary->throttle_count; i++) {
		const struct ntff_throttle *one = &summary->throttles[i];
		struct json *row = json_add_object(arena, list);
		json_set_text(arena, row, KEY(core), one->core->name);
		set_u64(arena, row, "begin_ps", (uint64_t)one->begin);
		set_u64(arena, row, "duration_ps", (uint64_t)(one->end - one->begin));
		json_set_number(arena, row, KEY(cycles), one->other ? NAN : (double)one->k);
		json_set_number(arena, row, "of_cycles", one->other ? NAN : (double)one->n);
		json_set_number(arena, row, KEY(type), one->other ? NAN : (double)one->type);
	}
	set_u64(arena, root, "clock_limits_left_out", summary->more_throttles);
}

static void add_counts(const struct ntff_summary *summary, struct json *root)
{
	const struct ntff_counts *counts = &summary->counts;
	const struct {
		const char *name;
		uint64_t count;
	} rows[] = {
		{"instructions_paired", counts->instructions},
		{"instructions_in_window", summary->instructions},
		{"instruction_ends_without_begin", counts->orphan_ends},
		{"instruction_begins_without_end", counts->open_begins},
		{"instructions_outside_programs", counts->outside_program},
		{"notifications", counts->notifications},
		{"transfers_paired", counts->transfers},
		{"transfers_in_window", summary->whole[NTFF_ROW_ALL].count},
		{"transfers_without_begin", counts->orphan_transfers},
		{"transfers_without_end", counts->open_transfers},
		{"transfers_over_window_edge", counts->straddling},
		{"transfers_left_out_by_vendor", counts->left_out},
		{"events", counts->events},
		{"events_counted_by_vendor", summary->events},
		{"clock_limit_records", counts->throttles},
		{"error_records", counts->errors},
		{"unknown_records", counts->unknown_records},
		{"wrong_times", counts->wrong_times},
		{"unknown_traces", counts->unknown_segments},
		{"unknown_trace_bytes", counts->unknown_segment_bytes},
	};
	struct json *object = json_set_object(summary->arena, root, KEY(counts));
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		set_u64(summary->arena, object, rows[i].name, rows[i].count);
}

static void add_records(const struct ntff_summary *summary, struct json *root)
{
	struct arena *arena = summary->arena;
	set_known(arena, root, "total_time_ps", summary->total_ps);
	set_u64(arena, root, "total_active_time_ps", summary->all.active_ps);
	json_set_text(arena, root, "total_active_time_bound",
		      summary->all.late ? "at_least" : "exact");
	add_counts(summary, root);
	add_engines(arena, root, summary->engines);
	add_opcodes(summary, root);
	add_top(arena, root, "longest_instructions", &summary->work_top);
	add_top(arena, root, "longest_waits", &summary->wait_top);
	struct json *dma = json_set_object(arena, root, KEY(dma));
	add_traffic(arena, dma, "as_vendor", summary->shown);
	add_traffic(arena, dma, "all", summary->whole);
	add_work(summary, root);
	add_throttles(summary, root);
}

/* --- what is unknown --- */

static void add_unknown(const struct ntff_summary *summary, struct json *root)
{
	struct arena *arena = summary->arena;
	struct json *list = json_set_array(arena, root, "unknown_fields");
	for (size_t i = 0; i < summary->ntff->unknown_count; i++) {
		const struct ntff_unknown *one = &summary->ntff->unknowns[i];
		struct json *row = json_add_object(arena, list);
		size_t stored =
			one->size < sizeof one->bytes ? (size_t)one->size : sizeof one->bytes;
		json_set_text(arena, row, "path", one->path);
		json_set_number(arena, row, "wire_type", one->wire);
		set_u64(arena, row, KEY(count), one->count);
		if (one->wire == NTFF_WIRE_BYTES) {
			set_u64(arena, row, KEY(bytes), one->size);
			json_set_text(arena, row, "first_bytes",
				      render_ntff_hex(arena, one->bytes, stored, ""));
		} else {
			set_u64(arena, row, KEY(value), one->value);
		}
	}
}

struct json *render_ntff_json(const struct ntff_view *view)
{
	const struct ntff_summary *summary = view->summary;
	struct json *root = document_begin(summary->arena, SCHEMA(inspect));
	add_header(view, root);
	add_cores(summary, root);
	if (summary->has_records)
		add_records(summary, root);
	add_unknown(summary, root);
	render_ntff_add_warnings(summary, json_set_array(summary->arena, root, KEY(warnings)));
	return root;
}
