/*
 * Numbers with units, UTF-8, text that shows what is in it, and the filling of lines. Never add
 * sentences, markup or terminal colors.
 */
#pragma once

#include "base/text/fill.h"
#include "base/text/quantity.h"
#include "base/text/shown.h"
#include "base/text/utf8.h"
#include "base/text/word.h"
