/*
 * The functions of libgit2 that the program uses; the library is loaded on first use
 * (base/system/library.h). It depends on libraries for HTTPS and SSH, and most commands do not need
 * git objects.
 */
#pragma once

#include <git2/buffer.h>
#include <git2/commit.h>
#include <git2/config.h>
#include <git2/diff.h>
#include <git2/errors.h>
#include <git2/global.h>
#include <git2/ignore.h>
#include <git2/index.h>
#include <git2/merge.h>
#include <git2/object.h>
#include <git2/odb.h>
#include <git2/oid.h>
#include <git2/oidarray.h>
#include <git2/patch.h>
#include <git2/refs.h>
#include <git2/repository.h>
#include <git2/revparse.h>
#include <git2/revwalk.h>
#include <git2/tag.h>
#include <git2/tree.h>

#include "base/base.h"
#include "base/system/system.h"

#ifndef GIT_OID_HEXSZ /* its name before libgit2 1.7, which keeps it in a header of its own */
#define GIT_OID_HEXSZ GIT_OID_SHA1_HEXSIZE
#endif

#define LAZY_LIBGIT2(X)                                                                            \
	X(git_buf_dispose)                                                                         \
	X(git_commit_free)                                                                         \
	X(git_commit_lookup)                                                                       \
	X(git_commit_lookup_prefix)                                                                \
	X(git_commit_parent)                                                                       \
	X(git_commit_time)                                                                         \
	X(git_commit_tree)                                                                         \
	X(git_config_free)                                                                         \
	X(git_config_get_string_buf)                                                               \
	X(git_diff_foreach)                                                                        \
	X(git_diff_free)                                                                           \
	X(git_diff_get_delta)                                                                      \
	X(git_diff_index_to_workdir)                                                               \
	X(git_diff_num_deltas)                                                                     \
	X(git_diff_options_init)                                                                   \
	X(git_diff_patchid)                                                                        \
	X(git_diff_tree_to_index)                                                                  \
	X(git_diff_tree_to_tree)                                                                   \
	X(git_error_last)                                                                          \
	X(git_ignore_path_is_ignored)                                                              \
	X(git_index_free)                                                                          \
	X(git_index_get_bypath)                                                                    \
	X(git_index_read)                                                                          \
	X(git_libgit2_init)                                                                        \
	X(git_libgit2_shutdown)                                                                    \
	X(git_merge_bases)                                                                         \
	X(git_object_free)                                                                         \
	X(git_object_id)                                                                           \
	X(git_object_peel)                                                                         \
	X(git_odb_exists)                                                                          \
	X(git_odb_free)                                                                            \
	X(git_odb_object_data)                                                                     \
	X(git_odb_object_free)                                                                     \
	X(git_odb_object_size)                                                                     \
	X(git_odb_object_type)                                                                     \
	X(git_odb_read)                                                                            \
	X(git_odb_read_header)                                                                     \
	X(git_oid_cmp)                                                                             \
	X(git_oid_fromstr)                                                                         \
	X(git_oid_tostr)                                                                           \
	X(git_oidarray_dispose)                                                                    \
	X(git_reference_free)                                                                      \
	X(git_reference_lookup)                                                                    \
	X(git_reference_name_to_id)                                                                \
	X(git_reference_peel)                                                                      \
	X(git_reference_symbolic_target)                                                           \
	X(git_repository_commondir)                                                                \
	X(git_repository_config)                                                                   \
	X(git_repository_free)                                                                     \
	X(git_repository_head)                                                                     \
	X(git_repository_head_unborn)                                                              \
	X(git_repository_index)                                                                    \
	X(git_repository_is_shallow)                                                               \
	X(git_repository_odb)                                                                      \
	X(git_repository_open_ext)                                                                 \
	X(git_repository_path)                                                                     \
	X(git_repository_workdir)                                                                  \
	X(git_revparse_single)                                                                     \
	X(git_revwalk_free)                                                                        \
	X(git_revwalk_hide)                                                                        \
	X(git_revwalk_new)                                                                         \
	X(git_revwalk_next)                                                                        \
	X(git_revwalk_push)                                                                        \
	X(git_tag_foreach)                                                                         \
	X(git_tree_entry_byname)                                                                   \
	X(git_tree_entry_filemode)                                                                 \
	X(git_tree_entry_id)                                                                       \
	X(git_tree_free)                                                                           \
	X(git_tree_lookup)

extern struct lazy_libgit2 {
	LAZY_LIBGIT2(LAZY_POINTER)
} lazy_libgit2;

