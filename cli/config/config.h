/*
 * Options of the command line, sections of the configuration, and the environment.
 *
 * Never add defaults that model already has.
 */
#pragma once

#include "cli/config/instruction_set.h"
#include "cli/config/option.h"
#include "cli/config/settings.h"
#include "cli/config/similar.h"
