# rooflog_library(NAME SOURCES...): one folder as one static library with the project's options.
function(rooflog_library name)
	add_library(rooflog_${name} STATIC ${ARGN})
	target_link_libraries(rooflog_${name} PUBLIC rooflog_options)
	target_include_directories(rooflog_${name} PUBLIC ${CMAKE_SOURCE_DIR})
	target_compile_options(rooflog_${name} PRIVATE -include ${CMAKE_SOURCE_DIR}/base/banned.h
		-Wconversion -Wno-sign-conversion
		"$<$<C_COMPILER_ID:GNU>:-Wduplicated-cond;-Wduplicated-branches;-Wlogical-op>")
endfunction()

# rooflog_layer(NAME USES layers... LIBRARIES outside...): outside libraries stay private, so a
# folder above cannot call them by accident.
function(rooflog_layer name)
	cmake_parse_arguments(LAYER "" "" "USES;LIBRARIES" ${ARGN})
	file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/${name}/*.c)
	if(NOT sources)
		file(WRITE ${CMAKE_BINARY_DIR}/empty_${name}.c "extern int rooflog_empty_${name};\nint rooflog_empty_${name};\n")
		set(sources ${CMAKE_BINARY_DIR}/empty_${name}.c)
	endif()
	rooflog_library(${name} ${sources})
	foreach(used ${LAYER_USES})
		target_link_libraries(rooflog_${name} PUBLIC rooflog_${used})
	endforeach()
	target_link_libraries(rooflog_${name} PRIVATE ${LAYER_LIBRARIES})
endfunction()