#define git_buf_dispose lazy_libgit2.git_buf_dispose
#define git_commit_free lazy_libgit2.git_commit_free
#define git_commit_lookup lazy_libgit2.git_commit_lookup
#define git_commit_lookup_prefix lazy_libgit2.git_commit_lookup_prefix
#define git_commit_parent lazy_libgit2.git_commit_parent
#define git_commit_time lazy_libgit2.git_commit_time
#define git_commit_tree lazy_libgit2.git_commit_tree
#define git_config_free lazy_libgit2.git_config_free
#define git_config_get_string_buf lazy_libgit2.git_config_get_string_buf
#define git_diff_foreach lazy_libgit2.git_diff_foreach
#define git_diff_free lazy_libgit2.git_diff_free
#define git_diff_get_delta lazy_libgit2.git_diff_get_delta
#define git_diff_index_to_workdir lazy_libgit2.git_diff_index_to_workdir
#define git_diff_num_deltas lazy_libgit2.git_diff_num_deltas
#define git_diff_options_init lazy_libgit2.git_diff_options_init
#define git_diff_patchid lazy_libgit2.git_diff_patchid
#define git_diff_tree_to_index lazy_libgit2.git_diff_tree_to_index
#define git_diff_tree_to_tree lazy_libgit2.git_diff_tree_to_tree
#define git_error_last lazy_libgit2.git_error_last
#define git_ignore_path_is_ignored lazy_libgit2.git_ignore_path_is_ignored
#define git_index_free lazy_libgit2.git_index_free
#define git_index_get_bypath lazy_libgit2.git_index_get_bypath
#define git_index_read lazy_libgit2.git_index_read
#define git_libgit2_init lazy_libgit2.git_libgit2_init
#define git_libgit2_shutdown lazy_libgit2.git_libgit2_shutdown
#define git_merge_bases lazy_libgit2.git_merge_bases
#define git_object_free lazy_libgit2.git_object_free
#define git_object_id lazy_libgit2.git_object_id
#define git_object_peel lazy_libgit2.git_object_peel
#define git_odb_exists lazy_libgit2.git_odb_exists
#define git_odb_free lazy_libgit2.git_odb_free
#define git_odb_object_data lazy_libgit2.git_odb_object_data
#define git_odb_object_free lazy_libgit2.git_odb_object_free
#define git_odb_object_size lazy_libgit2.git_odb_object_size
#define git_odb_object_type lazy_libgit2.git_odb_object_type
#define git_odb_read lazy_libgit2.git_odb_read
#define git_odb_read_header lazy_libgit2.git_odb_read_header
#define git_oid_cmp lazy_libgit2.git_oid_cmp
#define git_oid_fromstr lazy_libgit2.git_oid_fromstr
#define git_oid_tostr lazy_libgit2.git_oid_tostr
#define git_oidarray_dispose lazy_libgit2.git_oidarray_dispose
#define git_reference_free lazy_libgit2.git_reference_free
#define git_reference_lookup lazy_libgit2.git_reference_lookup
#define git_reference_name_to_id lazy_libgit2.git_reference_name_to_id
#define git_reference_peel lazy_libgit2.git_reference_peel
#define git_reference_symbolic_target lazy_libgit2.git_reference_symbolic_target
#define git_repository_commondir lazy_libgit2.git_repository_commondir
#define git_repository_config lazy_libgit2.git_repository_config
#define git_repository_free lazy_libgit2.git_repository_free
#define git_repository_head lazy_libgit2.git_repository_head
#define git_repository_head_unborn lazy_libgit2.git_repository_head_unborn
#define git_repository_index lazy_libgit2.git_repository_index
#define git_repository_is_shallow lazy_libgit2.git_repository_is_shallow
#define git_repository_odb lazy_libgit2.git_repository_odb
#define git_repository_open_ext lazy_libgit2.git_repository_open_ext
#define git_repository_path lazy_libgit2.git_repository_path
#define git_repository_workdir lazy_libgit2.git_repository_workdir
#define git_revparse_single lazy_libgit2.git_revparse_single
#define git_revwalk_free lazy_libgit2.git_revwalk_free
#define git_revwalk_hide lazy_libgit2.git_revwalk_hide
#define git_revwalk_new lazy_libgit2.git_revwalk_new
#define git_revwalk_next lazy_libgit2.git_revwalk_next
#define git_revwalk_push lazy_libgit2.git_revwalk_push
#define git_tag_foreach lazy_libgit2.git_tag_foreach
#define git_tree_entry_byname lazy_libgit2.git_tree_entry_byname
#define git_tree_entry_filemode lazy_libgit2.git_tree_entry_filemode
#define git_tree_entry_id lazy_libgit2.git_tree_entry_id
#define git_tree_free lazy_libgit2.git_tree_free
#define git_tree_lookup lazy_libgit2.git_tree_lookup

int lazy_libgit2_open(struct error *err);
