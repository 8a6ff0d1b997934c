//! Text to code of a GPU, by NVRTC; kept by hash on disk.

use super::Gpu;
use crate::{DeviceError, Number, cache, source};
use appell_codegen::emit::device::{Code, Port, PortKind};
use cudarc::driver::{CudaFunction, CudaModule};
use cudarc::nvrtc::{Ptx, result, sys};
use std::env;
use std::ffi::{CString, OsStr};
use std::path::PathBuf;
use std::sync::{Arc, OnceLock};

/// Entries that are read and written at once: more of them fit into no registers.
const MOST_AT_ONCE: usize = 200;

/// A way to compile and to launch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Way {
    /// Threads of a block, and how many such blocks a processor should hold, which bounds the registers of a thread.
    pub(super) bounds: [u32; 2],
    /// Whether all is read first and written last.
    pub(super) is_whole: bool,
}

impl Way {
    const fn streaming(block: u32, blocks: u32) -> Self {
        Self { bounds: [block, blocks], is_whole: false }
    }

    const fn whole(block: u32, blocks: u32) -> Self {
        Self { is_whole: true, ..Self::streaming(block, blocks) }
    }

    /// The ways worth trying for a function; the first is taken where nothing is measured.
    pub(super) fn of(code: &Code) -> &'static [Self] {
        let entries = |port: &Port| match port.kind {
            PortKind::Read(entries) | PortKind::Written(entries) => entries,
            _ => 0,
        };
        let fits = code.ports.iter().map(entries).sum::<usize>() <= MOST_AT_ONCE;
        match code.operations {
            0..1000 if fits => &Self::SHORT,
            0..2000 => &Self::LONG,
            _ => &Self::VERY_LONG,
        }
    }

    /// They wait for memory.
    const SHORT: [Self; 6] = [
        Self::whole(128, 4),
        Self::whole(128, 6),
        Self::whole(128, 8),
        Self::whole(256, 2),
        Self::streaming(128, 4),
        Self::streaming(128, 8),
    ];

    /// Few registers and many threads, or the other way round.
    const LONG: [Self; 6] = [
        Self::streaming(128, 4),
        Self::streaming(128, 2),
        Self::streaming(128, 3),
        Self::streaming(64, 10),
        Self::streaming(128, 6),
        Self::streaming(128, 8),
    ];

    /// They need every register that there is. What does not fit into 255 goes through memory, however it is compiled; threads in
    /// step and few threads at a time were measured, too, and gained nothing.
    const VERY_LONG: [Self; 3] = [Self::streaming(128, 2), Self::streaming(128, 3), Self::streaming(128, 4)];
}

/// Looks for NVRTC where CUDA is said to be, and beside its compiler, so that it is found by its name afterwards.
fn is_present() -> bool {
    static PRESENT: OnceLock<bool> = OnceLock::new();
    *PRESENT.get_or_init(|| {
        // SAFETY: it only looks for the library.
        if unsafe { sys::is_culib_present() } {
            return true;
        }
        let homes = ["CUDA_HOME", "CUDA_PATH"].into_iter().filter_map(env::var_os).map(PathBuf::from);
        let path = env::var_os("PATH").unwrap_or_default();
        let beside = env::split_paths(&path).filter(|folder| folder.join("nvcc").is_file());
        let beside: Vec<PathBuf> = beside.filter_map(|folder| Some(folder.parent()?.to_owned())).collect();
        let folders = homes.chain(beside).flat_map(|home| [home.join("lib64"), home.join("lib"), home.join("bin")]);
        let is_it = |name: &OsStr| name.to_string_lossy().starts_with("libnvrtc.so");
        let mut found: Vec<PathBuf> = folders
            .filter_map(|folder| folder.read_dir().ok())
            .flat_map(|entries| entries.filter_map(Result::ok))
            .filter(|entry| is_it(&entry.file_name()))
            .map(|entry| entry.path())
            .collect();
        found.sort_unstable_by_key(|path| path.as_os_str().len());
        for path in found {
            // SAFETY: it is NVIDIA's own library, whose initialisers only prepare it.
            if let Ok(library) = unsafe { libloading::Library::new(path) } {
                core::mem::forget(library); // it stays, and is found by its name from now on
                // SAFETY: as above.
                return unsafe { sys::is_culib_present() };
            }
        }
        false
    })
}

/// A function of compiled text.
pub(super) fn function<F: Number>(gpu: &Gpu, code: &Code, way: Way) -> Result<CudaFunction, DeviceError> {
    let text = source::of_cuda::<F>(code, way.bounds, way.is_whole);
    let architecture = gpu.architecture()?;
    let name = format!("{}-{}.cubin", code.name, cache::key(&[&text, &architecture]));
    if let Some(kept) = cache::read(&name)
        && let Ok(module) = load(gpu, &kept)
    {
        return entry(gpu, &module);
    }
    let made = compiled(&text, &architecture)?;
    let module = load(gpu, &made)?;
    cache::keep(&name, &made);
    entry(gpu, &module)
}

fn load(gpu: &Gpu, bytes: &[u8]) -> Result<Arc<CudaModule>, DeviceError> {
    gpu.context.load_module(Ptx::from_binary(bytes.to_vec())).map_err(gpu.failed("code that was compiled for it"))
}

fn entry(gpu: &Gpu, module: &Arc<CudaModule>) -> Result<CudaFunction, DeviceError> {
    module.load_function(source::ENTRY).map_err(gpu.failed("code that was compiled for it"))
}

/// The bytes of a module.
fn compiled(text: &str, architecture: &str) -> Result<Vec<u8>, DeviceError> {
    if !is_present() {
        return Err(DeviceError::NoCompiler);
    }
    let refused = |said: String| DeviceError::Compiler { compiler: "NVRTC".into(), said };
    let text = CString::new(text).map_err(|error| refused(error.to_string()))?;
    let program = result::create_program(&text, None).map_err(|error| refused(format!("{error:?}")))?;
    let options = [format!("--gpu-architecture={architecture}"), "--std=c++17".into()];
    // SAFETY: the program was made above, and is destroyed below.
    let made = unsafe {
        result::compile_program(program, &options)
            .map_err(|_| {
                let log = result::get_program_log(program).unwrap_or_default();
                refused(log.iter().take(2000).map(|&c| char::from(c.cast_unsigned())).filter(|&c| c != '\0').collect())
            })
            .and_then(|()| binary(program).map_err(|error| refused(format!("{error:?}"))))
    };
    // SAFETY: as above.
    unsafe { result::destroy_program(program) }.ok();
    made
}

/// # Safety
/// The program was compiled for a real architecture.
unsafe fn binary(program: sys::nvrtcProgram) -> Result<Vec<u8>, result::NvrtcError> {
    let mut size = 0;
    // SAFETY: `size` is written; then as many bytes as it says.
    unsafe {
        sys::nvrtcGetCUBINSize(program, &raw mut size).result()?;
        let mut bytes = vec![0_u8; size];
        sys::nvrtcGetCUBIN(program, bytes.as_mut_ptr().cast()).result()?;
        Ok(bytes)
    }
}
