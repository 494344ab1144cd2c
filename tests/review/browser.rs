//! A browser without a window, driven by the DevTools protocol through a pipe: it takes keys, clicks and touches as a person's.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::{Duration, Instant};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};

/// Longest wait for an answer.
const PATIENCE: Duration = Duration::from_secs(60);

/// A browser with one page.
pub struct Browser {
    child: Child,
    input: ChildStdin,
    messages: Receiver<Value>,
    session: Option<String>,
    calls: u64,
    /// What went wrong on the page: exceptions, and what its policy refused.
    pub faults: Vec<String>,
}

impl Browser {
    /// Starts the browser that the environment's TENGEN_BROWSER names, or one that is found; prints a line and returns nothing where there is
    /// none. Its files are in `folder`.
    pub fn start(folder: &Path) -> Option<Self> {
        let named = std::env::var("TENGEN_BROWSER").ok();
        let names = ["chromium", "chromium-browser", "google-chrome", "chrome"].map(str::to_owned);
        let works = |name: &String| Command::new(name).arg("--version").output().is_ok_and(|output| output.status.success());
        let Some(name) = named.into_iter().chain(names).find(works).filter(|_| cfg!(unix)) else {
            println!("skipped: no browser; set TENGEN_BROWSER to a Chromium");
            return None;
        };
        // The protocol is spoken on descriptors 3 and 4.
        let mut child = Command::new("sh")
            .args(["-c", "exec \"$0\" \"$@\" 3<&0 4>&1 </dev/null >/dev/null", &name])
            .args(["--headless=new", "--no-sandbox", "--disable-gpu", "--remote-debugging-pipe", "--hide-scrollbars"])
            .arg(format!("--user-data-dir={}", folder.join("browser").display()))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let (input, output) = (child.stdin.take().unwrap(), BufReader::new(child.stdout.take().unwrap()));
        let (sender, messages) = channel();
        thread::spawn(move || {
            for message in output.split(0).map_while(Result::ok) {
                if sender.send(serde_json::from_slice(&message).unwrap()).is_err() {
                    break;
                }
            }
        });
        let mut browser = Self { child, input, messages, session: None, calls: 0, faults: Vec::new() };
        let target = browser.call("Target.createTarget", json!({ "url": "about:blank" }))["targetId"].clone();
        let attached = browser.call("Target.attachToTarget", json!({ "targetId": target, "flatten": true }));
        browser.session = attached["sessionId"].as_str().map(str::to_owned);
        for domain in ["Page", "Runtime", "Log"] {
            browser.call(&format!("{domain}.enable"), json!({}));
        }
        Some(browser)
    }

    /// Calls a method of the protocol.
    pub fn call(&mut self, method: &str, params: Value) -> Value {
        self.calls += 1;
        let mut message = json!({ "id": self.calls, "method": method });
        message["params"] = params;
        if let Some(session) = &self.session {
            message["sessionId"] = json!(session);
        }
        self.input.write_all(format!("{message}\0").as_bytes()).unwrap();
        self.input.flush().unwrap();
        loop {
            let message = self.messages.recv_timeout(PATIENCE).unwrap_or_else(|_| panic!("no answer to {method}"));
            if let Some("Runtime.exceptionThrown" | "Log.entryAdded") = message["method"].as_str() {
                self.faults.push(message["params"].to_string());
            }
            if message["id"] == json!(self.calls) {
                assert!(message["error"].is_null(), "{method}: {}", message["error"]);
                return message["result"].clone();
            }
        }
    }

    /// The value of a script.
    pub fn value(&mut self, script: &str) -> Value {
        let answer = self.call("Runtime.evaluate", json!({ "expression": script, "returnByValue": true }));
        assert!(answer["exceptionDetails"].is_null(), "{script}: {}", answer["exceptionDetails"]);
        answer["result"]["value"].clone()
    }

    /// Waits until a script says so.
    pub fn await_true(&mut self, script: &str) {
        let begun = Instant::now();
        while self.value(script) != json!(true) {
            assert!(begun.elapsed() < PATIENCE, "never: {script}");
            thread::sleep(Duration::from_millis(20));
        }
    }

    /// Opens a file.
    pub fn open(&mut self, file: &Path) {
        let plain = |byte: &u8| byte.is_ascii_alphanumeric() || b"/-_.".contains(byte);
        let path = file.to_str().unwrap();
        let url: String =
            path.bytes().map(|byte| if plain(&byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") }).collect();
        self.call("Page.navigate", json!({ "url": format!("file://{url}") }));
        self.await_true("document.readyState === 'complete' && document.body !== null && 'at' in document.body.dataset");
    }

    /// Makes the window so large.
    pub fn resize(&mut self, width: u32, height: u32, mobile: bool) {
        let metrics = json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": mobile });
        self.call("Emulation.setDeviceMetricsOverride", metrics);
        self.call("Emulation.setTouchEmulationEnabled", json!({ "enabled": mobile }));
    }

    /// Presses a key.
    pub fn key(&mut self, key: &str) {
        for kind in ["keyDown", "keyUp"] {
            self.call("Input.dispatchKeyEvent", json!({ "type": kind, "key": key, "code": key }));
        }
    }

    /// Clicks at a place of the window.
    pub fn click(&mut self, [x, y]: [f64; 2]) {
        for kind in ["mousePressed", "mouseReleased"] {
            let event = json!({ "type": kind, "x": x, "y": y, "button": "left", "buttons": 1, "clickCount": 1 });
            self.call("Input.dispatchMouseEvent", event);
        }
    }

    /// Moves a finger from one place to another.
    pub fn swipe(&mut self, from: [f64; 2], to: [f64; 2]) {
        let point = |[x, y]: [f64; 2]| json!([{ "x": x, "y": y }]);
        for (kind, points) in [("touchStart", point(from)), ("touchMove", point(to)), ("touchEnd", json!([]))] {
            self.call("Input.dispatchTouchEvent", json!({ "type": kind, "touchPoints": points }));
        }
    }

    /// Left, top, width and height of the element that a selector finds, once it is in the window.
    pub fn place(&mut self, selector: &str) -> [f64; 4] {
        let script = format!(
            "(() => {{ const e = document.querySelector({selector:?}); e.scrollIntoView({{ block: 'center' }}); \
             const b = e.getBoundingClientRect(); return [b.left, b.top, b.width, b.height]; }})()"
        );
        let numbers = self.value(&script);
        [0, 1, 2, 3].map(|index| numbers[index].as_f64().unwrap())
    }

    /// Clicks the middle of an element.
    pub fn click_on(&mut self, selector: &str) {
        let [left, top, width, height] = self.place(selector);
        self.click([left + width / 2.0, top + height / 2.0]);
    }

    /// A picture of the window.
    pub fn picture(&mut self) -> Vec<u8> {
        let picture = self.call("Page.captureScreenshot", json!({ "format": "png" }));
        STANDARD.decode(picture["data"].as_str().unwrap()).unwrap()
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
