# What an installed emulator has. It works in whatever folder it is moved to.

tilelab_install_package(
  TileLabEmulator tilelab_emulator tilelab_observer tilelab_curand tilelab_program_fast
  tilelab_program_checked launch_rewriter describe_report
  NEEDS TileLabReport FUNCTIONS emulator/objects.cmake program/executable.cmake)
target_include_directories(tilelab_emulator SYSTEM
                           INTERFACE $<INSTALL_INTERFACE:${TILELAB_SHARED}/emulator/include>)

set(emulator ${TILELAB_SHARED}/emulator)
install(DIRECTORY include DESTINATION ${emulator})
install(PROGRAMS compile.sh DESTINATION ${emulator})
install(FILES objects.cmake emulator.h DESTINATION ${emulator})
install(FILES observer/observer.h observer/options.h DESTINATION ${emulator}/observer)
install(FILES observer/hooks/redirected_symbols observer/hooks/edit_assembly.awk
        DESTINATION ${emulator}/observer/hooks)
install(FILES ../contract/detail.h ../contract/failed_call.h ../contract/order.h
              ../contract/passed_array.h
        DESTINATION ${TILELAB_SHARED}/contract)
install(FILES ../program/executable.cmake DESTINATION ${TILELAB_SHARED}/program)
