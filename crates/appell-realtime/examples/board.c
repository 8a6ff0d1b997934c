/*
 * Somebody's boards, in one file: counters of encoders and converters of volts, for `appell run --hardware`.
 *
 *   appell generate puma560 --question forward-dynamics --lang c --out .
 *   cc -std=c99 -O2 -fPIC -shared -DMODEL=puma_560_forward_dynamics board.c puma_560_forward_dynamics.c -lm -o board.so
 *   appell run trial.toml --hardware ./board.so:0,-0.8,0.2,0,0.5,0
 *
 * with appell_hardware.h beside it. The arguments are the positions at which the robot is switched on, rad or m; without
 * them it is zero. Without MODEL every drive is a motor with an inertia of its own.
 *
 * The first part stands for the driver of the boards and for the robot behind them, which is simulated here so that the file
 * runs anywhere. To attach a real robot, replace the functions wire_* by calls of the driver; the second part can stay: it
 * turns counts into radians and newton metres into volts, makes speeds of positions, and knows when to brake.
 */
#include "appell_hardware.h"

#include <math.h>
#include <stdlib.h>

#define MOST_DRIVES 64

/* Of encoders, gears and amplifiers; here of all drives alike. */
#define COUNTS_PER_TURN 4000.0 /* of the motor, all four edges */
#define GEAR 60.0              /* turns of the motor per turn of the joint */
#define TORQUE_PER_VOLT 18.0   /* N m at the joint: amplifier, A/V, times motor, N m/A, times gear */
#define MOST_VOLTS 10.0
#define SPEED_CUTOFF 500.0     /* rad/s, of the filter behind the difference of positions */

#define COUNTS_PER_RADIAN (COUNTS_PER_TURN * GEAR / 6.283185307179586)

/* What this library's statuses mean. */
enum { TOO_MANY_DRIVES = 1, NO_MEMORY = 2, WRONG_START = 3, BUS_IS_SILENT = -1 };

/* ------------------------------------------------------------------ the boards, and the robot behind them: replace these */

struct wires {
    uint32_t drives;
    double q[MOST_DRIVES], v[MOST_DRIVES]; /* of the simulated robot */
    double volts[MOST_DRIVES];
    int brakes_on;
};

#ifdef MODEL
void MODEL(const double *q, const double *v, const double *tau, double *a); /* of `appell generate` */
#endif

static void accelerations(const struct wires *wires, const double *tau, double *a)
{
#ifdef MODEL
    MODEL(wires->q, wires->v, tau, a);
#else
    uint32_t i;
    for (i = 0; i < wires->drives; ++i) a[i] = (tau[i] - 0.5 * wires->v[i]) / 0.8; /* N m s/rad, kg m^2 */
#endif
}

/* Exchanges data with the boards: a transfer on the bus, or nothing where registers are read directly. Resets the watchdog
 * of the drives, which must brake by themselves where this is not called any more. 0, or a status. */
static int32_t wire_exchange(struct wires *wires, double period)
{
    const int steps = 10;
    const double h = period / steps;
    double tau[MOST_DRIVES], a[MOST_DRIVES];
    uint32_t i;
    int step;
    for (step = 0; step < steps; ++step) {
        for (i = 0; i < wires->drives; ++i) tau[i] = TORQUE_PER_VOLT * wires->volts[i];
        if (!wires->brakes_on) accelerations(wires, tau, a);
        for (i = 0; i < wires->drives; ++i) {
            wires->v[i] = wires->brakes_on ? wires->v[i] * exp(-h / 0.01) : wires->v[i] + h * a[i];
            wires->q[i] += h * wires->v[i];
        }
    }
    return 0;
}

/* The counter of an encoder. */
static int32_t wire_read_counter(const struct wires *wires, uint32_t drive)
{
    return (int32_t)floor(wires->q[drive] * COUNTS_PER_RADIAN + 0.5);
}

/* The input of an amplifier, +-10 V by a converter of 12 bits. */
static void wire_write_volts(struct wires *wires, uint32_t drive, double volts)
{
    wires->volts[drive] = floor(volts * 2048.0 / MOST_VOLTS + 0.5) * MOST_VOLTS / 2048.0;
}

/* The relays of the brakes and the enabling inputs of the amplifiers. */
static void wire_brake(struct wires *wires, int on)
{
    wires->brakes_on = on;
}

/* Whether the over-temperature switch of a motor is closed. */
static int wire_is_hot(const struct wires *wires, uint32_t drive)
{
    (void)wires;
    (void)drive;
    return 0;
}

/* Whether the circuit of the emergency stop is open. */
static int wire_is_emergency_stop(const struct wires *wires)
{
    (void)wires;
    return 0;
}

