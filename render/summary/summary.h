/* DOOR */
#pragma once

#include "render/summary/bounded.h"
#include "render/summary/compare.h"
#include "render/summary/nightly.h"
#include "render/summary/weekly.h"
