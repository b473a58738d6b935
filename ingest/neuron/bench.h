/*
 * Readers of what neuron-bench and nki.benchmark say about a kernel's latency,
 * all of one tool class, "neuron-bench":
 *
 *   neuron-bench       the table it prints, one run for each row:
 *                      B  NC  NC USED  ...  L(50)  L(99)  NCL(1)  NCL(50)  NCL(99)
 *                      or the list of nki.benchmark, "NCLatency:" and "p50 = 6929us"
 *   neuron-bench-json  nc_latency_data.json: {"latency_data": {"0": [519, 520]}}
 *
 * NCL is the latency on the NeuronCore, the device time; L is what the host
 * waits for. Both are in microseconds. Of several cores that run copies of the
 * kernel the one with the largest median stands for all, as in show-session.
 *
 * latency_data.json looks exactly like nc_latency_data.json but is host time:
 * only the name of the file tells them apart, so here it is looked at.
 */
#pragma once

#include "ingest/reader.h"

/* Whether the text holds more than one table, or list: nothing says which kernel each is of. */
bool neuron_bench_has_several(struct span head);