/* ------------------------------------------------------------------------------------------------- the border to appell */

struct board {
    struct wires wires;
    double period;
    double zero[MOST_DRIVES]; /* position at count 0, rad: from homing, or from absolute encoders */
    double q[MOST_DRIVES], v[MOST_DRIVES];
    double applied[MOST_DRIVES];
    uint64_t samples;         /* that were read */
    uint64_t taken;           /* outputs that were taken */
    int32_t status;           /* of the last exchange */
};

uint32_t appell_hardware_abi(void)
{
    return APPELL_HARDWARE_ABI;
}

int32_t appell_hardware_open(const appell_hardware_setup *setup, void **state)
{
    struct board *board;
    const char *rest = setup->arguments;
    uint32_t i;
    if (setup->drives > MOST_DRIVES) return TOO_MANY_DRIVES;
    board = calloc(1, sizeof *board);
    if (board == NULL) return NO_MEMORY;
    board->wires.drives = setup->drives;
    board->period = setup->period;
    for (i = 0; i < setup->drives && *rest != '\0'; ++i) {
        char *end;
        board->wires.q[i] = strtod(rest, &end);
        if (end == rest || (*end != '\0' && *end != ',')) break;
        rest = *end == ',' ? end + 1 : end;
    }
    if (*rest != '\0' || (i != 0 && i != setup->drives)) {
        free(board);
        return WRONG_START;
    }
    wire_brake(&board->wires, 1);
    for (i = 0; i < setup->drives; ++i) board->q[i] = wire_read_counter(&board->wires, i) / COUNTS_PER_RADIAN;
    *state = board;
    return 0;
}

int32_t appell_hardware_read(void *state, appell_hardware_sensors *sensors, uint64_t until)
{
    struct board *board = state;
    const double part = 1.0 - exp(-SPEED_CUTOFF * board->period);
    uint32_t i;
    (void)until; /* nothing comes later: a board that interrupts, or a bus, would be waited for */
    if (board->status != 0) return board->status;
    /* Simulated time passes by outputs alone. A real robot has a new sample whenever it is asked. */
    if (board->samples > board->taken) return 0;
    for (i = 0; i < board->wires.drives; ++i) {
        double q = board->zero[i] + wire_read_counter(&board->wires, i) / COUNTS_PER_RADIAN;
        board->v[i] += part * ((q - board->q[i]) / board->period - board->v[i]);
        board->q[i] = q;
        sensors->q[i] = board->q[i];
        sensors->v[i] = board->v[i];
        sensors->applied[i] = board->applied[i];
        sensors->hot[i] = (uint8_t)wire_is_hot(&board->wires, i);
    }
    sensors->emergency_stop = (uint32_t)wire_is_emergency_stop(&board->wires);
    sensors->braked = (uint32_t)board->wires.brakes_on;
    sensors->sample = board->samples++;
    sensors->t = (double)sensors->sample * board->period; /* simulated; on a real robot leave it, it is the clock's */
    return 1;
}

int32_t appell_hardware_write(void *state, const appell_hardware_outputs *outputs)
{
    struct board *board = state;
    uint32_t i;
    if (outputs->mode == APPELL_HARDWARE_RUN && outputs->sample < board->taken) return 0; /* the same again */
    for (i = 0; i < board->wires.drives; ++i) {
        double volts = outputs->efforts[i] / TORQUE_PER_VOLT; /* zeros unless the mode is RUN */
        if (volts > MOST_VOLTS) volts = MOST_VOLTS;
        if (volts < -MOST_VOLTS) volts = -MOST_VOLTS;
        wire_write_volts(&board->wires, i, volts);
        board->applied[i] = volts * TORQUE_PER_VOLT;
    }
    wire_brake(&board->wires, outputs->mode != APPELL_HARDWARE_RUN);
    board->status = wire_exchange(&board->wires, board->period);
    board->taken = outputs->sample + 1;
    return board->status;
}

void appell_hardware_close(void *state)
{
    struct board *board = state;
    uint32_t i;
    for (i = 0; i < board->wires.drives; ++i) wire_write_volts(&board->wires, i, 0.0);
    wire_brake(&board->wires, 1);
    wire_exchange(&board->wires, board->period);
    free(board);
}

const char *appell_hardware_message(int32_t status)
{
    switch (status) {
    case TOO_MANY_DRIVES: return "there are more drives than the boards have channels";
    case NO_MEMORY: return "no memory";
    case WRONG_START: return "the arguments are not one position per drive, with commas";
    case BUS_IS_SILENT: return "the bus is silent";
    default: return NULL;
    }
}
