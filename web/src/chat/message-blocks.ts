/**
 * A message as a list of blocks to show. Parts stand in the order they came; this puts together what belongs together:
 * results, edits, asks and sub-agents with their call, content that was taken back under one fold. Pure.
 */
import {
  type AskData,
  type DaemonMessage,
  type DataParts,
  type EditedInput,
  isToolPart,
  partId,
  type ToolPart,
  type ToolState,
  type UIMessagePart,
} from "./page-message.ts";

export type FileEdit = DataParts["file-edit"];
export type Notice = DataParts["notice"];
export type PlanEntry = DataParts["plan"]["entries"][number];

export interface ToolBlock {
  kind: "tool";
  key: string;
  call: string;
  name: string;
  title?: string;
  /** What the tool does, where the agent tells: read, edit, execute, search, agent… */
  purpose?: string;
  state: ToolState;
  /** What runs. */
  input?: unknown;
  /** Who changed the input before it was allowed. */
  edited?: EditedInput;
  output?: unknown;
  isPreliminary: boolean;
  errorText?: string;
  result?: DataParts["tool-result"];
  progress?: unknown;
  edits: FileEdit[];
  asks: AskData[];
  /** What a sub-agent that this call started did. */
  children: Block[];
}

export type Block =
  | { kind: "text" | "reasoning"; key: string; text: string; isStreaming: boolean }
  | ToolBlock
  | { kind: "ask"; key: string; ask: AskData }
  | { kind: "plan"; key: string; entries: PlanEntry[] }
  | { kind: "edit"; key: string; edit: FileEdit }
  | { kind: "notice"; key: string; notice: Notice }
  | { kind: "compaction"; key: string; compaction: DataParts["compaction"] }
  | { kind: "auth"; key: string; auth: DataParts["auth"] }
  | { kind: "summary"; key: string; text: string }
  | { kind: "file"; key: string; url: string; mediaType: string; filename?: string }
  | { kind: "sources"; key: string; sources: { id: string; url?: string; title?: string }[] }
  | { kind: "task"; key: string; task: string; children: Block[] }
  | { kind: "discarded"; key: string; reason: string; blocks: Block[] };

/** Sub-agents inside one another. */
const DEEPEST = 6;

export function messageBlocks(message: DaemonMessage): Block[] {
  return new BlockBuilder(message.parts).blocks;
}

class BlockBuilder {
  readonly blocks: Block[] = [];
  readonly #calls = new Map<string, ToolBlock>();
  readonly #tasks = new Map<string, Block[]>();
  /** Where the children of a call stand that is too deep to hold them. */
  readonly #places = new Map<string, Block[]>();
  /** By the call they are about. */
  readonly #asks = new Map<string, Map<string, AskData>>();
  /** How deep inside sub-agents a call stands. */
  readonly #depths = new Map<string, number>();
  /** The reason, by the text part or call that was taken back. */
  readonly #discarded = new Map<string, string>();
  /** Calls of the daemon's own that only carry an ask. */
  readonly #carriers = new Set<string>();
  /** Plans that wait to be approved. */
  readonly #plans: string[] = [];
  /** Every call that has a part, wherever it comes. */
  readonly #known = new Set<string>();

  constructor(parts: readonly UIMessagePart[]) {
    for (const part of parts) this.#note(part);
    for (const [index, part] of parts.entries()) this.#add(part, String(index));
    this.blocks = foldDiscarded(this.blocks, (block) => this.#reasonOf(block)).filter(
      (block) => block.kind !== "plan" || !this.#isAskedFor(block.entries),
    );
  }

