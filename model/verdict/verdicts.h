/* DOOR */
#pragma once

#include "model/verdict/drift.h"
#include "model/verdict/judge.h"
#include "model/verdict/judge_series.h"
#include "model/verdict/policy.h"
#include "model/verdict/verdict.h"
