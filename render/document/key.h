/*
 * The keys of the report document and of the other documents that charts and texts read.
 *
 * KEY(name) is the text "name" and compiles only if a schema in docs/schema describes a member of
 * that name, or a metric has that key. A misspelt key is a compile error:
 *
 *     double change = json_number(comparison, KEY(change), NAN);
 *
 * Whatever reads a document in render/ or cli/ names its members by KEY(); tests/lint/keys.sh
 * checks it. Never add values, words or anything that depends on a particular document.
 */
#pragma once

#include <schema_keys.h> /* written by the build: cmake/SchemaKeys.cmake */

/* An address constant, so that static tables can use it, too. */
#define KEY(name) (&(#name)[0 * schema_key_##name])
