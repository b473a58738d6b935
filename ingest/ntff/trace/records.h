/* DOOR */
#pragma once

#include "ingest/ntff/trace/program.h"
#include "ingest/ntff/trace/record.h"
#include "ingest/ntff/trace/work.h"
