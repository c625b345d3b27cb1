# Manual pages, made from what each tool says of itself: ninja acis-man writes them to
# man/man1 of the build folder.
find_program(HELP2MAN help2man)

function(acis_add_man_pages)
  if(NOT HELP2MAN)
    return()
  endif()
  set(pages)
  foreach(tool IN LISTS ARGN)
    set(page ${CMAKE_BINARY_DIR}/man/man1/${tool}.1)
    add_custom_command(OUTPUT ${page}
      COMMAND ${CMAKE_COMMAND} -E make_directory ${CMAKE_BINARY_DIR}/man/man1
      COMMAND ${HELP2MAN} --no-info --output=${page} $<TARGET_FILE:${tool}>
      DEPENDS ${tool} VERBATIM)
    list(APPEND pages ${page})
  endforeach()
  add_custom_target(acis-man ALL DEPENDS ${pages})
  add_dependencies(acis-test-depends acis-man)
endfunction()
