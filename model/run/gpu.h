/*
 * Recognizes GPU runs: those with a counter that only GPUs have, or on a device of the table that
 * is not a Neuron core. They have their own card, table and forms.
 */
#pragma once

#include "model/run/hardware.h"
#include "model/run/run.h"

/* `hardware` may be NULL; then the device is looked up in the built-in table. */
bool run_is_gpu(const struct run *run, const struct hardware *hardware);
/* Whether the run has a counter of GPU utilization. */
bool run_has_gpu_counters(const struct run *run);

/* Thresholds of the health table: tensor pipe above 60 % and DRAM above 70 % are high; L2 hits
 * below 80 % are a locality issue. */
extern const double health_tensor, health_dram, health_l2;
