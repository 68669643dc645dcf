// Bytes from one worker to another by memory that both see, so that one that runs without a pause can look for them. Only pages
// that are isolated have such memory (headers Cross-Origin-Opener-Policy and Cross-Origin-Embedder-Policy).
"use strict";
globalThis.Ring = class {
  static size = 1 << 20;
  static memory() { return new SharedArrayBuffer(8 + Ring.size); }

  constructor(memory) {
    this.ends = new Int32Array(memory, 0, 2); // bytes read and bytes written so far, modulo 2^32
    this.bytes = new Uint8Array(memory, 8);
    this.queue = []; // what had no room yet
  }

  // write writes bytes, in pieces when they are many, and calls wake after each piece.
  write(bytes, wake) {
    this.queue.push(bytes);
    if (this.queue.length === 1) this.flush(wake);
  }

  flush(wake) {
    while (this.queue.length > 0) {
      const written = Atomics.load(this.ends, 1);
      const room = Ring.size - ((written - Atomics.load(this.ends, 0)) >>> 0);
      if (room === 0) { setTimeout(() => this.flush(wake), 1); return; }
      const piece = this.queue[0].subarray(0, room);
      const at = (written >>> 0) % Ring.size, first = Math.min(piece.length, Ring.size - at);
      this.bytes.set(piece.subarray(0, first), at);
      this.bytes.set(piece.subarray(first), 0);
      Atomics.store(this.ends, 1, (written + piece.length) | 0);
      wake();
      if (piece.length === this.queue[0].length) this.queue.shift();
      else this.queue[0] = this.queue[0].subarray(piece.length);
    }
  }

  // read returns what has been written and not read, null if there is nothing.
  read() {
    const read = Atomics.load(this.ends, 0);
    const length = (Atomics.load(this.ends, 1) - read) >>> 0;
    if (length === 0) return null;
    const bytes = new Uint8Array(length), at = (read >>> 0) % Ring.size, first = Math.min(length, Ring.size - at);
    bytes.set(this.bytes.subarray(at, at + first));
    bytes.set(this.bytes.subarray(0, length - first), first);
    Atomics.store(this.ends, 0, (read + length) | 0);
    return bytes;
  }
};
