/*
 * Somebody's boards for appell: what a shared library exports so that `appell run` drives a robot by it, in C99 or C++.
 *
 *   appell run trial.toml --hardware ./board.so:ARGUMENTS
 *
 *   function                      when                                                   must be there
 *   appell_hardware_abi           once, first                                            yes
 *   appell_hardware_open          once a run, before anything is read or written         yes
 *   appell_hardware_read          every period, before the law computes                  yes
 *   appell_hardware_write         every period, after it                                 yes
 *   appell_hardware_close         once a run, after the last write                       yes
 *   appell_hardware_message       what a status means, for messages                      no
 *   appell_hardware_now           the clock                                              no, but both or neither:
 *   appell_hardware_sleep_until   sleeping until a time of that clock                    CLOCK_MONOTONIC without them
 *
 * SI units and radians: rad or m, rad/s or m/s, N m or N; counts, volts and amperes are the boards' own business. One thread
 * calls all of them between open and close. Read and write must neither allocate, log nor wait for anything but what is
 * said. The order within a period is: sleep, read, law, write.
 *
 * The drives need a watchdog of their own: a controller that was killed writes nothing any more, not even brakes.
 */
#ifndef APPELL_HARDWARE_H
#define APPELL_HARDWARE_H

#include <stddef.h>
#include <stdint.h>

/* Of this header. Later ones add members at the ends of the structs, and a host takes libraries of all versions up to
 * its own. */
#define APPELL_HARDWARE_ABI 1

#if defined(_WIN32)
#define APPELL_HARDWARE_EXPORT __declspec(dllexport)
#elif defined(__GNUC__)
#define APPELL_HARDWARE_EXPORT __attribute__((visibility("default")))
#else
#define APPELL_HARDWARE_EXPORT
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* Of outputs: what the boards shall do. */
enum {
    APPELL_HARDWARE_RUN = 0,   /* give the torques and forces to the drives */
    APPELL_HARDWARE_BRAKE = 1, /* switch the drives off and put the brakes on; RUN may follow, where an operator resets */
    APPELL_HARDWARE_END = 2    /* the same, and nothing more will come: the run has ended */
};

/* Where a fault is of no drive. */
#define APPELL_HARDWARE_NO_DRIVE UINT32_MAX

/* What is to be driven. Nothing that it points to may be kept after open has returned. */
typedef struct appell_hardware_setup {
    uint32_t drives;          /* how many */
    uint32_t digital_outputs; /* how many */
    double period;            /* s from sample to sample */
    const char *const *names; /* of the drives */
    const char *arguments;    /* what stands after the library's colon; empty without */
    uint32_t lockstep;        /* 1 where samples follow each other as fast as they can, for simulated boards */
} appell_hardware_setup;

/* What the boards measure at a sample. Positions and velocities come as NaN and must be written every time, since what is
 * left NaN is a fault; all else comes with the value that is said, and may be left as it is. Arrays have one value per drive.
 * A sample whose number or time goes back, or whose time jumps, is not taken. */
typedef struct appell_hardware_sensors {
    uint64_t sample;        /* its number, counted from 0; comes as the last one and 1 */
    double t;               /* s since the first sample; comes as NaN, and if left so is the time of the clock, in lockstep
                               sample * period */
    double *q;              /* positions */
    double *v;              /* velocities */
    double *applied;        /* torques and forces that came of the last outputs; come as those */
    uint8_t *hot;           /* 1 where an over-temperature switch is closed; come as 0 */
    uint64_t taken;         /* outputs that have arrived so far: those of sample k are the last where it is k + 1; comes so,
                               as if the last ones had */
    uint32_t emergency_stop;/* 1 where its circuit is open; comes as 0 */
    uint32_t braked;        /* 1 where the brakes are on; comes as 1 after the outputs have asked for it */
    uint32_t fault;         /* why the boards have put them on by themselves: a code of docs/real-time.md, or any other number
                               of their own; comes as 0, no fault */
    uint32_t fault_drive;   /* its drive; comes as APPELL_HARDWARE_NO_DRIVE */
    double fault_value;     /* what was found, in the unit of the fault; comes as 0 */
    double fault_limit;     /* what was allowed; comes as 0 */
} appell_hardware_sensors;

/* What the controller wants. Nothing that it points to may be kept after write has returned. */
typedef struct appell_hardware_outputs {
    uint64_t sample;          /* that it answers; the same one may come again */
    const double *efforts;    /* torques and forces, one per drive; zeros unless the mode is RUN */
    const uint8_t *digital;   /* digital outputs, 1 where they are on */
    uint32_t mode;            /* APPELL_HARDWARE_RUN, BRAKE or END */
    uint32_t fault;           /* why there is a safe stop: a code of docs/real-time.md; 0 where there is none */
} appell_hardware_outputs;

/* APPELL_HARDWARE_ABI. */
APPELL_HARDWARE_EXPORT uint32_t appell_hardware_abi(void);

/* Opens the boards, with the drives off and the brakes on until the first outputs; what they remember in *board. 0, or a
 * status that says why it cannot. */
APPELL_HARDWARE_EXPORT int32_t appell_hardware_open(const appell_hardware_setup *setup, void **board);

/* Takes the newest sample, and waits for one at most until a time of the clock, ns; 0 is not to wait. 1 where there is one
 * since the last call, 0 where there is none yet, or a negative status that says why none can come any more: the run ends
 * then, with END. */
APPELL_HARDWARE_EXPORT int32_t appell_hardware_read(void *board, appell_hardware_sensors *sensors, uint64_t until);

/* Gives outputs to the drives. 0, or a negative status that says why they cannot be given any more: the run ends then. It
 * is called with END once at the end of every run, also after a negative status. */
APPELL_HARDWARE_EXPORT int32_t appell_hardware_write(void *board, const appell_hardware_outputs *outputs);

/* Leaves the drives off and the brakes on, whatever was written last. */
APPELL_HARDWARE_EXPORT void appell_hardware_close(void *board);

/* What a status means: text that lasts as long as the library, or NULL. */
APPELL_HARDWARE_EXPORT const char *appell_hardware_message(int32_t status);

/* The clock, ns: it may be set by nobody. */
APPELL_HARDWARE_EXPORT uint64_t appell_hardware_now(void *board);

/* Sleeps until a time of it, ns. */
APPELL_HARDWARE_EXPORT void appell_hardware_sleep_until(void *board, uint64_t time);

#ifdef __cplusplus
}
#endif

#endif
