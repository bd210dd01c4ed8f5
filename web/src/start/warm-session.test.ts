import fc from "fast-check";
import { expect, test } from "vitest";
import type { SessionDetails } from "../api/types.ts";
import { type WarmCalls, type WarmChoice, WarmSession } from "./warm-session.ts";

/** A daemon that answers when it is told to. */
class Daemon implements WarmCalls {
  readonly sessions = new Set<string>();
  readonly attached: string[] = [];
  readonly #waiting: (() => void)[] = [];
  #ids = 0;
  isRefusing = false;

  newId = () => {
    this.#ids += 1;
    return `s${this.#ids}`;
  };

  create = async (id: string) => {
    const isRefused = this.isRefusing;
    await this.#answer();
    if (isRefused) throw new Error("refused");
    this.sessions.add(id);
  };

  attach = async (id: string) => {
    this.attached.push(id);
    await this.#answer();
    if (!this.sessions.has(id)) throw new Error("gone");
    return detailsOf(id);
  };

  update = async (id: string) => {
    await this.#answer();
    return detailsOf(id);
  };

  remove = async (id: string) => {
    await this.#answer();
    this.sessions.delete(id);
  };

  used = (id: string) => {
    if (!this.sessions.has(id)) throw new Error(`${id} is not there`);
  };

  explain = (error: unknown) => (error as Error).message;

  answerOne(): void {
    this.#waiting.shift()?.();
  }

  async answerAll(): Promise<void> {
    for (let quiet = 0; quiet < 5; quiet += 1) {
      if (this.#waiting.length > 0) quiet = 0;
      for (const resolve of this.#waiting.splice(0)) resolve();
      await new Promise((done) => setImmediate(done));
    }
  }

  #answer(): Promise<void> {
    return new Promise((resolve) => this.#waiting.push(resolve));
  }
}

function detailsOf(id: string): SessionDetails {
  return { id } as SessionDetails;
}

const MOCK: WarmChoice = { agent: "mock", cwd: "/a" };
const CLAUDE: WarmChoice = { agent: "claude", cwd: "/a" };

test("it is made once for a choice, and tells what the agent offers when that is ready", async () => {
  const daemon = new Daemon();
  const warm = new WarmSession(daemon);
  warm.want(MOCK);
  warm.want({ ...MOCK });
  expect(warm.getState()).toEqual({ choice: MOCK, phase: "starting" });
  await daemon.answerAll();
  expect(warm.getState()).toMatchObject({ phase: "ready", id: "s1", details: { id: "s1" } });
  expect([...warm.getUnused()]).toEqual(["s1"]);
  expect(await warm.take({ ...MOCK })).toBe("s1");
  expect([warm.getState(), [...warm.getUnused()]]).toEqual([undefined, []]);
  warm.leave();
  await daemon.answerAll();
  expect([...daemon.sessions]).toEqual(["s1"]);
});

test("it can be taken before it is made, and is then nobody else's", async () => {
  const daemon = new Daemon();
  const warm = new WarmSession(daemon);
  warm.want(MOCK);
  const taken = warm.take(MOCK);
  warm.want(undefined);
  await daemon.answerAll();
  expect(await taken).toBe("s1");
  expect([...daemon.sessions]).toEqual(["s1"]);
  expect(await warm.take(MOCK)).toBeUndefined();
});

test("one that cannot be made says why, and gives nothing", async () => {
  const daemon = new Daemon();
  const warm = new WarmSession(daemon);
  daemon.isRefusing = true;
  warm.want(MOCK);
  await daemon.answerAll();
  expect(warm.getState()).toEqual({ choice: MOCK, phase: "failed", problem: "refused" });
  expect([...warm.getUnused()]).toEqual([]);
  expect(await warm.take(MOCK)).toBeUndefined();
  expect(await warm.take(CLAUDE)).toBeUndefined();
});

test("whatever is chosen and however late the answers are, only what was taken is left", async () => {
  const step = fc.constantFrom<"mock" | "claude" | "nothing" | "take" | "answer" | "refuse">(
    ...(["mock", "claude", "nothing", "take", "answer", "refuse"] as const),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 20 }), fc.boolean(), async (steps, isLeaving) => {
      const daemon = new Daemon();
      const warm = new WarmSession(daemon);
      const taken: Promise<string | undefined>[] = [];
      for (const name of steps) {
        if (name === "mock") warm.want(MOCK);
        else if (name === "claude") warm.want(CLAUDE);
        else if (name === "nothing") warm.want(undefined);
        else if (name === "take") taken.push(warm.take(MOCK));
        else if (name === "answer") daemon.answerOne();
        else daemon.isRefusing = !daemon.isRefusing;
        await new Promise((done) => setImmediate(done));
      }
      if (isLeaving) warm.leave();
      else warm.want(undefined);
      await daemon.answerAll();
      const used = (await Promise.all(taken)).filter((id) => id !== undefined);
      expect([...daemon.sessions].sort()).toEqual(used.sort());
      expect([...warm.getUnused()]).toEqual([]);
    }),
  );
});
