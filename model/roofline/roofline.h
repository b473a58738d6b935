/*
 * Roofline, bottleneck, findings and potential gains of one run. Never add anything that compares
 * two runs.
 */
#pragma once

#include "model/roofline/advice.h"
#include "model/roofline/bottleneck.h"
#include "model/roofline/ceilings.h"
#include "model/roofline/findings.h"
#include "model/roofline/time_floor.h"
#include "model/roofline/work_formulas.h"
