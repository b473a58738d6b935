# embed_files(LAYER TABLE FILES...): compiles files into `const struct embedded_file TABLE[]`,
# sorted by path and ended by a NULL name (base/embedded.h).
function(embed_files layer table)
	set(output ${CMAKE_CURRENT_BINARY_DIR}/embedded/${table}.c)
	list(TRANSFORM ARGN PREPEND ${CMAKE_SOURCE_DIR}/ OUTPUT_VARIABLE depends)
	list(JOIN ARGN "|" joined)
	add_custom_command(OUTPUT ${output}
		COMMAND ${CMAKE_COMMAND} -DOUTPUT=${output} -DTABLE=${table} "-DFILES=${joined}"
			-DROOT=${CMAKE_SOURCE_DIR} -P ${CMAKE_SOURCE_DIR}/cmake/EmbedFilesWrite.cmake
		DEPENDS ${depends} ${CMAKE_SOURCE_DIR}/cmake/EmbedFilesWrite.cmake
		COMMENT "Embedding ${table}" VERBATIM)
	target_sources(rooflog_${layer} PRIVATE ${output})
endfunction()
