/** The page of several nodes behind a load balancer: it says where a session is, also after its node died. */
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { type LocalCluster, startLocalCluster } from "../../deploy/local-cluster.ts";
import { SURROUNDINGS } from "../../src/cli/test-support.ts";
import { untilAgentWorks } from "../cluster/node-sessions.ts";
import { TestCluster } from "../cluster/test-cluster.ts";
import { FOLDER } from "./looks.ts";
import { openBrowser } from "./open-browser.ts";
import { PageDaemon } from "./page-daemon.ts";
import { expectNoWrongs, openPage, send, showSession, untilStatus } from "./watched-page.ts";

const NODE = "[data-node]";

async function create({ url, token }: Pick<LocalCluster, "url" | "token">, id: string): Promise<void> {
  const response = await fetch(`${url}/v1/sessions`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify({ id, agent: "mock", title: "Where it lives", options: { pace: 0 } }),
  });
  if (!response.ok) throw new Error(await response.text());
}

/** Each prompt has an answer. */
async function untilAnswered(page: Page, prompts: number): Promise<void> {
  await page
    .locator("[data-message]")
    .nth(2 * prompts - 1)
    .waitFor();
  await untilStatus(page, "idle");
}

async function nodeShown(page: Page): Promise<string> {
  return ((await page.locator(NODE).textContent()) ?? "").trim();
}

test("the head of a session names its node, and the next one when that has died", async () => {
  const browser = await openBrowser();
  if (!browser) return;
  const folder = mkdtempSync(join(tmpdir(), "il-page-nodes-"));
  const root = join(folder, "atlas");
  mkdirSync(root);
  const cluster = await startLocalCluster({ nodes: 2, port: 0, root, environment: SURROUNDINGS });
  try {
    await create(cluster, "s");
    const watched = await openPage(browser, `${cluster.url}/#token=${cluster.token}`);
    const { page } = watched;
    await showSession(page, "s");
    await send(page, "scenario:text");
    await untilAnswered(page, 1);
    await page.waitForSelector(NODE);
    const first = await nodeShown(page);
    expect(["node-1", "node-2"]).toContain(first);
    await page.screenshot({ path: join(FOLDER, "node.png") });
    await page.setViewportSize({ width: 390, height: 780 });
    await page.screenshot({ path: join(FOLDER, "node-phone.png") });
    await page.setViewportSize({ width: 1280, height: 800 });

    const other = first === "node-1" ? "node-2" : "node-1";
    cluster.nodes.find(({ name }) => name === first)!.process.kill("SIGKILL");
    await page.waitForFunction(
      ([selector, name]) => document.querySelector(selector!)?.textContent?.trim() === name,
      [NODE, other],
      { timeout: 60_000 },
    );
    await send(page, "scenario:text and again");
    await untilAnswered(page, 2);
    expect(await nodeShown(page)).toBe(other);
    expectNoWrongs(watched);
  } finally {
    await browser.close();
    await cluster.close();
    rmSync(folder, { recursive: true, force: true });
  }
});

test("two nodes of one name are told apart by their numbers", async () => {
  const browser = await openBrowser();
  if (!browser) return;
  await using opened = new AsyncDisposableStack();
  opened.defer(() => browser.close());
  const cluster = opened.use(await TestCluster.start());
  const [a, b] = [await cluster.startNode({ name: "box" }), await cluster.startNode({ name: "box" })];
  await create({ url: a.client.url, token: a.client.token }, "s");
  await create({ url: b.client.url, token: b.client.token }, "t");
  const { nodes } = await a.client.call<{ nodes: { id: number; self: boolean }[] }>("GET", "/v1/nodes");
  const numberOf = (isA: boolean) => nodes.find(({ self }) => self === isA)!.id;
  const watched = await openPage(browser, `${a.client.url}/#token=${a.client.token}`);
  const { page } = watched;
  for (const [session, isA] of [
    ["s", true],
    ["t", false],
  ] as const) {
    await showSession(page, session);
    await page.waitForFunction(
      ([selector, label]) => document.querySelector(selector!)?.textContent === label,
      [NODE, `box #${numberOf(isA)}`],
    );
  }
  await page.screenshot({ path: join(FOLDER, "node-numbers.png") });
  b.kill("SIGKILL");
  // No other session is at a node of that name.
  await showSession(page, "s");
  await page.waitForFunction((selector) => document.querySelector(selector)?.textContent === "box", NODE);
  expectNoWrongs(watched);
});

test("one daemon alone names none", async () => {
  const browser = await openBrowser();
  if (!browser) return;
  const daemon = new PageDaemon();
  try {
    await daemon.start();
    await create({ url: daemon.origin, token: daemon.token }, "s");
    const { page } = await openPage(browser, daemon.link);
    await showSession(page, "s");
    await untilStatus(page, "idle");
    expect(await page.locator(NODE).count()).toBe(0);
  } finally {
    await browser.close();
    await daemon.close();
  }
});

test("a session whose files are at a node that is gone looks as if its agent worked", async () => {
  const browser = await openBrowser();
  if (!browser) return;
  await using opened = new AsyncDisposableStack();
  opened.defer(() => browser.close());
  const cluster = opened.use(await TestCluster.start());
  const [pin, other] = [
    await cluster.startNode({ name: "pin", root: cluster.temporary(), files: "pinned" }),
    await cluster.startNode({ name: "other", root: cluster.temporary(), files: "pinned" }),
  ];
  await pin.client.call("POST", "/v1/sessions", { id: "s", agent: "mock", options: { pace: 0 } });
  await pin.client.prompt("s", "scenario:hang", "first");
  await untilAgentWorks(pin, "s");
  await pin.client.prompt("s", "scenario:text", "second");
  const watched = await openPage(browser, `${other.client.url}/#token=${other.client.token}`);
  const { page } = watched;
  await showSession(page, "s");
  pin.kill("SIGKILL");
  const line = page.locator("[data-part=waits-for]", { hasText: "Waits for the node pin" });
  await line.waitFor();
  expect(await page.locator("[data-part=working]").count()).toBe(0);
  await page.screenshot({ path: join(FOLDER, "node-gone.png") });
  expectNoWrongs(watched);
});
