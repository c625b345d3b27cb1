# acis_add_tool_pages(tool... [BUILT_ONLY tool...])
# Manual pages and completions for bash, made from what each tool says of itself: ninja acis-man
# writes them to man/man1 and completions/ of the build folder. `tool` is a target, or a script in
# bin/. All but those of BUILT_ONLY are installed.

function(acis_add_tool_pages)
  cmake_parse_arguments(ARG "" "" "BUILT_ONLY" ${ARGN})
  set(folder ${CMAKE_SOURCE_DIR}/utils/pages)
  file(GLOB modules CONFIGURE_DEPENDS ${folder}/*.py)
  set(pages)
  foreach(tool IN LISTS ARG_UNPARSED_ARGUMENTS ARG_BUILT_ONLY)
    set(page ${CMAKE_BINARY_DIR}/man/man1/${tool}.1)
    set(completion ${CMAKE_BINARY_DIR}/completions/${tool})
    set(program ${CMAKE_BINARY_DIR}/bin/${tool})
    if(TARGET ${tool})
      set(program $<TARGET_FILE:${tool}>)
    endif()
    add_custom_command(OUTPUT ${page} ${completion}
      COMMAND ${Python3_EXECUTABLE} -B ${folder}/make-pages.py --tool=${program}
        --version=${PROJECT_VERSION} --man=${page} --completion=${completion}
      DEPENDS ${program} ${modules} VERBATIM)
    list(APPEND pages ${page})
    if(NOT tool IN_LIST ARG_BUILT_ONLY)
      install(FILES ${page} DESTINATION share/man/man1)
      install(FILES ${completion} DESTINATION share/bash-completion/completions)
    endif()
  endforeach()
  add_custom_target(acis-man ALL DEPENDS ${pages})
  add_dependencies(acis-test-depends acis-man)
endfunction()
