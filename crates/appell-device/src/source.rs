//! The whole text that a device's compiler gets: what functions stand on, the function, and who calls it.

use super::Number;
use appell_codegen::emit::device::{Code, LANES, PRELUDE, Port, PortKind};

/// The name of what is called from outside.
pub(super) const ENTRY: &str = "appell_entry";

/// For a processor: states `begin` to `end` of `count`, all of them, in lanes, and the first whose answer is not finite, or `end`. A
/// last block that is not full begins earlier; `count` must be a block at least. Ports come as an array of words.
pub(super) fn of_host<F: Number>(code: &Code) -> String {
    let (number, name) = (F::NAME, &code.name);
    let word = |(place, port): (usize, &Port)| match port.kind {
        PortKind::Read(_) | PortKind::Shared(_) => format!("(const {number} *)words[{place}].read"),
        PortKind::Written(_) => format!("({number} *)words[{place}].written"),
        PortKind::Real => format!("words[{place}].real"),
        PortKind::Whole => format!("words[{place}].whole"),
    };
    let words: Vec<String> = code.ports.iter().enumerate().map(word).collect();
    format!(
        "{PRELUDE}{LANES}{}\n\
         union appell_word {{ const void *read; void *written; double real; long long whole; }};\n\
         extern \"C\" long long {ENTRY}(long long begin, long long end, long long count, const appell_word *words)\n{{\n    \
         typedef appell_lanes<{number}> T;\n    \
         long long found = end;\n    \
         for (long long i = begin; i < end; i += T::many) {{\n        \
         const long long first = i + T::many <= count ? i : count - T::many;\n        \
         const T bad = {name}<T>(first, count, {});\n        \
         if (__builtin_expect(found == end && T::any(bad.v != bad.v), 0)) {{\n            \
         for (long long k = T::many - 1; k >= (first < begin ? begin - first : 0); --k)\n                \
         if (bad.v[k] != bad.v[k] && first + k < end) found = first + k;\n        }}\n    }}\n    return found;\n}}\n\
         extern \"C\" int appell_lanes_of_entry() {{ return appell_lanes<{number}>::many; }}\n",
        code.text,
        words.join(", ")
    )
}

/// For a GPU: a state a thread, as many as there are, and at `*bad` the first of them whose answer is not finite. Threads of a
/// block and blocks of a processor bound the registers. As a `whole` all that is read comes first and all that is written last:
/// good for functions that wait for memory, whose numbers all fit into registers.
pub(super) fn of_cuda<F: Number>(code: &Code, [block, blocks]: [u32; 2], is_whole: bool) -> String {
    let (number, name) = (F::NAME, &code.name);
    let declare = |port: &Port| port.declared().replace("appell_scalar<T>", number);
    let declared: Vec<String> = code.ports.iter().map(declare).collect();
    let own = |port: &Port| matches!(port.kind, PortKind::Read(_) | PortKind::Written(_)) && is_whole;
    let pass = |port: &Port| if own(port) { format!("own_{}", port.name) } else { port.name.clone() };
    let passed: Vec<String> = code.ports.iter().map(pass).collect();
    let (declared, passed) = (declared.join(", "), passed.join(", "));
    let (mut before, mut after) = (String::new(), String::new());
    for port in code.ports.iter().filter(|port| own(port)) {
        let name = &port.name;
        match port.kind {
            PortKind::Read(entries) => before.push_str(&format!(
                "        {number} own_{name}[{}];\n        for (int k = 0; k < {entries}; ++k) own_{name}[k] = {name}[k * count + i];\n",
                entries.max(1)
            )),
            PortKind::Written(entries) => {
                before.push_str(&format!("        {number} own_{name}[{}];\n", entries.max(1)));
                after.push_str(&format!("        for (int k = 0; k < {entries}; ++k) {name}[k * count + i] = own_{name}[k];\n"));
            }
            _ => {}
        }
    }
    let at = if is_whole { "0, 1" } else { "i, count" };
    format!(
        "{PRELUDE}{}\n\
         extern \"C\" __global__ void __launch_bounds__({block}, {blocks})\n\
         {ENTRY}(unsigned long long *bad, long long first, long long count, {declared})\n{{\n    \
         const long long stride = (long long)gridDim.x * blockDim.x;\n    \
         for (long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x; i < count; i += stride) {{\n{before}        \
         const {number} found = {name}<{number}>({at}, {passed});\n{after}        \
         if (found != {number}(0)) atomicMin(bad, (unsigned long long)(first + i));\n    }}\n}}\n",
        code.text
    )
}

/// Rows of so many numbers as columns.
pub(super) fn turning(width: usize) -> Code {
    let name = format!("columns_of_rows_of_{width}");
    let text = format!(
        "template <typename T>\nAPPELL_DEVICE T {name}(long long i, long long count, const appell_scalar<T> *__restrict__ rows, \
         appell_scalar<T> *__restrict__ columns)\n{{\n    \
         for (int k = 0; k < {width}; ++k) columns[k * count + i] = rows[i * {width} + k];\n    return T(0);\n}}\n"
    );
    let port = |name: &str, kind| Port { name: name.into(), kind };
    let ports = vec![port("rows", PortKind::Read(width)), port("columns", PortKind::Written(width))];
    // Said to be long, so that nobody reads it as a whole: its rows are no columns.
    Code { name, text, ports, operations: u64::MAX }
}

/// What a port is, in words.
pub(super) const fn said(kind: PortKind) -> &'static str {
    match kind {
        PortKind::Read(_) => "read: entries of every state",
        PortKind::Written(_) => "written: entries of every state",
        PortKind::Shared(_) => "numbers that all states share",
        PortKind::Real => "a number",
        PortKind::Whole => "a whole number",
    }
}
