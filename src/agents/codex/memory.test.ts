import { expect, it } from "vitest";
import type { AgentResources } from "../transport/define-protocol.ts";
import { conversationOf, temporaryHome, travel } from "../transport/memory.test-support.ts";
import { memory } from "./memory.ts";
import type { CodexServers } from "./servers.ts";

const ID = "01a1ed36-8cfa-7c80-8d34-6245de1c01a6";
const ROLLOUT = `.codex/sessions/2026/11/18/rollout-2026-11-18T05-52-17-${ID}.jsonl`;
const OTHER =
  ".codex/sessions/2026/11/18/rollout-2026-11-18T05-52-17-01a1ed36-0000-7c80-8d34-6245de1c01a6.jsonl";
const LINES = `{"type":"session_meta","payload":{"id":"${ID}"}}\n{"type":"event_msg","payload":{"type":"task_complete"}}\n`;

/** With a server that has these threads loaded, and notes what it is asked. */
function memoryIn(home: string, loaded: readonly string[] = []) {
  const calls: string[] = [];
  const server = {
    async call(method: string, params?: { threadId?: string }) {
      calls.push(`${method} ${params?.threadId ?? ""}`.trim());
      return method === "thread/loaded/list" ? { data: loaded } : {};
    },
  };
  const resources = {
    environment: () => ({ HOME: home }),
    programs: { find: async () => ({ command: "codex", args: [], from: "path" }) },
    shared: { acquire: async () => ({ resource: server, release: () => void calls.push("released") }) },
  };
  return { calls, memory: memory(resources as unknown as AgentResources<CodexServers>) };
}

it("takes the rollout of the thread to the same place, and nothing else of the home", async () => {
  const [from, to] = [temporaryHome(), temporaryHome()];
  from.write(ROLLOUT, LINES);
  from.write(OTHER, "{}\n");
  from.write(".codex/auth.json", "token");
  const there = memoryIn(to.path);
  expect(await travel(memoryIn(from.path).memory, there.memory, conversationOf(ID))).toEqual([
    ROLLOUT.slice(".codex/".length),
  ]);
  expect(to.files()).toEqual({ [ROLLOUT]: LINES });
  expect(there.calls).toEqual(["thread/loaded/list", "released"]);
});

it("makes a server forget the thread before it is replaced", async () => {
  const [from, to] = [temporaryHome(), temporaryHome()];
  from.write(ROLLOUT, LINES);
  to.write(ROLLOUT, `${LINES.split("\n")[0]}\n{"type":"event_msg","payload":{"type":"turn_aborted"}}\n`);
  const there = memoryIn(to.path, [ID]);
  await travel(memoryIn(from.path).memory, there.memory, conversationOf(ID));
  expect(there.calls).toEqual([
    "thread/loaded/list",
    `thread/archive ${ID}`,
    `thread/unarchive ${ID}`,
    "released",
  ]);
  expect(to.files()).toEqual({ [ROLLOUT]: LINES });
});
