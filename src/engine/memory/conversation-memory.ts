/**
 * The agent's own memory of the conversation, kept beside the log where several nodes share a store: captured before the end of
 * a turn is written, and while a turn runs; brought to where the agent resumes. It never loses a turn: what cannot be
 * captured is said, and the turn ends all the same.
 */
import type { BackendAdapter, ConnectOptions } from "../../core/adapter.ts";
import {
  type Conversation,
  MAX_MEMORY_BYTES,
  type MemoryComparison,
  type MemoryUpdate,
} from "../../core/adapter-memory.ts";
import { InterlinguaError } from "../../core/error.ts";
import { errorText } from "../../core/error-text.ts";
import { cutMemory, MEMORY_PART_LENGTH, type MemoryPiece } from "../../core/memory-piece.ts";
import type { ConnectedAgent } from "../agent/connect-agent.ts";
import type { Services } from "../engine-services.ts";
import type { KnownSecrets } from "../secrets/known-secrets.ts";
import type { SecretMask } from "../secrets/secret-mask.ts";
import type { SessionLog } from "../session/session-log.ts";
import { isMaskedFrom, maskMemory, revealMemory } from "./masked-memory.ts";
import { MemorySecrets } from "./memory-secrets.ts";
import {
  aboutPiece,
  findGap,
  type Gap,
  NO_MEMORY,
  NO_PART,
  readStoredMemory,
  type StoredMemory,
  type StoredPart,
  storedName,
} from "./stored-memory.ts";

/** How long the end of a turn waits for it. */
const PATIENCE_MS = 3000;

/** How often it is captured while a turn runs. */
const INTERVAL_MS = 5000;

/** A part with more pieces becomes one again at the end of a turn; whoever resumes reads them all. */
const MAX_PIECES = 256;

const BEHIND =
  "The agent goes on from its memory as another node has kept it, which does not have all of the last turn: what was done then it may not know.";

const UNKNOWN_SECRETS = "there may be secrets in it that this node does not know and could not mask";
const UNMASKABLE = "a secret answer in it is too short to be masked, or it has too many secrets";

export interface ConversationMemoryOptions {
  log: SessionLog;
  adapter: BackendAdapter;
  services: Pick<Services, "store" | "slices" | "logger" | "now">;
  secrets: Pick<KnownSecrets, "isComplete" | "hasUnmaskable">;
  /** Each one masks all that those before it did. */
  mask(): SecretMask;
  notice(level: "info" | "warning", code: string, text: string): void;
}

export class ConversationMemory {
  readonly #options: ConversationMemoryOptions;
  readonly #secrets: MemorySecrets;
  /** What the agent that runs was started with. */
  #connect: ConnectOptions | undefined;
  /** Whose parts are known. */
  #conversation: string | undefined;
  #marks = new Map<string, unknown>();
  #parts = new Map<string, StoredPart>();
  /** Parts of the store that nobody needs any more, and the number that removes them. */
  #outdated = new Map<string, number>();
  #aboutNext = 0;
  /** Captures come one after the other. */
  #capturing: Promise<void> = Promise.resolve();
  #isCapturing = false;
  #capturedAt = 0;
  /** A turn has ended, and was captured only then. */
  #mayBeLate = false;
  #timer: NodeJS.Timeout | undefined;
  #isBehind = false;
  /** The agent has begun a conversation of its own, which is not a copy. */
  #isNew = false;
  /** Why nothing more of this conversation is captured. */
  #refusal: string | undefined;
  /** What was last said to be wrong. */
  #problem: string | undefined;

  constructor(options: ConversationMemoryOptions) {
    this.#options = options;
    this.#secrets = new MemorySecrets(options);
  }

