//! What other libraries took in the same run.

/// The peers' result lines, `R,model,algorithm,peer,min_ns,median_ns,note`.
#[derive(Debug, Default)]
pub struct Peers {
    lines: Vec<(String, String, String, f64)>, // model, algorithm, peer, min
}

impl Peers {
    /// The file named by the variable `APPELL_PEERS`, or nothing.
    #[must_use]
    pub fn from_environment() -> Self {
        let text = std::env::var_os("APPELL_PEERS").and_then(|path| std::fs::read_to_string(path).ok());
        let parse = |line: &str| {
            let fields: Vec<&str> = line.split(',').collect();
            let ["R", model, algorithm, peer, min, ..] = fields[..] else { return None };
            Some((model.into(), algorithm.into(), peer.into(), min.parse().ok()?))
        };
        Self { lines: text.unwrap_or_default().lines().filter_map(parse).collect() }
    }

    /// Whether nothing was measured.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.lines.is_empty()
    }

    /// The fastest of these algorithms, with its peer: `(ns, "peer: algorithm")`.
    #[must_use]
    pub fn fastest(&self, model: &str, algorithms: &[&str]) -> Option<(f64, String)> {
        self.lines
            .iter()
            .filter(|(m, algorithm, _, _)| m == model && algorithms.contains(&algorithm.as_str()))
            .min_by(|a, b| a.3.total_cmp(&b.3))
            .map(|(_, algorithm, peer, min)| (*min, format!("{peer}: {algorithm}")))
    }
}
