/* The door of the room: derived metrics, GPU runs, repeats, names and comparisons of runs. Plain
 * runs, metrics and devices are in run.h, metric.h and hardware.h. */
#pragma once

#include "model/run/derive.h"
#include "model/run/gpu.h"
#include "model/run/representative.h"
#include "model/run/short_names.h"
#include "model/run/variants.h"
