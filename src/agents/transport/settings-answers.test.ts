/** Several changes of settings under way at once: each is settled by the answers to its own requests. */
import { tmpdir } from "node:os";
import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import type { BackendSession } from "../../core/adapter.ts";
import { createProcessHost } from "../../process/local-process-host.ts";
import type { ProcessHost } from "../../process/process-host.ts";
import { openChildSession } from "./open-child-session.ts";
import type { Encoder, Translator } from "./translator.ts";

/** The names that were set and not answered. The agent answers `yes NAME` or `no NAME`. */
type Unanswered = readonly string[];

const translator: Translator<Unanswered> = {
  initial: [],
  translate(unanswered, { direction, data }) {
    if (typeof data !== "string" || direction === "process") return [unanswered, []];
    const [word, name = ""] = data.split(" ");
    if (direction === "out") return [[...unanswered, name], []];
    const rest = unanswered.filter((other) => other !== name);
    if (word === "yes") return [rest, [{ type: "session.updated", model: name }]];
    return [rest, [{ type: "notice", level: "warning", code: "configure", text: `refused ${name}` }]];
  },
};

const encoder: Encoder<Unanswered> = {
  open: () => ({ step: "ready" }),
  encode: (_, command) =>
    command.type === "configure"
      ? [command.model, command.mode].flatMap((name) => (name === undefined ? [] : [`set ${name}`]))
      : [],
  unansweredChanges: (unanswered) => unanswered,
};

let host: ProcessHost;
beforeAll(() => {
  host = createProcessHost({ daemonId: `settings-answers-${process.pid}`, environment: process.env });
});
afterAll(() => host.close());

/** The agent is a shell script. */
async function open(script: string): Promise<BackendSession> {
  const launch = { command: "sh", args: ["-c", script], cwd: tmpdir(), sessionId: "s" };
  const session = await openChildSession({ agent: "parrot", processHost: host, launch, translator, encoder });
  onTestFinished(() => session.close());
  void (async () => {
    for await (const _ of session.messages);
  })();
  return session;
}

const taken = (change: Promise<void>) =>
  change.then(
    () => "taken",
    ({ code, message }) => `${code}: ${message}`,
  );

it("a change is not taken as long as one before it is unanswered", async () => {
  const session = await open('read a; read b; echo "yes b"; cat >/dev/null');
  const first = taken(session.send({ type: "configure", model: "a" }));
  expect(await taken(session.send({ type: "configure", model: "b" }))).toBe("taken");
  await session.close();
  expect(await first).toMatch(/^session_closed/);
});

it("a change is refused because one before it was, late", async () => {
  const session = await open('read a; read b; echo "no a"; echo "yes b"; cat >/dev/null');
  const first = taken(session.send({ type: "configure", model: "a" }));
  const second = taken(session.send({ type: "configure", model: "b" }));
  expect([await first, await second]).toEqual(["unsupported: refused a", "taken"]);
});

it("a change of two settings is taken though the first was refused", async () => {
  const session = await open('read a; read b; echo "no a"; echo "yes b"; cat >/dev/null');
  const both = session.send({ type: "configure", model: "a", mode: "b" });
  expect(await taken(both)).toBe("unsupported: refused a");
});
