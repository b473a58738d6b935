/*
 * The reader of XPlane files of JAX and XLA.
 *
 * TPU: a run for each operation of a module (line "XLA Ops"), with the FLOP and the bytes of device
 * memory that the compiler counted, and one for each module ("XLA Modules"), of the tool
 * "xla-module". Chips that run one program give repeats of one run.
 *
 * GPU: a run for each kernel, from the events of streams that have sizes; FLOP of matrix products,
 * from the program's HLO, if one kernel ran for each of them; no bytes.
 */
#include "ingest/frameworks/xplane.h"

#include "base/text/text.h"
#include "ingest/collect/collect.h"
#include "ingest/frameworks/xplane_programs.h"
#include "ingest/reader.h"

static const size_t size_limit = (size_t)1 << 30;

enum {
	TIME,
	FLOPS,
	MODEL_FLOPS,
	READ_BYTES,
	WRITTEN_BYTES,
	PEAK_BANDWIDTH,
	PRODUCT_FLOPS,
	METRICS
};

static const struct launch_metric metrics[METRICS] = {
	[TIME] = {METRIC_TOTAL_TIME, PROVENANCE_MEASURED, NULL},
	[FLOPS] = {METRIC_HARDWARE_FLOPS, PROVENANCE_REPORTED, NULL},
	[MODEL_FLOPS] = {METRIC_MODEL_FLOPS, PROVENANCE_REPORTED, NULL},
	[READ_BYTES] = {METRIC_HBM_READ_BYTES, PROVENANCE_REPORTED, NULL},
	[WRITTEN_BYTES] = {METRIC_HBM_WRITE_BYTES, PROVENANCE_REPORTED, NULL},
	[PEAK_BANDWIDTH] = {METRIC_PEAK_BANDWIDTH, PROVENANCE_REPORTED, NULL},
	[PRODUCT_FLOPS] = {METRIC_ALGORITHMIC_FLOPS, PROVENANCE_DERIVED, NULL},
};
static const struct launch_table operations = {"xla", metrics, METRICS};
static const struct launch_table modules = {"xla-module", metrics, METRICS};

enum { program_limit = 4096 };

/* A compiled module. */
struct program {
	struct span name;
	uint64_t id;
};

struct reading {
	struct arena *arena;
	struct launches operations, modules;
	size_t planes; /* of devices */
	struct xplane_products products;
	/* Of the current plane: */
	struct xplane plane;
	struct span device;
	double peak_bandwidth;
	struct program *programs;
	size_t program_count;
	struct launch *
		*launches; /* what the metadata say of an event, in their order; NULL unread */
	double *flops;     /* of a GPU's kernels, in the order of their metadata; NAN unknown */
};

/* --- the device --- */

static void read_device(struct reading *r)
{
	struct xplane_stat stat;
	struct wire message = r->plane.message;
	r->device = (struct span){"", 0};
	r->peak_bandwidth = NAN;
	while (xplane_next_stat(&r->plane, &message, 6, &stat))
		if (span_is(stat.name, "device_type_string") && utf8_is_line(stat.text))
			r->device = stat.text;
		else if (span_is(stat.name, "peak_hbm_bw_gigabytes_per_second") &&
			 stat.number > 0 && stat.number < 1e12)
			r->peak_bandwidth = stat.number * 1e9;
}

/* --- operations of a TPU --- */

/* Accesses {1: {1: 1 read, 2 written; 2: 1 device memory; 3: bytes}} */
static void read_accesses(struct launch *launch, struct span accesses)
{
	struct wire message = wire_of(accesses);
	struct wire_field field, part;
	while (wire_next(&message, &field)) {
		struct wire access = wire_inside(&field);
		uint64_t numbers[4] = {0};
		while (wire_next(&access, &part))
			if (part.number < 4)
				numbers[part.number] = part.integer;
		int metric = numbers[1] == 1 ? READ_BYTES : WRITTEN_BYTES;
		if (isnan(launch->values[READ_BYTES]))
			launch->values[READ_BYTES] = launch->values[WRITTEN_BYTES] = 0;
		if (numbers[2] == 1 && (numbers[1] == 1 || numbers[1] == 2))
			launch->values[metric] += (double)numbers[3];
	}
}

