# Runs two programs, which must print the same.
foreach(program ONE OTHER)
  execute_process(COMMAND ${${program}} OUTPUT_VARIABLE output_${program} COMMAND_ERROR_IS_FATAL ANY)
endforeach()
if(output_ONE STREQUAL "" OR NOT output_ONE STREQUAL output_OTHER)
  message(FATAL_ERROR "${ONE} printed\n${output_ONE}\n${OTHER} printed\n${output_OTHER}")
endif()