  /** What has to be known before the parts are gone through. */
  #note(part: UIMessagePart): void {
    if (isToolPart(part)) this.#known.add(part.toolCallId);
    else if (part.type === "data-subagent") this.#note(part.data.part);
    else if (part.type === "data-ask") {
      const { call, ask } = part.data;
      if (call !== undefined) {
        const asks = this.#asks.get(call);
        if (asks) asks.set(ask, part.data);
        else this.#asks.set(call, new Map([[ask, part.data]]));
      }
      this.#carriers.add(`${part.data.kind}_${part.data.ask}`);
      const { kind, state, answer, description } = part.data;
      if (kind === "plan" && state === "open" && !answer && description) this.#plans.push(description);
    } else if (part.type === "data-discarded") {
      for (const id of [...part.data.parts, ...part.data.calls]) this.#discarded.set(id, part.data.reason);
    }
  }

  #add(part: UIMessagePart, key: string): void {
    if (isToolPart(part)) return this.#addTool(part, this.blocks);
    switch (part.type) {
      case "text":
      case "reasoning":
        if (part.text !== "" || part.state === "streaming")
          this.blocks.push(this.#textBlock(part, `${part.type}-${partId(part) ?? key}`));
        return;
      case "data-ask":
        return this.#addAsk(part.data);
      case "data-file-edit":
        return this.#addEdit(part.data, key);
      case "data-subagent":
        return this.#addChild(part.data, part.id);
      case "data-tool-result":
        return this.#update(part.data.call, { result: part.data });
      case "data-tool-progress":
        return this.#update(part.data.call, { progress: part.data.progress });
      case "data-tool-update":
        return this.#update(part.data.call, {
          input: part.data.input,
          title: part.data.title,
          edited: part.data.edited,
        });
      case "data-plan":
        return void this.blocks.push({ kind: "plan", key: `plan-${part.id}`, entries: part.data.entries });
      case "data-notice":
        return void this.blocks.push({ kind: "notice", key, notice: part.data });
      case "data-compaction":
        return void this.blocks.push({ kind: "compaction", key, compaction: part.data });
      case "data-auth":
        return void this.blocks.push({ kind: "auth", key, auth: part.data });
      case "data-tool-summary":
        return void this.blocks.push({ kind: "summary", key, text: part.data.text });
      case "file":
        return void this.blocks.push({
          kind: "file",
          key,
          url: part.url,
          mediaType: part.mediaType,
          filename: part.filename ?? nameOf(part),
        });
      case "source-url":
        return this.#addSource({ id: part.sourceId, url: part.url, title: part.title }, key);
      case "source-document":
        return this.#addSource({ id: part.sourceId, title: part.filename ?? part.title }, key);
    }
  }

  #textBlock(part: Extract<UIMessagePart, { type: "text" | "reasoning" }>, key: string): Block {
    return { kind: part.type, key, text: part.text, isStreaming: part.state === "streaming" };
  }

  #addTool(part: ToolPart, into: Block[], depth = 0): void {
    if (this.#carriers.has(part.toolCallId)) return;
    const block = toolBlock(part);
    this.#calls.set(block.call, block);
    into.push(block);
    this.#depths.set(block.call, depth);
    block.asks.push(...(this.#asks.get(block.call)?.values() ?? []));
  }

  #addAsk(ask: AskData): void {
    // It is shown with the call it is about.
    if (ask.call !== undefined && this.#known.has(ask.call)) return;
    this.blocks.push({ kind: "ask", key: `ask-${ask.ask}`, ask });
  }

  #addEdit(edit: FileEdit, key: string): void {
    const call = edit.call === undefined ? undefined : this.#calls.get(edit.call);
    if (call) call.edits.push(edit);
    else this.blocks.push({ kind: "edit", key: `edit-${key}`, edit });
  }

  #addChild({ parent, task, part }: DataParts["subagent"], key: string): void {
    const depth = (this.#depths.get(parent ?? "") ?? 0) + 1;
    const into = this.#childrenOf(parent, task);
    if (isToolPart(part)) {
      this.#addTool(part, into, depth);
      // What is deeper stands beside it: nobody can read it inside.
      if (depth >= DEEPEST) this.#places.set(part.toolCallId, into);
      return;
    }
    if (part.type === "text" || part.type === "reasoning") into.push(this.#textBlock(part, key));
  }

  #childrenOf(parent: string | undefined, task: string | undefined): Block[] {
    const call = parent === undefined ? undefined : this.#calls.get(parent);
    if (call) return this.#places.get(call.call) ?? call.children;
    const name = task ?? parent ?? "";
    let children = this.#tasks.get(name);
    if (!children) {
      children = [];
      this.#tasks.set(name, children);
      this.blocks.push({ kind: "task", key: `task-${name}`, task: name, children });
    }
    return children;
  }

  #addSource(source: { id: string; url?: string; title?: string }, key: string): void {
    const last = this.blocks.at(-1);
    if (last?.kind === "sources") last.sources.push(source);
    else this.blocks.push({ kind: "sources", key: `sources-${key}`, sources: [source] });
  }

  #update(call: string, change: Partial<ToolBlock>): void {
    const block = this.#calls.get(call);
    if (block) Object.assign(block, withoutUndefined(change));
  }

  /** Whether an ask that waits shows the same plan. */
  #isAskedFor(entries: readonly PlanEntry[]): boolean {
    return this.#plans.some((plan) => entries.every(({ text }) => plan.includes(text)));
  }

  #reasonOf(block: Block): string | undefined {
    if (block.kind === "tool") return this.#discarded.get(block.call);
    if (block.kind !== "text" && block.kind !== "reasoning") return undefined;
    return this.#discarded.get(block.key.slice(block.kind.length + 1));
  }
}

function foldDiscarded(blocks: readonly Block[], reasonOf: (block: Block) => string | undefined): Block[] {
  const folded: Block[] = [];
  for (const block of blocks) {
    const reason = reasonOf(block);
    const last = folded.at(-1);
    if (last?.kind === "discarded" && block.kind === "notice" && saysSame(block.notice.text, last.reason))
      continue;
    if (reason === undefined) folded.push(block);
    else if (last?.kind === "discarded" && last.reason === reason) last.blocks.push(block);
    else folded.push({ kind: "discarded", key: `discarded-${block.key}`, reason, blocks: [block] });
  }
  return folded;
}

/** Whether a notice only repeats why something was taken back, perhaps with what is done about it. */
function saysSame(text: string, reason: string): boolean {
  return reason !== "" && text.slice(0, reason.length).toLowerCase() === reason.toLowerCase();
}

function toolBlock(part: ToolPart): ToolBlock {
  const ours = part.callProviderMetadata?.interlingua;
  return {
    kind: "tool",
    key: `tool-${part.toolCallId}`,
    call: part.toolCallId,
    name: part.type === "dynamic-tool" ? (part.toolName ?? "tool") : part.type.slice("tool-".length),
    title: part.title,
    purpose: typeof ours?.kind === "string" ? ours.kind : undefined,
    state: part.state,
    input: part.input,
    edited: ours?.edited as EditedInput | undefined,
    output: part.output,
    isPreliminary: part.preliminary === true,
    errorText: part.errorText,
    edits: [],
    asks: [],
    children: [],
  };
}

function nameOf(part: { providerMetadata?: Record<string, Record<string, unknown>> }): string | undefined {
  const name = part.providerMetadata?.interlingua?.filename;
  return typeof name === "string" ? name : undefined;
}

function withoutUndefined<Fields extends object>(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Fields;
}
