// Files of JupyterLite's drive, for the file system of a Web Worker (files.js).

const encoder = new TextEncoder();

export class Drive {
  constructor(contents) { this.contents = contents; }

  // answer does what a worker asks for and replies with what came of it.
  async answer({ id, op, path, to, data }, reply) {
    try {
      const result = await this[op](path, data ?? to);
      reply({ id, result }, result?.data ? [result.data.buffer] : []);
    } catch (e) {
      reply({ id, error: e.code ?? "ENOENT" }, []);
    }
  }

  async stat(path) {
    const model = await this.contents.get(path, { content: false });
    if (model.type === "directory") return { dir: true, time: Date.parse(model.last_modified) };
    // The size that the drive keeps is not always that of the bytes.
    return this.read(path).then(({ data, time }) => ({ size: data.length, time }));
  }

  async list(path) {
    const model = await this.contents.get(path, { content: true });
    if (model.type !== "directory") throw { code: "ENOTDIR" };
    return model.content.map((m) => m.name);
  }

  async read(path) {
    const { type, format, content, last_modified } = await this.contents.get(path, { content: true });
    const time = Date.parse(last_modified);
    if (type === "directory") return { dir: true, time };
    switch (format) {
      case "base64": return { data: Uint8Array.from(atob(content), (c) => c.charCodeAt(0)), time };
      case "json": return { data: encoder.encode(JSON.stringify(content, null, 1) + "\n"), time };
      default: return { data: encoder.encode(content ?? ""), time };
    }
  }

  async write(path, data) {
    let text;
    try {
      text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(data);
    } catch { /* not text */ }
    if (text !== undefined && path.endsWith(".ipynb")) {
      try {
        await this.contents.save(path, { type: "notebook", format: "json", content: JSON.parse(text) });
        return;
      } catch { /* not yet whole: a file as any other */ }
    }
    if (text !== undefined) {
      await this.contents.save(path, { type: "file", format: "text", content: text });
      return;
    }
    let binary = "";
    for (let i = 0; i < data.length; i += 0x8000) binary += String.fromCharCode(...data.subarray(i, i + 0x8000));
    await this.contents.save(path, { type: "file", format: "base64", content: btoa(binary) });
  }

  mkdir(path) { return this.contents.save(path, { type: "directory" }).then(() => {}); }

  rename(path, to) { return this.contents.rename(path, to).then(() => {}); }

  async remove(path) {
    await this.contents.get(path, { content: false });
    await this.contents.delete(path);
  }
}
