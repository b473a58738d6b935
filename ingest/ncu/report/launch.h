/* Adds the launch of a kernel that a report's result describes, with the metrics and rules that
 * rooflog uses. What may be confidential is not kept: command lines, paths, sources, cubins. */
#pragma once

#include "ingest/ncu/profile.h"
#include "ingest/ncu/report/container.h"

/* 0, or -1 and *err. */
int native_report_add(struct ncu_profile *profile, const struct native_report *report,
		      struct wire result, struct error *err);
