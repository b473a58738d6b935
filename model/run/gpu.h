/*
 * What is a GPU run: one with a counter that only GPUs have, or one on a device
 * of the table that is no Neuron core. Its card, table and forms differ.
 */
#pragma once

#include "model/run/hardware.h"
#include "model/run/run.h"

/* `hardware` may be NULL; then the built-in table is asked. */
bool run_is_gpu(const struct run *run, const struct hardware *hardware);
/* Whether a counter of its utilisation is known. */
bool run_has_gpu_counters(const struct run *run);

/* The limits of the table that say high: tensor pipe above 60 %, DRAM above 70 %; L2 hits below
 * 80 % are a locality issue. */
extern const double health_tensor, health_dram, health_l2;
