/**
 * Measures the page: a long session is opened and scrolled through, and somebody writes while an answer streams. Figures
 * are how long the page does not react. `bench/page.ts` is the benchmark.
 */
import type { Browser, Page } from "playwright-core";
import type { Figure, Scale } from "../../bench/harness/benchmark.ts";
import { quantile } from "../../bench/harness/quantile.ts";
import { createEngine } from "../../src/engine/create-engine.ts";
import { openStore } from "../../src/store/open-store.ts";
import { ScriptedAdapter } from "../../src/testkit/scripted-adapter.ts";
import { TESTER } from "../../src/testkit/tester.ts";
import { DaemonProcess, temporaryDirectory } from "../crash/daemon-process.ts";
import { openBrowser } from "./open-browser.ts";

const LONG = "long";

export async function measurePage(scale: Pick<Scale, "size">): Promise<Figure[]> {
  const browser = await openBrowser();
  if (!browser) throw new Error("No browser can be started here; INTERLINGUA_TEST_CHROME names one.");
  try {
    return await pageFigures(browser, scale);
  } finally {
    await browser.close();
  }
}

async function pageFigures(browser: Browser, { size }: Pick<Scale, "size">): Promise<Figure[]> {
  await using directory = await temporaryDirectory();
  const turns = size(2_500, 60);
  await liveThrough(directory.path, turns);
  await using stack = new AsyncDisposableStack();
  const daemon = await DaemonProcess.start(directory.path);
  stack.defer(() => daemon.kill("SIGTERM"));
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  stack.defer(() => context.close());
  const tab = await context.newPage();
  // A busy machine takes its time, which is then seen in the figures.
  tab.setDefaultTimeout(0);
  await tab.addInitScript(watchTasks);
  await tab.goto(`${daemon.url}/#token=${daemon.token}`);
  await tab.waitForSelector("[data-connection=live]", { state: "attached" });

  await longestTask(tab);
  await tab.evaluate((id) => {
    location.hash = `/sessions/${id}`;
  }, LONG);
  await tab.locator("[data-role=assistant]", { hasText: `Answer ${turns - 1}.` }).waitFor();
  await tab.evaluate(settled);
  const opening = await longestTask(tab);
  await tab.evaluate(scrollToStart);
  await tab.locator("[data-message]", { hasText: "Prompt 0." }).first().waitFor();
  const scrolling = await longestTask(tab);

  const { id } = await daemon.call<{ id: string }>("POST", "/v1/sessions", { agent: "mock" });
  await tab.evaluate((session) => {
    location.hash = `/sessions/${session}`;
  }, id);
  await tab.waitForSelector(`[data-session-status=idle]`, { state: "attached" });
  const text = "what one writes meanwhile ".repeat(size(8, 1));
  const quiet = await typed(tab, text);
  // More than anybody waits for: it streams as fast as it can until the last key, however fast the page reads.
  await daemon.prompt(id, "scenario:burst:100000000");
  await tab.locator("[data-role=assistant] [data-part=text]").first().waitFor();
  const busy = await typed(tab, text);
  await daemon.call("POST", `/v1/sessions/${id}/interrupt`, {});
  const count = (2 * turns).toLocaleString("en");
  return [
    { name: `${count} messages: longest task while opening`, unit: "ms", value: opening },
    { name: `${count} messages: longest task while scrolling through all`, unit: "ms", value: scrolling },
    ...[0.5, 0.95, 1].map((part) => ({
      name: `a key while an answer streams, ${part === 1 ? "slowest" : `p${part * 100}`}`,
      unit: "ms",
      value: quantile(busy, part),
      baseline: { name: "while nothing happens", value: quantile(quiet, part) },
    })),
  ];
}

