//! A page and a robot over HTTP, for browsers on this machine.

use anyhow::{Context, anyhow};
use serde_json::Value;
use std::fs;
use std::net::Ipv4Addr;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;
use tiny_http::{Header, Method, Request, Response, StatusCode};

/// How long nobody looks whether the program should end.
const PATIENCE: Duration = Duration::from_millis(200);

pub(super) struct Server {
    http: tiny_http::Server,
    port: u16,
}

/// What a request is answered.
struct Answer {
    status: u16,
    kind: &'static str,
    body: Vec<u8>,
}

/// The robot as the page reads it, if one was given.
type Given<'g> = &'g dyn Fn() -> anyhow::Result<Option<Value>>;

/// Files of its meshes: the page asks for them by their numbers, so that it can ask for no others.
type Meshes<'m> = &'m dyn Fn() -> Vec<PathBuf>;

impl Server {
    /// Listens on this machine; port 0 is a free one.
    pub(super) fn new(port: u16) -> anyhow::Result<Self> {
        let http = tiny_http::Server::http((Ipv4Addr::LOCALHOST, port))
            .map_err(|error| anyhow!("cannot listen on 127.0.0.1:{port}: {error}; give another --port"))?;
        let port = http.server_addr().to_ip().context("the server has no port")?.port();
        Ok(Self { http, port })
    }

    pub(super) fn address(&self) -> String {
        format!("http://127.0.0.1:{}/", self.port)
    }

    /// Answers until `is_over`.
    pub(super) fn serve(
        &self,
        page: &str,
        robot: Given<'_>,
        meshes: Meshes<'_>,
        is_over: impl Fn() -> bool,
    ) -> anyhow::Result<()> {
        while !is_over() {
            let Some(request) = self.http.recv_timeout(PATIENCE)? else { continue };
            let Answer { status, kind, body } = self.answer(&request, page, robot, meshes);
            let headers =
                [("Content-Type", kind), ("Cache-Control", "no-store"), ("X-Content-Type-Options", "nosniff")];
            let mut response = Response::from_data(body).with_status_code(StatusCode(status));
            for header in headers.iter().filter_map(|(name, value)| Header::from_bytes(*name, *value).ok()) {
                response.add_header(header);
            }
            // In a thread of its own, since a browser that reads slowly, or not at all, would keep the others waiting; one that went away
            // needs no answer.
            thread::spawn(move || request.respond(response));
        }
        Ok(())
    }

    fn answer(&self, request: &Request, page: &str, robot: Given<'_>, meshes: Meshes<'_>) -> Answer {
        let text = |status, body: String| Answer { status, kind: "text/plain; charset=utf-8", body: body.into() };
        // A name that somebody else's server gives to this machine's address would let his pages read the robot.
        let host = request.headers().iter().find(|header| header.field.equiv("Host"));
        let known = ["127.0.0.1", "localhost"].map(|name| format!("{name}:{}", self.port));
        if !host.is_some_and(|host| known.iter().any(|known| host.value.as_str() == known)) {
            return text(403, "this server is for browsers on this machine".into());
        }
        if !matches!(request.method(), Method::Get | Method::Head) {
            return text(405, "only GET".into());
        }
        let path = request.url().split('?').next().unwrap_or_default();
        match path {
            "/" => Answer { status: 200, kind: "text/html; charset=utf-8", body: page.into() },
            "/robot" => match robot() {
                Ok(Some(given)) => {
                    Answer { status: 200, kind: "application/json; charset=utf-8", body: given.to_string().into() }
                }
                Ok(None) => text(404, "no robot was given".into()),
                // A file that is being written may be gone for a moment: the page asks again.
                Err(error) => text(503, format!("{error:#}")),
            },
            _ => {
                let number = path.strip_prefix("/mesh/").and_then(|number| number.parse::<usize>().ok());
                match number.and_then(|number| read_mesh(meshes().get(number)?)) {
                    Some(body) => Answer { status: 200, kind: "application/octet-stream", body },
                    None => text(404, "there are only the page, the robot and its meshes".into()),
                }
            }
        }
    }
}

/// The bytes of a mesh, unless it is larger than a page would show.
fn read_mesh(path: &Path) -> Option<Vec<u8>> {
    const LARGEST: u64 = 128 << 20;
    let is_fit = fs::metadata(path).is_ok_and(|file| file.is_file() && file.len() <= LARGEST);
    is_fit.then(|| fs::read(path).ok()).flatten()
}
