# What a program outside of this checkout finds after cmake --install: headers that include each other
# without the repository's folders, a CMake package, and pkg-config files.

# acis_install_headers(FILE...)
function(acis_install_headers)
  foreach(header IN LISTS ARGN)
    get_filename_component(name ${header} NAME)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${header})
    file(READ ${header} text)
    string(REGEX REPLACE "#include \"[^\"\n]*/([^\"/\n]+)\"" "#include \"\\1\"" text "${text}")
    file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/installed/${name} CONTENT "${text}" @ONLY)
    install(FILES ${CMAKE_BINARY_DIR}/installed/${name} TYPE INCLUDE)
  endforeach()
endfunction()

# acis_install_package(): the CMake package `acis`, and acis-client.pc, acis-model.pc.
function(acis_install_package)
  set(folder ${CMAKE_SOURCE_DIR}/cmake/install)
  configure_file(${folder}/acis-config-version.cmake.in ${CMAKE_BINARY_DIR}/installed/acis-config-version.cmake @ONLY)
  install(FILES ${folder}/acis-config.cmake ${CMAKE_BINARY_DIR}/installed/acis-config-version.cmake
    DESTINATION lib/cmake/acis)
  foreach(library client model)
    configure_file(${folder}/acis-${library}.pc.in ${CMAKE_BINARY_DIR}/installed/acis-${library}.pc @ONLY)
    install(FILES ${CMAKE_BINARY_DIR}/installed/acis-${library}.pc DESTINATION lib/pkgconfig)
  endforeach()
endfunction()
