/*
 * Memory, text and errors: what every other room is made of, with the headers of the C library that
 * nearly every source needs. Never add anything that knows files, formats or kernels.
 */
#pragma once

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/array.h"
#include "base/ascii.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/span.h"
#include "base/strbuf.h"
