/* DOOR */
#pragma once

#include "model/ntff/records.h"
#include "model/ntff/summary.h"
#include "model/ntff/word.h"
