# Script side of built_from(). Sources that lie in no repository of their own have no commit.
set(commit "")
set(date "")
if(GIT)
	execute_process(COMMAND ${GIT} rev-parse --show-toplevel HEAD WORKING_DIRECTORY ${ROOT}
		OUTPUT_VARIABLE answer ERROR_QUIET)
	if(answer MATCHES "^([^\n]+)\n([0-9a-f]+)\n$")
		file(REAL_PATH "${CMAKE_MATCH_1}" top)
		file(REAL_PATH "${ROOT}" root)
		if(top STREQUAL root)
			set(commit ${CMAKE_MATCH_2})
			execute_process(COMMAND ${GIT} log -1 --format=%cs WORKING_DIRECTORY ${ROOT}
				OUTPUT_VARIABLE date OUTPUT_STRIP_TRAILING_WHITESPACE)
		endif()
	endif()
endif()
file(WRITE "${OUTPUT}" "/* Written by the build. */\n#define ROOFLOG_COMMIT \"${commit}\"\n#define ROOFLOG_DATE \"${date}\"\n")
