/** What tests of an agent's memory share: an agent that keeps files, nodes on one store, and turns. */
import type { AdapterMemory } from "../../core/adapter-memory.ts";
import { openStore } from "../../store/open-store.ts";
import { ScriptedAdapter } from "../../testkit/scripted-adapter.ts";
import { TESTER } from "../../testkit/tester.ts";
import { until } from "../../testkit/until.ts";
import { type open, text } from "../engine.test-support.ts";
import { SharedClaims } from "../files/shared-claims.test-support.ts";

export const PART = "talk.jsonl";

/** An agent with a disk of its own, on which it keeps one file for each conversation. */
export class RememberingAdapter extends ScriptedAdapter {
  readonly disk = new Map<string, string>();
  /** The name of its file. */
  partOf = (_conversation: string): string => PART;
  /** Its file is not only added to. */
  isWrittenAnew = false;
  /** Called before it is read. */
  onCapture: (() => Promise<void>) | undefined;
  override memory: AdapterMemory = {
    capture: async ({ agentSessionId }, marks) => {
      await this.onCapture?.();
      const part = this.partOf(agentSessionId);
      const known = this.isWrittenAnew ? undefined : (marks.get(part) as number | undefined);
      const all = this.disk.get(agentSessionId) ?? "";
      if (all.length <= (known ?? 0)) return [];
      const data = Buffer.from(all.slice(known ?? 0));
      return [{ part, data, mark: all.length, ...(known === undefined && { replaces: true as const }) }];
    },
    restore: async ({ agentSessionId }, parts, beforeWrite, compare) => {
      const part = this.partOf(agentSessionId);
      const stored = Buffer.from(parts.get(part) ?? []).toString();
      const lines = this.disk.get(agentSessionId)?.match(/.*\n/g) ?? [];
      const count = stored.split("\n").length - 1;
      const here = lines.slice(0, count).join("");
      const is =
        here === stored ? "same" : lines.length < count ? "other" : await compare!(part, Buffer.from(here));
      if (is === "own") return new Map();
      if (is === "same") return new Map([[part, here.length]]);
      await beforeWrite();
      this.disk.set(agentSessionId, stored);
      return new Map([[part, stored.length]]);
    },
  };

  constructor(capabilities: ConstructorParameters<typeof ScriptedAdapter>[0] = {}) {
    super(capabilities);
    this.onConnect = (session) => {
      const { fork, sessionId } = session.options;
      if (fork) this.disk.set(`native-${sessionId}`, this.disk.get(fork.agentSessionId) ?? "");
      session.onCommand = (command) => {
        if (command.type !== "prompt") return;
        const [part] = command.parts;
        this.write({ said: part?.type === "text" ? part.text : "" });
      };
    };
  }

  write(line: object, session = "s"): void {
    const id = `native-${session}`;
    this.disk.set(id, `${this.disk.get(id) ?? ""}${JSON.stringify(line)}\n`);
  }
}

export async function twoNodes(capabilities: ConstructorParameters<typeof ScriptedAdapter>[0] = {}) {
  const store = await openStore(":memory:");
  const claims = new SharedClaims(store);
  const adapters = [new RememberingAdapter(capabilities), new RememberingAdapter(capabilities)] as const;
  const [a, b] = [claims.join("a"), claims.join("b")];
  return { store, claims, a: { node: a, adapter: adapters[0] }, b: { node: b, adapter: adapters[1] } };
}

export type Opened = Awaited<ReturnType<typeof open>>;

export async function prompt({ engine, adapter }: Opened, words: string): Promise<void> {
  const count = adapter.last?.commands.length ?? 0;
  await engine.run("prompt", { session: "s", parts: text(words), whenBusy: "queue" }, TESTER);
  await until(() => (adapter.last?.commands.length ?? 0) !== count || adapter.sessions.length > 1);
  await until(() => adapter.last.commands.length > 0);
}

export async function turn(opened: Opened, words: string, ended: number): Promise<void> {
  await prompt(opened, words);
  opened.adapter.last.say({ type: "turn.ended", outcome: "completed" });
  await opened.has("turn.ended", ended);
}

export async function notices({ events }: Opened): Promise<string[]> {
  return (await events()).flatMap((event) =>
    event.type === "notice" ? [`${event.code}: ${event.text}`] : [],
  );
}

/** What the store has of it. */
export async function kept({ store }: Pick<Opened, "store">, session = "s"): Promise<string> {
  const pieces: string[] = [];
  for await (const { data } of store.readMemory(session)) pieces.push(Buffer.from(data).toString());
  return pieces.join("");
}

/** A turn in which the agent asks for something secret, and writes the answer into its file. */
export async function secretTurn(opened: Opened, answer: string, ended: number): Promise<void> {
  const { engine, adapter } = opened;
  await prompt(opened, "ask me");
  const questions = [{ id: "q1", text: "Pass phrase?", secret: true, free: true }];
  adapter.last.say({ type: "ask.opened", ask: "q", kind: "question", title: "?", options: [], questions });
  await until(async () => (await engine.run("listAsks", { session: "s" }, TESTER)).asks.length > 0);
  const [ask] = (await engine.run("listAsks", { session: "s" }, TESTER)).asks;
  await engine.run("replyToAsk", { session: "s", ask: ask!.ask, answers: { q1: [answer] } }, TESTER);
  (adapter as RememberingAdapter).write({ answer });
  adapter.last.say({ type: "turn.ended", outcome: "completed", native: `end-${ended}` });
  await opened.has("turn.ended", ended);
}
