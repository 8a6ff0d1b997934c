/*
 * A control law of one's own for appell: what a shared library exports, in C99 or C++.
 *
 *   law = { library = "law.so", parameters = { kp = 400.0, kd = [40.0, 40.0, 20.0] } }    in a scenario's [controller]
 *
 *   function                 when                                             must be there
 *   appell_law_abi           once, first                                      yes
 *   appell_law_name          once: how messages call the law                  yes
 *   appell_law_create        once a run, before the first step                yes
 *   appell_law_step          every period; in continuous time at any time     yes
 *   appell_law_destroy       once a run, after the last step                  yes
 *   appell_law_message       what a status means, for messages                no
 *   appell_law_recorded      own numbers that a record shows                  no
 *
 * SI units and radians: rad or m, rad/s or m/s, N m or N. One thread calls at a time. A step must neither wait nor
 * allocate where it runs in real time. A law that crashes, ends the process, returns another status than 0, writes an
 * effort that is not finite, or writes beside its efforts is stopped, and named.
 */
#ifndef APPELL_LAW_H
#define APPELL_LAW_H

#include <stddef.h>
#include <stdint.h>

/* Of this header. Later ones add members at the ends of the structs, and a host takes libraries of all versions up to
 * its own. */
#define APPELL_LAW_ABI 1

#if defined(_WIN32)
#define APPELL_LAW_EXPORT __declspec(dllexport)
#elif defined(__GNUC__)
#define APPELL_LAW_EXPORT __attribute__((visibility("default")))
#else
#define APPELL_LAW_EXPORT
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* Numbers that the scenario gives: `name = value`, or `name = [values]`. */
typedef struct appell_law_parameter {
    const char *name;     /* empty if the scenario has a list without names */
    const double *values;
    uint32_t count;
} appell_law_parameter;

/* What the law shall drive. Nothing that it points to may be kept after create has returned. */
typedef struct appell_law_setup {
    uint32_t drives;                        /* how many */
    uint32_t parameters;                    /* how many */
    double period;                          /* s from step to step; 0 in continuous time, where a law must not remember:
                                               its step is then called for trial moments, in any order */
    const char *const *names;               /* of the drives */
    const appell_law_parameter *parameter;
} appell_law_setup;

/* A moment, as it is measured, and what is wanted then. Nothing that it points to may be kept. */
typedef struct appell_law_moment {
    double t;                      /* s */
    const double *q, *v;           /* the drives: positions and velocities */
    const double *q_d, *v_d, *a_d; /* wanted: positions, velocities, accelerations */
    const double *pose;            /* of a platform px py pz qx qy qz qw in base axes; NULL without one */
    const double *twist;           /* vx vy vz wx wy wz; NULL likewise */
    const double *pose_d;          /* wanted; NULL unless the reference is a path of the platform */
    const double *twist_d;
    const double *acceleration_d;  /* ax ay az ex ey ez */
} appell_law_moment;

/* APPELL_LAW_ABI. */
APPELL_LAW_EXPORT uint32_t appell_law_abi(void);

/* Text that lasts as long as the library. */
APPELL_LAW_EXPORT const char *appell_law_name(void);

/* Makes a law; its state in *state. 0, or a status that says why there is none. */
APPELL_LAW_EXPORT int32_t appell_law_create(const appell_law_setup *setup, void **state);

/* Writes the effort of every drive, N m or N. 0, or a status that says why it cannot go on. */
APPELL_LAW_EXPORT int32_t appell_law_step(void *state, const appell_law_moment *now, double *effort);

APPELL_LAW_EXPORT void appell_law_destroy(void *state);

/* What a status means: text that lasts as long as the library, or NULL. */
APPELL_LAW_EXPORT const char *appell_law_message(int32_t status);

/* How many own numbers there are, 1024 at most and the same at all times; writes them, and their names, unless the
 * pointer is NULL. Names last as the library does. Where a law is sampled, record.csv has them after every step in
 * columns own_NAME, and record.mcap on the topic /own. */
APPELL_LAW_EXPORT uint32_t appell_law_recorded(const void *state, double *values, const char **names);

#ifdef __cplusplus
}
#endif

/* One value per drive of a parameter, which is given once for all drives or for each; 0 if it is not there, or has
 * another number of values. */
static inline int appell_law_get(const appell_law_setup *setup, const char *name, double *per_drive)
{
    uint32_t p, i;
    for (p = 0; p < setup->parameters; ++p) {
        const appell_law_parameter *given = &setup->parameter[p];
        const char *a = given->name, *b = name;
        while (*a != '\0' && *a == *b) {
            ++a;
            ++b;
        }
        if (*a != *b) continue;
        if (given->count != 1 && given->count != setup->drives) return 0;
        for (i = 0; i < setup->drives; ++i) per_drive[i] = given->values[given->count == 1 ? 0 : i];
        return 1;
    }
    return 0;
}

#endif
