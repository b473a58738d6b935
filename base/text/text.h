/* DOOR */
#pragma once

#include "base/text/fill.h"
#include "base/text/quantity.h"
#include "base/text/utf8.h"
#include "base/text/word.h"
