// A Web Worker that runs the Go program: the kernel, or what it starts to run cells. The Go files main_js.go, start_js.go and
// pipe_js.go say what they expect of the object gaucho.
"use strict";
importScripts("wasm_exec.js", "ring.js", "files.js");

// run runs the program in this worker until it ends.
async function run({ module, args, directory }) {
  files.start(directory);
  fs.writeSync = (fd, bytes) => { postMessage({ words: bytes.slice() }); return bytes.length; };
  const go = new Go();
  go.argv = args;
  go.env = { HOME: "/home", TMPDIR: "/tmp", USER: "gaucho" };
  let status = 0;
  go.exit = (code) => { status = code; };
  // A fault of the program arrives here if it happens at its start, and as an event if it happens later.
  const fault = (error) => {
    postMessage({ words: new TextEncoder().encode(`fatal error: ${reason(error)}\n`) });
    postMessage({ end: 2 });
    close();
  };
  addEventListener("error", (e) => { e.preventDefault(); fault(e.error ?? e.message); });
  addEventListener("unhandledrejection", (e) => { e.preventDefault(); fault(e.reason); });
  const instance = await WebAssembly.instantiate(module, go.importObject);
  const ended = go.run(instance); // returns when the program first waits
  postMessage({ up: true });
  running = true;
  early.splice(0).forEach(take);
  await ended;
  postMessage({ end: status });
  close();
}

// reason puts what the browser reports in Go's own words.
function reason(error) {
  const text = String(error?.message ?? error);
  if (/call stack/i.test(text)) return "stack overflow";
  if (/memory/i.test(text)) return "out of memory";
  return text;
}

// The kernel: messages of Jupyter come from the page and go there.
function kernel(start) {
  globalThis.gaucho = {
    send: (channel, frames) => postMessage({ channel, frames }, frames.map((f) => f.buffer)),
    spawn: (args, message, words, end) => spawn(start, args, message, words, end),
  };
  return (data) => gaucho.receive(data.channel, data.frames);
}

const children = new Map(); // by number
let count = 0;

// spawn starts a worker in which cells run, with the module that this one runs.
function spawn({ module, directory }, args, message, words, end) {
  const worker = new Worker(self.location.href, { name: "gaucho cells" });
  const number = ++count;
  const memory = self.crossOriginIsolated ? Ring.memory() : null;
  const ring = memory && new Ring(memory);
  children.set(number, worker);
  const ended = (status) => {
    if (!children.delete(number)) return;
    worker.terminate();
    end(status);
  };
  worker.onmessage = ({ data }) => {
    if (data.file) postMessage({ file: { ...data.file, id: [number, data.file.id] } });
    else if (data.words) words(data.words);
    else if (data.end !== undefined) ended(data.end);
    else if (data.bytes) message(data.bytes);
  };
  worker.onerror = (e) => { words(new TextEncoder().encode(`fatal error: ${e.message}\n`)); ended(2); };
  worker.postMessage({ start: { module, args: ["gaucho", ...args], directory, memory } });
  return {
    send: (bytes) => ring ? ring.write(bytes, () => worker.postMessage({ look: true })) : worker.postMessage({ bytes }, [bytes.buffer]),
    kill: () => setTimeout(() => ended(-1)), // not within the call from Go
  };
}

// Where cells run: messages of package wire come from the kernel and go there.
function cells({ memory }) {
  const ring = memory && new Ring(memory);
  globalThis.gaucho = {
    send: (bytes) => postMessage({ bytes }, [bytes.buffer]),
    poll: () => ring ? ring.read() : null,
  };
  return (data) => {
    const bytes = data.bytes ?? ring.read();
    if (bytes) gaucho.receive(bytes);
  };
}

// The first message starts the program; others are answers about files, or for the program.
let take, running = false;
const early = []; // what came before the program could take it
onmessage = ({ data }) => {
  if (data.start) {
    take = data.start.args[1] === "kernel" ? kernel(data.start) : cells(data.start);
    run(data.start);
  } else if (data.file && Array.isArray(data.file.id)) {
    const [number, id] = data.file.id;
    children.get(number)?.postMessage({ file: { ...data.file, id } });
  } else if (data.file) files.answer(data.file);
  else if (running) take(data);
  else early.push(data);
};
