// A Web Worker that brings the page the program, compiled. Unpacking it costs more than anything after it, so the browser keeps
// it unpacked, where it lets us: private windows, full disks and addresses without https may not.
"use strict";
importScripts("zstd.js");

// The directory of these files is named by what is in them, so that the address says which program it is.
const address = new URL("gaucho.wasm.zst", location).href;
const type = { "Content-Type": "application/wasm" };

// kept returns the program that an earlier visit has kept, if any.
async function kept() {
  const cache = await caches.open("gaucho"), response = await cache.match(address);
  return response && WebAssembly.compileStreaming(response);
}

// fetched returns the program, which the browser compiles while it comes, and puts what it is made of into pieces.
async function fetched(pieces) {
  const response = await fetch(address);
  if (!response.ok) throw new Error(`${address}: ${response.status} ${response.statusText}`);
  let take;
  const unpacked = response.body.pipeThrough(new TransformStream({
    start(stream) { take = zstd((bytes) => { pieces.push(bytes); stream.enqueue(bytes); }); },
    transform(bytes) { take(bytes); },
    flush() { take(null); },
  }));
  return WebAssembly.compileStreaming(new Response(unpacked, { headers: type }));
}

// keep keeps the program for later visits, in place of those that this site had before.
async function keep(pieces) {
  const cache = await caches.open("gaucho"), site = new URL("../", location).href;
  for (const { url } of await cache.keys()) {
    if (url.startsWith(site) && url !== address) await cache.delete(url);
  }
  await cache.put(address, new Response(new Blob(pieces), { headers: type }));
}

(async () => {
  const module = await kept().catch(() => null);
  if (module) return postMessage({ module });
  const pieces = [];
  postMessage({ module: await fetched(pieces) });
  await keep(pieces).catch((e) => console.info(`gaucho: the next visit will unpack the program again: ${e.message}`));
})().catch((e) => postMessage({ error: String(e.message ?? e) })).finally(() => close());
