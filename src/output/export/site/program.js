// The program, compiled to WebAssembly: instances of it in workers, one for each core, that answer requests.
"use strict";

/** Starts an instance of the program. Returns a function that answers a request; a file goes with it as bytes. Complete in
 * itself, so that a worker can run its text. */
async function startProgram(module) {
  const { exports } = /** @type {any} */ (await WebAssembly.instantiate(module, {}));
  const output = (length) => (
    new TextDecoder().decode(new Uint8Array(exports.memory.buffer, exports.output() >>> 0, length)));
  return (request, bytes = new Uint8Array()) => {
    const line = new TextEncoder().encode(`${JSON.stringify(request)}\n`);
    const at = exports.input(line.length + bytes.length) >>> 0;
    const memory = new Uint8Array(exports.memory.buffer);
    memory.set(line, at);
    memory.set(bytes, at + line.length);
    try {
      return JSON.parse(output(exports.call()));
    } catch (error) {
      // The instance is lost.
      throw new Error(`internal error: ${output(exports.output_length()) || error.message}`);
    }
  };
}

/** What a worker does: the first message has the module, the others have requests. */
function serve(start, post) {
  let program = null;
  return async ({ id, module, request, bytes }) => {
    if (module) program = start(module);
    else {
      try {
        const answer = (await program)(request, bytes);
        post({ id, answer });
      } catch (error) {
        post({ id, failure: error.message });
      }
    }
  };
}

/** Starts a worker, or something like it where the browser starts none for a local file. */
function startWorker() {
  try {
    const script = `"use strict";\n${startProgram}\n${serve}\nconst answer = serve(startProgram, (message) => postMessage(message));\nonmessage = ({ data }) => answer(data);`;
    const address = URL.createObjectURL(new Blob([script], { type: "text/javascript" }));
    const worker = new Worker(address);
    setTimeout(() => URL.revokeObjectURL(address), 10_000);
    return worker;
  } catch {
    const worker = { terminate() { worker.onmessage = null; } };
    const answer = serve(startProgram, (data) => worker.onmessage?.({ data }));
    worker.postMessage = (message) => setTimeout(() => answer(message));
    return worker;
  }
}

/** Unpacks and compiles the program from its text in the page. */
async function compileProgram(text) {
  if (typeof WebAssembly !== "object" || typeof DecompressionStream !== "function") {
    throw new Error("This browser is too old for this page: it lacks WebAssembly, or the unpacking of compressed data. Browsers since 2023 have both.");
  }
  const packed = Uint8Array.from(atob(text.trim()), (c) => c.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  return WebAssembly.compile(await new Response(stream).arrayBuffer());
}

/** Workers that share requests. Each has read the same files. */
class Programs {
  /** `next` returns a request for a worker that has nothing to do, as `{ request, done }`, or null. */
  constructor(module, number, next) {
    Object.assign(this, { module, next, number: 0, jobs: new Map() });
    /** The requests that every worker answered, in order: a new worker answers them too. */
    this.known = [];
    this.urgent = [];
    this.workers = Array.from({ length: number }, () => this.started());
  }

  started() {
    const worker = { port: startWorker(), jobs: 0 };
    worker.port.onmessage = ({ data }) => this.answered(worker, data);
    worker.port.onerror = (event) => {
      event.preventDefault?.();
      this.lost(worker, "internal error: the worker ended");
    };
    worker.port.postMessage({ module: this.module });
    return worker;
  }

  post(worker, { request, bytes, done = () => {}, failed = () => {} }) {
    const id = this.number++;
    this.jobs.set(id, { worker, done, failed });
    worker.jobs += 1;
    worker.port.postMessage({ id, request, bytes });
  }

  answered(worker, { id, answer, failure }) {
    const job = this.jobs.get(id);
    if (!job) return;
    if (failure !== undefined) {
      this.lost(worker, failure);
      return;
    }
    this.jobs.delete(id);
    worker.jobs -= 1;
    if (answer.error !== undefined) job.failed(new Error(answer.error));
    else job.done(answer);
    this.feed();
  }

  /** Replaces a worker. Its requests fail. */
  lost(worker, message) {
    const own = [...this.jobs].filter(([, job]) => job.worker === worker);
    worker.port.terminate();
    const at = this.workers.indexOf(worker);
    if (at >= 0) this.workers[at] = this.replacement();
    for (const [id, job] of own) {
      this.jobs.delete(id);
      job.failed(new Error(message));
    }
    this.feed();
  }

  replacement() {
    const worker = this.started();
    for (const job of this.known) this.post(worker, job);
    return worker;
  }

  /** Gives every worker that has nothing to do a request. */
  feed() {
    for (const worker of this.workers) {
      if (worker.jobs) continue;
      const job = this.urgent.shift() ?? this.next();
      if (job) this.post(worker, job);
    }
  }

  /** Sends a request to every worker. Returns the first one's answer. A request with `fresh` undoes all others.
   * @param {object} request
   * @param {object} [more]
   * @param {Uint8Array} [more.bytes]
   * @param {boolean} [more.fresh] */
  toAll(request, { bytes, fresh = false } = {}) {
    if (fresh) {
      this.interrupt();
      this.known = [];
    }
    return new Promise((done, failed) => {
      this.workers.forEach((worker, at) => this.post(worker, at ? { request, bytes } : {
        request,
        bytes,
        // A file that cannot be read is no file: it has no number.
        done: (answer) => { this.known.push({ request, bytes }); done(answer); },
        failed,
      }));
    });
  }

  /** Sends a request to the first worker that is free. */
  ask(request) {
    return new Promise((done, failed) => {
      this.urgent.push({ request, done, failed });
      this.feed();
    });
  }

  /** Ends all work at once: workers that are busy are replaced, and their requests fail. */
  interrupt() {
    for (const { failed } of this.urgent.splice(0)) failed(new Error("Stopped."));
    for (const worker of this.workers.filter(({ jobs }) => jobs)) this.lost(worker, "Stopped.");
  }
}
