/** The dialect of examples/dialect/ and odd ones, named by the config of a real daemon, and what is told of those that cannot be used. */
import { execFile } from "node:child_process";
import { chmodSync, cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createView } from "../examples/dialect/view.ts";
import { describeDialectContract } from "../src/testkit/dialect-contract/index.ts";
import { until } from "../src/testkit/until.ts";
import { DaemonProcess } from "./crash/daemon-process.ts";

const ROOT = resolve(import.meta.dirname, "..");
const BIN = join(ROOT, "bin/interlingua.js");

let directory: string;

function makeDirectory(): string {
  return realpathSync(mkdtempSync(join(tmpdir(), "interlingua-dialect-modules-")));
}

function writeConfig(dialects: unknown): void {
  writeFileSync(join(directory, "config.json"), JSON.stringify({ dialects }));
}

/** A module of a dialect, with further members or others in their place. */
function moduleOf(members: Readonly<Record<string, string>> = {}, before = ""): string {
  const all: Record<string, string> = {
    description: '"For tests"',
    path: '"/mine"',
    routes: "{ read }",
    view: '{ scope: "session", resume: "cursor", create: () => ({ add: () => [] }) }',
    handlers: "() => ({ read: (_, call) => call.answer(200, 'read') })",
    ...members,
  };
  const body = Object.entries(all).map(([name, value]) => `  ${name}: ${value},`);
  return `import { defineRoute, z } from "interlingua/dialect";
const read = ${routeOf("/mine/{id}")};
${before}
export default {
${body.join("\n")}
};
`;
}

function routeOf(path: string, more = 'right: "session.read"'): string {
  return `defineRoute({
  method: "get", path: ${JSON.stringify(path)}, operationId: "read", summary: "Read", ${more},
  request: { params: z.object({ id: z.string().optional() }) },
  responses: { 200: { description: "Text", content: { "text/plain": { schema: z.string() } } } },
})`;
}

describeDialectContract({
  name: "examples/dialect",
  view: { scope: "session", resume: "cursor", create: createView },
});

