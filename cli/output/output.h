/*
 * The files that commands write: reports, charts, lists.
 *
 * Never add words or JSON.
 */
#pragma once

#include "cli/output/choose.h"
#include "cli/output/kinds.h"
#include "cli/output/render.h"
#include "cli/output/report_kinds.h"
