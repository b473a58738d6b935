/* DOOR */
#pragma once

#include "base/arena.h"
#include "base/ascii.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/span.h"
#include "base/strbuf.h"
