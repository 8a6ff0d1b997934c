//! A processor as a device: generated code in its widest lanes, by the C++ compiler of this machine, on all cores.

use super::argument::Argument;
use super::{DeviceError, Number, cache, source};
use appell_codegen::emit::device::{Code, PortKind};
use core::ffi::c_int;
use core::marker::PhantomData;
use libloading::Library;
use rayon::prelude::*;
use std::env;
use std::fs;
use std::process::Command;
use std::sync::OnceLock;

/// States that one thread computes at a time.
const CHUNK: usize = 4096;

/// A compiler, with what it says of itself.
struct Compiler {
    program: String,
    version: String,
}

/// The first C++ compiler that runs: the one that is asked for, or the usual ones.
fn compiler() -> Result<&'static Compiler, DeviceError> {
    static FOUND: OnceLock<Result<Compiler, DeviceError>> = OnceLock::new();
    let found = FOUND.get_or_init(|| {
        let asked = env::var("CXX").ok().filter(|name| !name.is_empty());
        let candidates = asked.map_or_else(|| ["c++", "g++", "clang++"].map(String::from).to_vec(), |name| vec![name]);
        for program in &candidates {
            let output = Command::new(program).arg("--version").output();
            if let Some(output) = output.ok().filter(|output| output.status.success()) {
                let version = String::from_utf8_lossy(&output.stdout).lines().next().unwrap_or_default().to_owned();
                return Ok(Compiler { program: program.clone(), version });
            }
        }
        Err(DeviceError::NoHostCompiler { tried: candidates.join(", ") })
    });
    found.as_ref().map_err(Clone::clone)
}

/// The processor's lanes: options of the compiler, and bytes of a register.
fn lanes() -> (&'static str, u32) {
    #[cfg(target_arch = "x86_64")]
    {
        if is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512dq") {
            return ("-march=native", 64);
        }
        if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma") {
            return ("-march=native", 32);
        }
        ("-march=native", 16)
    }
    #[cfg(not(target_arch = "x86_64"))]
    ("-mcpu=native", 16)
}

/// What the device is, in words.
pub(super) fn name() -> Result<String, DeviceError> {
    let Compiler { version, .. } = compiler()?;
    Ok(format!("this processor, {} threads, lanes of {} bytes, {version}", rayon::current_num_threads(), lanes().1))
}

/// A function on the processor.
pub(super) struct Function<F> {
    library: Library,
    ports: Vec<PortKind>,
    lanes: usize,
    of: PhantomData<F>,
}

/// The entry of compiled code: its ports are passed in an array of words.
type Entry = unsafe extern "C" fn(i64, i64, i64, *const Word) -> i64;

/// A pointer, a number or a whole number.
#[derive(Clone, Copy)]
#[repr(C)]
pub(super) union Word {
    read: *const u8,
    written: *mut u8,
    real: f64,
    whole: i64,
}

// SAFETY: the pointers are of arrays that the caller of `run` holds, and no two threads write the same entries.
unsafe impl Sync for Word {}
// SAFETY: as above.
unsafe impl Send for Word {}

impl<F: Number> Function<F> {
    /// Compiles a function, or takes it from the cache.
    pub(super) fn new(code: &Code) -> Result<Self, DeviceError> {
        let Compiler { program, version } = compiler()?;
        let (native, bytes) = lanes();
        let width = format!("-DAPPELL_LANES={bytes}");
        // Long straight lines: what a second look gains is not worth minutes.
        let optimise = if code.operations > 10_000 { "-O1" } else { "-O2" };
        let options =
            ["-std=c++17", optimise, native, &width, "-ffp-contract=fast", "-fno-math-errno", "-fPIC", "-shared", "-w"];
        let text = source::of_host::<F>(code);
        let name = format!("{}-{}.so", code.name, cache::key(&[&text, program, version, &options.join(" "), cpu()]));
        let place = cache::place(&name)?;
        if !place.is_file() {
            let workshop = cache::workshop()?;
            let (from, to) = (workshop.path().join("code.cpp"), workshop.path().join(&name));
            let failed = |error: std::io::Error| DeviceError::Cache {
                folder: workshop.path().display().to_string(),
                said: error.to_string(),
            };
            fs::write(&from, &text).map_err(failed)?;
            let output = Command::new(program).args(options).arg(&from).arg("-o").arg(&to).output();
            let output = output.map_err(|_| DeviceError::NoHostCompiler { tried: program.clone() })?;
            if !output.status.success() {
                let said = String::from_utf8_lossy(&output.stderr).chars().take(2000).collect();
                return Err(DeviceError::Compiler { compiler: program.clone(), said });
            }
            fs::rename(&to, &place).map_err(failed)?;
        }
        let failed =
            |error: libloading::Error| DeviceError::Load { compiler: program.clone(), said: error.to_string() };
        // SAFETY: the library has no initialiser: it was made of generated functions alone.
        let library = unsafe { Library::new(&place) }.map_err(failed)?;
        // SAFETY: `source::of_host` defines it so.
        let lanes =
            unsafe { library.get::<unsafe extern "C" fn() -> c_int>("appell_lanes_of_entry").map_err(failed)?() };
        let ports = code.ports.iter().map(|port| port.kind).collect();
        Ok(Self { library, ports, lanes: lanes.unsigned_abs() as usize, of: PhantomData })
    }