  /** Whether it travels: the session is written under a claim, and the agent has a memory that we know. */
  get #isKept(): boolean {
    const { log, adapter } = this.#options;
    return log.claim !== undefined && adapter.memory !== undefined && !log.hasEnded;
  }

  /**
   * Before the agent resumes a conversation of this session, or begins as a copy of one of `origin`. Rejects where the agent
   * here is too old for it, or it cannot be brought here.
   */
  async restore(conversation: Conversation, origin?: string): Promise<void> {
    const { log, services } = this.#options;
    const session = origin ?? log.state.id;
    const isOwn = session === log.state.id;
    // What this node has captured itself it has on disk.
    if (!this.#isKept || (isOwn && this.#conversation === conversation.agentSessionId)) return;
    const stored = await readStoredMemory(services.store, session);
    this.#secrets.lookAt(stored);
    const isCopied = origin !== undefined;
    const marks = await this.#bring(conversation, stored, isCopied ? "none" : await this.#gapIn(stored));
    if (isCopied) return;
    this.#take(stored, marks);
    this.#secrets.resumes();
    this.#refusal = (await this.#hasUnknownHere(conversation)) ? UNKNOWN_SECRETS : undefined;
    // Last: what fails before is done again.
    this.#conversation = conversation.agentSessionId;
  }

  /** Whether the agent has something here that is not stored, and may have secrets that nobody here knows. */
  async #hasUnknownHere(conversation: Conversation): Promise<boolean> {
    if (this.#secrets.areKnown) return false;
    const capture = this.#options.adapter.memory!.capture(conversation, this.#marks);
    const isMore = await capture.then(
      (updates) => updates.length > 0,
      () => true,
    );
    return isMore && (await this.#secrets.mayBeUnknown());
  }

  async #gapIn({ about }: StoredMemory): Promise<Gap> {
    const { log, services } = this.#options;
    return about ? findGap(services.store, log.state.id, about) : "none";
  }

  /** Undefined where what is stored is not of this conversation as the log has it. */
  async #bring(
    conversation: Conversation,
    { about, contents }: StoredMemory,
    gap: Gap,
  ): Promise<ReadonlyMap<string, unknown> | undefined> {
    const { adapter, mask, services, log } = this.#options;
    if (about?.conversation !== conversation.agentSessionId || contents.size === 0) return undefined;
    // With a memory of what was taken back the agent would contradict the log.
    if (gap === "rewind") return undefined;
    const memory = adapter.memory!;
    const reveal = (data: Uint8Array, part: string) =>
      memory.keepsPlaceholders ? data : revealMemory(data, part, mask());
    const parts = new Map([...contents].map(([part, data]) => [part, reveal(data, part)] as const));
    const compare = async (part: string, here: Uint8Array): Promise<MemoryComparison> => {
      if (await isMaskedFrom(contents.get(part)!, here, part, mask(), services.slices)) return "same";
      return about.node !== undefined && about.node === log.claim?.node ? "own" : "other";
    };
    const beforeWrite = async () => {
      await this.#assertVersion(about.version);
      this.#isBehind = gap === "turn";
    };
    return memory.restore(conversation, parts, beforeWrite, compare);
  }

  /** An older agent may not read what a newer one has written, or spoil it. */
  async #assertVersion(written: string | undefined): Promise<void> {
    const { adapter } = this.#options;
    const { version: here } = await adapter.probe();
    if (written === undefined || here === undefined) return;
    if (here.localeCompare(written, "en", { numeric: true }) >= 0) return;
    const { name, title = name } = adapter;
    throw new InterlinguaError(
      "agent_version",
      `The conversation was held with ${title} ${written} on another node; here is ${here}, which is older. Install ${written} or newer on this node, then prompt again.`,
    );
  }

  #take({ aboutNext, parts }: StoredMemory, marks: ReadonlyMap<string, unknown> | undefined): void {
    this.#aboutNext = Math.max(this.#aboutNext, aboutNext);
    this.#parts = new Map(parts);
    this.#marks = new Map(marks);
    // Those of another conversation, or of one that was taken back.
    for (const [part, { next, pieces }] of parts)
      if (pieces > 0 && !marks?.has(part)) this.#outdated.set(part, next);
  }

  /** The agent runs. */
  connected({ options, resumed, forked }: Pick<ConnectedAgent, "options" | "resumed" | "forked">): void {
    this.#connect = options;
    this.#isNew = !resumed && !forked;
    if (!this.#isKept) return;
    if (this.#isBehind) this.#options.notice("warning", "memory", BEHIND);
    this.#isBehind = false;
    clearInterval(this.#timer);
    this.#timer = setInterval(() => this.#captureAgain(), INTERVAL_MS / 5).unref();
  }

  /** Now and then in a turn, and once after it: agents may write a little more. */
  #captureAgain(): void {
    const { turn } = this.#options.log.state;
    if (this.#isCapturing) return;
    if (!turn) {
      if (this.#mayBeLate) void this.#capture(true);
      this.#mayBeLate = false;
      return;
    }
    const since = Math.max(turn.startedAt, this.#capturedAt);
    if (this.#options.services.now() - since >= INTERVAL_MS) void this.#capture(false);
  }

  /** The agent is gone. */
  disconnected(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  /** The turn is about to end, or the agent is gone: what has to be waited for. Never rejects. */
  ending(): Promise<void> | undefined {
    if (!this.#isKept || this.#options.log.state.agentSessionId === undefined) return undefined;
    this.#mayBeLate = true;
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(() => {
        this.#say(`it was not read within ${PATIENCE_MS / 1000} seconds`);
        resolve();
      }, PATIENCE_MS);
    });
    return Promise.race([this.#capture(true), late]).finally(() => clearTimeout(timer));
  }

  /** Never rejects. */
  #capture(isWhole: boolean): Promise<void> {
    this.#capturing = this.#capturing.then(async () => {
      this.#isCapturing = true;
      try {
        await this.#captureNow(isWhole);
        this.#problem = undefined;
      } catch (error) {
        this.#say(errorText(error));
      } finally {
        this.#isCapturing = false;
        this.#capturedAt = this.#options.services.now();
      }
    });
    return this.#capturing;
  }

  async #captureNow(isWhole: boolean): Promise<void> {
    const { log, adapter } = this.#options;
    const { agentSessionId, agentVersion: version, head: seq, id } = log.state;
    const node = log.claim?.node;
    if (!this.#isKept || !this.#connect || agentSessionId === undefined) return;
    if (this.#conversation !== agentSessionId) await this.#changeTo(agentSessionId, id);
    this.#assertAllowed();
    if (isWhole && this.#secrets.areKnown) this.#forgetLongParts();
    const conversation = { ...this.#connect, agentSessionId };
    const updates = await adapter.memory!.capture(conversation, this.#marks);
    // Also what was answered while it was read.
    this.#assertAllowed();
    // What was there before is in it again.
    const isAnew = updates.some(({ part, replaces }) => replaces && this.#marks.has(part));
    if (isAnew && (await this.#secrets.mayBeUnknown())) this.#refuse(UNKNOWN_SECRETS);
    if (updates.length === 0 && (!isWhole || !log.state.turn)) return;
    const parts = new Map(this.#parts);
    const pieces: MemoryPiece[] = [];
    for (const update of updates) pieces.push(...(await this.#piecesOf(update, parts)));
    for (const [part, next] of this.#outdated) {
      if (updates.some((update) => update.part === part)) continue;
      // Its numbers are not used again: both may come into one commit.
      parts.set(part, { ...NO_PART, next: next + 1 });
      pieces.push({ part: storedName(part), seq: next, data: new Uint8Array(), replaces: true });
    }
    this.#assertStorable(parts);
    this.#outdated.clear();
    this.#parts = parts;
    for (const { part, mark } of updates) this.#marks.set(part, mark);
    const about = {
      conversation: agentSessionId,
      ...(version !== undefined && { version }),
      seq,
      isWhole,
      ...(node !== undefined && { node }),
    };
    pieces.push(aboutPiece(this.#aboutNext, about));
    this.#aboutNext += 1;
    log.remember(pieces);
  }

  /** What is in many pieces is read anew, and stored as a whole in their place. */
  #forgetLongParts(): void {
    for (const [part, { pieces }] of this.#parts) if (pieces > MAX_PIECES) this.#marks.delete(part);
  }

  /** The agent has begun another conversation, or this node does not know what is stored of it. */
  async #changeTo(agentSessionId: string, session: string): Promise<void> {
    const isFirst = this.#conversation === undefined;
    const stored = isFirst ? await readStoredMemory(this.#options.services.store, session) : undefined;
    if (stored) this.#secrets.lookAt(stored);
    this.#take(stored ?? { ...NO_MEMORY, parts: this.#parts }, undefined);
    if (this.#isNew) this.#secrets.begins();
    else this.#secrets.resumes();
    this.#refusal = (await this.#secrets.mayBeUnknown()) ? UNKNOWN_SECRETS : undefined;
    // Last: what fails before is done again.
    this.#isNew = false;
    this.#conversation = agentSessionId;
  }

  #assertAllowed(): void {
    if (this.#options.secrets.hasUnmaskable) this.#refuse(UNMASKABLE);
    if (this.#refusal !== undefined) throw new Error(this.#refusal);
  }

  /** Nothing more is captured until the agent has another conversation. */
  #refuse(reason: string): never {
    this.#refusal = reason;
    throw new Error(reason);
  }

  #assertStorable(parts: ReadonlyMap<string, StoredPart>): void {
    const bytes = [...parts.values()].reduce((sum, part) => sum + part.bytes, 0);
    if (bytes > MAX_MEMORY_BYTES)
      this.#refuse(`it has ${Math.round(bytes / 1024 / 1024)} MB, which is more than is kept`);
    for (const part of parts.keys())
      if (storedName(part).length > MEMORY_PART_LENGTH) throw new Error("the name of a file is too long");
  }

  async #piecesOf(
    { part, data, replaces }: MemoryUpdate,
    parts: Map<string, StoredPart>,
  ): Promise<MemoryPiece[]> {
    const { mask, services } = this.#options;
    const masked = await maskMemory(data, part, mask(), services.slices);
    const former = parts.get(part) ?? NO_PART;
    const pieces = cutMemory(storedName(part), former.next, masked, { replaces });
    const kept = replaces ? NO_PART : former;
    parts.set(part, {
      next: former.next + pieces.length,
      pieces: kept.pieces + pieces.length,
      bytes: kept.bytes + masked.length,
    });
    return pieces;
  }

  #say(problem: string): void {
    const { log, notice, services } = this.#options;
    if (this.#problem === problem || log.hasEnded) return;
    this.#problem = problem;
    services.logger.warn({ session: log.state.id, problem }, "an agent's memory was not captured");
    const text = `The agent's memory of the conversation was not kept: ${problem.replace(/\.$/, "")}. Another node would go on from an older one.`;
    notice("warning", "memory", text);
  }
}
