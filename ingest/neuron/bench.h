/*
 * Readers of the latencies that neuron-bench and nki.benchmark report. The runs of all of them have
 * the tool "neuron-bench":
 *
 *   neuron-bench       the printed table, one run per row:
 *                      B  NC  NC USED  ...  L(50)  L(99)  NCL(1)  NCL(50)  NCL(99)
 *                      or the list of nki.benchmark, "NCLatency:" and "p50 = 6929us"
 *   neuron-bench-json  nc_latency_data.json: {"latency_data": {"0": [519, 520]}}
 *
 * NCL is the latency on the NeuronCore, that is the device time. L is how long the host waits. Both
 * are in microseconds. If several cores run copies of the kernel, the one with the largest median
 * represents them, as in show-session.
 *
 * latency_data.json has the structure of nc_latency_data.json but holds host times. Only the file
 * name distinguishes them, so this reader is the exception that looks at it; its runs have the tool
 * "neuron-bench-host".
 */
#pragma once

#include "ingest/reader.h"

/* Whether the text holds several tables or several lists. Such a text is refused, because nothing
 * in it maps a table to a kernel. */
bool neuron_bench_has_several(struct span head);
