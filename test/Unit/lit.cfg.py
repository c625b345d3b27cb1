# Runs each test case of each GoogleTest executable.
import lit.formats

config.name = "ACiS-Unit"
config.suffixes = []
config.test_source_root = config.acis_obj_root + "/test-unit"
config.test_exec_root = config.test_source_root
config.test_format = lit.formats.GoogleTest(".", "Test")
config.environment["ACIS_SRC_ROOT"] = config.acis_src_root

# LLVM's libraries are built without the sanitizer: they take memory from allocators whose
# slabs our code has poisoned and do not clear the poison.
if "-fsanitize=address" in config.cxx_flags:
    config.environment["ASAN_OPTIONS"] = "allow_user_poisoning=0"
    config.environment["UBSAN_OPTIONS"] = "halt_on_error=1:print_stacktrace=1"
