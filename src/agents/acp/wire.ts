/**
 * The words of the Agent Client Protocol, version 1, that we say or understand. What agents send is read untyped
 * (untyped.ts), for most of them depart from the schema somewhere; so here are only the shapes of what we write.
 */

export const PROTOCOL_VERSION = 1;

/** What we ask of an agent. */
export const METHOD = {
  initialize: "initialize",
  authenticate: "authenticate",
  newSession: "session/new",
  loadSession: "session/load",
  resumeSession: "session/resume",
  closeSession: "session/close",
  prompt: "session/prompt",
  cancel: "session/cancel",
  setMode: "session/set_mode",
  setModel: "session/set_model",
  setConfigOption: "session/set_config_option",
} as const;

/** What an agent asks of us. */
export const AGENT_METHOD = {
  update: "session/update",
  requestPermission: "session/request_permission",
  elicit: "elicitation/create",
  elicitationComplete: "elicitation/complete",
  cancelRequest: "$/cancel_request",
  readTextFile: "fs/read_text_file",
  writeTextFile: "fs/write_text_file",
  createTerminal: "terminal/create",
  terminalOutput: "terminal/output",
  waitForTerminalExit: "terminal/wait_for_exit",
  killTerminal: "terminal/kill",
  releaseTerminal: "terminal/release",
} as const;

export const ERROR_CODE = {
  authRequired: -32000,
  resourceNotFound: -32002,
  invalidParams: -32602,
  internal: -32603,
} as const;

export type PromptBlock =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "image" | "audio"; readonly mimeType: string; readonly data: string }
  | {
      readonly type: "resource_link";
      readonly uri: string;
      readonly name: string;
      readonly mimeType?: string;
    }
  | {
      readonly type: "resource";
      /** Ours: what the block was made from, for a replay. */
      readonly _meta?: { readonly interlingua: { readonly path: string; readonly language?: string } };
      readonly resource: {
        readonly uri: string;
        readonly mimeType?: string;
        readonly text?: string;
        readonly blob?: string;
      };
    };

export type PermissionAnswer = {
  readonly outcome:
    | { readonly outcome: "selected"; readonly optionId: string }
    | { readonly outcome: "cancelled" };
};

export type ElicitationAnswer =
  | { readonly action: "accept"; readonly content?: Readonly<Record<string, unknown>> }
  | { readonly action: "decline" | "cancel" };

export type McpServer =
  | {
      readonly name: string;
      readonly command: string;
      readonly args: readonly string[];
      readonly env: readonly { readonly name: string; readonly value: string }[];
    }
  | {
      readonly type: "http" | "sse";
      readonly name: string;
      readonly url: string;
      readonly headers: readonly { readonly name: string; readonly value: string }[];
    };

/** What an agent may ask its client to do: files and terminals. */
export function isClientMethod(method: string): boolean {
  return (
    method === AGENT_METHOD.readTextFile ||
    method === AGENT_METHOD.writeTextFile ||
    method.startsWith("terminal/")
  );
}
