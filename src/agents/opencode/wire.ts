/**
 * What passes between us and `opencode serve`, as far as we read it, after the server's own v2 types (1.18). One record
 * is one HTTP request, one answer, or the data of one SSE frame; recordings of other clients have the same shape.
 */

/** How it stands in a record: `{"kind":"http","msg":{…}}`, `{"kind":"sse","stream":"global","msg":{…}}`. */
export type WireRecord =
  | { readonly kind: "http"; readonly msg: WireRequest | WireResponse }
  | { readonly kind: "sse"; readonly stream?: string; readonly msg: WireFrame }
  | { readonly kind: "choice"; readonly msg: WireChoice };

type WireMethod = "GET" | "POST" | "PATCH" | "DELETE";

/** A request as it is recorded. Its id is ours and names it within one process. */
export interface WireRequest {
  readonly id: number;
  readonly method: WireMethod;
  readonly path: string;
  readonly body?: unknown;
  /** Not sent: our id of the prompt it carries. */
  readonly message?: string;
  /** Not sent: our message a `revert` goes back to; the request itself has the server's id of it. */
  readonly before?: string;
  /** Not sent: whether a prompt is for the running turn. */
  readonly steer?: boolean;
}

/** Not sent: what every prompt from here on names. The server keeps no such setting. */
export interface WireChoice {
  readonly model?: string;
  readonly agent?: string;
}

export interface WireResponse {
  readonly id: number;
  /** Absent when no answer came. */
  readonly status?: number;
  readonly body?: unknown;
  /** Why no answer came. */
  readonly error?: string;
  /** The answer is an event stream; its frames are records of their own. */
  readonly stream?: string;
}

/** Of `/event`, of `/global/event`, or the end of either. */
export type WireFrame =
  | WireEvent
  | { readonly directory?: string; readonly payload: WireEvent }
  | { readonly closed: string };

export interface WireEvent {
  readonly id?: string;
  readonly type: string;
  readonly properties: Readonly<Record<string, unknown>>;
}

export interface WireSession {
  readonly id: string;
  readonly parentID?: string;
  readonly version: string;
  readonly title: string;
  readonly agent?: string;
  readonly model?: { readonly id: string; readonly providerID: string };
}

export interface WireStatus {
  readonly type: "busy" | "idle" | "retry";
  readonly attempt?: number;
  readonly message?: string;
  /** When it is tried again; milliseconds since the epoch. */
  readonly next?: number;
}

export interface WireDelta {
  readonly messageID: string;
  readonly partID: string;
  /** Only `text` is known. */
  readonly field: string;
  readonly delta: string;
}

export interface WireError {
  readonly name: string;
  readonly data?: { readonly message?: string; readonly statusCode?: number };
}

interface WireUserMessage {
  readonly id: string;
  readonly sessionID: string;
  readonly role: "user";
}

/** One step of the model; a turn with tools has several, all with the same parent. */
interface WireAssistantMessage {
  readonly id: string;
  readonly sessionID: string;
  readonly role: "assistant";
  readonly parentID: string;
  readonly providerID: string;
  readonly modelID: string;
  readonly summary?: boolean;
  readonly error?: WireError;
  readonly time: { readonly created: number; readonly completed?: number };
}

export type WireMessage = WireUserMessage | WireAssistantMessage;

interface PartOf<Type extends string> {
  readonly type: Type;
  readonly id: string;
  readonly messageID: string;
  readonly sessionID: string;
}

/** Its text is empty until it ends; until then there are deltas. */
export interface WireTextPart extends PartOf<"text" | "reasoning"> {
  readonly text: string;
  readonly time?: { readonly start: number; readonly end?: number };
  readonly metadata?: Readonly<Record<string, unknown>>;
}

export interface WireToolPart extends PartOf<"tool"> {
  readonly callID: string;
  readonly tool: string;
  readonly state: WireToolState;
}

interface WireToolState {
  readonly status: "pending" | "running" | "completed" | "error";
  readonly input?: Readonly<Record<string, unknown>>;
  readonly title?: string;
  readonly output?: string;
  readonly error?: string;
  readonly metadata?: WireToolMetadata;
  readonly attachments?: readonly WireFilePart[];
}

interface WireToolMetadata {
  /** All the output so far. */
  readonly output?: string;
  readonly exit?: number | null;
  /** The session of a sub-agent. */
  readonly sessionId?: string;
  readonly filediff?: WireFileDiff;
  readonly files?: readonly WirePatchedFile[];
  readonly filepath?: string;
  readonly exists?: boolean;
  readonly [other: string]: unknown;
}

interface WireFileDiff {
  readonly file: string;
  readonly patch?: string;
}

/** What `apply_patch` did to one file. */
export interface WirePatchedFile {
  readonly filePath: string;
  readonly type: "add" | "update" | "delete" | "move";
  readonly patch?: string;
  readonly movePath?: string;
}

export interface WireStepFinishPart extends PartOf<"step-finish"> {
  readonly reason: string;
  readonly cost?: number;
  readonly tokens: {
    readonly total?: number;
    readonly input: number;
    readonly output: number;
    readonly reasoning: number;
    readonly cache: { readonly read: number; readonly write: number };
  };
}

export interface WireFilePart extends PartOf<"file"> {
  readonly mime: string;
  readonly url: string;
  readonly filename?: string;
}

export type WirePart =
  | WireTextPart
  | WireToolPart
  | WireStepFinishPart
  | WireFilePart
  | PartOf<"step-start">
  | (PartOf<"compaction"> & { readonly auto: boolean });

export interface WirePermission {
  readonly id: string;
  readonly sessionID: string;
  readonly permission: string;
  readonly patterns: readonly string[];
  readonly always: readonly string[];
  readonly metadata?: Readonly<Record<string, unknown>>;
  readonly tool?: { readonly callID: string };
}

export interface WireQuestion {
  readonly id: string;
  readonly sessionID: string;
  readonly questions: readonly {
    readonly question: string;
    readonly header?: string;
    readonly options?: readonly { readonly label: string; readonly description?: string }[];
    readonly multiple?: boolean;
    readonly custom?: boolean;
  }[];
  readonly tool?: { readonly callID: string };
}

export interface WireTodo {
  readonly content: string;
  readonly status: string;
  readonly priority?: string;
}

/** What a stored message is read as, in the list of a session's messages. */
export interface WireStoredMessage {
  readonly info: WireMessage;
  readonly parts: readonly WirePart[];
}

/** Of the configuration only what is not secret: the rest has keys in it and is not even recorded. */
export interface WireConfiguration {
  readonly model?: string;
}

export interface WireProviders {
  readonly providers: readonly {
    readonly id: string;
    readonly name?: string;
    readonly models: Readonly<Record<string, { readonly name?: string }>>;
  }[];
}

export interface WireAgent {
  readonly name: string;
  readonly description?: string;
  readonly mode: string;
  readonly hidden?: boolean;
}

export interface WireCommand {
  readonly name: string;
  readonly description?: string;
  readonly hints?: readonly string[];
}

/** Where our own id of a prompt is kept, in the metadata of its first text part. The model does not see it. */
export const MESSAGE_KEY = "interlingua";
