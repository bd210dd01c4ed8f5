/** Amp's stream of JSON lines, as far as we read it. Real output has fewer fields than its SDK's types promise. */

export interface WireUsage {
  readonly input_tokens?: number;
  readonly cache_creation_input_tokens?: number;
  readonly cache_read_input_tokens?: number;
  readonly output_tokens?: number;
  /** How many tokens fit into the context. */
  readonly max_tokens?: number;
}

export type WireBlock =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "thinking"; readonly thinking: string }
  | {
      readonly type: "tool_use";
      readonly id: string;
      readonly name: string;
      readonly input: Readonly<Record<string, unknown>>;
    };

export interface WireToolResult {
  readonly type: "tool_result";
  readonly tool_use_id: string;
  /** Text; of some tools JSON as text. */
  readonly content: unknown;
  readonly is_error?: boolean;
}

export type WireLine =
  | {
      readonly type: "system";
      readonly subtype: string;
      readonly session_id: string;
      readonly tools?: readonly string[];
    }
  | {
      readonly type: "assistant";
      readonly message: {
        readonly content: readonly WireBlock[];
        readonly stop_reason: string | null;
        readonly model?: string;
        readonly usage?: WireUsage;
      };
      readonly parent_tool_use_id?: string | null;
      readonly session_id: string;
    }
  | {
      /** The prompt once more, or what tools gave. */
      readonly type: "user";
      readonly message: { readonly content: readonly (WireToolResult | { readonly type: "text" })[] };
      readonly parent_tool_use_id?: string | null;
      readonly session_id: string;
    }
  | {
      readonly type: "result";
      readonly subtype: string;
      readonly is_error: boolean;
      readonly error?: string;
      readonly session_id: string;
    };

export type WireLineOf<Type extends WireLine["type"]> = Extract<WireLine, { type: Type }>;

/** What is written to its input. It takes text only. */
export interface WirePrompt {
  readonly type: "user";
  readonly message: {
    readonly role: "user";
    readonly content: readonly { readonly type: "text"; readonly text: string }[];
  };
}

/** Not sent: what every process from here on is started with. */
export interface WireChoice {
  readonly model?: string;
  readonly mode?: string;
  readonly permissionMode?: string;
}

/** What it told before the first turn: its version, and the modes in its `--help`. */
export interface WireOpening {
  readonly version?: string;
  readonly modes: readonly string[];
  /** The thread that is taken up. */
  readonly thread?: string;
  /** How the program is called in a terminal, where it is not on the PATH. */
  readonly program?: string;
}