    /// Runs it for all states, and gives the first whose answer is not finite. Sizes were checked before.
    pub(super) fn run(&self, count: usize, arguments: &mut [Argument<'_, F>]) -> Option<usize> {
        if count == 0 {
            return None;
        }
        if count < self.lanes {
            return self.run_padded(count, arguments);
        }
        let words: Vec<Word> = arguments.iter_mut().map(word).collect();
        // SAFETY: `source::of_host` defines it so.
        let entry = unsafe { self.library.get::<Entry>(source::ENTRY) }.expect("it was loaded");
        let entry = *entry;
        let first_bad = |chunk: usize| {
            let (begin, end) = (chunk * CHUNK, count.min((chunk + 1) * CHUNK));
            // SAFETY: arrays have the sizes that the ports say, and this many states; chunks write entries of their own, but a
            // last block that is not full, which writes the same numbers as the chunk before.
            let found = unsafe { entry(begin as i64, end as i64, count as i64, words.as_ptr()) };
            (found < end as i64).then_some(found as usize)
        };
        (0..count.div_ceil(CHUNK)).into_par_iter().filter_map(first_bad).min()
    }

    /// The same of fewer states than lanes: the last one stands in for those that are missing.
    fn run_padded(&self, count: usize, arguments: &mut [Argument<'_, F>]) -> Option<usize> {
        let lanes = self.lanes;
        let entries = |kind: &PortKind| match kind {
            PortKind::Read(entries) | PortKind::Written(entries) => *entries,
            _ => 0,
        };
        let mut own: Vec<Vec<F>> = Vec::with_capacity(arguments.len());
        for (argument, kind) in arguments.iter().zip(&self.ports) {
            let from: &[F] = match argument {
                Argument::Read(numbers) => numbers,
                Argument::Written(numbers) => numbers,
                _ => &[],
            };
            let padded = (0..entries(kind) * lanes).map(|k| from[k / lanes * count + (k % lanes).min(count - 1)]);
            own.push(padded.collect());
        }
        let mut padded: Vec<Argument<'_, F>> = arguments
            .iter()
            .zip(&mut own)
            .map(|(argument, own)| match argument {
                Argument::Read(_) => Argument::Read(own),
                Argument::Written(_) => Argument::Written(own),
                Argument::Shared(numbers) => Argument::Shared(numbers),
                Argument::Real(x) => Argument::Real(*x),
                Argument::Whole(n) => Argument::Whole(*n),
            })
            .collect();
        let bad = self.run(lanes, &mut padded);
        drop(padded);
        for (argument, own) in arguments.iter_mut().zip(&own) {
            if let Argument::Written(numbers) = argument {
                numbers.iter_mut().enumerate().for_each(|(k, x)| *x = own[k / count * lanes + k % count]);
            }
        }
        bad.map(|state| state.min(count - 1))
    }
}

fn word<F: Number>(argument: &mut Argument<'_, F>) -> Word {
    match argument {
        Argument::Read(numbers) | Argument::Shared(numbers) => Word { read: numbers.as_ptr().cast() },
        Argument::Written(numbers) => Word { written: numbers.as_mut_ptr().cast() },
        Argument::Real(x) => Word { real: *x },
        Argument::Whole(n) => Word { whole: *n },
    }
}

/// The processor that `native` means, so that a home that several machines share keeps code of each.
fn cpu() -> &'static str {
    static MODEL: OnceLock<String> = OnceLock::new();
    MODEL.get_or_init(|| {
        let info = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
        let mut lines = info.lines().filter(|line| line.starts_with("model name") || line.starts_with("flags"));
        format!("{:?}{:?}", lines.next(), lines.next())
    })
}
