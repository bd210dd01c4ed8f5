/**
 * What we read and write of Codex's app-server protocol, as types. It is much larger; the rest is passed over. What
 * comes from Codex is taken as it comes: a field may be missing in another version.
 */

/** A permission profile of Codex. Unlike a sandbox mode, choosing one does not write trust into the user's config. */
export type WireProfile = ":read-only" | ":workspace" | ":danger-full-access";

export type WireApprovalPolicy = "untrusted" | "on-request" | "never";

export interface WireSandbox {
  readonly type: "readOnly" | "workspaceWrite" | "dangerFullAccess" | "externalSandbox";
}

export interface WireCollaborationMode {
  readonly mode: string;
  readonly settings: {
    readonly model: string;
    readonly reasoning_effort: string | null;
    readonly developer_instructions: string | null;
  };
}

export interface WireThread {
  readonly id: string;
  readonly cliVersion?: string;
}

/** The answer to `thread/start`, `thread/resume` and `thread/fork`. */
export interface WireThreadOpened {
  readonly thread: WireThread;
  readonly model?: string;
  readonly approvalPolicy?: unknown;
  readonly sandbox?: WireSandbox;
  readonly reasoningEffort?: string | null;
  readonly collaborationMode?: { readonly mode?: string } | null;
}

export interface WireThreadSettings {
  readonly model?: string;
  readonly approvalPolicy?: unknown;
  readonly sandboxPolicy?: WireSandbox;
  readonly effort?: string | null;
  readonly collaborationMode?: { readonly mode?: string } | null;
}

/** One of the answer to `model/list`. */
export interface WireModel {
  readonly model: string;
  readonly displayName?: string;
  readonly description?: string;
  readonly hidden?: boolean;
  readonly supportedReasoningEfforts?: readonly {
    readonly reasoningEffort: string;
    readonly description?: string;
  }[];
  readonly defaultReasoningEffort?: string;
}

export interface WireError {
  readonly message: string;
  /** A name, or an object whose one key is the name. */
  readonly codexErrorInfo?: string | Readonly<Record<string, unknown>> | null;
  readonly additionalDetails?: string | null;
}

export interface WireTurn {
  readonly id: string;
  /** The turn this one belongs to: of a sub-agent, or of a review. */
  readonly rootTurnId?: string | null;
  readonly status?: "completed" | "interrupted" | "failed" | "inProgress";
  readonly error?: WireError | null;
  /** Only the last message, or nothing. */
  readonly items?: readonly WireItem[];
  readonly durationMs?: number | null;
}

export interface WireTokens {
  readonly totalTokens: number;
  readonly inputTokens: number;
  readonly cachedInputTokens: number;
  readonly cacheWriteInputTokens: number;
  readonly outputTokens: number;
  readonly reasoningOutputTokens: number;
}

export interface WireChange {
  readonly path: string;
  readonly kind: { readonly type: "add" | "delete" | "update"; readonly move_path?: string | null };
  /** The whole content for `add` and `delete`, hunks for `update`. */
  readonly diff: string;
}

export interface WireCommandItem {
  readonly type: "commandExecution";
  readonly id: string;
  /** As it is run: wrapped in a shell. */
  readonly command: string;
  readonly cwd?: string;
  readonly processId?: string | null;
  readonly status?: "inProgress" | "completed" | "failed" | "declined";
  readonly aggregatedOutput?: string | null;
  readonly exitCode?: number | null;
  readonly durationMs?: number | null;
}

export interface WireFileChangeItem {
  readonly type: "fileChange";
  readonly id: string;
  readonly changes: readonly WireChange[];
  readonly status?: "inProgress" | "completed" | "failed" | "declined";
}

export interface WireMcpItem {
  readonly type: "mcpToolCall";
  readonly id: string;
  readonly server: string;
  readonly tool: string;
  readonly status?: "inProgress" | "completed" | "failed";
  readonly arguments?: unknown;
  readonly result?: { readonly content?: readonly unknown[]; readonly structuredContent?: unknown } | null;
  readonly error?: { readonly message?: string } | null;
  readonly durationMs?: number | null;
}

export interface WireDynamicToolItem {
  readonly type: "dynamicToolCall";
  readonly id: string;
  readonly tool: string;
  readonly arguments?: unknown;
  readonly status?: "inProgress" | "completed" | "failed";
  readonly contentItems?: readonly unknown[] | null;
  readonly success?: boolean | null;
  readonly durationMs?: number | null;
}

export interface WireAgentToolItem {
  readonly type: "collabAgentToolCall";
  readonly id: string;
  readonly tool: string;
  readonly status?: "inProgress" | "completed" | "failed";
  readonly receiverThreadIds?: readonly string[];
  readonly prompt?: string | null;
  readonly model?: string | null;
  readonly agentsStates?: Readonly<
    Record<string, { readonly status?: string; readonly message?: string | null }>
  >;
}

export interface WireAgentActivityItem {
  readonly type: "subAgentActivity";
  readonly id: string;
  readonly kind: string;
  readonly agentThreadId: string;
  readonly agentPath?: string;
}

export interface WireMessageItem {
  readonly type: "agentMessage" | "plan";
  readonly id: string;
  readonly text: string;
  readonly phase?: string | null;
}

export type WireItem =
  | { readonly type: "userMessage"; readonly id: string; readonly clientId?: string | null }
  | WireMessageItem
  | {
      readonly type: "reasoning";
      readonly id: string;
      readonly summary?: readonly string[];
      readonly content?: readonly string[];
    }
  | WireCommandItem
  | WireFileChangeItem
  | WireMcpItem
  | WireDynamicToolItem
  | WireAgentToolItem
  | WireAgentActivityItem
  | {
      readonly type: "webSearch";
      readonly id: string;
      readonly query?: string;
      readonly action?: unknown;
      readonly results?: unknown;
    }
  | { readonly type: "imageView"; readonly id: string; readonly path: string }
  | {
      readonly type: "imageGeneration";
      readonly id: string;
      readonly status?: string;
      readonly revisedPrompt?: string | null;
      /** The picture in base64. */
      readonly result?: string;
      readonly savedPath?: string | null;
      readonly failure?: unknown;
    }
  | {
      readonly type: "functionCallOutput";
      readonly id: string;
      readonly name: string;
      readonly output?: unknown;
    }
  | { readonly type: "sleep"; readonly id: string; readonly durationMs?: number }
  | { readonly type: "hookPrompt"; readonly id: string }
  | { readonly type: "contextCompaction"; readonly id: string }
  | { readonly type: "enteredReviewMode"; readonly id: string; readonly review?: string }
  | { readonly type: "exitedReviewMode"; readonly id: string };

export type WireItemOf<Type extends WireItem["type"]> = Extract<WireItem, { type: Type }>;

export interface WireQuestion {
  readonly id: string;
  readonly header?: string;
  readonly question: string;
  readonly isOther?: boolean;
  readonly isSecret?: boolean;
  readonly options?: readonly { readonly label: string; readonly description?: string }[] | null;
}

export type WireInput = (
  | { readonly type: "text"; readonly text: string; readonly text_elements: readonly never[] }
  | { readonly type: "image"; readonly url: string }
  | { readonly type: "localImage"; readonly path: string }
) & {
  /** The file as it was given, which Codex does not look at: so a replay has it. */
  readonly interlingua?: { readonly url?: string; readonly mediaType: string; readonly filename?: string };
};
