//! What happens when a law crashes: the robot is told, one line names the law, and the process ends.
//!
//! A law runs in this process, so that a wild pointer of it is ours. Nothing can be trusted after that; what can be done
//! is little, and it is done in the handler of the signal: the [hook](set_hook) lets a controller write a last frame that
//! brakes, stderr gets one line, and the process exits with the code 1. Signals that come while no law computes go to who
//! had them before.
//!
//! | signal | what a law did |
//! |---|---|
//! | SIGSEGV, SIGBUS | used memory that is not its own, or all of its stack |
//! | SIGFPE | divided integers by zero |
//! | SIGILL | ran what is no instruction, as compilers put where code cannot come |
//! | SIGABRT | `abort`, a failed `assert`, a panic that leaves Rust, an exception that leaves C++ |
//! | none | ended the process by `exit`, with whatever code: that is a crash, too |
//!
//! The handlers stand while a library is open, on a stack of their own. A thread that a law has started is not watched, and `_exit` goes
//! without a word, with the code that it is given.
#![allow(unsafe_code, reason = "signals")]

use core::ptr;
use core::sync::atomic::{AtomicPtr, Ordering};

/// What is called in the handler, with the number of the signal; 0 where the law has ended the process by `exit`.
pub type Hook = extern "C" fn(signal: i32);

static HOOK: AtomicPtr<()> = AtomicPtr::new(ptr::null_mut());

/// Sets what is called first when a law crashes, before anything is written: the place for a last frame that brakes.
///
/// # Safety
/// It runs in a signal handler, in a process whose memory may be damaged: it may call what is async-signal-safe alone,
/// and must neither allocate, lock nor unwind. Stores to shared memory and atomics are fine.
pub unsafe fn set_hook(hook: Option<Hook>) {
    HOOK.store(hook.map_or(ptr::null_mut(), |hook| hook as *mut ()), Ordering::Release);
}

pub use system::{Guard, inside};

#[cfg(unix)]
mod system {
    use super::{HOOK, Hook, Ordering, ptr};
    use crate::arithmetic::Rounding;
    use core::cell::{Cell, UnsafeCell};
    use core::mem::{MaybeUninit, transmute};
    use libc::{SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV, c_int, c_void, sigaction, siginfo_t};
    use std::sync::{Mutex, Once, PoisonError};

    const SIGNALS: [(c_int, &str); 5] = [
        (SIGSEGV, "SIGSEGV, invalid memory"),
        (SIGBUS, "SIGBUS, invalid memory"),
        (SIGFPE, "SIGFPE, a division by zero"),
        (SIGILL, "SIGILL, an invalid instruction"),
        (SIGABRT, "SIGABRT, it gave up"),
    ];

    /// Of the handlers, where a thread has none.
    const STACK: usize = 64 * 1024;

    /// The longest line that is written.
    const LINE: usize = 1024;

    thread_local! {
        /// How the law is called that computes in this thread; none if none does.
        static NOW: Cell<*const [u8]> = const { Cell::new(ptr::slice_from_raw_parts(ptr::null(), 0)) };
        static OWN_STACK: OwnStack = OwnStack::make();
    }

    /// Calls a law, or other code of somebody's library, that messages call so; a crash meanwhile is its own. How the processor rounds
    /// is afterwards as it was before.
    #[inline(always)]
    pub fn inside<T>(name: &str, call: impl FnOnce() -> T) -> T {
        struct Back(*const [u8], Rounding);
        impl Drop for Back {
            fn drop(&mut self) {
                NOW.set(self.0);
                self.1.restore();
            }
        }
        // Where a thread ends its own variables are gone, and its stack must do.
        let _ = OWN_STACK.try_with(|_| ());
        let _back = Back(NOW.replace(name.as_bytes()), Rounding::now());
        call()
    }

    /// A stack for handlers in this thread, made unless it has one, as threads of Rust have.
    struct OwnStack(Option<Box<[u8]>>);

    impl OwnStack {
        fn make() -> Self {
            let mut old = MaybeUninit::<libc::stack_t>::zeroed();
            // SAFETY: asks for what is there.
            let found = unsafe { libc::sigaltstack(ptr::null(), old.as_mut_ptr()) };
            // SAFETY: zeros are a value of it.
            let old = unsafe { old.assume_init() };
            if found != 0 || old.ss_flags & libc::SS_DISABLE == 0 {
                return Self(None);
            }
            let mut memory = vec![0_u8; STACK].into_boxed_slice();
            let new = libc::stack_t { ss_sp: memory.as_mut_ptr().cast(), ss_flags: 0, ss_size: STACK };
            // SAFETY: the memory lasts until `drop` takes the stack away again.
            let made = unsafe { libc::sigaltstack(&raw const new, ptr::null_mut()) };
            Self((made == 0).then_some(memory))
        }
    }

    impl Drop for OwnStack {
        fn drop(&mut self) {
            if self.0.is_some() {
                let none = libc::stack_t { ss_sp: ptr::null_mut(), ss_flags: libc::SS_DISABLE, ss_size: STACK };
                // SAFETY: no handler runs in this thread now.
                unsafe { libc::sigaltstack(&raw const none, ptr::null_mut()) };
            }
        }
    }

    /// Who had the signals before. Written while no handler of ours stands, under the lock of `GUARDS`.
    struct Before(UnsafeCell<[MaybeUninit<sigaction>; SIGNALS.len()]>);

    // SAFETY: see above; handlers read alone.
    unsafe impl Sync for Before {}

    static BEFORE: Before = Before(UnsafeCell::new([const { MaybeUninit::zeroed() }; SIGNALS.len()]));

