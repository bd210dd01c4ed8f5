/** Finds the session a line of Codex belongs to: the one that sent the request, or that has the thread. Pure. */
import type { Line } from "../../process/line-splitter.ts";
import { METHOD_NOT_FOUND, type RpcMessage, type RpcParams, readMessage } from "../transport/json-rpc.ts";
import { errorLine, scopeOf } from "../transport/json-rpc-lines.ts";
import { lineText, parseLine } from "../transport/line-text.ts";
import type { Destination, LineRouter } from "../transport/shared-lines.ts";
import { type MapBounds, VersionedMap } from "../transport/versioned-map.ts";
import type { WireItem, WireThread } from "./wire.ts";

/** Sessions by threads. Undefined for a thread whose session is gone. */
type Owners = VersionedMap<string, string | undefined>;

/** Sessions come first and sub-agents later, so many of those may be known before a session is forgotten. */
const BOUNDS: MapBounds = { entries: 100_000, size: 64 * 1024 * 1024 };

/** The beginning of most lines, including all deltas. They are not parsed here. */
const PLAIN = /^\{"method":"([^"]+)","params":\{"threadId":"([^"]+)"/;

/** These say that a thread belongs to another one. */
const TELLING: readonly string[] = ["item/started", "item/completed", "thread/started"];

const NOBODY: Destination = { to: "nobody" };
const UNKNOWN: Destination = { to: "unknown" };
const EVERYBODY: Destination = { to: "everybody" };

export const router: LineRouter<Owners> = {
  initial: new VersionedMap(new Map()),
  route(owners, line) {
    const [, method = "", thread] = PLAIN.exec(lineText(line)) ?? [];
    if (thread !== undefined && !TELLING.includes(method)) return [owners, ownerOf(owners, thread)];
    const message = read(line);
    switch (message.kind) {
      case "result":
      case "error":
        return routeAnswer(owners, message);
      case "request":
      case "notification":
        return routeTold(owners, message.params);
      case "other":
        return [owners, EVERYBODY];
    }
  },
  afterClose(owners, channel) {
    const left = [...owners].filter(([, owner]) => owner === channel).map(([thread]) => thread);
    return left.reduce((known, thread) => known.with(thread, undefined, BOUNDS), owners);
  },
  refuse(line) {
    const message = read(line);
    if (message.kind !== "request") return undefined;
    return errorLine(message.id, { code: METHOD_NOT_FOUND, message: "The session is closed." });
  },
};

function read(line: Line): RpcMessage {
  const parsed = parseLine(lineText(line));
  return parsed.kind === "message" ? readMessage(parsed.message) : { kind: "other" };
}

function ownerOf(owners: Owners, thread: string): Destination {
  if (!owners.has(thread)) return UNKNOWN;
  const channel = owners.get(thread);
  return channel === undefined ? NOBODY : { to: "channel", channel };
}

/** The answer to a request that opens a thread tells its id. */
function routeAnswer(
  owners: Owners,
  message: Extract<RpcMessage, { kind: "result" | "error" }>,
): readonly [Owners, Destination] {
  const channel = scopeOf(message.id);
  if (channel === undefined) return [owners, NOBODY];
  const destination: Destination = { to: "channel", channel };
  if (message.kind === "error") return [owners, destination];
  const thread = (message.result as { thread?: WireThread } | null)?.thread?.id;
  return [thread === undefined ? owners : owners.with(thread, channel, BOUNDS), destination];
}

function routeTold(owners: Owners, params: RpcParams): readonly [Owners, Destination] {
  const told = params.thread as (WireThread & { parentThreadId?: string | null }) | undefined;
  const thread = (params.threadId as string | undefined) ?? told?.id;
  if (thread === undefined) return [owners, EVERYBODY];
  const parent = told?.parentThreadId ?? undefined;
  const known = parent === undefined || owners.has(thread) ? owners : adopt(owners, parent, [thread]);
  return [adopt(known, thread, childrenOf(params.item as WireItem | undefined)), ownerOf(known, thread)];
}

/** The threads of sub-agents an item tells of. */
function childrenOf(item: WireItem | undefined): readonly string[] {
  if (item?.type === "collabAgentToolCall") return item.receiverThreadIds ?? [];
  return item?.type === "subAgentActivity" ? [item.agentThreadId] : [];
}

/** Gives children to the session of their parent. */
function adopt(owners: Owners, parent: string, children: readonly string[]): Owners {
  if (children.length === 0 || !owners.has(parent)) return owners;
  const owner = owners.get(parent);
  return children
    .filter((child) => !owners.has(child))
    .reduce((known, child) => known.with(child, owner, BOUNDS), owners);
}
