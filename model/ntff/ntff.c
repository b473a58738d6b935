/* Names for the numbers in an NTFF. */
#include "model/ntff/ntff.h"

#include "base/hash/hash.h"
#include "base/text/text.h"
#include "model/ntff/records.h"

const char *ntff_engine_name(int engine)
{
	static const char *const names[] = {"tensor", "scalar", "gpsimd", "vector", "sync"};
	_Static_assert(sizeof names / sizeof *names == NTFF_ENGINES, "one name per engine");
	return engine >= 0 && engine < NTFF_ENGINES ? names[engine] : "unknown";
}

const struct ntff_queue *ntff_find_queue(const struct ntff_core *core, unsigned engine,
					 unsigned ring)
{
	/* The engines of a pair of cores are numbered consecutively. */
	uint64_t number = engine + ntff_dma_engines * (core->nc & ~(uint64_t)1);
	for (size_t i = 0; i < core->queue_count; i++)
		if (core->queues[i].engine == number && core->queues[i].ring == ring)
			return &core->queues[i];
	return NULL;
}

const char *ntff_segment_name(const struct ntff_segment *segment)
{
	static const struct {
		uint64_t type, subtype;
		const char *name;
	} names[] = {
		{NTFF_INSTRUCTIONS, 0, "instructions"},
		{NTFF_EVENTS, 0, "semaphores and events"},
		{NTFF_ERRORS, 0, "errors"},
		{NTFF_DMA, 1, "DMA descriptors"},
		{NTFF_THROTTLES, 0, "throttling"},
		{NTFF_INSTRUCTIONS, 2, "instructions of a collectives core"},
		{NTFF_EVENTS, 2, "events of a collectives core"},
		{NTFF_ERRORS, 2, "errors of a collectives core"},
	};
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (names[i].type == segment->type && names[i].subtype == segment->subtype)
			return names[i].name;
	return NULL;
}

const char *ntff_dma_class_name(enum ntff_dma_class dma_class)
{
	static const char *const names[] = {"static", "software_dynamic", "hardware_dynamic"};
	return names[dma_class];
}

const char *ntff_traffic_kind_name(enum ntff_traffic traffic)
{
	static const char *const names[NTFF_TRAFFIC_KINDS] = {
		"instruction", "data", "io", "unknown", "software_dynamic", "hardware_dynamic"};
	return names[traffic];
}

const char *ntff_uuid_text(struct arena *arena, const struct ntff *ntff)
{
	assert(ntff->uuid_size <= sizeof ntff->uuid);
	unsigned char bytes[32] = {0};
	char hex[65];
	memcpy(bytes, ntff->uuid, ntff->uuid_size);
	hash_hex(bytes, hex);
	return ntff->uuid_size ? arena_strndup(arena, hex, 2 * ntff->uuid_size) : NULL;
}

const char *ntff_version_text(struct arena *arena, const struct ntff_version *version)
{
	if (!version->hash)
		return NULL;
	struct span hash = span_of(version->hash);
	hash.len = utf8_valid_prefix((struct span){hash.ptr, hash.len < 5 ? hash.len : 5});
	return arena_printf(arena, "%" PRIu64 ".%" PRIu64 ".%" PRIu64 " (%.*s)", version->major,
			    version->minor, version->patch, (int)hash.len, hash.ptr);
}

/* The names of memory uses in the file and in the vendor's tool. Version 4 has the amounts without
 * names, in this order. */
static const char *const memory_names[][2] = {
	{"generic", "Generic"},
	{"pe", "Tensor Instructions"},
	{"act", "Scalar Instructions"},
	{"pool", "GpSimd Instructions"},
	{"io", "IO"},
	{"spill", "DRAM Spill"},
	{"weight", "Weights"},
	{"profiler buffers", "Profiler Buffers"},
	{"act table", "Scalar Table"},
	{"dve", "Vector Instructions"},
	{"sp", "Sync Instructions"},
	{"shared scratchpad", "Shared Scratchpad"},
	{"tensor", "Tensors"},
	{"ucode", "Ucode lib"},
	{"pool stdio", "GpSimd STDIO"},
	{"collectives", "Collectives"},
	{"scratchpad", "Scratchpad"},
	{"xt cc", "XT CC (unused)"},
	{"dma rings runtime", "DMA Rings Runtime"},
	{"dma rings spill", "DMA Rings Spill"},
	{"dma rings io", "DMA Rings IO"},
	{"dma rings collectives", "DMA Rings Collectives"},
};
enum { memory_name_count = sizeof memory_names / sizeof *memory_names };

const char *ntff_memory_title(const struct ntff_memory *memory, size_t position)
{
	if (!memory->name)
		return position < memory_name_count ? memory_names[position][1] : "(unnamed)";
	for (size_t i = 0; i < memory_name_count; i++)
		if (strcmp(memory->name, memory_names[i][0]) == 0)
			return memory_names[i][1];
	return memory->name;
}

const char *ntff_update_name(unsigned op)
{
	switch (op) {
	case 0xf3:
		return "increment";
	case 0xf4:
		return "decrement";
	case 0xf9:
		return "write";
	case 0xf1:
		return "set";
	case 0x07:
		return "clear";
	default:
		return NULL;
	}
}