describe("in a daemon", () => {
  let daemon: DaemonProcess;

  beforeAll(async () => {
    directory = makeDirectory();
    for (const file of ["dialect.ts", "view.ts"])
      cpSync(join(ROOT, "examples/dialect", file), join(directory, "lines", file), { recursive: true });
    const streamOf = (run: string) =>
      `() => ({ read: (_, call) => call.stream({ headers: { "content-type": "text/plain" } }, ${run}) })`;
    const odd: Record<string, string> = {
      "throws-handlers": moduleOf({ handlers: "() => { throw new Error('no handlers today') }" }),
      "throws-handler": moduleOf({ handlers: "() => ({ read() { throw new Error('a private detail') } })" }),
      "gives-nothing": moduleOf({ handlers: "() => ({ read() {} })" }),
      "has-no-handler": moduleOf({ handlers: "() => ({})" }),
      "throws-later": moduleOf({
        handlers:
          "() => ({ read(_, call) { setTimeout(() => { throw new Error('in a timer') }, 1); Promise.reject(new Error('not caught')); return call.answer(200, 'read') } })",
      }),
      "throws-in-stream": moduleOf({ handlers: streamOf("async () => { throw new Error('in a stream') }") }),
      "throws-in-listener": moduleOf({
        handlers: streamOf(
          "(sink) => { sink.onClose(() => { throw new Error('in a listener') }); sink.writeText('x'); sink.end() }",
        ),
      }),
      "throws-keys": moduleOf({ keys: "() => { throw new Error('in keys') }" }),
      "throws-problem": moduleOf({ describeProblem: "() => { throw new Error('in words') }" }),
      "throws-view": moduleOf({
        view: '{ scope: "session", resume: "cursor", create: () => ({ add() { throw new Error("in a view") } }) }',
        handlers: `({ sessions }) => ({ read: ({ params }, call) => call.stream({ headers: { "content-type": "text/plain" }, closingFrame: (reason) => reason }, (sink) =>
          sessions.follow(sink, params.id, { after: 0, view: { add() { throw new Error("in a view") } } })) })`,
      }),
      "steals-keys": moduleOf({
        keys: "(event) => event.type === 'session.created' ? ['mine'] : []",
        handlers: `({ store }) => ({ async read(_, call) {
          const found = await store.findKey("agentsmithy", "mine");
          return call.answer(200, JSON.stringify(found ?? null));
        } })`,
      }),
    };
    const dialects: Record<string, unknown> = { lines: "./lines/dialect.ts" };
    for (const [name, content] of Object.entries(odd)) {
      writeFileSync(join(directory, `${name}.ts`), content.replaceAll("/mine", `/${name}`));
      dialects[name] = { module: `${name}.ts` };
    }
    writeConfig(dialects);
    daemon = await DaemonProcess.start(directory);
    await daemon.call("POST", "/v1/sessions", { id: "s", agent: "mock", options: { pace: 0 } });
  }, 60_000);

  afterAll(async () => {
    await daemon.kill("SIGTERM");
    rmSync(directory, { recursive: true });
  });

  const get = async (path: string) => {
    const response = await daemon.request("GET", path);
    return { status: response.status, text: await response.text() };
  };

  it("the example takes a prompt, shows the ask, takes the answer and resumes after a line", async () => {
    const sent = (await daemon.call("POST", "/lines/s", { text: "scenario:approve" })) as { after: number };
    let ask: string | undefined;
    await until(async () => {
      const events = (await daemon.events("s")).map((line) => JSON.parse(line));
      ask = events.find(({ type }) => type === "ask.opened")?.ask;
      return ask !== undefined;
    });
    const answered = await daemon.request("POST", `/lines/s/asks/${ask}`, { option: "allow" });
    expect(answered.status).toBe(204);
    await until(async () => (await daemon.events("s")).some((line) => line.includes('"turn.ended"')));
    await daemon.call("PATCH", "/v1/sessions/s", { status: "closed" });
    const lines = (await get(`/lines/s?after=${sent.after}`)).text.trimEnd().split("\n");
    expect(lines.map((line) => line.split(" ")[1])).toEqual(
      expect.arrayContaining(["say", "tool", "ask", "end"]),
    );
    const third = Number(lines[2]!.split(" ")[0]);
    expect((await get(`/lines/s?after=${third}`)).text.trimEnd().split("\n")).toEqual(lines.slice(3));
  });

  it("its routes stand behind the guard and are described", async () => {
    const plain = await fetch(`${daemon.url}/lines/s`);
    expect(plain.status).toBe(401);
    expect(await plain.text()).toMatch(/^! \{"code":"unauthorized"/);
    const foreign = await fetch(`${daemon.url}/lines/s`, {
      headers: { authorization: `Bearer ${daemon.token}`, origin: "https://elsewhere.example" },
    });
    expect(foreign.status).toBe(403);
    expect(JSON.parse((await get("/v1/openapi.json")).text).paths["/lines/{session}"].post).toMatchObject({
      operationId: "lines.send",
      "x-right": "session.prompt",
    });
  });

  it.each(["throws-handlers", "throws-handler", "gives-nothing", "has-no-handler"])(
    "a request to %s is answered with 500 and no details",
    async (name) => {
      const { status, text } = await get(`/${name}/s`);
      expect(status).toBe(500);
      expect(JSON.parse(text)).toMatchObject({ code: "internal" });
      expect(text).not.toContain("detail today");
      expect(text).not.toContain("a private detail");
    },
  );

  it("what nobody caught ends neither the daemon nor the answer", async () => {
    expect(await get("/throws-later/s")).toEqual({ status: 200, text: "read" });
    expect((await get("/throws-in-stream/s")).status).toBe(200);
    expect((await get("/throws-in-listener/s")).text).toBe("x");
    expect((await get("/v1/health")).status).toBe(200);
  });

  it("a view that throws ends its stream, and X-ray shows the other dialects", async () => {
    const { status, text } = await get("/throws-view/s");
    expect(status).toBe(200);
    expect(text).toContain('The dialect "throws-view" failed');
    const xray = await get("/v1/sessions/s/xray?seq=5");
    expect(xray.status, xray.text).toBe(200);
    expect(xray.text).toContain("throws-view");
  });

  it("keys that throw lose no event, and no dialect finds the keys of another", async () => {
    await daemon.call("POST", "/v1/sessions", { id: "keyed", agent: "mock" });
    expect((await daemon.events("keyed")).length).toBeGreaterThan(0);
    expect(JSON.parse((await get("/steals-keys/s")).text)).toMatchObject({ session: "keyed" });
  });

  it("words that cannot be found are those of a problem document", async () => {
    const response = await fetch(`${daemon.url}/throws-problem/s`);
    expect(response.status).toBe(401);
    expect(await response.json()).toMatchObject({ code: "unauthorized" });
  });
});

describe("a dialect that cannot be used is refused at the start, in one line", () => {
  beforeEach(() => {
    directory = makeDirectory();
  });
  afterEach(() => rmSync(directory, { recursive: true }));

  /** What `serve` says; it must not start. */
  async function refusal(): Promise<string> {
    const args = [BIN, "serve", "--port", "0", "--data", directory, "--root", directory];
    const failed = await promisify(execFile)(process.execPath, args, { timeout: 50_000 }).then(
      () => ({ stderr: "it started" }),
      (error: { stderr: string }) => error,
    );
    return failed.stderr;
  }

  it.each<[string, string, string]>([
    ["no default", "export const dialect = {};", "it has no default export"],
    ["a syntax error", "export default {;", "it could not be loaded"],
    ["throws at load", "throw new Error('not today');", "it could not be loaded: not today."],
    [
      "a function that throws",
      "export default () => { throw new Error('no') };",
      "making the dialect failed: no",
    ],
    ["a number", "export default 5;", "gives no dialect"],
    ["no view", moduleOf({ view: "undefined" }), "view is no object"],
    ["a view without create", moduleOf({ view: '{ scope: "session", resume: "none" }' }), "view.create"],
    ["handlers that are none", moduleOf({ handlers: "{}" }), "handlers is no function"],
    [
      "a route without a right",
      moduleOf({ routes: "{ read: { ...read, right: undefined } }" }),
      "routes.read.right is no right, and nobody could call it",
    ],
    [
      "a right that does not exist",
      moduleOf({ routes: '{ read: { ...read, right: "constructor" } }' }),
      "routes.read.right is no right",
    ],
    [
      "a route without a token",
      moduleOf({ routes: `{ read: ${routeOf("/mine/{id}", "security: []")} }` }),
      "every route from outside needs a token",
    ],
    [
      "a channel without a right",
      moduleOf({ channels: '[{ path: "/mine/live", handler: () => async () => () => {} }]' }),
      "channels[0].right is no right",
    ],
    ["a route elsewhere", moduleOf({ routes: `{ read: ${routeOf("/v1/sessions")} }` }), "Move it under"],
    ["a pattern as path", moduleOf({ path: '"/*"' }), "path cannot be used"],
    ["a path under /v1", moduleOf({ path: '"/v1/mine"' }), 'path "/v1/mine" is the daemon\'s own'],
    ["any path", moduleOf({ path: '"/{any}"' }), "is the daemon's own"],
    ["the path of the chat", moduleOf({ path: '"/api/chat"', routes: "{}" }), '"chat" at "/api/chat"'],
    ["a path of the page", moduleOf({ path: '"/assets"', routes: "{}" }), "which is the daemon's own"],
    [
      "a header of the guard",
      moduleOf({ headers: '{ "access-control-allow-origin": "*" }' }),
      "the daemon's own",
    ],
    [
      "two routes for one request",
      moduleOf({ routes: `{ read, other: ${routeOf("/mine/{other}")} }` }),
      "match the same requests",
    ],
  ])("%s", async (_, content, reason) => {
    writeFileSync(join(directory, "mine.ts"), content);
    writeConfig({ mine: "mine.ts" });
    const said = await refusal();
    expect(said).toContain(`dialects.mine.module: ${join(directory, "mine.ts")}: `);
    expect(said).toContain(reason);
    expect(said.trim().split("\n")).toHaveLength(1);
  });

  it.each<[unknown, string]>([
    [{ mine: "nowhere.ts" }, "dialects.mine.module: there is no file"],
    [{ chat: "mine.ts" }, "dialects.chat.module: "],
    [{ v1: "mine.ts" }, 'the dialect "v1" comes with Interlingua. Give yours another name.'],
    [{ "a b": "mine.ts" }, "dialects.a b: use up to 64 lower case letters"],
    [{ mine: "" }, "dialects.mine.module: must not be empty"],
    [{ mine: { modul: "mine.ts" } }, "dialects.mine.modul: there is no such setting"],
    [{ mine: { module: "mine.ts", options: {} } }, "nothing takes the options. Take them out."],
    [{ mine: "mine.ts", other: "mine.ts" }, "overlap. Move one to another path."],
  ])("%j", async (dialects, reason) => {
    writeFileSync(join(directory, "mine.ts"), moduleOf());
    writeConfig(dialects);
    expect(await refusal()).toContain(reason);
  });

  it("a file that others can write", async () => {
    mkdirSync(join(directory, "open"));
    writeFileSync(join(directory, "open/mine.ts"), moduleOf());
    chmodSync(join(directory, "open"), 0o777);
    writeConfig({ mine: "open/mine.ts" });
    expect(await refusal()).toContain(`${join(directory, "open")} can be written by others`);
  });

  it("doctor tells, too", async () => {
    writeFileSync(join(directory, "mine.ts"), "export default 5;");
    writeConfig({ mine: "mine.ts" });
    const { stdout } = await promisify(execFile)(process.execPath, [
      BIN,
      "doctor",
      "--data",
      directory,
    ]).catch((error: { stdout: string }) => error);
    expect(stdout.replace(/\s+/g, " ")).toContain("its default export gives no dialect");
  });
});
