/* DOOR */
#pragma once

#include "model/roofline/bottleneck.h"
#include "model/roofline/findings.h"
#include "model/roofline/work_formulas.h"
