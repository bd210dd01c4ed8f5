/** What the tests of the engine share: a real engine over a store in memory, with an agent that does as it is told. */
import { onTestFinished } from "vitest";
import type { Draft } from "../core/draft.ts";
import type { SessionEvent } from "../core/event.ts";
import type { GitFiles } from "../core/git-files.ts";
import type { Ownership } from "../core/ownership.ts";
import type { ProjectFiles } from "../core/project-files.ts";
import type { SharedDirectories } from "../core/shared-directories.ts";
import type { Store } from "../core/store.ts";
import type { Workspace } from "../core/workspace.ts";
import type { CreateSession } from "../protocol/commands/command-types.ts";
import { openStore } from "../store/open-store.ts";
import { ScriptedAdapter } from "../testkit/scripted-adapter.ts";
import { TESTER } from "../testkit/tester.ts";
import { until } from "../testkit/until.ts";
import { createEngine, type EngineOptions } from "./create-engine.ts";
import type { Engine } from "./engine.ts";
import type { EngineLimits } from "./limits.ts";

export const text = (words: string) => [{ type: "text" as const, text: words }];

/** An agent asks before it runs something. */
export const permission: Draft[] = [
  { type: "tool.start", call: "c", name: "Bash" },
  {
    type: "ask.opened",
    ask: "q",
    kind: "permission",
    call: "c",
    title: "Run it?",
    options: [
      { id: "allow", label: "Allow", effect: "once" },
      { id: "deny", label: "Deny", effect: "reject" },
    ],
  },
];

export interface OpenOptions {
  adapter?: ScriptedAdapter;
  limits?: Partial<EngineLimits>;
  store?: Store;
  daemonId?: string;
  ownership?: Ownership;
  workspace?: Workspace;
  directories?: SharedDirectories;
  gitFiles?: GitFiles;
  projectFiles?: ProjectFiles;
  assertDirectory?: EngineOptions["assertDirectory"];
  assertParts?: EngineOptions["assertParts"];
  setTimer?: EngineOptions["setTimer"];
  onLost?: EngineOptions["onLost"];
  logger?: EngineOptions["logger"];
  /** It is never closed, as if by kill -9. */
  isKilled?: boolean;
}

export async function open(options: OpenOptions = {}) {
  const store = options.store ?? (await openStore(":memory:"));
  const adapter = options.adapter ?? new ScriptedAdapter();
  const engine = await createEngine({
    store,
    daemonId: options.daemonId,
    ownership: options.ownership,
    agents: new Map([["scripted", adapter]]),
    workspace: options.workspace,
    directories: options.directories,
    gitFiles: options.gitFiles,
    projectFiles: options.projectFiles,
    assertDirectory: options.assertDirectory,
    assertParts: options.assertParts,
    setTimer: options.setTimer,
    onLost: options.onLost,
    logger: options.logger,
    limits: options.limits,
    commitRetryMs: 5,
  });
  if (!options.isKilled) onTestFinished(() => engine.close());
  const events = async (session = "s"): Promise<SessionEvent[]> => {
    const page = await store.readEvents(session, 0, 100_000);
    return page.events.map(({ json }) => JSON.parse(json) as SessionEvent);
  };
  const has = async (type: SessionEvent["type"], count = 1) =>
    until(async () => (await events()).filter((event) => event.type === type).length >= count);
  return { store, adapter, engine, events, has };
}

export async function create(engine: Engine, id = "s", more: Partial<CreateSession> = {}) {
  return engine.run("createSession", { id, agent: "scripted", cwd: "/", ...more }, TESTER);
}

/** The agent of session `s` works on its first prompt. */
export async function running(limits?: Partial<EngineLimits>) {
  const opened = await open({ limits });
  await create(opened.engine);
  await opened.engine.run("prompt", { session: "s", parts: text("hi"), whenBusy: "queue" }, TESTER);
  await until(() => opened.adapter.last?.commands.length === 1);
  return opened;
}
