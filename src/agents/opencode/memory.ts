/**
 * What OpenCode keeps of a session: events in its database, numbered for each session. The server gives them only with those of
 * all other sessions, so a process of ours reads them from the file. The server takes them back and makes its tables of them.
 */
import { join } from "node:path";
import type { AdapterMemory, Conversation } from "../../core/adapter-memory.ts";
import { conversationRoot } from "../transport/conversation-root.ts";
import type { AgentResources } from "../transport/define-protocol.ts";
import { readEvents, readIds } from "./event-reader/ask-reader.ts";
import { withServer } from "./memory-server.ts";
import type { OpenCodeServers } from "./servers.ts";

/** One line for each event. */
const PART = "events.jsonl";

const DATABASE = "opencode/opencode.db";
const ROOT = { variable: "XDG_DATA_HOME", home: ".local/share" };

/** As the server takes it back. */
interface SyncEvent {
  readonly id: string;
  readonly aggregateID: string;
  readonly seq: number;
  readonly type: string;
  readonly data: object;
}

/** The number of the last event that was read. */
type Mark = number;

export function memory(resources: AgentResources<OpenCodeServers>): AdapterMemory {
  const { processHost } = resources;
  const requestFor = (conversation: Conversation) => {
    const root = conversationRoot(resources.environment(), conversation, ROOT);
    return root && { path: join(root, DATABASE), session: conversation.agentSessionId };
  };
  return {
    async capture(conversation, marks) {
      const request = requestFor(conversation);
      if (!request) return [];
      const last = marks.get(PART) as Mark | undefined;
      const { data, newest } = await readEvents(processHost, request, last ?? -1);
      if (newest === undefined) return [];
      const { seq: mark } = JSON.parse(newest) as SyncEvent;
      return [{ part: PART, data, mark, ...(last === undefined && { replaces: true as const }) }];
    },

    async restore(conversation, parts, beforeWrite) {
      const stored = parts.get(PART);
      if (!stored) return new Map();
      const events = parseEvents(stored);
      const request = requestFor(conversation);
      const here = request ? await readIds(processHost, request) : [];
      const isHere = events.every(({ id }, place) => here[place] === id);
      if (!isHere) {
        await beforeWrite();
        const isBehind = here.every((id, place) => events[place]?.id === id);
        await withServer(resources, conversation, (server) =>
          server.replay(inDirectory(events, conversation.cwd), { isNew: !isBehind }),
        );
      }
      return new Map([[PART, events.at(-1)?.seq ?? -1]]);
    },
  };
}

function parseEvents(stored: Uint8Array): SyncEvent[] {
  const lines = Buffer.from(stored).toString().split("\n");
  return lines.filter((line) => line !== "").map((line) => JSON.parse(line) as SyncEvent);
}

/** OpenCode works where its session says; that is the directory of ours, which may lie elsewhere here. */
function inDirectory(events: readonly SyncEvent[], directory: string): SyncEvent[] {
  return events.map((event) => {
    const { info } = event.data as { info?: { directory?: unknown } };
    const isOfSession = event.type.startsWith("session.") && typeof info?.directory === "string";
    return isOfSession ? { ...event, data: { ...event.data, info: { ...info, directory } } } : event;
  });
}
