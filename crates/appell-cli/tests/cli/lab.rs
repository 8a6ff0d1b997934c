//! `appell lab` and `appell show --page`: the laboratory's page with a robot.

use crate::support::{Folder, Run, repository};
use serde_json::Value;
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};

/// What the page has of what the command line replaces.
const PAGE: &str = "<meta content=\"default-src 'none'; connect-src 'none'\"><!-- appell: head --><body>bench</body>";

fn command(page: &str, args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_appell"));
    command
        .args(args)
        .env("APPELL_LABORATORY", page)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command
}

fn ran(page: &str, args: &[&str]) -> Run {
    let output = command(page, args).output().unwrap();
    Run {
        code: output.status.code().unwrap(),
        stdout: String::from_utf8(output.stdout).unwrap(),
        stderr: String::from_utf8(output.stderr).unwrap(),
    }
}

/// A server that ends with the test.
struct Served {
    child: Child,
    port: u16,
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn served(page: &str, robot: &str) -> Served {
    let mut child = command(page, &["lab", robot, "--no-browser"]).spawn().unwrap();
    let mut address = String::new();
    BufReader::new(child.stdout.as_mut().unwrap()).read_line(&mut address).unwrap();
    let port = address.trim().strip_prefix("http://127.0.0.1:").and_then(|rest| rest.strip_suffix('/')).unwrap();
    let port = port.parse().unwrap();
    Served { child, port }
}

impl Served {
    /// Status and body of a request.
    fn ask(&self, request: &str, host: &str) -> (u16, String) {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        write!(stream, "{request} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n").unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        let (head, body) = answer.split_once("\r\n\r\n").unwrap();
        (head.split(' ').nth(1).unwrap().parse().unwrap(), body.to_owned())
    }

    fn get(&self, path: &str) -> (u16, String) {
        self.ask(&format!("GET {path}"), &format!("127.0.0.1:{}", self.port))
    }
}

#[test]
fn the_lab_serves_the_page_and_the_robot_as_its_file_is_now() {
    let folder = Folder::new();
    let file = folder.write("arm.toml", "name = \"one\"\n");
    let served = served(&folder.write("page.html", PAGE), &file);
    let (status, page) = served.get("/");
    assert_eq!(status, 200);
    assert!(page.contains("connect-src 'self'") && !page.contains("connect-src 'none'"), "{page}");
    assert!(page.contains("<meta name=\"appell-lab\">"), "{page}");
    let robot = || -> Value { serde_json::from_str(&served.get("/robot").1).unwrap() };
    assert_eq!(robot()["file"], "arm.toml");
    assert_eq!(robot()["text"], "name = \"one\"\n");
    fs::write(&file, "name = \"two\"\n").unwrap();
    assert_eq!(robot()["text"], "name = \"two\"\n", "a file that changed is read again");
    fs::remove_file(&file).unwrap();
    let (status, why) = served.get("/robot");
    assert!(status == 503 && why.contains("file not found"), "{status} {why}");
}

#[test]
fn the_lab_answers_this_machine_alone_and_nothing_but_its_page() {
    let folder = Folder::new();
    let served = served(&folder.write("page.html", PAGE), "delta");
    assert_eq!(served.get("/robot").1, "{\"name\":\"delta\",\"meshes\":[]}");
    assert_eq!(served.get("/../../etc/passwd").0, 404);
    let own = format!("127.0.0.1:{}", served.port);
    assert_eq!(served.ask("POST /robot", &own).0, 405);
    assert_eq!(served.ask("GET /robot", "robots.example").0, 403, "another name for this machine");
}

#[test]
fn the_lab_serves_meshes_that_the_robot_names_and_no_other_file() {
    let folder = Folder::new();
    let page = folder.write("page.html", PAGE);
    for made in ["arm_description/urdf", "arm_description/meshes"] {
        fs::create_dir_all(folder.path(made)).unwrap();
    }
    folder.write("arm_description/meshes/bar.stl", "solid bar");
    folder.write("arm_description/meshes/secret.stl", "solid secret");
    folder.write("arm_description/urdf/near.obj", "v 0 0 0");
    let visual = |file: &str| format!("<visual><geometry><mesh filename=\"{file}\"/></geometry></visual>");
    folder.write("arm_description/urdf/notes.txt", "secret");
    let bar = "package://arm_description/meshes/bar.stl";
    let visuals = [bar, "near.obj", "package://gone/x.stl", "http://example/y.stl", "notes.txt"].map(visual);
    let urdf = format!(
        "<robot name=\"arm\"><link name=\"base\"/><link name=\"bar\">{}</link><joint name=\"j\" type=\"continuous\"><parent \
         link=\"base\"/><child link=\"bar\"/></joint></robot>",
        visuals.concat()
    );
    let served = served(&page, &folder.write("arm_description/urdf/arm.urdf", urdf));
    let robot: Value = serde_json::from_str(&served.get("/robot").1).unwrap();
    assert_eq!(robot["meshes"], serde_json::json!(["bar.stl", "near.obj"]));
    assert_eq!(served.get("/mesh/0"), (200, "solid bar".into()));
    assert_eq!(served.get("/mesh/1"), (200, "v 0 0 0".into()));
    for other in ["/mesh/2", "/mesh/-1", "/mesh/../meshes/secret.stl", "/mesh/"] {
        assert_eq!(served.get(other).0, 404, "{other}");
    }
}

#[test]
fn show_writes_the_page_with_the_robot_inside() {
    let folder = Folder::new();
    let page = folder.write("page.html", PAGE);
    let arm = format!("# </script><b>\n{}", fs::read_to_string(repository("crates/appell/robots/scara.toml")).unwrap());
    let (file, out) = (folder.write("arm.toml", &arm), folder.shown("out.html"));
    let run = ran(&page, &["show", &file, "--at", "0.1,0.2,0.03,0.4", "--page", &out]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    let written = folder.text("out.html");
    assert!(written.contains("connect-src 'none'") && written.ends_with("<body>bench</body>"), "{written}");
    let (_, rest) = written.split_once("<script type=\"application/json\" id=\"robot\">").unwrap();
    let (json, _) = rest.split_once("</script>").unwrap();
    let given: Value = serde_json::from_str(json).unwrap();
    assert_eq!(given["text"], arm);
    assert_eq!(given["q"], serde_json::json!([0.1, 0.2, 0.03, 0.4]));

    let run = ran(&page, &["show", "delta", "--page", &out]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert!(folder.text("out.html").contains("{\"name\":\"delta\",\"q\":["));
}

#[test]
fn a_page_that_is_missing_or_another_says_what_to_do() {
    let folder = Folder::new();
    let other = folder.write("other.html", "<html></html>");
    let missing = ran(&folder.shown("none.html"), &["lab", "delta", "--no-browser"]);
    assert!(missing.code == 2 && missing.stderr.contains("none.html: file not found"), "{}", missing.stderr);
    let run = ran(&other, &["lab", "delta", "--no-browser"]);
    assert!(run.code == 2 && run.stderr.contains("make laboratory"), "{}", run.stderr);
    let robot = ran(&other, &["show", "none.toml", "--page", "x.html"]);
    assert!(robot.code == 2 && robot.stderr.contains("file not found"), "{}", robot.stderr);
}
