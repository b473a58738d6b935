/*
 * Escaping, tables, Markdown, HTML and mustache templates. Never add the contents of a particular
 * report.
 */
#pragma once

#include "render/markup/escape.h"
#include "render/markup/markdown.h"
#include "render/markup/size_limit.h"
#include "render/markup/table.h"
#include "render/markup/template.h"
