/*
 * @SUMMARY@
 *
 *     @EQUATION@
 *
 * Parameters of the scenario: kp and kd, one value for all drives or one for each.
 * Build: @BUILD@
 * Run:   appell simulate trial.toml
 */
#include "appell_law.h"
@INCLUDE@
#include <stdlib.h>

#define DRIVES @DRIVES@

enum { PARAMETERS = 1, OTHER_DRIVES, NO_MEMORY@STATUSES@ };

/* What the law keeps from step to step. */
struct law {
    uint32_t drives;
    double kp[DRIVES], kd[DRIVES];
};

uint32_t appell_law_abi(void) { return APPELL_LAW_ABI; }

const char *appell_law_name(void) { return "@NAME@"; }

int32_t appell_law_create(const appell_law_setup *setup, void **state)
{
    struct law *law;
    if (@WRONG_DRIVES@) return OTHER_DRIVES;
    law = calloc(1, sizeof *law);
    if (law == NULL) return NO_MEMORY;
    law->drives = setup->drives;
    if (setup->parameters != 2 || !appell_law_get(setup, "kp", law->kp) || !appell_law_get(setup, "kd", law->kd)) {
        free(law);
        return PARAMETERS;
    }
    *state = law;
    return 0;
}

int32_t appell_law_step(void *state, const appell_law_moment *now, double *effort)
{
    const struct law *law = state;
@STEP@
    return 0;
}

void appell_law_destroy(void *state) { free(state); }

const char *appell_law_message(int32_t status)
{
    switch (status) {
    case PARAMETERS: return "it takes the parameters kp and kd, one value or one per drive";
    case OTHER_DRIVES: return "it is for @FOR_DRIVES@ drives";
    case NO_MEMORY: return "there is no memory";
@MESSAGES@    default: return NULL;
    }
}