    /// How many guards there are.
    static GUARDS: Mutex<usize> = Mutex::new(0);

    /// Whether it is known that laws may call `exit`.
    static AT_EXIT: Once = Once::new();

    /// While there is one, the handlers stand.
    pub struct Guard(());

    impl Default for Guard {
        fn default() -> Self {
            Self::new()
        }
    }

    impl Guard {
        /// Sets the handlers, unless they stand.
        #[must_use]
        pub fn new() -> Self {
            // SAFETY: it registers a function that lasts; a failure leaves exits alone.
            AT_EXIT.call_once(|| {
                let _ = unsafe { libc::atexit(exits) };
            });
            let mut guards = GUARDS.lock().unwrap_or_else(PoisonError::into_inner);
            *guards += 1;
            if *guards == 1 {
                let mut own = action();
                own.sa_sigaction = handle as extern "C" fn(_, _, _) as usize;
                own.sa_flags = libc::SA_SIGINFO | libc::SA_ONSTACK;
                for (k, (signal, _)) in SIGNALS.into_iter().enumerate() {
                    // SAFETY: `Before` says who writes and who reads; a failure leaves the handler that was there.
                    unsafe {
                        let before = &mut (*BEFORE.0.get())[k];
                        if is_own(signal) {
                            continue; // left below another's, and known already
                        }
                        libc::sigaction(signal, ptr::null(), before.as_mut_ptr());
                        libc::sigaction(signal, &raw const own, ptr::null_mut());
                    }
                }
            }
            Self(())
        }
    }

    impl Drop for Guard {
        fn drop(&mut self) {
            let mut guards = GUARDS.lock().unwrap_or_else(PoisonError::into_inner);
            *guards -= 1;
            if *guards == 0 {
                for (signal, _) in SIGNALS {
                    // One who has come after us stays.
                    if is_own(signal) {
                        pass_back(signal);
                    }
                }
            }
        }
    }

    fn action() -> sigaction {
        // SAFETY: zeros are a value of it: the default action, no flags, nothing masked.
        unsafe { MaybeUninit::zeroed().assume_init() }
    }

    /// Whether a signal comes to us.
    fn is_own(signal: c_int) -> bool {
        let mut now = action();
        // SAFETY: asks for what is there.
        let found = unsafe { libc::sigaction(signal, ptr::null(), &raw mut now) };
        found == 0 && now.sa_sigaction == handle as extern "C" fn(_, _, _) as usize
    }

    /// Gives a signal back to who had it.
    fn pass_back(signal: c_int) {
        if let Some(k) = SIGNALS.iter().position(|(known, _)| *known == signal) {
            // SAFETY: it was kept before the handler stood, and zeros are the default action. `sigaction` may be called in
            // handlers.
            unsafe { libc::sigaction(signal, (*BEFORE.0.get())[k].as_ptr(), ptr::null_mut()) };
        }
    }

    /// The handler: nothing in it allocates, locks or unwinds.
    extern "C" fn handle(signal: c_int, info: *mut siginfo_t, _: *mut c_void) {
        let name = NOW.try_with(Cell::get).unwrap_or(ptr::slice_from_raw_parts(ptr::null(), 0));
        if name.is_null() {
            pass_back(signal);
            // What the processor has found happens again when the handler returns; what was sent does not.
            // SAFETY: the system gives the information; `raise` may be called in handlers.
            unsafe {
                if info.is_null() || (*info).si_code <= 0 {
                    libc::raise(signal);
                }
            }
            return;
        }
        let what = SIGNALS.iter().find(|(known, _)| *known == signal).map_or("a signal", |(_, what)| what);
        end(name, signal, [" crashed: ", what])
    }

    /// At the end of the process, in the thread that ends it.
    extern "C" fn exits() {
        let name = NOW.try_with(Cell::get).unwrap_or(ptr::slice_from_raw_parts(ptr::null(), 0));
        if !name.is_null() {
            end(name, 0, [" ended the process", " (exit)"]);
        }
    }

    /// Ends the process by what a law has done, with the hook and a line.
    fn end(name: *const [u8], signal: c_int, what: [&str; 2]) -> ! {
        let hook = HOOK.load(Ordering::Acquire);
        if !hook.is_null() {
            // SAFETY: `set_hook` stored a `Hook`, and nothing else is stored.
            let hook = unsafe { transmute::<*mut (), Hook>(hook) };
            hook(signal);
        }
        let mut line = [0_u8; LINE];
        let mut length = 0;
        // SAFETY: the name lasts as long as the call that `inside` has noted.
        let name = unsafe { &*name };
        for part in [&b"error: "[..], name, what[0].as_bytes(), what[1].as_bytes(), b"; the run ends here"] {
            for &byte in part.iter().take(LINE - 1 - length) {
                line[length] = byte;
                length += 1;
            }
        }
        line[length] = b'\n';
        // SAFETY: both may be called in handlers.
        unsafe {
            libc::write(libc::STDERR_FILENO, line.as_ptr().cast(), length + 1);
            libc::_exit(1)
        }
    }
}

#[cfg(not(unix))]
mod system {
    /// Calls a law; where there are no signals, a crash ends the process as the system has it.
    pub fn inside<T>(_: &str, call: impl FnOnce() -> T) -> T {
        let rounding = crate::arithmetic::Rounding::now();
        let answer = call();
        rounding.restore();
        answer
    }

    /// Nothing stands.
    #[derive(Default)]
    pub struct Guard(());

    impl Guard {
        /// As elsewhere, where there are signals.
        #[must_use]
        pub fn new() -> Self {
            let _ = (super::HOOK.load(super::Ordering::Acquire), super::ptr::null::<super::Hook>());
            Self(())
        }
    }
}
