/*
 * Documents that summarize a gate: comment, nightly, weekly, comparison. Never add statistics.
 */
#pragma once

#include "render/summary/bounded.h"
#include "render/summary/compare.h"
#include "render/summary/nightly.h"
#include "render/summary/weekly.h"
