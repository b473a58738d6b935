/* DOOR */
#pragma once

#include "cli/output/output_files.h"
#include "cli/output/render.h"
#include "cli/output/report_kinds.h"
