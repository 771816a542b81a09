// A browser without a window, by the DevTools protocol over a pipe: `NUL` ends each message. Nothing is installed for it.

import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Milliseconds that an answer may take. */
const PATIENCE = 60_000;

/** Starts Chromium, and returns a function that opens pages, and one that ends it. */
export async function launch(program) {
  const profile = mkdtempSync(join(tmpdir(), "dedup-page-"));
  const flags = [
    "--headless=new",
    "--remote-debugging-pipe",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--hide-scrollbars",
    `--user-data-dir=${profile}`,
  ];
  const child = spawn(program, flags, { stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"] });
  const waiting = new Map();
  const listeners = new Set();
  let [number, rest] = [0, Buffer.alloc(0)];
  child.stdio[4].on("data", (bytes) => {
    rest = Buffer.concat([rest, bytes]);
    for (let end = rest.indexOf(0); end >= 0; end = rest.indexOf(0)) {
      const message = JSON.parse(rest.subarray(0, end).toString());
      rest = rest.subarray(end + 1);
      const call = waiting.get(message.id);
      if (call) {
        waiting.delete(message.id);
        clearTimeout(call.timer);
        if (message.error) call.reject(new Error(`${call.method}: ${message.error.message}`));
        else call.resolve(message.result);
      } else {
        listeners.forEach((listen) => listen(message));
      }
    }
  });
  const ended = new Promise((resolve) => child.on("exit", resolve));
  ended.then(() => waiting.forEach(({ reject, method }) => reject(new Error(`${method}: the browser ended`))));

  function send(method, params = {}, sessionId = undefined) {
    number += 1;
    const id = number;
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`${method}: no answer`)), PATIENCE);
      waiting.set(id, { resolve, reject, method, timer });
      child.stdio[3].write(`${JSON.stringify({ id, method, params, sessionId })}\0`);
    });
  }

  /** Opens a page and waits until it is loaded. */
  async function open(url, { width = 1280, height = 900, dark = false, phone = false } = {}) {
    const { targetId } = await send("Target.createTarget", { url: "about:blank" });
    const { sessionId } = await send("Target.attachToTarget", { targetId, flatten: true });
    const call = (method, params) => send(method, params, sessionId);
    const messages = [];
    let loaded;
    const isLoaded = new Promise((resolve) => (loaded = resolve));
    const listen = (message) => {
      if (message.sessionId !== sessionId) return;
      const { method, params } = message;
      if (method === "Page.loadEventFired") loaded();
      if (method === "Log.entryAdded") messages.push(params.entry.text);
      if (method === "Runtime.exceptionThrown") {
        messages.push(params.exceptionDetails.exception?.description ?? params.exceptionDetails.text);
      }
      if (method === "Runtime.consoleAPICalled") messages.push(params.args.map((arg) => arg.value).join(" "));
      if (method === "Network.requestWillBeSent" && !/^(file|data|about|blob):/.test(params.request.url)) {
        messages.push(`request: ${params.request.url}`);
      }
    };
    listeners.add(listen);
    await Promise.all(["Page", "Runtime", "Log", "Network"].map((domain) => call(`${domain}.enable`)));
    await call("Emulation.setDeviceMetricsOverride", { width, height, deviceScaleFactor: 1, mobile: phone });
    const features = [{ name: "prefers-color-scheme", value: dark ? "dark" : "light" }];
    await call("Emulation.setEmulatedMedia", { features });
    await call("Page.navigate", { url });
    await isLoaded;
    const page = {
      messages,
      call,
      /** The value of an expression in the page, once it is there. */
      async value(expression) {
        const answer = await call("Runtime.evaluate", { expression, awaitPromise: true, returnByValue: true });
        if (answer.exceptionDetails) {
          throw new Error(`${expression}: ${answer.exceptionDetails.exception?.description}`);
        }
        return answer.result.value;
      },
      /** Waits until an expression is true, frame by frame. */
      async until(expression) {
        const wait = `new Promise((resolve, reject) => {
          const end = performance.now() + 20000;
          (function look() {
            if (${expression}) resolve(true);
            else if (performance.now() > end) reject(new Error("it did not become true"));
            else requestAnimationFrame(look);
          })();
        })`;
        await page.value(wait);
      },
      /** Presses a key, such as `n` or `ArrowDown`. */
      async key(key) {
        const codes = { Enter: 13, Escape: 27, ArrowDown: 40, ArrowUp: 38, End: 35, Home: 36, Tab: 9 };
        const text = key.length === 1 ? key : key === "Enter" ? "\r" : undefined;
        const common = { key, windowsVirtualKeyCode: codes[key] ?? key.toUpperCase().charCodeAt(0) };
        await call("Input.dispatchKeyEvent", { type: "keyDown", text, ...common });
        await call("Input.dispatchKeyEvent", { type: "keyUp", ...common });
      },
      /** Clicks the middle of the first element of a selector, as a person does. */
      async click(selector) {
        const place = await page.value(`(() => {
          const element = document.querySelector(${JSON.stringify(selector)});
          element.scrollIntoView({ block: "center", behavior: "instant" });
          const box = element.getBoundingClientRect();
          return [box.left + box.width / 2, box.top + box.height / 2];
        })()`);
        const mouse = { x: place[0], y: place[1], button: "left", clickCount: 1 };
        await call("Input.dispatchMouseEvent", { type: "mousePressed", ...mouse });
        await call("Input.dispatchMouseEvent", { type: "mouseReleased", ...mouse });
      },
      /** Sets a field as typing does. */
      async fill(selector, text) {
        await page.value(`(() => {
          const field = document.querySelector(${JSON.stringify(selector)});
          field.value = ${JSON.stringify(text)};
          field.dispatchEvent(new Event("input", { bubbles: true }));
        })()`);
        await page.value("new Promise((resolve) => setTimeout(resolve))");
      },
      /** The bytes of a picture of what is seen, or of the whole page. */
      async picture(whole = false) {
        const { data } = await call("Page.captureScreenshot", { format: "png", captureBeyondViewport: whole });
        return Buffer.from(data, "base64");
      },
      /** The bytes of the page as PDF. */
      async print() {
        return Buffer.from((await call("Page.printToPDF", { printBackground: true })).data, "base64");
      },
      async close() {
        listeners.delete(listen);
        await send("Target.closeTarget", { targetId });
      },
    };
    return page;
  }

  async function close() {
    await send("Browser.close").catch(() => child.kill());
    await ended;
    rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
  }

  return { open, close };
}
