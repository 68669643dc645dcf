// The file system that a Go program sees in a Web Worker, in the form of Node's fs, which Go's syscall/js expects. Below /drive
// are the files of JupyterLite's drive, which the page reads and writes; everything else is in memory and goes with the worker.
"use strict";
(() => {
  const drive = "/drive";
  const constants = { O_RDONLY: 0, O_WRONLY: 1, O_RDWR: 2, O_CREAT: 64, O_EXCL: 128, O_TRUNC: 512, O_APPEND: 1024, O_DIRECTORY: 65536 };
  const memory = new Map([["/", { dir: true, time: Date.now() }], ["/tmp", { dir: true, time: Date.now() }], ["/home", { dir: true, time: Date.now() }]]);
  const open = new Map(); // file number to { path, node, flags, position, dirty }
  const waiting = new Map();
  let directory = "/", files = 3, asked = 0;

  const failure = (code, message = code) => Object.assign(new Error(message), { code });

  // absolute returns a path without "." and "..".
  function absolute(path) {
    const parts = [];
    for (const p of (path.startsWith("/") ? path : directory + "/" + path).split("/")) {
      if (p === "..") parts.pop();
      else if (p !== "" && p !== ".") parts.push(p);
    }
    return "/" + parts.join("/");
  }
  const onDrive = (path) => path === drive || path.startsWith(drive + "/");
  const parent = (path) => path.slice(0, Math.max(path.lastIndexOf("/"), 0)) || "/";

  // ask has the page do something with a file of the drive.
  function ask(op, path, more = {}) {
    const id = ++asked;
    return new Promise((resolve, reject) => {
      waiting.set(id, { resolve, reject });
      postMessage({ file: { id, op, path: path.slice(drive.length + 1), ...more } });
    });
  }

  async function lookup(path, whole) {
    if (path === drive) return { dir: true, time: Date.now() };
    if (onDrive(path)) return ask(whole ? "read" : "stat", path);
    const node = memory.get(path);
    if (!node) throw failure("ENOENT");
    return node;
  }

  function within(path) {
    const node = memory.get(parent(path));
    if (!onDrive(path) && !node?.dir) throw failure(node ? "ENOTDIR" : "ENOENT");
  }

  const stats = (node) => {
    const size = node.dir ? 0 : node.data?.length ?? node.size, time = node.time || 0;
    return {
      dev: 0, ino: 0, mode: node.dir ? 0o40755 : 0o100644, nlink: 1, uid: 0, gid: 0, rdev: 0, size, blksize: 4096,
      blocks: Math.ceil(size / 512), atimeMs: time, mtimeMs: time, ctimeMs: time, isDirectory: () => !!node.dir,
    };
  };

  function file(fd) {
    const f = open.get(fd);
    if (!f) throw failure("EBADF");
    return f;
  }

  function resize(f, length) {
    const data = new Uint8Array(length);
    data.set(f.node.data.subarray(0, length));
    f.node.data = data;
  }

  async function save(f) {
    if (!f.dirty) return;
    f.dirty = false;
    f.node.time = Date.now();
    if (onDrive(f.path)) await ask("write", f.path, { data: f.node.data.slice() });
  }

  const operations = {
    async open(path, flags) {
      path = absolute(path);
      let node;
      try {
        node = await lookup(path, true);
        if (flags & constants.O_CREAT && flags & constants.O_EXCL) throw failure("EEXIST");
        if (node.dir && flags & 3) throw failure("EISDIR");
      } catch (e) {
        if (e.code !== "ENOENT" || !(flags & constants.O_CREAT)) throw e;
        within(path);
        node = { data: new Uint8Array(0), time: Date.now() };
        if (onDrive(path)) await ask("write", path, { data: node.data });
        else memory.set(path, node);
      }
      const f = { path, node, flags, position: 0, dirty: false };
      if (!node.dir && flags & constants.O_TRUNC && flags & 3) { node.data = new Uint8Array(0); f.dirty = true; }
      open.set(++files, f);
      return files;
    },
    async close(fd) {
      const f = file(fd);
      open.delete(fd);
      await save(f);
    },
    async fsync(fd) { await save(file(fd)); },
    async read(fd, buffer, offset, length, position) {
      if (fd < 3) return 0;
      const f = file(fd), from = position ?? f.position;
      if (f.node.dir) throw failure("EISDIR");
      const part = f.node.data.subarray(from, from + length);
      buffer.set(part, offset);
      if (position === null) f.position += part.length;
      return part.length;
    },
    async write(fd, buffer, offset, length, position) {
      const bytes = buffer.subarray(offset, offset + length);
      if (fd < 3) {
        if (globalThis.gaucho?.raw) gaucho.raw(fd, bytes);
        else fs.writeSync(fd, bytes);
        return length;
      }
      const f = file(fd);
      if (!(f.flags & 3)) throw failure("EBADF");
      const at = f.flags & constants.O_APPEND ? f.node.data.length : position ?? f.position;
      if (at + length > f.node.data.length) {
        // Room for as much again, so that many small writes take linear time.
        const room = f.node.data.buffer.byteLength - f.node.data.byteOffset;
        if (at + length <= room) f.node.data = new Uint8Array(f.node.data.buffer, 0, at + length);
        else {
          const larger = new Uint8Array(Math.max(2 * (at + length), 4096));
          larger.set(f.node.data);
          f.node.data = larger.subarray(0, at + length);
        }
      }
      f.node.data.set(bytes, at);
      f.dirty = true;
      if (position === null) f.position = at + length;
      return length;
    },
    async stat(path) { return stats(await lookup(absolute(path))); },
    async fstat(fd) { return stats(fd < 3 ? { size: 0 } : file(fd).node); },
    async ftruncate(fd, length) { const f = file(fd); resize(f, length); f.dirty = true; },
    async truncate(path, length) {
      const fd = await this.open(path, constants.O_RDWR);
      await this.ftruncate(fd, length);
      await this.close(fd);
    },
    async readdir(path) {
      path = absolute(path);
      if (onDrive(path)) return ask("list", path);
      if (!memory.get(path)?.dir) throw failure("ENOTDIR");
      const names = [...memory.keys()].filter((p) => p !== "/" && parent(p) === path).map((p) => p.slice(p.lastIndexOf("/") + 1));
      return path === "/" ? [...names, drive.slice(1)] : names;
    },
    async mkdir(path) {
      path = absolute(path);
      if (await lookup(path).then(() => true, () => false)) throw failure("EEXIST");
      within(path);
      if (onDrive(path)) await ask("mkdir", path);
      else memory.set(path, { dir: true, time: Date.now() });
    },
    async rename(from, to) {
      from = absolute(from); to = absolute(to);
      if (onDrive(from) && onDrive(to)) {
        await ask("remove", to).catch(() => {});
        return ask("rename", from, { to: to.slice(drive.length + 1) });
      }
      const node = await lookup(from, true);
      if (node.dir && onDrive(from) !== onDrive(to)) throw failure("EXDEV");
      if (onDrive(to)) await ask("write", to, { data: node.data.slice() });
      else {
        within(to);
        memory.set(to, node);
        for (const p of [...memory.keys()]) if (p.startsWith(from + "/")) { memory.set(to + p.slice(from.length), memory.get(p)); memory.delete(p); }
      }
      return this.remove(from);
    },
    async remove(path) {
      if (onDrive(path)) return ask("remove", path);
      if (!memory.delete(path)) throw failure("ENOENT");
    },
    async unlink(path) {
      path = absolute(path);
      if ((await lookup(path)).dir) throw failure("EISDIR");
      return this.remove(path);
    },
    async rmdir(path) {
      path = absolute(path);
      if (!(await lookup(path)).dir) throw failure("ENOTDIR");
      if ((await this.readdir(path)).length > 0) throw failure("ENOTEMPTY");
      return this.remove(path);
    },
    async utimes(path, _, time) { (await lookup(absolute(path))).time = time * 1000; },
    async chmod(path) { await lookup(absolute(path)); },
    async fchmod() {},
    async chown() {},
    async fchown() {},
    async lchown() {},
    async readlink() { throw failure("EINVAL"); },
    async link() { throw failure("EPERM"); },
    async symlink() { throw failure("EPERM"); },
  };
  operations.lstat = operations.stat;

  globalThis.fs = { constants, writeSync: (fd, bytes) => bytes.length };
  for (const [name, f] of Object.entries(operations)) {
    fs[name] = (...args) => {
      const done = args.pop();
      f.apply(operations, args).then((value) => done(null, value), (e) => done(e.code ? e : failure("EIO", String(e))));
    };
  }
  globalThis.process = {
    getuid: () => 0, getgid: () => 0, geteuid: () => 0, getegid: () => 0, getgroups: () => [], pid: 1, ppid: 0, umask: () => 0o22,
    cwd: () => directory,
    chdir(path) { directory = absolute(path); },
  };
  globalThis.path = { resolve: (...parts) => absolute(parts.join("/")) };

  // What worker.js uses.
  globalThis.files = {
    start: (location) => { directory = absolute(drive + "/" + location); },
    answer({ id, result, error }) {
      const { resolve, reject } = waiting.get(id);
      waiting.delete(id);
      if (error) reject(failure(error));
      else resolve(result);
    },
  };
})();
