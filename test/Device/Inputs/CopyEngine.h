// The copies of one command queue of the layer with separate memory: made in order, by a thread of
// their own, at most at a rate (ACIS_TEST_DEVICE_RATE, MB/s), as a card's engine does beside the
// processor.
#pragma once

#include <CL/cl_icd.h>

#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <utility>

namespace separate {

/// Lets a copy of so many bytes end no earlier than the rate allows.
class Pace {
  using Clock = std::chrono::steady_clock;
  Clock::time_point end = Clock::now();

public:
  explicit Pace(size_t bytes) {
    static const char *text = std::getenv("ACIS_TEST_DEVICE_RATE");
    static const double rate = text ? std::atof(text) : 0;
    if (rate > 0)
      end += std::chrono::nanoseconds(int64_t(double(bytes) * 1e3 / rate));
  }
  ~Pace() { std::this_thread::sleep_until(end); }
};

class CopyEngine {
public:
  /// A copy, on a queue that has nothing else; blocks.
  using Copy = std::function<cl_int(cl_command_queue)>;

  CopyEngine(const cl_icd_dispatch &below, cl_command_queue queue) : below(below), queue(queue) {
    below.clGetCommandQueueInfo(queue, CL_QUEUE_CONTEXT, sizeof context, &context, nullptr);
    cl_device_id device;
    below.clGetCommandQueueInfo(queue, CL_QUEUE_DEVICE, sizeof device, &device, nullptr);
    side = below.clCreateCommandQueueWithProperties(context, device, nullptr, nullptr);
    thread = std::thread([this] { run(); });
  }
  ~CopyEngine() {
    {
      std::lock_guard lock(mutex);
      isEnding = true;
    }
    changed.notify_all();
    thread.join();
    below.clReleaseCommandQueue(side);
  }

  /// After what is in the queue and the events; what is put in the queue later waits for it.
  cl_int add(size_t bytes, Copy copy, cl_bool blocks, cl_uint count, const cl_event *events,
             cl_event *event) {
    Task task{bytes, std::move(copy)};
    // Two callers' tasks stand in the same order here and in the queue, or each waits for the
    // other.
    std::unique_lock inOrder(order);
    cl_int code = below.clEnqueueMarkerWithWaitList(queue, count, events, &task.before);
    if (code != CL_SUCCESS)
      return code;
    // A failed copy's event must not end what waits in the queue.
    task.gate = below.clCreateUserEvent(context, &code);
    task.done = below.clCreateUserEvent(context, &code);
    below.clEnqueueBarrierWithWaitList(queue, 1, &task.gate, nullptr);
    below.clFlush(queue);
    const cl_event done = task.done;
    below.clRetainEvent(done);
    {
      std::lock_guard lock(mutex);
      tasks.push_back(std::move(task));
    }
    inOrder.unlock();
    changed.notify_all();
    if (blocks) {
      waitFor(done);
      below.clGetEventInfo(done, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof code, &code, nullptr);
    }
    if (event)
      *event = done;
    else
      below.clReleaseEvent(done);
    return code;
  }

private:
  struct Task {
    size_t bytes;
    Copy copy;
    cl_event before = nullptr, gate = nullptr, done = nullptr;
  };

  /// Looks again and again: clWaitForEvents of PoCL 3.1 does not always come back.
  void waitFor(cl_event event) const {
    cl_int status = CL_QUEUED;
    while (below.clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status,
                                nullptr) == CL_SUCCESS &&
           status > CL_COMPLETE)
      std::this_thread::sleep_for(std::chrono::microseconds(20));
  }

  void run() {
    for (;;) {
      std::unique_lock lock(mutex);
      changed.wait(lock, [this] { return isEnding || !tasks.empty(); });
      if (tasks.empty())
        return;
      Task task = std::move(tasks.front());
      tasks.pop_front();
      lock.unlock();
      waitFor(task.before);
      cl_int code;
      {
        const Pace pace(task.bytes);
        code = task.copy(side);
      }
      below.clSetUserEventStatus(task.gate, CL_COMPLETE);
      below.clSetUserEventStatus(task.done, code == CL_SUCCESS ? CL_COMPLETE : code);
      for (cl_event event : {task.before, task.gate, task.done})
        below.clReleaseEvent(event);
    }
  }

  const cl_icd_dispatch &below;
  cl_command_queue queue, side = nullptr;
  cl_context context = nullptr;
  std::mutex order, mutex;
  std::condition_variable changed;
  std::deque<Task> tasks;
  bool isEnding = false;
  std::thread thread;
};

} // namespace separate
