/*
 * HEAD, refs and layout, read as text from the repository's files. Never add objects, the index or
 * configuration rules.
 */
#pragma once

#include "vcs/plain/layout.h"
#include "vcs/plain/paths.h"
#include "vcs/plain/refs.h"
#include "vcs/plain/tags.h"
