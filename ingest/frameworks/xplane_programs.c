/* Finds matrix products in the HLO of programs. */
#include "ingest/frameworks/xplane_programs.h"

#include "base/json/json.h"
#include "ingest/frameworks/xplane.h"

enum { rank_limit = 16, instruction_limit = 200000, depth_limit = 8 };

struct shape {
	double sizes[rank_limit];
	size_t rank;
	bool known;
};

struct instruction {
	uint64_t id, operand, called; /* the first of each; 0 none */
	struct span name, opcode, target, configuration;
	struct shape shape; /* of a tuple that of its first part */
	struct wire dot;    /* DotDimensionNumbers */
};

struct computation {
	uint64_t id;
	struct instruction *items; /* sorted by id */
	size_t count, capacity;
	int state; /* 0 not counted, 1 being counted, 2 counted */
	double flops;
};

struct program {
	struct arena *arena;
	struct computation *items; /* sorted by id */
	size_t count, capacity, instructions;
};

/* --- the module --- */

/* The next of repeated whole numbers, which are packed in a field's bytes or stand alone. */
static bool next_number(struct wire_field *field, uint64_t *number)
{
	if (field->type == WIRE_VARINT) {
		*number = field->integer;
		field->type = WIRE_BYTES;
		field->bytes.len = 0;
		return true;
	}
	*number = 0;
	for (unsigned shift = 0; shift < 64 && field->bytes.len; shift += 7) {
		uint8_t byte = (uint8_t)field->bytes.ptr[0];
		field->bytes = span_from(field->bytes, 1);
		*number |= (uint64_t)(byte & 0x7f) << shift;
		if (byte < 0x80)
			return true;
	}
	return false;
}

/* ShapeProto {3: dimensions, 4: shapes of a tuple} */
static struct shape read_shape(struct wire message, int depth)
{
	struct shape shape = {.known = true};
	struct wire_field field;
	uint64_t size;
	while (wire_next(&message, &field)) {
		if (field.number == 4 && depth == 0)
			return read_shape(wire_inside(&field), depth + 1);
		while (field.number == 3 && next_number(&field, &size))
			if (shape.rank < rank_limit)
				shape.sizes[shape.rank++] = (double)size;
			else
				shape.known = false;
	}
	return shape;
}

static uint64_t first_number(struct wire_field field, uint64_t otherwise)
{
	uint64_t number;
	return otherwise || !next_number(&field, &number) ? otherwise : number;
}

/* HloInstructionProto {1: name, 2: opcode, 3: shape, 28: target, 30: dot, 35: id, 36: operands,
 * 38: called computations, 43: configuration} */
static struct instruction read_instruction(struct wire message)
{
	struct instruction one = {.id = 0};
	struct wire_field field;
	while (wire_next(&message, &field)) {
		struct span *const texts[] = {[1] = &one.name, [2] = &one.opcode};
		if (field.number == 1 || field.number == 2)
			*texts[field.number] = field.bytes;
		else if (field.number == 3)
			one.shape = read_shape(wire_inside(&field), 0);
		else if (field.number == 28)
			one.target = field.bytes;
		else if (field.number == 30)
			one.dot = wire_inside(&field);
		else if (field.number == 35)
			one.id = field.integer;
		else if (field.number == 36)
			one.operand = first_number(field, one.operand);
		else if (field.number == 38)
			one.called = first_number(field, one.called);
		else if (field.number == 43)
			one.configuration = field.bytes;
	}
	return one;
}

static int by_instruction(const void *a, const void *b)
{
	const struct instruction *x = a, *y = b;
	return (x->id > y->id) - (x->id < y->id);
}

static int by_computation(const void *a, const void *b)
{
	const struct computation *x = a, *y = b;
	return (x->id > y->id) - (x->id < y->id);
}

/* HloComputationProto {2: instructions, 5: id} */
static void read_computation(struct program *program, struct wire message)
{
	struct computation one = {.flops = NAN};
	struct wire_field field;
	while (wire_next(&message, &field))
		if (field.number == 5)
			one.id = field.integer;
		else if (field.number == 2 && program->instructions++ < instruction_limit)
			*arena_next(program->arena, one.items, one.count, one.capacity) =
				read_instruction(wire_inside(&field));
	array_sort(one.items, one.count, sizeof *one.items, by_instruction);
	*arena_next(program->arena, program->items, program->count, program->capacity) = one;
}

/* --- FLOP --- */

static double elements(const struct shape *shape)
{
	double count = 1;
	for (size_t i = 0; i < shape->rank; i++)
		count *= shape->sizes[i];
	return shape->known ? count : NAN;
}

static const struct instruction *find_instruction(const struct computation *computation,
						  uint64_t id)
{
	const struct instruction key = {.id = id};
	return computation->count ? bsearch(&key, computation->items, computation->count,
					    sizeof key, by_instruction)
				  : NULL;
}

static double contracted(const struct shape *shape, uint64_t dimension)
{
	return dimension < shape->rank ? shape->sizes[dimension] : NAN;
}

/* DotDimensionNumbers {1: dimensions of the first operand that are contracted} */
static double flops_of_dot(const struct instruction *one, const struct instruction *first)
{
	struct wire message = one->dot;
	struct wire_field field;
	double flops = first && first->shape.known ? 2 * elements(&one->shape) : NAN;
	uint64_t dimension;
	while (wire_next(&message, &field))
		while (field.number == 1 && next_number(&field, &dimension))
			flops *= first ? contracted(&first->shape, dimension) : NAN;
	return flops;
}

