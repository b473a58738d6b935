/*
 * Readers of what lies in the tiling/ directory beside a profile:
 *
 *   tiling/<stage>.json              the selected tiling: {"Bm": 64, "Bn": 128, "num_warps": 4}
 *   tiling/<stage>/autotuning.json   the configurations that were tried, with their times
 *
 * A tiling is one JSON object of scalars, flat or nested, of which at least one is named as sizes
 * of tiles are (Bm, BLOCK_M, tile_k, num_warps ...). A tuning history is a list of objects, alone
 * or under a name, each with a time whose name says its unit (time_ms, duration_us, latency_ns ...)
 * and its configuration, under "config" or "tiling" or beside the time. A configuration without a
 * time failed.
 *
 * Both are companions of the runs beside the tiling directory: attributes, and the fastest
 * configurations as totals by name. The stage is that of the path; the caller knows it.
 */
#ifndef INGEST_COMPANIONS_TILING_H
#define INGEST_COMPANIONS_TILING_H

#include "ingest/reader.h"

extern const struct reader tiling_reader;
extern const struct reader autotuning_reader;

#endif
