// The container through which JupyterLite loads the extension, in the form of webpack's module federation: get returns the
// factory of a module, init receives what the application shares.
"use strict";
(() => {
  const name = "gaucho-lite";
  const base = new URL(".", document.currentScript.src).href;
  let shared = {};

  // load returns a module that the application shares.
  async function load(module) {
    const versions = Object.values(shared[module] ?? {});
    if (versions.length === 0) throw new Error(`gaucho-lite: this JupyterLite does not have ${module}; it needs 0.8 or newer`);
    return (await versions[0].get())();
  }

  async function extension() {
    const { IKernelSpecs, IKernelClient } = await load("@jupyterlite/services");
    const { register } = await import(base + "kernel.js");
    const plugin = {
      id: name + ":kernel",
      description: "Gaucho, a kernel for Go.",
      autoStart: true,
      requires: [IKernelSpecs, IKernelClient],
      activate: register,
    };
    return () => ({ __esModule: true, default: plugin });
  }

  globalThis._JUPYTERLAB = globalThis._JUPYTERLAB ?? {};
  globalThis._JUPYTERLAB[name] = {
    init: (scope) => { shared = scope; },
    get: (module) => {
      if (module !== "./extension") return Promise.reject(new Error(`${name} has no module ${module}`));
      return extension();
    },
  };
})();
