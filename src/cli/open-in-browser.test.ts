/** Opening the page, with a program in the place of the browser that writes down what it gets. */
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { eventually } from "../testkit/eventually.ts";
import { openInBrowser } from "./open-in-browser.ts";
import { post, run, type Served, serve, stop } from "./test-support.ts";

const LINK = "http://127.0.0.1:4111/#token=a%2Bb&session=demo";

let folder: string;
let browser: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "interlingua-browser-"));
  browser = program("browser", 'printf "%s\\n" "$@" > "$0.args"; env > "$0.env"; cat "$1" > "$0.page"');
});

afterEach(() => rmSync(folder, { recursive: true }));

function program(name: string, script: string): string {
  const path = join(folder, name);
  writeFileSync(path, `#!/bin/sh\n${script}\n`);
  chmodSync(path, 0o755);
  return path;
}

function noted(what: "args" | "env" | "page"): string {
  return readFileSync(`${browser}.${what}`, "utf8");
}

/** Nobody is too slow. */
const handedOverMs = 600_000;

const environment = () => ({ ...process.env, BROWSER: browser, INTERLINGUA_TOKEN: "a+b" });

test("the browser gets a private file that leads to the link, and no token otherwise", async () => {
  expect(await openInBrowser(LINK, { environment: environment(), keepMs: 60_000, handedOverMs })).toBe(true);
  const file = noted("args").trim();
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(statSync(dirname(file)).mode & 0o777).toBe(0o700);
  expect(noted("page")).toContain(`content="0;url=${LINK.replace("&", "&#38;")}"`);
  expect(noted("args")).not.toMatch(/a\+b|a%2Bb/);
  expect(noted("env")).not.toMatch(/a\+b|a%2Bb/);
  rmSync(dirname(file), { recursive: true });
});

test("the file is removed afterwards, also when the program that opened it has ended", async () => {
  expect(await openInBrowser(LINK, { environment: environment(), keepMs: 1, handedOverMs })).toBe(true);
  const file = noted("args").trim();
  await eventually("the file is removed", () => !existsSync(dirname(file)));
});

test("BROWSER may be a list with arguments; what does not work is passed over", async () => {
  const failing = program("failing", "exit 3");
  const list = `${join(folder, "missing")}:${failing}:${browser} %s --new-window`;
  expect(
    await openInBrowser(LINK, { environment: { ...environment(), BROWSER: list }, keepMs: 1, handedOverMs }),
  ).toBe(true);
  expect(noted("args")).toMatch(/interlingua\.html\n--new-window\n$/);
});

test.each([{ BROWSER: "none" }, { BROWSER: "" }, { BROWSER: "/nonexistent/browser" }])(
  "without a browser nothing is opened: %j",
  async (more) => {
    const options = {
      environment: { PATH: process.env.PATH, ...more },
      platform: "linux",
      keepMs: 1,
    } as const;
    expect(await openInBrowser(LINK, options)).toBe(false);
  },
);

describe("the commands", () => {
  let data: string;
  let daemon: Served;

  beforeAll(async () => {
    data = mkdtempSync(join(tmpdir(), "interlingua-open-command-"));
    daemon = await serve(["--data", data]);
    await post(daemon, "/v1/sessions", { id: "demonstration", agent: "mock" });
  });

  afterAll(async () => {
    await stop(daemon);
    rmSync(data, { recursive: true });
  });

  test("open shows a session in the browser", async () => {
    const outcome = await run(["open", "demo", "--data", data], { environment: { BROWSER: browser } });
    expect(outcome).toEqual({
      code: 0,
      stdout: "",
      stderr: `interlingua: ${daemon.url} is open in the browser.\n`,
    });
    await eventually("the browser is started", () => existsSync(`${browser}.page`) && noted("page") !== "");
    expect(noted("page")).toContain(`${daemon.link}&#38;session=demonstration"`);
    rmSync(dirname(noted("args").trim()), { recursive: true });
  });

  test("open prints the link where there is no browser, and with --print", async () => {
    const printed = { code: 0, stdout: `${daemon.link}\n`, stderr: "" };
    const { port } = new URL(daemon.url);
    const tunnel = `ssh -L ${port}:127.0.0.1:${port}`;
    expect(await run(["open", "--data", data], { environment: { BROWSER: "/nonexistent/browser" } })).toEqual(
      {
        ...printed,
        stderr: expect.stringContaining(tunnel),
      },
    );
    expect(await run(["open", "--data", data], { environment: { BROWSER: "none" } })).toEqual(printed);
    const environment = { BROWSER: browser };
    expect(await run(["open", "--print", "--data", data], { environment })).toEqual(printed);
    expect(existsSync(`${browser}.args`)).toBe(false);
    const { stdout } = await run(["open", "--json", "--data", data]);
    expect(JSON.parse(stdout)).toEqual({ url: daemon.link, opened: false });
  });

  test("serve --open prints the link and opens it", async () => {
    const served = await serve(["--data", ":memory:", "--open"], { environment: { BROWSER: browser } });
    await eventually("the browser is started", () => existsSync(`${browser}.page`) && noted("page") !== "");
    expect(noted("page")).toContain(`url=${served.link}"`);
    rmSync(dirname(noted("args").trim()), { recursive: true });
    expect(await stop(served)).toMatchObject({ code: 0, stdout: `${served.link}\n` });
  });
});
