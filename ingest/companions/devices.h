/*
 * Reader of devices.json: peaks of devices, by name or as a list.
 *
 *   {"my-gpu": {"peak_tflops": 312, "peak_gbps": 1555}}
 *   {"devices": [{"name": "my-gpu", "peak_flops": {"bf16": "312 TFLOP/s", "fp32": 19.5e12},
 *                 "bandwidth": "1555 GB/s", "clock_mhz": 1410}]}
 *
 * peak_tflops: 1e12 FLOP/s; peak_flops: FLOP/s. Either is one number, which is
 * the dense bf16 peak, or an object by dtype. peak_gbps: 1e9 B/s; bandwidth:
 * B/s. clock_mhz; clock: Hz. A text says its own unit. Also: title, aliases (a
 * text or a list, without blanks), per_core (the peaks are those of one
 * physical core), source, confidence ("low", "medium", "high"). Names that are
 * not known are skipped; a value that no machine has is refused, because it is
 * a unit mistaken.
 *
 * What is not given stays NAN; title and per_core of a device that the built-in
 * table knows stay as there.
 */
#ifndef INGEST_COMPANIONS_DEVICES_H
#define INGEST_COMPANIONS_DEVICES_H

#include "ingest/reader.h"

extern const struct reader devices_reader;

#endif
