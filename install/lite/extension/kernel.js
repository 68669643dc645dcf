// The page's side of the kernel: it starts the Web Worker in which the kernel lives, carries messages between it and
// JupyterLite, and reads and writes the files of JupyterLite's drive for it.

import { Drive } from "./drive.js";

const base = new URL(".", import.meta.url);

// The program is compiled once for all kernels of the page.
let compiled;
function program() {
  compiled ??= new Promise((resolve, reject) => {
    const worker = new Worker(new URL("program.js", base), { name: "gaucho program" });
    worker.onmessage = ({ data: { module, error } }) => module ? resolve(module) : reject(new Error(error));
    worker.onerror = (e) => reject(new Error(e.message));
  });
  compiled.catch(() => { compiled = undefined; });
  return compiled;
}

const encoder = new TextEncoder();
const decoder = new TextDecoder();
const encode = (value) => encoder.encode(JSON.stringify(value ?? {}));
const decode = (frame) => JSON.parse(decoder.decode(frame));
const bytesOf = (b) => ArrayBuffer.isView(b) ? new Uint8Array(b.buffer, b.byteOffset, b.byteLength).slice() : new Uint8Array(b).slice();

// Like JupyterLab's Signal, as far as a kernel's users go.
class Signal {
  constructor(sender) { this.sender = sender; this.slots = []; }
  connect(f, self) { this.slots.push([f, self]); return true; }
  disconnect(f, self) { this.slots = this.slots.filter(([g, s]) => g !== f || s !== self); return true; }
  emit(value) { for (const [f, self] of [...this.slots]) f.call(self, this.sender, value); }
}

// A Kernel is what JupyterLite takes for one. Unlike other kernels in the page it answers nothing itself and takes each message
// at once: the order of answers is the kernel's own, so that completion and widgets need not wait for a cell that runs.
export class Kernel {
  constructor({ id, name, location, sendMessage }, contents) {
    Object.assign(this, { id, name, location, sendMessage, isDisposed: false });
    this.disposed = new Signal(this);
    this.client = "";
    this.worker = new Worker(new URL("worker.js", base), { name: "gaucho" });
    this.drive = new Drive(contents);
    this.ready = this.start();
  }

  async start() {
    const module = await program();
    const up = new Promise((resolve, reject) => {
      this.worker.onmessage = ({ data }) => {
        if (data.file) this.drive.answer(data.file, (reply, move) => this.worker.postMessage({ file: reply }, move));
        else if (data.up) resolve();
        else if (data.end !== undefined) console.error(`gaucho: the kernel ended with status ${data.end}`);
        else if (data.words) console.warn(decoder.decode(data.words));
        else this.pass(data);
      };
      this.worker.onerror = (e) => reject(new Error(e.message));
    });
    this.worker.postMessage({ start: { module, args: ["gaucho", "kernel"], directory: this.location } });
    return up;
  }

  // pass gives a message of the kernel to JupyterLite, which wants to find the client that it is for in its header.
  pass({ channel, frames }) {
    const [header, parent_header, metadata, content] = frames.slice(0, 4).map(decode);
    header.session = parent_header.session ?? this.client;
    const buffers = frames.slice(4).map((f) => f.buffer);
    this.sendMessage({ channel, header, parent_header, metadata, content, buffers });
  }

  async handleMessage(message) {
    const { channel, header, parent_header, metadata, content, buffers } = message;
    this.client = header.session;
    const frames = [header, parent_header, metadata, content].map(encode).concat((buffers ?? []).map(bytesOf));
    this.worker.postMessage({ channel, frames }, frames.map((f) => f.buffer));
  }

  interrupt() {
    const header = { msg_id: `${this.id}-interrupt-${Date.now()}`, msg_type: "interrupt_request", session: this.client, username: "", version: "5.4", date: new Date().toISOString() };
    return this.handleMessage({ channel: "control", header, parent_header: {}, metadata: {}, content: {} });
  }

  dispose() {
    if (this.isDisposed) return;
    this.isDisposed = true;
    this.worker.terminate(); // and with it the one in which cells run
    this.disposed.emit();
  }
}

// early brings the program while JupyterLab still starts, if the reader will likely run cells: because this browser keeps it from an
// earlier visit, or since the site has no other kernel.
async function early(app, specs) {
  const kept = await globalThis.caches?.match(new URL("gaucho.wasm.zst", base), { cacheName: "gaucho" }).catch(() => null);
  if (!kept) await app.started;
  if (kept || Object.keys(specs.specs.kernelspecs).length === 1) await program();
}

// register makes the kernel known. JupyterLite's interrupt only forgets cells that wait, so that of its client is replaced.
export function register(app, specs, client) {
  const kernels = new Map();
  specs.register({
    spec: {
      name: "gaucho",
      display_name: "Gaucho (Go)",
      language: "go",
      argv: [],
      resources: { "logo-32x32": new URL("logo-32x32.png", base).href, "logo-64x64": new URL("logo-64x64.png", base).href },
    },
    create: async (options) => {
      const kernel = new Kernel(options, app.serviceManager.contents);
      kernels.set(options.id, kernel);
      kernel.disposed.connect(() => kernels.delete(options.id));
      return kernel;
    },
  });
  early(app, specs).catch(() => {}); // whoever starts a kernel is told
  const interrupt = client.interrupt.bind(client);
  client.interrupt = (id) => kernels.has(id) ? kernels.get(id).interrupt() : interrupt(id);
}
