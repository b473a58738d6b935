/*
 * Memory, text and errors: what every other room is made of. Never add anything that knows files,
 * formats or kernels.
 */
#pragma once

#include "base/arena.h"
#include "base/ascii.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/span.h"
#include "base/strbuf.h"
