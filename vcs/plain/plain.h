/* DOOR */
#pragma once

#include "vcs/plain/layout.h"
#include "vcs/plain/paths.h"
#include "vcs/plain/refs.h"