/* "jit_step(1234)" -> "jit_step" and 1234 */
static bool split_module(struct span text, struct span *name, uint64_t *program)
{
	size_t at;
	if (!span_ends(text, ")") || span_starts(text, "%") || !utf8_is_line(text))
		return false;
	*program = 0;
	for (at = text.len - 1; at && ascii_is_digit(text.ptr[at - 1]); at--)
		;
	for (size_t i = at; i + 1 < text.len; i++)
		*program = *program * 10 + (uint64_t)(text.ptr[i] - '0');
	*name = (struct span){text.ptr, at ? at - 1 : 0};
	return at > 1 && at + 1 < text.len && text.ptr[at - 1] == '(' && name->len < 400;
}

/* The modules of the plane, which its metadata name. */
static void find_modules(struct reading *r)
{
	r->program_count = 0;
	for (size_t i = 0; i < r->plane.events.count && r->program_count < program_limit; i++) {
		struct program *program = &r->programs[r->program_count];
		r->program_count +=
			split_module(r->plane.events.items[i].name, &program->name, &program->id);
	}
}

/* The first digits of the program distinguish several of one name. */
static const char *module_name(const struct reading *r, uint64_t id)
{
	size_t at = 0, same = 0;
	while (at < r->program_count && r->programs[at].id != id)
		at++;
	if (at == r->program_count)
		return "?";
	struct span name = r->programs[at].name;
	for (size_t i = 0; i < r->program_count; i++)
		same += span_eq(r->programs[i].name, name);
	const char *digits = arena_printf(r->arena, "%llu", (unsigned long long)id);
	return same > 1 ? arena_printf(r->arena, "%.*s.%.4s", (int)name.len, name.ptr, digits)
			: arena_printf(r->arena, "%.*s", (int)name.len, name.ptr);
}

/* The start of an asynchronous operation and the wait for its end do no work themselves. */
static bool is_asynchronous(struct span category)
{
	return span_ends(category, "-start") || span_ends(category, "-done");
}

static void read_operation(struct reading *r, const struct xplane_metadata *metadata,
			   struct launch *launch)
{
	struct xplane_stat stat;
	struct wire message = metadata->message;
	uint64_t program = 0;
	bool asynchronous = false;
	while (xplane_next_stat(&r->plane, &message, 5, &stat))
		if (span_is(stat.name, "hlo_category"))
			asynchronous = is_asynchronous(stat.text);
		else if (span_is(stat.name, "flops") && stat.number >= 0)
			launch->values[FLOPS] = stat.number;
		else if (span_is(stat.name, "model_flops") && stat.number >= 0)
			launch->values[MODEL_FLOPS] = stat.number;
		else if (span_is(stat.name, "program_id"))
			program = stat.integer;
		else if (span_is(stat.name, "memory_access_breakdown"))
			read_accesses(launch, stat.text);
	for (int i = FLOPS; asynchronous && i <= WRITTEN_BYTES; i++)
		launch->values[i] = NAN;
	struct span name = metadata->shown.len ? metadata->shown : metadata->name;
	launch->symbol = span_of(arena_printf(r->arena, "%s/%.*s", module_name(r, program),
					      name.len < 400 ? (int)name.len : 400, name.ptr));
}

static void read_module(const struct reading *r, const struct xplane_metadata *metadata,
			struct launch *launch)
{
	struct span name;
	uint64_t program;
	launch->symbol = split_module(metadata->name, &name, &program)
				 ? span_of(module_name(r, program))
				 : metadata->name;
}

/* --- kernels of a GPU --- */

/* "grid:256,1,1 block:128,1,1" */
static bool read_sizes(struct span details, const char *label, double sizes[3])
{
	size_t at = span_find(details, label);
	if (at == details.len)
		return false;
	struct span rest = {details.ptr + at + strlen(label), details.len - at - strlen(label)};
	struct span text = span_cut(&rest, ' ');
	for (int i = 0; i < 3; i++)
		if (!span_number(span_cut(&text, ','), &sizes[i]))
			return false;
	return true;
}

static bool is_kernel(const struct reading *r, struct wire event, struct launch *launch)
{
	struct xplane_stat stat;
	while (xplane_next_stat(&r->plane, &event, 4, &stat))
		if (span_is(stat.name, "kernel_details"))
			return read_sizes(stat.text, "grid:", launch->grid) &&
			       read_sizes(stat.text, "block:", launch->block);
	return false;
}

/* The matrix product that an event ran for; NULL: it is none, or not known. */
static struct xplane_product *product_of(const struct reading *r, struct wire event)
{
	struct xplane_stat stat;
	struct span operation = {"", 0};
	uint64_t program = 0;
	while (xplane_next_stat(&r->plane, &event, 4, &stat))
		if (span_is(stat.name, "hlo_op"))
			operation = stat.text;
		else if (span_is(stat.name, "program_id"))
			program = stat.integer;
	return xplane_products_find(&r->products, program, operation);
}

