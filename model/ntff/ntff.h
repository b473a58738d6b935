/*
 * The header of an NTFF, the Neuron Trace File Format, versions 4 to 6, as data, and names for the
 * numbers in it. docs/formats/ntff.md describes the format, how certain each field is, and how it
 * was checked. ingest/ntff/ reads the format; nothing here accesses a file.
 *
 * Three private fields are never stored: the uninitialized bytes before the header, the instance's
 * id and the process id. Texts are one line of valid UTF-8, whatever the file contains. Everything
 * that is pointed to belongs to the arena.
 *
 * Never add bytes of a file format; these stay in ingest.
 */
#pragma once

#include "base/base.h"

enum {
	ntff_header_at = 128,  /* offset in the file, bytes */
	ntff_record_size = 16, /* bytes */
	ntff_word_size = 64,   /* of an instruction, bytes */
	ntff_dma_engines = 16, /* of a core; their numbers in the file's records are 0 to 31 */
	ntff_rings = 16,       /* of a DMA engine */
	ntff_core_limit = 64,
};

/* Numbered as in the file. */
enum ntff_engine { NTFF_TENSOR, NTFF_SCALAR, NTFF_GPSIMD, NTFF_VECTOR, NTFF_SYNC, NTFF_ENGINES };

/* Picoseconds of a raw time: floor((raw - base) num / den). */
struct ntff_clock {
	uint64_t base, den, num; /* den is 0 if the file has no such clock */
};

enum ntff_queue_type { NTFF_QUEUE_UNKNOWN = 0, NTFF_QUEUE_WEIGHTS = 2, NTFF_QUEUE_IO = 3 };

struct ntff_queue {
	uint64_t engine; /* DMA engine, counted over all cores of the chip */
	uint64_t ring;
	uint64_t type; /* enum ntff_queue_type or another number */
	const char *name;
	uint64_t event, axi_port, dram_channel;
};

/* The program of one engine as it was executed, patched by the runtime. */
struct ntff_stream {
	uint64_t address;  /* on the device */
	uint64_t at, size; /* in the file; size 0: no program */
};

/* A section of a program: inserted by the runtime, or the kernel itself. */
struct ntff_patch {
	uint64_t engine;
	uint64_t offset, count; /* bytes from the program's start; number of instructions */
	uint64_t kind;          /* 2: the kernel; 0: inserted by the runtime */
};

enum ntff_segment_type {
	NTFF_INSTRUCTIONS = 0,
	NTFF_EVENTS = 1,
	NTFF_ERRORS = 2,
	NTFF_DMA = 4,
	NTFF_THROTTLES = 5
};

struct ntff_segment {
	uint64_t type, subtype, index; /* enum ntff_segment_type or another number */
	uint64_t at, size;             /* in the file */
	uint64_t nc;
	/* The first record of a segment of unknown kind, for display; else NULL. Only
	 * ntff_run_summary_read() sets it. */
	const unsigned char *first_record;
};

struct ntff_memory {
	const char *name; /* NULL in version 4, where the position identifies the use */
	uint64_t bytes;
};

/* One physical core. */
struct ntff_core {
	const char *name;  /* "sg00" */
	uint64_t nc;       /* index of the physical core */
	uint64_t duration; /* ps */
	struct ntff_stream streams[NTFF_ENGINES];
	struct ntff_clock engine_clocks[NTFF_ENGINES], event_clock, throttle_clock;
	struct ntff_clock dma_clocks[ntff_dma_engines];
	size_t dma_clock_count;
	struct ntff_queue *queues;
	size_t queue_count, queue_capacity;
	struct ntff_patch *patches;
	size_t patch_count, patch_capacity;
	struct ntff_memory *memory;
	size_t memory_count, memory_capacity;
	struct ntff_segment *segments;
	size_t segment_count, segment_capacity;
};

struct ntff_version {
	uint64_t major, minor, patch;
	const char *hash; /* of the source; "" unknown; NULL: nothing of the version is known */
};

/* The size of the device's buffer for notifications of one kind. */
struct ntff_buffer {
	uint64_t group, type; /* apparently the subtype and type of a segment */
	uint64_t bytes;
};

/* Wire types of Protocol Buffers. */
enum ntff_wire {
	NTFF_WIRE_NUMBER = 0,
	NTFF_WIRE_64_BITS = 1,
	NTFF_WIRE_BYTES = 2,
	NTFF_WIRE_32_BITS = 5
};

/* A field whose meaning is unknown, or whose wire type is unexpected. All fields with the same path
 * are one entry. */
struct ntff_unknown {
	const char *path; /* "4.4.1.15": field numbers from the header down */
	int wire;         /* enum ntff_wire */
	uint64_t count;
	uint64_t value;          /* of the first one, if it is a number */
	uint64_t size;           /* of the first one, if it is bytes */
	unsigned char bytes[16]; /* the beginning of the first one */
};

struct ntff {
	int version;
	uint64_t header_size, data_at,
		size;            /* bytes; data_at: offset in the file; size: file size */
	const char *neff_name;   /* path on the host of the capture: private; NULL unknown */
	unsigned char uuid[16];  /* of the NEFF */
	size_t uuid_size;        /* known bytes of it: versions 4 and 5 cut it at a zero byte */
	uint64_t physical_cores; /* per logical core */
	uint64_t capture_time;   /* Unix seconds; 0 unknown */
	struct ntff_version runtime, driver, collectives;
	const char *instance_type; /* NULL unknown */
	bool has_window;           /* version 6 states the start and end of the execution, ps */
	uint64_t window_start, window_end;
	struct ntff_buffer *buffers;
	size_t buffer_count, buffer_capacity;
	struct ntff_core *cores;
	size_t core_count, core_capacity;
	/* Segments of cores that the header does not describe. */
	struct ntff_segment *strays;
	size_t stray_count, stray_capacity;
	struct ntff_unknown *unknowns;
	size_t unknown_count, unknown_capacity;
	bool more_unknowns; /* the list was cut off at its limit */
};

/* "tensor", "scalar" ... */
const char *ntff_engine_name(int engine);
/* The queue of a DMA engine, numbered as in records; NULL if the header does not name it. */
const struct ntff_queue *ntff_find_queue(const struct ntff_core *core, unsigned engine,
					 unsigned ring);
/* The name of a kind of segment; NULL if its meaning is unknown. */
const char *ntff_segment_name(const struct ntff_segment *segment);
/* The vendor's title for a use of memory; `position` is its index in the header's list. */
const char *ntff_memory_title(const struct ntff_memory *memory, size_t position);
/* "2128843d31cc45b8a55f3353a039f443", shorter if the file has only a part; NULL if it has none. */
const char *ntff_uuid_text(struct arena *arena, const struct ntff *ntff);
/* "2.29.40 (f954c)" as the vendor's tool writes it; NULL unknown. */
const char *ntff_version_text(struct arena *arena, const struct ntff_version *version);
