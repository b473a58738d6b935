# built_from(LAYER): writes built_from.h, which says what "rooflog version" prints: the commit of the sources, the compiler,
# and the libraries of used_library(). The commit is asked for again whenever HEAD moves.
function(built_from layer)
	set(folder ${CMAKE_BINARY_DIR}/generated)
	get_property(libraries GLOBAL PROPERTY ROOFLOG_LIBRARIES)
	list(JOIN libraries " \\\n\t" libraries)
	file(CONFIGURE OUTPUT ${folder}/built_with.h CONTENT
"/* Written by the build. */
#define ROOFLOG_COMPILER \"@CMAKE_C_COMPILER_ID@ @CMAKE_C_COMPILER_VERSION@ for @CMAKE_SYSTEM_PROCESSOR@\"
#define ROOFLOG_LIBRARIES \\\n\t@libraries@
" @ONLY)
	find_package(Git QUIET)
	set(head)
	if(GIT_FOUND)
		execute_process(COMMAND ${GIT_EXECUTABLE} rev-parse --path-format=absolute --git-path logs/HEAD
			WORKING_DIRECTORY ${CMAKE_SOURCE_DIR} OUTPUT_VARIABLE head OUTPUT_STRIP_TRAILING_WHITESPACE
			ERROR_QUIET)
		if(NOT EXISTS "${head}")
			set(head)
		endif()
	endif()
	add_custom_command(OUTPUT ${folder}/built_from.h
		COMMAND ${CMAKE_COMMAND} -DOUTPUT=${folder}/built_from.h -DGIT=${GIT_EXECUTABLE}
			-DROOT=${CMAKE_SOURCE_DIR} -P ${CMAKE_SOURCE_DIR}/cmake/BuiltFromWrite.cmake
		DEPENDS ${head} ${CMAKE_SOURCE_DIR}/cmake/BuiltFromWrite.cmake
		COMMENT "Writing the commit of the sources" VERBATIM)
	add_custom_target(built_from DEPENDS ${folder}/built_from.h)
	add_dependencies(rooflog_${layer} built_from)
	target_include_directories(rooflog_${layer} PRIVATE ${folder})
endfunction()
