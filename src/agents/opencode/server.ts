/**
 * A running `opencode serve` that several sessions share. Each sees it as a process of its own, whose input are HTTP
 * requests and whose output are the answers and the frames about its session, one record for each line.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { InterlinguaError } from "../../core/error.ts";
import type { AgentProcess } from "../../process/process-host.ts";
import { readServerSentEvents } from "../transport/server-sent-events.ts";
import { Channel } from "../transport/shared-channel.ts";
import type { Sharable } from "../transport/shared-pool.ts";
import type { SharedStderr } from "../transport/shared-stderr.ts";
import { type Address, performRequest, streamEvents } from "./http-call.ts";
import { route } from "./route.ts";
import type { WireRecord, WireRequest, WireResponse } from "./wire.ts";

/** How long until a stream that was lost is opened again. */
const RECONNECT_MS = 200;

/** Answered only when the turn is over: what is sent meanwhile must not wait for it. */
const SLOW_ROUTES = /\/(command|summarize|message)$/;

const LOST = { kind: "line", text: frameText('{"closed":"lost"}') } as const;

export class OpenCodeServer implements Sharable {
  readonly #process: AgentProcess;
  readonly #address: Address;
  readonly #stderr: SharedStderr;
  readonly #channels = new Set<ServerChannel>();
  /** The channel of each session on the server, sub-agents included. */
  readonly #owners = new Map<string, ServerChannel>();
  readonly #closing = new AbortController();
  #isOver = false;

  /** `output` is the rest of what the process prints. */
  constructor(process: AgentProcess, address: Address, output: AsyncIterator<unknown>, stderr: SharedStderr) {
    this.#process = process;
    this.#stderr = stderr;
    this.#address = address;
    void this.#drain(output);
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  /** Resolves when the stream of events is open: what is requested earlier might go unheard. */
  async connect(signal?: AbortSignal): Promise<void> {
    const frames = await streamEvents(this.#address, signal);
    void this.#listen(frames);
  }

  /** The server as one session sees it. Ending it only leaves the server. */
  open(directory: string, onStderrLine?: (line: string) => void): AgentProcess {
    if (this.#isOver)
      throw new InterlinguaError("agent_failed", "OpenCode's server has just ended; try again.", {
        keepsConversation: true,
      });
    const channel = new ServerChannel(this.#process, this, directory, () => this.#forget(channel));
    this.#channels.add(channel);
    if (onStderrLine) this.#stderr.follow(onStderrLine, channel.exited);
    return channel;
  }

  async end(): Promise<void> {
    this.#isOver = true;
    this.#closing.abort();
    await this.#process.end();
  }

  /** Asks without a record: for what is not part of a conversation. */
  async ask(request: WireRequest, directory: string, signal?: AbortSignal): Promise<WireResponse> {
    const stop = signal ? AbortSignal.any([signal, this.#closing.signal]) : this.#closing.signal;
    return performRequest(this.#address, request, directory, stop);
  }

  /** Resolves when the server has taken it; rejects when it has not. Either way its answer is a record. */
  async call(channel: ServerChannel, line: string): Promise<void> {
    const record = JSON.parse(line) as WireRecord;
    if (record.kind !== "http") return;
    const request = record.msg as WireRequest;
    const answered = this.ask(request, channel.directory).then((response) => {
      this.#noteOwner(channel, request, response);
      channel.push(toLine({ kind: "http", msg: response }));
      return response;
    });
    if (SLOW_ROUTES.test(request.path) && request.method === "POST") return;
    const { status, error } = await answered;
    if (error === undefined && status !== undefined && status < 300) return;
    throw new InterlinguaError(
      "agent_failed",
      `OpenCode answered ${status ?? "nothing"}${error ? `: ${error}` : ""}.`,
    );
  }

  #noteOwner(channel: ServerChannel, { path, method }: WireRequest, { body }: WireResponse): void {
    const isOpening = (method === "POST" && path === "/session") || /^\/session\/\w+$/.test(path);
    const { id } = (body ?? {}) as { id?: unknown };
    if (isOpening && typeof id === "string") this.#owners.set(id, channel);
  }

  #forget(channel: ServerChannel): void {
    this.#channels.delete(channel);
    for (const [session, owner] of this.#owners) if (owner === channel) this.#owners.delete(session);
  }

  async #listen(first: AsyncIterable<Uint8Array>): Promise<void> {
    let frames: AsyncIterable<Uint8Array> | undefined = first;
    while (!this.#isOver) {
      try {
        frames ??= await streamEvents(this.#address, this.#closing.signal);
        for await (const batch of readServerSentEvents(frames)) for (const data of batch) this.#deliver(data);
      } catch {
        // The connection was lost or refused. It is tried again while the server runs.
      }
      if (frames) for (const channel of this.#channels) channel.push(LOST);
      frames = undefined;
      await sleep(RECONNECT_MS, undefined, { ref: false });
    }
  }

  #deliver(frame: string): void {
    const owner = route(frame);
    if (owner.kind === "nobody") return;
    const line = { kind: "line" as const, text: frameText(frame) };
    if (owner.kind === "everybody") {
      for (const channel of this.#channels) channel.push(line);
      return;
    }
    const channel = this.#owners.get(owner.kind === "child" ? owner.parent : owner.session);
    if (!channel) return;
    if (owner.kind === "child") this.#owners.set(owner.session, channel);
    channel.push(line);
  }

  /** Its output is of no use here, but it must not block on a full pipe. */
  async #drain(output: AsyncIterator<unknown>): Promise<void> {
    try {
      while (!(await output.next()).done);
    } catch {
      // A broken pipe: the exit record says why.
    }
    this.#isOver = true;
    this.#closing.abort();
    const exit = await this.#process.exited;
    for (const channel of [...this.#channels]) channel.exit(exit, this.#process.stderrTail());
  }
}

class ServerChannel extends Channel {
  readonly directory: string;
  readonly #server: OpenCodeServer;

  constructor(process: AgentProcess, server: OpenCodeServer, directory: string, onLeft: () => void) {
    super(process, onLeft);
    this.#server = server;
    this.directory = directory;
  }

  override write(line: string | Buffer): Promise<void> {
    return this.#server.call(this, line.toString());
  }
}

function toLine(record: WireRecord) {
  return { kind: "line" as const, text: JSON.stringify(record) };
}

/** The record of a frame. */
function frameText(frame: string): string {
  return `{"kind":"sse","stream":"global","msg":${frame}}`;
}