/* {"gemm_backend_config": {"dot_dimension_numbers": {"lhs_contracting_dimensions": ["1"]}}} */
static double flops_of_call(struct arena *arena, const struct instruction *one,
			    const struct instruction *first)
{
	struct error ignored;
	if (one->configuration.len == 0)
		return NAN;
	const struct json *root = json_parse(arena, one->configuration, &ignored);
	const struct json *dot =
		json_get(json_get(root, "gemm_backend_config"), "dot_dimension_numbers");
	const struct json *list = json_get(dot, "lhs_contracting_dimensions");
	double flops = first && first->shape.known ? 2 * elements(&one->shape) : NAN, dimension;
	if (!list || list->type != JSON_ARRAY || !list->count)
		return NAN;
	for (const struct json *item = list->first; item; item = item->next) {
		bool is_number = item->type == JSON_NUMBER;
		dimension = is_number ? item->number : NAN;
		if (item->type == JSON_STRING)
			is_number = span_number(span_of(item->text), &dimension);
		flops *= first && is_number && dimension >= 0 && dimension < rank_limit
				 ? contracted(&first->shape, (uint64_t)dimension)
				 : NAN;
	}
	return flops;
}

static double flops_of_computation(struct program *program, uint64_t id, int depth);

/* 0: no matrix product; NAN: one of unknown size. */
static double flops_of(struct program *program, const struct computation *computation,
		       const struct instruction *one, int depth)
{
	const struct instruction *first = find_instruction(computation, one->operand);
	if (span_is(one->opcode, "dot"))
		return flops_of_dot(one, first);
	if (span_is(one->opcode, "convolution"))
		return NAN;
	if (span_is(one->opcode, "fusion"))
		return flops_of_computation(program, one->called, depth + 1);
	if (span_is(one->opcode, "custom-call"))
		return span_find(one->target, "gemm") < one->target.len
			       ? flops_of_call(program->arena, one, first)
			       : NAN;
	return 0;
}

static double flops_of_computation(struct program *program, uint64_t id, int depth)
{
	const struct computation key = {.id = id};
	struct computation *found = program->count ? bsearch(&key, program->items, program->count,
							     sizeof key, by_computation)
						   : NULL;
	if (!found || found->state == 1 || depth > depth_limit)
		return NAN;
	if (found->state == 2)
		return found->flops;
	found->state = 1;
	found->flops = 0;
	for (size_t i = 0; i < found->count; i++)
		found->flops += flops_of(program, found, &found->items[i], depth);
	found->state = 2;
	return found->flops;
}

/* --- all programs --- */

/* HloProto {1: module}, HloModuleProto {3: computations} */
static void read_program(struct xplane_products *products, struct arena *arena, uint64_t id,
			 struct wire hlo)
{
	struct arena scratch = {0};
	struct program program = {.arena = &scratch};
	struct wire_field field, part;
	while (wire_next(&hlo, &field)) {
		struct wire module = wire_inside(&field);
		while (field.number == 1 && wire_next(&module, &part))
			if (part.number == 3)
				read_computation(&program, wire_inside(&part));
	}
	array_sort(program.items, program.count, sizeof *program.items, by_computation);
	/* Of a program that was not read whole, a fusion may lack a product. */
	bool whole = program.instructions <= instruction_limit;
	for (size_t i = 0; whole && i < program.count; i++)
		for (size_t k = 0; k < program.items[i].count; k++) {
			const struct instruction *one = &program.items[i].items[k];
			double flops = flops_of(&program, &program.items[i], one, 0);
			if (flops > 0)
				*arena_add(arena, products) = (struct xplane_product){
					.program = id, .operation = one->name, .flops = flops};
		}
	arena_free(&scratch);
}

static int by_operation(const void *a, const void *b)
{
	const struct xplane_product *x = a, *y = b;
	size_t len = x->operation.len < y->operation.len ? x->operation.len : y->operation.len;
	int order = x->program != y->program ? (x->program > y->program ? 1 : -1)
		    : len                    ? memcmp(x->operation.ptr, y->operation.ptr, len)
					     : 0;
	return order ? order
		     : (x->operation.len > y->operation.len) -
			       (x->operation.len < y->operation.len);
}

static bool is_metadata(struct wire plane)
{
	struct wire_field field;
	while (wire_next(&plane, &field))
		if (field.number == 2)
			return span_is(field.bytes, "/host:metadata");
	return false;
}

void xplane_products_read(struct xplane_products *products, struct arena *arena, struct wire space)
{
	struct wire_field field;
	struct error ignored;
	while (wire_next(&space, &field)) {
		struct wire message = wire_inside(&field);
		struct xplane plane = {.name = {"", 0}};
		if (field.number != 1 || !is_metadata(message) ||
		    xplane_open(&plane, arena, message, &ignored) < 0)
			continue;
		for (size_t i = 0; i < plane.events.count; i++) {
			struct wire stats = plane.events.items[i].message;
			struct xplane_stat stat;
			while (xplane_next_stat(&plane, &stats, 5, &stat))
				if (span_is(stat.name, "Hlo Proto"))
					read_program(products, arena, plane.events.items[i].id,
						     wire_of(stat.text));
		}
	}
	array_sort(products->items, products->count, sizeof *products->items, by_operation);
}

struct xplane_product *xplane_products_find(const struct xplane_products *products,
					    uint64_t program, struct span operation)
{
	const struct xplane_product key = {.program = program, .operation = operation};
	return products->count
		       ? bsearch(&key, products->items, products->count, sizeof key, by_operation)
		       : NULL;
}
