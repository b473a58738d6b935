/* DOOR */
#pragma once

#include "model/run/derive.h"
#include "model/run/gpu.h"
#include "model/run/representative.h"
#include "model/run/short_names.h"
#include "model/run/variants.h"
