/*
 * The container of a report of Nsight Compute (.ncu-rep), as all files from 2020.2 to 2025.4 have
 * it. NVIDIA does not document it; field numbers are those of files and of
 * github.com/extra-p/extrap (BSD-3), extrap/fileio/file_reader/nv_reader.
 *
 *   "NVR\0"  u32 length, FileHeader {1: version}  then blocks until the end of the file:
 *   u32 length, BlockHeader {1: sources, 2: results, 4: strings, 5: size, 6: process, 7: ranges}
 *   then `size` bytes: u32 length and message of each source, result and range, in this order
 *
 * u32 are little-endian; nothing is compressed. All blocks share one table of strings, to which
 * each may add. The file has neither an end mark nor a checksum: one that was cut off between
 * blocks is a valid, shorter file.
 *
 * Sources, which have the program's code, are passed over. Memory holds one message at a time.
 *
 * Never add what a result means: launch.h does that.
 */
#pragma once

#include "base/base.h"
#include "ingest/input/input.h"
#include "ingest/protobuf/wire.h"

struct native_report {
	struct arena *arena;
	struct input *input;
	uint64_t offset; /* of the next byte */
	struct strbuf message;
	/* Texts of the file: the names of metrics by their ids. */
	struct span *strings;
	size_t string_count, string_capacity;
	/* The current block. */
	uint64_t sources, results, ranges; /* left to read */
	uint64_t payload;                  /* bytes left */
	struct span process_id, process;   /* of the block; may be empty */
};

/* Whether a file starts as a report of the version that this reads. */
bool native_report_is_known(struct span head);
/* Reads the header. 0, or -1 and *err. */
int native_report_open(struct native_report *report, struct arena *arena, struct input *input,
		       struct error *err);
/* The next result, valid until the next call: 1; 0 at the end; -1 and *err. */
int native_report_next(struct native_report *report, struct wire *result, struct error *err);
/* The text with this id; empty if there is none. */
struct span native_report_string(const struct native_report *report, uint64_t id);
void native_report_close(struct native_report *report);
