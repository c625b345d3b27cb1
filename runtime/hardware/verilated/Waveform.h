// A waveform of a translated overlay, if it was translated with one.
#pragma once

#include <memory>
#include <string>
#include <verilated.h>
#if VM_TRACE_FST
#include <verilated_fst_c.h>
#endif

namespace acis::rtl {

#if VM_TRACE_FST
template <typename Top> class Waveform {
public:
  void prepare(VerilatedContext &context, const std::string &file) {
    context.traceEverOn(!file.empty());
  }
  void open(Top &top, const std::string &file) {
    if (file.empty())
      return;
    writer = std::make_unique<VerilatedFstC>();
    top.trace(writer.get(), 99);
    writer->open(file.c_str());
  }
  void dump(uint64_t time) {
    if (writer)
      writer->dump(time);
  }
  ~Waveform() {
    if (writer)
      writer->close();
  }

private:
  std::unique_ptr<VerilatedFstC> writer;
};
#else
template <typename Top> class Waveform {
public:
  void prepare(VerilatedContext &, const std::string &) {}
  void open(Top &, const std::string &) {}
  void dump(uint64_t) {}
};
#endif

} // namespace acis::rtl