static const struct xplane_metadata *metadata_of(const struct reading *r, struct wire event)
{
	struct wire_field field;
	uint64_t id = 0;
	while (wire_next(&event, &field))
		if (field.number == 1)
			id = field.integer;
	return xplane_event(&r->plane, id);
}

/* Notes what kernel an event ran for its product. */
static void join_product(struct reading *r, struct wire event)
{
	struct launch sizes;
	struct xplane_product *product = product_of(r, event);
	if (!product || !is_kernel(r, event, &sizes))
		return;
	const struct xplane_metadata *kernel = metadata_of(r, event);
	product->several |= product->kernel && product->kernel != kernel;
	product->kernel = kernel;
}

/* The FLOP of a kernel that runs for products of several sizes are unknown: its launches are one
 * run. */
static void set_product(struct reading *r, struct wire event)
{
	struct launch sizes;
	const struct xplane_metadata *kernel = metadata_of(r, event);
	if (!kernel || !is_kernel(r, event, &sizes))
		return;
	const struct xplane_product *product = product_of(r, event);
	double flops = product && !product->several ? product->flops : NAN;
	double *known = &r->flops[kernel - r->plane.events.items];
	bool first = *known < 0, same = *known >= flops && *known <= flops;
	*known = first || same ? flops : NAN;
}

/* Calls `visit` for each event of the plane's streams. */
static void visit_streams(struct reading *r, void (*visit)(struct reading *r, struct wire event))
{
	struct wire_field field, part;
	struct wire message = r->plane.message;
	while (wire_next(&message, &field)) {
		struct wire line = wire_inside(&field), rest = line;
		bool is_stream = false;
		while (field.number == 3 && wire_next(&rest, &part))
			is_stream |= part.number == 2 && span_starts(part.bytes, "Stream #");
		while (is_stream && wire_next(&line, &part))
			if (part.number == 4)
				visit(r, wire_inside(&part));
	}
}

static void find_products(struct reading *r)
{
	r->flops = arena_array(r->arena, r->plane.events.count + 1, sizeof *r->flops);
	for (size_t i = 0; i < r->plane.events.count; i++)
		r->flops[i] = -1; /* not seen yet */
	for (size_t i = 0; i < r->products.count; i++)
		r->products.items[i].kernel = NULL;
	visit_streams(r, join_product);
	visit_streams(r, set_product);
}

static void read_kernel(const struct xplane_metadata *metadata, struct launch *launch)
{
	launch->symbol = metadata->name;
	if (span_ends(launch->symbol, ".kd"))
		launch->symbol.len -= 3;
}

/* --- lines --- */

enum line { OTHER_LINE, OPERATIONS, MODULES, STREAM };

static enum line kind_of(struct span plane, struct span line)
{
	if (span_starts(plane, "/device:TPU:"))
		return span_is(line, "XLA Ops")       ? OPERATIONS
		       : span_is(line, "XLA Modules") ? MODULES
						      : OTHER_LINE;
	return span_starts(line, "Stream #") ? STREAM : OTHER_LINE;
}

/* What the metadata say; read once. */
static struct launch *launch_of(struct reading *r, enum line line,
				const struct xplane_metadata *metadata)
{
	size_t at = (size_t)(metadata - r->plane.events.items);
	if (r->launches[at])
		return r->launches[at];
	struct launch *launch = r->launches[at] = arena_new(r->arena, struct launch);
	*launch = launches_unknown();
	launch->device = r->device;
	launch->values[PEAK_BANDWIDTH] = r->peak_bandwidth;
	if (line == OPERATIONS)
		read_operation(r, metadata, launch);
	else if (line == MODULES)
		read_module(r, metadata, launch);
	else
		read_kernel(metadata, launch);
	if (line == STREAM && r->flops[at] > 0)
		launch->values[PRODUCT_FLOPS] = r->flops[at];
	return launch;
}