/** A session of so many turns, each with an answer in Markdown. */
async function liveThrough(directory: string, turns: number): Promise<void> {
  const store = await openStore({ directory });
  const adapter = new ScriptedAdapter();
  let turn = 0;
  adapter.onConnect = (session) => {
    session.onCommand = ({ type }) => {
      if (type !== "prompt") return;
      session.say({ type: "text.start", part: `p${turn}` });
      session.say({ type: "text.delta", part: `p${turn}`, delta: answerText(turn) });
      session.say({ type: "text.end", part: `p${turn}` });
      session.say({ type: "turn.ended", outcome: "completed" });
    };
  };
  const engine = await createEngine({ store, agents: new Map([["mock", adapter]]) });
  await engine.run("createSession", { id: LONG, agent: "mock", cwd: "/" }, TESTER);
  for (; turn < turns; turn += 1) {
    const ended = new Promise<void>((done) => {
      const follower = engine.follow(LONG, (events) => {
        if (!events.some(({ json }) => json.includes('"type":"turn.ended"'))) return;
        follower.stop();
        done();
      });
    });
    const prompt = {
      parts: [{ type: "text" as const, text: `Prompt ${turn}.` }],
      whenBusy: "queue" as const,
    };
    await engine.run("prompt", { session: LONG, ...prompt }, TESTER);
    await ended;
  }
  await engine.close();
  await store.close();
}

function answerText(turn: number): string {
  const list = Array.from({ length: 1 + (turn % 6) }, (_, item) => `- **point ${item}** with \`code\` in it`);
  const code = turn % 3 === 0 ? `\n\n\`\`\`ts\nexport const turn = ${turn};\nconsole.log(turn);\n\`\`\`` : "";
  return `Answer ${turn}.\n\n${list.join("\n")}${code}`;
}

/** Runs in the page. */
function watchTasks(): void {
  const seen: number[] = [];
  Object.assign(globalThis, { longTasks: seen });
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) seen.push(duration);
  }).observe({ type: "longtask" });
}

/** Since it was asked before, in milliseconds; 0 where no task took 50. */
function longestTask(tab: Page): Promise<number> {
  return tab.evaluate(() => {
    const seen = (globalThis as unknown as { longTasks: number[] }).longTasks;
    const longest = Math.max(0, ...seen);
    seen.length = 0;
    return longest;
  });
}

/** Runs in the page: until it has drawn and has had time for what follows. */
function settled(): Promise<void> {
  return new Promise((done) =>
    requestAnimationFrame(() => requestIdleCallback(() => done(), { timeout: 3_000 })),
  );
}

/** Runs in the page: as fast as a person turns a wheel, and on when more was loaded. */
async function scrollToStart(): Promise<void> {
  const scroller = document.querySelector("[role=log]")!.closest(".overflow-y-auto")!;
  for (let still = 0; still < 60; ) {
    const before = scroller.scrollTop;
    scroller.scrollTop -= 900;
    await new Promise((done) => requestAnimationFrame(done));
    still = scroller.scrollTop === before || scroller.scrollTop === 0 ? still + 1 : 0;
  }
}

/** How long each key takes until what it wrote is drawn, in milliseconds. */
async function typed(tab: Page, text: string): Promise<number[]> {
  await tab.evaluate(() => {
    const times: number[] = [];
    Object.assign(globalThis, { keyTimes: times });
    const field = document.querySelector("#composer")!;
    let pressedAt = 0;
    field.addEventListener("keydown", (event) => {
      pressedAt = event.timeStamp;
    });
    field.addEventListener("input", () => {
      const from = pressedAt;
      requestAnimationFrame(() => {
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = () => times.push(performance.now() - from);
        port2.postMessage(undefined);
      });
    });
  });
  await tab.locator("#composer").pressSequentially(text, { delay: 30 });
  await tab.waitForFunction(
    (count) => (globalThis as unknown as { keyTimes: number[] }).keyTimes.length >= count,
    text.length,
  );
  const times = await tab.evaluate(() => (globalThis as unknown as { keyTimes: number[] }).keyTimes);
  await tab.locator("#composer").fill("");
  return times.slice(0, text.length);
}
