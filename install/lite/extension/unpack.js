// A Web Worker that fetches a file and decompresses it, piece by piece, to the page.
"use strict";
importScripts("zstd.js");

onmessage = async ({ data: name }) => {
  try {
    const response = await fetch(name);
    if (!response.ok) throw new Error(`${name}: ${response.status} ${response.statusText}`);
    const take = zstd((bytes) => postMessage({ bytes }, [bytes.buffer]));
    for (const reader = response.body.getReader(); ;) {
      const { done, value } = await reader.read();
      take(done ? null : value);
      if (done) break;
    }
    postMessage({ end: true });
  } catch (e) {
    postMessage({ error: String(e.message ?? e) });
  }
};