static int read_event(struct reading *r, enum line line, struct wire event, struct error *err)
{
	struct wire_field field;
	struct wire rest = event;
	uint64_t id = 0, picoseconds = 0;
	while (wire_next(&rest, &field))
		if (field.number == 1)
			id = field.integer;
		else if (field.number == 3)
			picoseconds = field.integer;
	const struct xplane_metadata *metadata = xplane_event(&r->plane, id);
	if (rest.damaged || !metadata)
		return error_set(err, ERR_FORMAT, "damaged: an event of %.*s has no name",
				 (int)r->plane.name.len, r->plane.name.ptr);
	struct launch launch = *launch_of(r, line, metadata);
	if (line == STREAM && !is_kernel(r, event, &launch))
		return 0;
	launch.values[TIME] = (double)picoseconds / 1e12;
	return launches_add(line == MODULES ? &r->modules : &r->operations, &launch, err);
}

static int read_line(struct reading *r, struct wire line, struct error *err)
{
	struct wire_field field;
	struct wire rest = line;
	struct span name = {"", 0};
	while (wire_next(&rest, &field))
		if (field.number == 2)
			name = field.bytes;
	enum line kind = kind_of(r->plane.name, name);
	while (kind != OTHER_LINE && wire_next(&line, &field))
		if (field.number == 4 && read_event(r, kind, wire_inside(&field), err) < 0)
			return -1;
	return rest.damaged ? error_set(err, ERR_FORMAT, "damaged: a line of %.*s",
					(int)r->plane.name.len, r->plane.name.ptr)
			    : 0;
}

static struct span plane_name(struct wire plane)
{
	struct wire_field field;
	while (wire_next(&plane, &field))
		if (field.number == 2)
			return field.bytes;
	return (struct span){"", 0};
}

static int read_plane(struct reading *r, struct wire message, struct error *err)
{
	struct wire_field field;
	struct wire rest = message;
	struct span name = plane_name(message);
	if (!span_starts(name, "/device:TPU:") && !span_starts(name, "/device:GPU:"))
		return 0;
	if (!utf8_is_line(name) || name.len > 100)
		return error_set(err, ERR_FORMAT, "damaged: the name of a plane");
	if (xplane_open(&r->plane, r->arena, message, err) < 0)
		return -1;
	r->planes++;
	r->launches = arena_array(r->arena, r->plane.events.count + 1, sizeof *r->launches);
	read_device(r);
	find_modules(r);
	find_products(r);
	while (wire_next(&rest, &field))
		if (field.number == 3 && read_line(r, wire_inside(&field), err) < 0)
			return -1;
	return 0;
}

/* --- the file --- */

static int read_planes(struct reading *r, struct wire space, struct error *err)
{
	struct wire_field field;
	while (wire_next(&space, &field))
		if (field.number == 1 && read_plane(r, wire_inside(&field), err) < 0)
			return -1;
	return space.damaged ? error_set(err, ERR_FORMAT,
					 "damaged or cut off: a plane reaches beyond the file")
			     : 0;
}

static int read_xplane(struct arena *arena, struct input *input, struct ingest_result *result,
		       struct error *err)
{
	struct span bytes;
	struct reading r = {.arena = arena,
			    .programs = arena_array(arena, program_limit, sizeof *r.programs),
			    .operations = launches_of(arena, &operations),
			    .modules = launches_of(arena, &modules)};
	if (input_read_all(arena, input, size_limit, &bytes, err) < 0)
		return -1;
	xplane_products_read(&r.products, arena, wire_of(bytes));
	if (read_planes(&r, wire_of(bytes), err) < 0)
		return -1;
	if (r.modules.count && launches_finish(&r.modules, &result->runs, "", err) < 0)
		return -1;
	return launches_finish(
		&r.operations, &result->runs,
		r.planes ? "no kernel ran on a device while this was captured"
			 : "no device was traced: the file has only planes of the host",
		err);
}

/* A plane whose name begins with "/device:" or "/host:", or that has the environment. */
static bool detect(struct span head)
{
	static const char *const names[] = {"/device:", "/host:", "Task Environment"};
	size_t at = 1;
	if (head.len < 16 || head.ptr[0] != 0x0a)
		return false;
	while (at < 10 && (unsigned char)head.ptr[at] & 0x80)
		at++;
	/* The head has only the begin of a plane: its id, then its name. */
	struct wire plane = wire_of((struct span){head.ptr + at + 1, head.len - at - 1});
	struct wire_field field;
	for (int i = 0; i < 2 && wire_next(&plane, &field); i++)
		for (size_t k = 0; field.number == 2 && k < sizeof names / sizeof *names; k++)
			if (span_starts(field.bytes, names[k]))
				return true;
	return false;
}

const struct reader xplane_reader = {"xplane", "JAX and XLA: XPlane (.xplane.pb)", NEEDS_DEVICE,
				     detect, read_xplane};
