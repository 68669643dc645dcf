// Zstandard's format (RFC 8878), decompressed as it comes. Browsers do not read it themselves, and the program is a fifth smaller by it
// than by what they read. Checksums are not looked at, dictionaries and skippable frames not known.
"use strict";
const zstd = (() => {
  const maxBlock = 1 << 17;
  const margin = 8; // in front of a block, whose last bits may be read together with what is before them

  // Lengths of literals and matches: a code's least value, and how many more bits follow.
  const literalBits = Uint8Array.of(...Array(16).fill(0), 1, 1, 1, 1, 2, 2, 3, 3, 4, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16);
  const matchBits = Uint8Array.of(...Array(32).fill(0), 1, 1, 1, 1, 2, 2, 3, 3, 4, 4, 5, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16);
  const bases = (least, bits) => Uint32Array.from(bits, (n) => { const base = least; least += 2 ** n; return base; });
  const literalBase = bases(0, literalBits), matchBase = bases(3, matchBits);

  const log2 = (n) => 31 - Math.clz32(n);

  // table makes the decoding table of a finite state entropy code from its probabilities, in units of 2^-log; -1 is less than one.
  function table(log, probabilities) {
    const size = 1 << log, symbol = new Uint8Array(size), bits = new Uint8Array(size), base = new Uint16Array(size);
    const next = probabilities.map((p) => Math.abs(p));
    let high = size, at = 0;
    probabilities.forEach((p, s) => { if (p < 0) symbol[--high] = s; });
    const step = (size >> 1) + (size >> 3) + 3;
    probabilities.forEach((p, s) => {
      for (let i = 0; i < p; i++) {
        symbol[at] = s;
        do at = (at + step) & (size - 1); while (at >= high);
      }
    });
    for (let i = 0; i < size; i++) {
      const n = next[symbol[i]]++;
      bits[i] = log - log2(n);
      base[i] = (n << bits[i]) - size;
    }
    return { log, symbol, bits, base };
  }
  const only = (s) => ({ log: 0, symbol: Uint8Array.of(s), bits: new Uint8Array(1), base: new Uint16Array(1) });

  const few = (n) => Array(n).fill(-1), ones = (n) => Array(n).fill(1), twos = (n) => Array(n).fill(2);
  const usual = [ // for literals' lengths, offsets, and matches' lengths
    table(6, [4, 3, ...twos(11), 1, 1, 1, ...twos(9), 3, 2, ...ones(5), ...few(4)]),
    table(5, [...ones(6), 2, 2, 2, ...ones(15), ...few(5)]),
    table(6, [1, 4, 3, ...twos(6), ...ones(37), ...few(7)]),
  ];

  // readTable reads the description of a code that begins at a byte, and returns it with where it ends.
  function readTable(s, begin) {
    let at = 8 * begin;
    const read = (n) => {
      const b = at >> 3, v = (s[b] | s[b + 1] << 8 | s[b + 2] << 16) >> (at & 7) & ((1 << n) - 1);
      at += n;
      return v;
    };
    const log = read(4) + 5, probabilities = [];
    for (let left = 1 << log; left > 0;) {
      const n = log2(left + 1) + 1, half = (1 << (n - 1)) - 1, short = (1 << n) - 2 - left;
      let v = read(n);
      if ((v & half) < short) { v &= half; at--; }
      else if (v > half) v -= short;
      probabilities.push(v - 1);
      left -= Math.abs(v - 1);
      if (v !== 1) continue;
      for (let more = 3; more === 3;) {
        more = read(2);
        for (let i = 0; i < more; i++) probabilities.push(0);
      }
    }
    return [table(log, probabilities), (at + 7) >> 3];
  }

  // Most bits are read from the end of bytes to their beginning, where the highest bit that is set is not one of them. last is where
  // they end, and n bits are read at what is left when they are taken off.
  const last = (s, end) => 8 * (end - 1) + log2(s[end - 1]);
  function read(s, at, n) {
    const b = at >> 3;
    return (s[b] | s[b + 1] << 8 | s[b + 2] << 16 | s[b + 3] << 24) >>> (at & 7) & ((1 << n) - 1); // up to 24
  }

  // readHuffman reads a Huffman code, and returns it with where it ends.
  function readHuffman(s, begin) {
    const head = s[begin++], weights = [];
    let end = begin + head;
    if (head >= 128) {
      for (let i = 0; i < head - 127; i++) weights.push(i & 1 ? s[begin + (i >> 1)] & 15 : s[begin + (i >> 1)] >> 4);
      end = begin + ((head - 126) >> 1);
    } else {
      const [code, from] = readTable(s, begin);
      let at = last(s, end);
      const states = [read(s, at -= code.log, code.log), read(s, at -= code.log, code.log)];
      for (let i = 0; ; i ^= 1) { // two take turns until no bits are left
        const n = code.bits[states[i]];
        weights.push(code.symbol[states[i]]);
        states[i] = code.base[states[i]] + read(s, at -= n, n);
        if (at < 8 * from) { weights.push(code.symbol[states[i ^ 1]]); break; }
      }
    }
    const sum = weights.reduce((sum, w) => sum + (w && 1 << (w - 1)), 0), log = log2(sum) + 1;
    weights.push(log2((1 << log) - sum) + 1);
    const symbol = new Uint8Array(1 << log), bits = new Uint8Array(1 << log);
    for (let w = 1, at = 0; w <= log; w++) {
      weights.forEach((v, s) => {
        if (v !== w) return;
        symbol.fill(s, at, at + (1 << (w - 1)));
        bits.fill(log + 1 - w, at, at += 1 << (w - 1));
      });
    }
    return [{ log, symbol, bits }, end];
  }

  // readStream decodes a stream of literals that ends at end, those from one place to another.
  function readStream({ log, symbol, bits }, s, end, out, from, to) {
    const mask = (1 << log) - 1;
    let at = last(s, end) - log;
    for (let i = from; i < to; i++) {
      const b = at >> 3, v = (s[b] | s[b + 1] << 8 | s[b + 2] << 16) >> (at & 7) & mask;
      out[i] = symbol[v];
      at -= bits[v];
    }
  }

  // frames decodes, and writes each block. It yields how many bytes it wants next: they are then in s from the margin on.
  function* frames(s, write) {
    const number = (at, n) => { let v = 0; while (n-- > 0) v = v * 256 + s[at + n]; return v; };
    while ((yield 5) > 0) {
      if (number(margin, 4) !== 0xfd2fb528) throw new Error("not a frame of zstd");
      const flags = s[margin + 4], single = flags & 32, sizes = [single ? 1 : 0, 2, 4, 8][flags >> 6];
      let window = 0;
      if (!single) {
        yield 1;
        window = 2 ** (10 + (s[margin] >> 3)) * (1 + (s[margin] & 7) / 8);
      }
      if (flags & 3) throw new Error("a dictionary of zstd");
      yield sizes;
      if (single) window = number(margin, sizes) + (sizes === 2 ? 256 : 0);
      yield* blocks(s, window, number, write);
      if (flags & 4) yield 4;
    }
  }

  function* blocks(s, window, number, write) {
    const out = new Uint8Array(2 * Math.max(window, maxBlock)); // what may be referred to, and what comes next
    const state = { out, at: 0, repeated: [1, 4, 8], tables: [...usual], huffman: null, literals: new Uint8Array(maxBlock) };
    for (let last = false; !last;) {
      yield 3;
      const head = number(margin, 3), kind = head >> 1 & 3, size = head >> 3;
      last = head & 1;
      if (state.at + maxBlock > out.length) {
        out.copyWithin(0, state.at - window, state.at);
        state.at = window;
      }
      const begin = state.at;
      yield kind === 1 ? 1 : size;
      if (kind === 0) out.set(s.subarray(margin, margin + size), begin);
      if (kind === 1) out.fill(s[margin], begin, begin + size);
      if (kind === 2) block(state, s, margin + size, number);
      else state.at += size;
      write(out.slice(begin, state.at));
    }
  }

  // block decodes a compressed block, which ends at end.
  function block(state, s, end, number) {
    const [literals, count, from] = readLiterals(state, s, number);
    let at = from, n = s[at++];
    if (n === 255) { n = number(at, 2) + 0x7f00; at += 2; }
    else if (n >= 128) n = (n - 128) * 256 + s[at++];
    if (n === 0) {
      state.out.set(literals.subarray(0, count), state.at);
      state.at += count;
      return;
    }
    const modes = s[at++];
    for (let i = 0; i < 3; i++) {
      const mode = modes >> (6 - 2 * i) & 3;
      if (mode === 0) state.tables[i] = usual[i];
      if (mode === 1) state.tables[i] = only(s[at++]);
      if (mode === 2) [state.tables[i], at] = readTable(s, at);
    }
    sequences(state, s, last(s, end), n, literals, count);
  }

  // readLiterals returns the literals of a block, how many they are, and where their section ends.
  function readLiterals(state, s, number) {
    const kind = s[margin] & 3, form = s[margin] >> 2 & 3, out = state.literals;
    if (kind < 2) {
      const length = [1, 2, 1, 3][form], n = number(margin, length) >> (length === 1 ? 3 : 4), from = margin + length;
      if (kind === 0) return [s.subarray(from, from + n), n, from + n];
      return [out.fill(s[from], 0, n), n, from + 1];
    }
    const length = [3, 3, 4, 5][form], each = 2 ** [10, 10, 14, 18][form], head = Math.floor(number(margin, length) / 16);
    const n = head % each, end = margin + length + Math.floor(head / each);
    let at = margin + length;
    if (kind === 2) [state.huffman, at] = readHuffman(s, at);
    if (form === 0) {
      readStream(state.huffman, s, end, out, 0, n);
      return [out, n, end];
    }
    const part = (n + 3) >> 2;
    let begin = at + 6; // of the next stream
    for (let i = 0; i < 4; i++) {
      begin = i < 3 ? begin + number(at + 2 * i, 2) : end;
      readStream(state.huffman, s, begin, out, i * part, Math.min((i + 1) * part, n));
    }
    return [out, n, end];
  }

  // sequences puts a block together: literals, and matches with what is before. p is where the bits end that say of which.
  function sequences(state, s, p, n, literals, count) {
    const { out, tables: [L, O, M] } = state;
    let { at, repeated: [first, second, third] } = state, used = 0;
    let l = read(s, p -= L.log, L.log), o = read(s, p -= O.log, O.log), m = read(s, p -= M.log, M.log);
    for (; n > 0; n--) {
      const code = O.symbol[o], matchCode = M.symbol[m], literalCode = L.symbol[l];
      let bits = Math.max(code - 16, 0), value = 1 << code;
      value |= read(s, p -= bits, bits) << (code - bits); // the upper bits, of which there may be more than read reads
      bits = code - bits;
      value |= read(s, p -= bits, bits);
      bits = matchBits[matchCode];
      const match = matchBase[matchCode] + read(s, p -= bits, bits);
      bits = literalBits[literalCode];
      const literal = literalBase[literalCode] + read(s, p -= bits, bits);
      let offset = value - 3;
      if (offset > 0) {
        third = second;
        second = first;
      } else { // one of the last three, or a little less than the last
        const which = literal === 0 ? value + 1 : value;
        offset = which === 1 ? first : which === 2 ? second : which === 3 ? third : first - 1;
        if (which > 2) third = second;
        if (which > 1) second = first;
      }
      first = offset;
      if (n > 1) {
        l = L.base[l] + read(s, p -= L.bits[l], L.bits[l]);
        m = M.base[m] + read(s, p -= M.bits[m], M.bits[m]);
        o = O.base[o] + read(s, p -= O.bits[o], O.bits[o]);
      }
      for (const end = used + literal; used < end;) out[at++] = literals[used++];
      for (const end = at + match; at < end; at++) out[at] = out[at - offset];
    }
    while (used < count) out[at++] = literals[used++];
    state.at = at;
    state.repeated = [first, second, third];
  }

  // decoder returns a function that takes the bytes of a file as they come, null at the end; write takes what they hold.
  return function decoder(write) {
    const s = new Uint8Array(margin + maxBlock + margin), decode = frames(s, write);
    let wanted = decode.next().value, have = 0;
    return (bytes) => {
      if (bytes === null && (have > 0 || !decode.next(0).done)) throw new Error("the file ends too early");
      for (let at = 0; bytes && at < bytes.length;) {
        const n = Math.min(wanted - have, bytes.length - at);
        s.set(bytes.subarray(at, at + n), margin + have);
        at += n;
        if ((have += n) < wanted) break;
        do wanted = decode.next(have).value; while (wanted === 0);
        have = 0;
      }
    };
  };
})();
