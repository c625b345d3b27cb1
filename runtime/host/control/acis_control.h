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
 * Besides, the switch balances queues of tasks (acis_control_put, acis_control_next) and makes sums
 * of what those members give that are in time (acis_control_sum).
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
  double timeout;  /* seconds that acis_control_begin, _next and _sum wait; 0: 600 */
  /* Tasks are moved when the member that would take longest for its queue would take more than
   * 1 + `imbalance` times as long as if all had an even share, and until it is less than 1 +
   * `settled` times (0: half of `imbalance`). 0: tasks stay where they were put; at most 1,000. */
  double imbalance, settled;
  /* Not 0: a member that dies (acisd --dead-after) has left, and the others go on; for sessions
   * that have no communicators. 0: it ends the job, with an error for all. */
  int survive;
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

/* Tasks. A task is a text of bytes that any member can run, at most acis_control_task_bytes() long.
 * It is in one member's queue, or on its way to another one's, and is given by acis_control_next()
 * once:
 *
 *  - It belongs to the giver until the switch has it, to the switch until the taker has said that
 * it has it, and then to the taker. Loss, repetition and order of datagrams change nothing of that.
 *  - If a member dies (with `survive`) or closes the group, the tasks in its queue are gone with
 * it; those that were on their way to it are sent to others. One that it had taken without the
 * switch having heard so is run by another: what the dead one did with it counts for nobody.
 *  - A member that was taken for dead although it lives is told: all its calls fail from then on.
 * What it still runs counts for nobody, too.
 *
 * The switch knows queues by their length and the time of a task, so tasks should take about the
 * same. Members put tasks before or while they run others. When all members wait for one and no
 * queue has any, acis_control_next() says so to each, once, and the next round may begin. */
size_t acis_control_task_bytes(const acis_control *group);
/* To the end of this member's queue; copied. Does not wait. */
const char *acis_control_put(acis_control *group, const void *task, size_t bytes);
/* The last task is over. Waits for the next one; it belongs to the group until the next call. NULL
 * in `task`: all queues have ended. After `timeout` the text names a member that has tasks, or that
 * may still put some, and the call may be repeated. */
const char *acis_control_next(acis_control *group, const void **task, size_t *bytes);

/* A sum over those members that were in time: with the policy's `quorum` (0: all) the first so
 * many; with its `deadline`, if there is no extra work, whoever has given within that after the
 * first did. */
typedef struct {
  uint64_t number;       /* 0, 1, 2, ... */
  uint32_t contributors; /* so many members are in it */
  uint32_t members;      /* of the group that were asked: fewer contributors, a partial sum */
  int mine;              /* not 0: this member's share is in it */
} acis_control_made;

/* Gives `share` to the next sum and waits until it is made. All members that are in one get the
 * same bits, as do those who come too late, whose shares count nowhere. Everyone gets every sum, at
 * most 64 late: then the others wait. `made` says what the sum is of and must not be NULL; `who`:
 * NULL, or room for a byte for each rank of the group, 1 if it is in the sum. After `timeout` the
 * text names a rank that has not given its share, and the call may be repeated with the same share.
 *
 * `share` NULL: does not wait for others. The next sum if it was made without this member, which
 * has no share in it; else `contributors` is 0 and `sum` is not touched. So who is late gets what
 * it has missed and goes on with the others. */
const char *acis_control_sum(acis_control *group, const double *share, double *sum, size_t count,
                             acis_control_made *made, uint8_t *who);

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
