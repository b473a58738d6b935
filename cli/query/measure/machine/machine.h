/*
 * The machine while a program is measured: what it is set to, what else it does, and at which
 * clocks its GPU really runs. What makes times scatter is warned of before it costs time; what was
 * seen becomes attributes of the runs, which never enter their series.
 *
 * Sources: /proc/loadavg; cpufreq and intel_pstate in /sys/devices/system/cpu; cpu.max and cpu.stat
 * of the control group (Linux, Documentation/admin-guide/cgroup-v2.rst); nvidia-smi --query-gpu
 * once a second, whose reasons for lower clocks are the bits of nvml.h; neuron-ls --json-output.
 *
 * Never add what judges: a session is judged by its numbers.
 */
#pragma once

#include "cli/context.h"
#include "model/run/run.h"

struct machine;

/* Reads the settings and the load, and warns. */
struct machine *machine_look(struct cli *cli);
/* Locks the GPU's clocks if asked for, and begins to watch the GPU. ERR_SYSTEM if the clocks cannot
 * be locked. Until machine_end(), signals are held (process_hold()). */
int machine_begin(struct machine *machine, bool lock_clocks, struct error *err);
/* Stops watching, restores the clocks, and warns of what happened meanwhile. */
void machine_end(struct machine *machine);
/* Adds what was seen to a run that was measured meanwhile. */
void machine_note(const struct machine *machine, struct arena *arena, struct run *run);
