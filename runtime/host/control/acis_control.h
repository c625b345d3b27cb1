/* The switch steers an application: which iteration may begin, and until when to do extra work
 * (docs/control.md). In C; for programs of acis_client.h, and in MPI programs by ACIS_Control_open
 * of acis_mpi.h.
 *
 * A group of ranks goes through iterations 0, 1, 2, ... Each member calls for each of them
 *
 *     acis_control_begin(group, i);     waits until the switch lets it begin
 *     ... the application's work ...
 *     acis_control_end(group, i);       tells the switch, and does not wait
 *     acis_control_extra(group, ...);   if there is extra work: until the switch's signal
 *
 * Functions give NULL, or a text that says what is wrong; it belongs to the group and is valid
 * until the next call. After an error of the group the others fail, too: the program may go on
 * without control. A group may be used by one thread at a time. */
#ifndef ACIS_CONTROL_H
#define ACIS_CONTROL_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct acis_control acis_control;
struct acis_session;

enum acis_extra_until {
  ACIS_EXTRA_NONE,
  ACIS_EXTRA_DEADLINE,    /* some time after the iteration has begun */
  ACIS_EXTRA_LAST_ARRIVAL /* the last member has ended the iteration */
};

#define ACIS_UNBOUNDED UINT32_MAX

/* All 0: bulk-synchronous, no extra work. All members say the same. */
typedef struct acis_control_policy {
  /* Iteration i may begin when all have ended i - 1 - staleness. ACIS_UNBOUNDED: always, once all
   * have opened the group; the program synchronises its members itself. */
  uint32_t staleness;
  uint32_t most_staleness; /* more than staleness: the switch chooses between the two at run time */
  uint32_t quorum;         /* so many members instead of all; 0: all */
  enum acis_extra_until extra;
  double deadline; /* seconds after the begin of an iteration, at most `timeout`; 0: the switch
                    * computes the one that is worth most from the iterations before (Algorithm 3),
                    * and until it knows some there is no extra work */
  double utility;  /* of extra work, of that of the application's: 0 to 1 */
  uint32_t window; /* iterations that a deadline is computed from, at most 1,024; 0: 64 */
  uint32_t every;  /* after so many iterations it is computed anew; 0: 16 */
  double timeout;  /* seconds that acis_control_begin waits; 0: 600 */
} acis_control_policy;

/* Every member calls it with the same world ranks and policy (NULL: all 0). Contexts are the
 * caller's choice; those of communicators are others. The session must live longer. Gives NULL
 * after an error, with its text, which belongs to the thread. */
acis_control *acis_control_open(struct acis_session *session, uint32_t context,
                                const uint32_t *ranks, size_t count,
                                const acis_control_policy *policy, const char **error);
/* The member does no more: it holds nobody up. Frees the group. */
void acis_control_close(acis_control *group);

/* `iteration` is the member's next one. After `timeout` the text names the rank that the others
 * wait for, and the call may be repeated. */
const char *acis_control_begin(acis_control *group, uint64_t iteration);
const char *acis_control_end(acis_control *group, uint64_t iteration);

/* One small piece of extra work: not 0 if there is more. What it takes is what the signal can come
 * too late; 20 us and more are much longer than the look at the network before each. */
typedef int (*acis_token)(void *argument);
typedef struct {
  uint64_t tokens;   /* that were done */
  uint64_t overruns; /* 1: the signal came during the last one */
  double seconds;
} acis_extra_work;

/* Algorithm 2: does tokens until the signal of the iteration that was ended last, or until there
 * are no more. None is begun after the signal is here. `done` may be NULL. */
const char *acis_control_extra(acis_control *group, acis_token token, void *argument,
                               acis_extra_work *done);

typedef struct {
  uint64_t done;      /* iterations that this member has ended */
  uint64_t allowed;   /* iterations below may begin */
  uint64_t floor;     /* iterations below were ended by all, or the quorum */
  uint64_t signalled; /* in iterations below no more extra work is begun */
  double deadline;    /* in force, seconds; 0: none */
  uint32_t staleness; /* in force */
  uint32_t slowest;   /* world rank of a member that has ended least, as last heard */
  uint64_t slowest_done;
} acis_control_state;

/* Makes progress; does not wait. */
const char *acis_control_look(acis_control *group, acis_control_state *state);

#ifdef __cplusplus
}
#endif

#endif
