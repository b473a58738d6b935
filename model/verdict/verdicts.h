/* The door of the room: policies, the judge, verdicts and drift for one series and one metric.
 * Never add anything that looks at several series at once; that is the gate's. */
#pragma once

#include "model/verdict/drift.h"
#include "model/verdict/judge.h"
#include "model/verdict/judge_series.h"
#include "model/verdict/policy.h"
#include "model/verdict/verdict.h"
