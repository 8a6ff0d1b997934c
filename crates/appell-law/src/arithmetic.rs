//! How the processor rounds in this thread, which somebody's library may change: by `fesetround`, or when it is opened, where it was linked
//! with `-ffast-math`, so that the smallest numbers become zero. What computes after it should not have other bits for that.
#![allow(unsafe_code, reason = "a register of the processor")]

/// The control register of floating-point numbers, as it was.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Rounding(system::Register);

impl Rounding {
    /// As it is now.
    #[inline(always)]
    pub(crate) fn now() -> Self {
        Self(system::read() & !system::SEEN)
    }

    /// Makes it as it was, where somebody has changed it.
    #[inline(always)]
    pub(crate) fn restore(self) {
        if Self::now() != self {
            system::write(self.0);
        }
    }
}

#[cfg(target_arch = "x86_64")]
mod system {
    use core::arch::asm;

    pub(super) type Register = u32;

    /// What has happened so far, which is no setting.
    pub(super) const SEEN: Register = 0x3f;

    #[inline(always)]
    pub(super) fn read() -> Register {
        let mut found: Register = 0;
        // SAFETY: it writes four bytes, which are ours.
        unsafe { asm!("stmxcsr [{}]", in(reg) &raw mut found, options(nostack, preserves_flags)) };
        found
    }

    #[inline(always)]
    pub(super) fn write(wanted: Register) {
        // SAFETY: it reads four bytes, and they are what the register held before.
        unsafe { asm!("ldmxcsr [{}]", in(reg) &raw const wanted, options(nostack, preserves_flags, readonly)) };
    }
}

#[cfg(target_arch = "aarch64")]
mod system {
    use core::arch::asm;

    pub(super) type Register = u64;

    /// It has a register of its own there.
    pub(super) const SEEN: Register = 0;

    #[inline(always)]
    pub(super) fn read() -> Register {
        let found: Register;
        // SAFETY: it reads a register.
        unsafe { asm!("mrs {}, fpcr", out(reg) found, options(nomem, nostack, preserves_flags)) };
        found
    }

    #[inline(always)]
    pub(super) fn write(wanted: Register) {
        // SAFETY: it is what the register held before.
        unsafe { asm!("msr fpcr, {}", in(reg) wanted, options(nomem, nostack, preserves_flags)) };
    }
}

#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
mod system {
    pub(super) type Register = u32;
    pub(super) const SEEN: Register = 0;

    pub(super) fn read() -> Register {
        0
    }

    pub(super) fn write(_: Register) {}
}
