/**
 * A command as a value: who may give it, what the audit log keeps of it, and which node carries it out. Pure. What it does
 * is in `src/engine/commands/`, in the file of the same name.
 */
import type { RouteConfig } from "@hono/zod-openapi";
import type { ErrorCode } from "../../core/error.ts";
import type { Right } from "../../core/rights.ts";
import type { Store } from "../../core/store.ts";
import type { RouteInput, RouteReply } from "../define-route.ts";

export interface Command<Input, Answer> {
  /**
   * The right it needs, or the rights that its input asks for. `rule`: it depends on what is stored, and
   * `src/server/access/command-rules.ts` has to have a rule for it.
   */
  readonly rights: Right | "rule" | ((input: Input) => readonly NeededRight[]);
  /** `none` for a command that changes nothing. */
  readonly audit: "none" | ((input: Input, answer: Answer) => AuditNote | undefined);
  /** `here` for a command about this node, or about the store that all nodes share. */
  readonly forward: "here" | Forwarding<Input>;
  /** Only a type. */
  readonly types?: { readonly input: Input; readonly answer: Answer };
}

export interface NeededRight {
  readonly right: Right;
  /** The field that needs it. */
  readonly path?: string;
}

/** What the audit log keeps of a command that was carried out. */
export interface AuditNote {
  readonly action: Right;
  readonly session?: string;
  readonly detail?: string;
  /** The answer waits until the note is stored. */
  readonly isDurable?: true;
}

/** How one node gives a command to another. */
export interface Forwarding<Input> {
  /** How long the other node may take. Its death is noticed sooner. */
  readonly timeoutMs: number;
  /**
   * Whether the command may be given again when nobody knows whether it was carried out: the second time it finds that, or
   * does nothing more.
   */
  readonly isRepeatable: boolean | ((input: Input) => boolean);
  /** The error by which a repeated command says that the first one was carried out, or that it is no longer needed. */
  readonly isOverBy?: ErrorCode;
  /** Which of the two it is; carried out when absent. */
  wasDone?(store: Pick<Store, "getMessage">, input: Input): Promise<boolean>;
  /**
   * It works without the files of the session and without its agent, or is refused with a reason where these are missing. So
   * any node that reads its log can have it.
   */
  readonly isOnLogOnly?: boolean;
}

/** A commit, which waits while the database is away. */
export const COMMIT_MS = 60_000;

/** Git, over large directories. */
export const FILES_MS = 10 * 60_000;

/** An agent is started, which may be installed first. */
export const AGENT_MS = 15 * 60_000;

/** The running turn is stopped first, and its agent ended if it does not stop. */
export const STOP_MS = 3 * 60_000;

const READ_FORWARDING = { timeoutMs: 30_000, isRepeatable: true, isOnLogOnly: true } as const;
/** Where the files are at a node that is gone, any node says so. */
const READ_FILES_FORWARDING = { timeoutMs: FILES_MS, isRepeatable: true, isOnLogOnly: true } as const;

/** A command that only reads a session's log. */
export const READS = { rights: "session.read", audit: "none", forward: READ_FORWARDING } as const;

/** A command that only reads a session's files. */
export const READS_FILES = { rights: "session.read", audit: "none", forward: READ_FILES_FORWARDING } as const;

/** A command about this node that changes nothing. */
export function readsHere(right: Right) {
  return { rights: right, audit: "none", forward: "here" } as const;
}

/** The audit note of most commands on a session. */
export function auditNote(action: Right, detail?: string) {
  return ({ session }: { readonly session: string }): AuditNote => ({
    action,
    session,
    ...(detail !== undefined && { detail }),
  });
}

type Definition<Input, Answer> = Omit<Command<Input, Answer>, "types">;

type PassingRoute = RouteConfig & { readonly operationId: string };

/** The compiler refuses a route that gives less than the command takes, or answers with something else. */
type RouteOf<Input, Answer, Route> = Route extends PassingRoute
  ? [InputOf<Route>, Answer] extends [Input, AnswerOf<Route>]
    ? { readonly route: Route }
    : never
  : object;

/**
 * A command with types of its own. With a route of the same name: a handler hands the input of the route to the command and
 * answers with what the command answers.
 */
export function defineCommand<Input, Answer, Route extends PassingRoute | undefined = undefined>(
  definition: Definition<Input, Answer> & RouteOf<Input, Answer, Route>,
): Command<Input, Answer> & { readonly route: Route } {
  return definition as Command<Input, Answer> & { readonly route: Route };
}

/** A command that takes and answers exactly what its route does. */
export function defineRouteCommand<Route extends PassingRoute>(
  route: Route,
  definition: Definition<InputOf<Route>, AnswerOf<Route>>,
): Command<InputOf<Route>, AnswerOf<Route>> & { readonly route: Route } {
  return { ...definition, route };
}

/** In addresses the session is `id`. */
export type InputOf<Route extends RouteConfig> = Simplified<
  SessionIn<RouteInput<Route>["params"]> &
    Given<RouteInput<Route>["query"]> &
    Given<Exclude<RouteInput<Route>["body"], undefined>>
>;

/** An answer without a body is nothing. */
type AnswerOf<Route extends RouteConfig> =
  RouteReply<Route> extends infer Reply ? (Reply extends { body: infer Body } ? Body : undefined) : never;

type SessionIn<Params> = Params extends { id: infer Id }
  ? { session: Id } & Omit<Params, "id">
  : Given<Params>;

type Given<Fields> = [Fields] extends [undefined] ? unknown : Fields;

type Simplified<Fields> = { [Name in keyof Fields]: Fields[Name] };
