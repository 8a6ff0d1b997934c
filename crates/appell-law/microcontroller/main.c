/*
 * A law with generated inverse dynamics, step by step, without appell: on a Cortex-M under qemu, or on the machine that it
 * is compiled on. Both print the same torques. scripts/test-microcontroller builds and compares.
 *
 * The motion is made of sums and products of small fractions, so that all machines begin with the same bits.
 */
#include "appell_law.h"

#include <stdio.h>

#define STEPS 200

/* Numbers from -1 to 1 in steps of 1/4096. */
static double next(void)
{
    static uint32_t seed = 1;
    seed = seed * 1664525u + 1013904223u;
    return (double)((int32_t)(seed >> 19) - 4096) / 4096.0;
}

static void fill(double *numbers, double size)
{
    int i;
    for (i = 0; i < DRIVES; ++i) numbers[i] = size * next();
}

#ifdef __arm__
/* SysTick counts down at 25 MHz; under `qemu -icount shift=0` an instruction takes 1 ns. */
#define SYSTICK ((volatile uint32_t *)0xE000E010)
static void clock_start(void)
{
    SYSTICK[1] = 0xFFFFFF;
    SYSTICK[2] = 0;
    SYSTICK[0] = 5;
}
static uint32_t clock_ticks(void) { return 0xFFFFFF - SYSTICK[2]; }
#endif

int main(void)
{
    static const double kp[1] = {225.0}, kd[1] = {30.0};
    static const appell_law_parameter parameters[2] = {{"kp", kp, 1}, {"kd", kd, 1}};
    static const char *names[DRIVES];
    appell_law_setup setup;
    void *law = NULL;
    int32_t status;
    int i, k;
#ifdef __arm__
    uint32_t ticks = 0;
    clock_start();
#endif
    for (i = 0; i < DRIVES; ++i) names[i] = "joint";
    setup.drives = DRIVES;
    setup.parameters = 2;
    setup.period = 1e-3;
    setup.names = names;
    setup.parameter = parameters;
    status = appell_law_create(&setup, &law);
    for (k = 0; status == 0 && k < STEPS; ++k) {
        double q[DRIVES], v[DRIVES], q_d[DRIVES], v_d[DRIVES], a_d[DRIVES], effort[DRIVES];
        appell_law_moment now = {0};
        fill(q, 3.0);
        fill(v, 2.0);
        fill(a_d, 5.0);
        for (i = 0; i < DRIVES; ++i) {
            q_d[i] = q[i] + next() / 64.0;
            v_d[i] = v[i] + next() / 16.0;
        }
        now.t = k * 1e-3;
        now.q = q;
        now.v = v;
        now.q_d = q_d;
        now.v_d = v_d;
        now.a_d = a_d;
#ifdef __arm__
        ticks -= clock_ticks();
        status = appell_law_step(law, &now, effort);
        ticks += clock_ticks();
#else
        status = appell_law_step(law, &now, effort);
#endif
        for (i = 0; i < DRIVES; ++i) printf("%.17g%c", effort[i], i + 1 < DRIVES ? ' ' : '\n');
    }
    if (status != 0) {
        printf("status %d: %s\n", (int)status, appell_law_message(status));
        return 1;
    }
    appell_law_destroy(law);
#ifdef __arm__
    printf("instructions a step: %lu\n", (unsigned long)(ticks * 40u / STEPS));
#endif
    printf("done\n");
    return 0;
}
