/* From reset to main on a Cortex-M: vectors, memory, floating point. printf and exit go to the debugger (semihosting). */
#include <stdint.h>
#include <stdlib.h>

extern uint32_t data_load, data_start, data_end, bss_start, bss_end, stack_top;
extern void initialise_monitor_handles(void);
int main(void);

void reset(void)
{
    uint32_t *from = &data_load, *to;
    *(volatile uint32_t *)0xE000ED88 |= 0xFu << 20; /* CPACR: the coprocessors of floating point */
    for (to = &data_start; to < &data_end;) *to++ = *from++;
    for (to = &bss_start; to < &bss_end;) *to++ = 0;
    initialise_monitor_handles();
    exit(main());
}

static void fault(void)
{
    abort();
}

/* The C library asks for them; there is nothing to do. */
void _init(void) {}
void _fini(void) {}

__attribute__((section(".vectors"), used)) static void (*const vectors[16])(void) = {
    (void (*)(void))&stack_top, reset, fault, fault, fault, fault, fault,
};
