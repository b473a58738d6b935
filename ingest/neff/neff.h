/*
 * Reader of NEFF, the compiled kernel: nothing is measured in it, but it says
 * whose profile a profile is. Profiles carry its hash, native traces its UUID:
 * by them its name, the compiler's version, the tensors and their sizes join
 * those runs, wherever they lie.
 *
 * A header of 1024 bytes (little endian):
 *
 *   0x00  u64  package version, 2
 *   0x08  u64  size of the header, 1024
 *   0x10  u64  size of the archive behind it
 *   0xAC  32   hash; the first 16 bytes in hex are what profiles call "hash"
 *   0xCC  16   UUID
 *   0xDC  256  name, ended by NUL
 *
 * and a gzipped tar, of which info.json is read for "tool_version", and the
 * files of each graph for the tensors (ingest/neff/tensors.h).
 */
#ifndef INGEST_NEFF_NEFF_H
#define INGEST_NEFF_NEFF_H

#include "ingest/reader.h"

extern const struct reader neff_reader;

#endif
