/*
 * The records of a native trace: window, pairs, programs, work. Never add the making of runs.
 */
#pragma once

#include "ingest/ntff/trace/record.h"
#include "ingest/ntff/trace/work.h"
