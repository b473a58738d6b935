# schema_keys(LAYER): writes schema_keys.h, enums of the members that docs/schema describes and of the
# keys of metrics, and of the schemas, for render/document/key.h.
function(schema_keys layer)
	set(folder ${CMAKE_BINARY_DIR}/generated)
	file(GLOB_RECURSE schemas CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/docs/schema/*.schema.json)
	list(JOIN schemas "|" joined)
	set(metrics ${CMAKE_SOURCE_DIR}/model/run/metric.def)
	add_custom_command(OUTPUT ${folder}/schema_keys.h
		COMMAND ${CMAKE_COMMAND} -DOUTPUT=${folder}/schema_keys.h "-DSCHEMAS=${joined}"
			-DMETRICS=${metrics} -P ${CMAKE_SOURCE_DIR}/cmake/SchemaKeysWrite.cmake
		DEPENDS ${schemas} ${metrics} ${CMAKE_SOURCE_DIR}/cmake/SchemaKeysWrite.cmake
		COMMENT "Writing the keys of documents" VERBATIM)
	add_custom_target(schema_keys DEPENDS ${folder}/schema_keys.h)
	add_dependencies(rooflog_${layer} schema_keys)
	target_include_directories(rooflog_${layer} PUBLIC ${folder})
endfunction()
