# Runs each test case of each GoogleTest executable.
import lit.formats

config.name = "ACiS-Unit"
config.suffixes = []
config.test_source_root = config.acis_obj_root + "/test-unit"
config.test_exec_root = config.test_source_root
config.test_format = lit.formats.GoogleTest(".", "Test")
config.environment["ACIS_SRC_ROOT"] = config.acis_src_root
