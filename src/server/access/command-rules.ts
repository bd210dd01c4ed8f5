/** What a token's command depends on besides rights: what is stored, which sessions and agents the token is for, and what it may see. */
import type { Principal } from "../../core/principal.ts";
import type { PromptPart } from "../../core/prompt-part.ts";
import { answerRight } from "../../core/rights.ts";
import type { SessionDetails } from "../../protocol/commands/command-types.ts";
import type { CommandAnswer, CommandInput, CommandName } from "../../protocol/commands/index.ts";
import { askNotFound, messageNotFound, messageNotQueued, sessionNotFound } from "../../protocol/refusals.ts";
import type { LimitedEngineOptions } from "./limited-engine.ts";
import { withoutNames } from "./without-names.ts";

/** Called when the caller has the rights of the definition. `next` runs the command. */
export type CommandRule<Name extends CommandName> = (
  input: CommandInput<Name>,
  by: Principal,
  next: (input: CommandInput<Name>) => Promise<CommandAnswer<Name>>,
) => Promise<CommandAnswer<Name>>;

type CommandRules = { readonly [Name in CommandName]?: CommandRule<Name> };

export function commandRules({ engine, store, files, check, scope }: LimitedEngineOptions): CommandRules {
  /** Whether it waits and came with this token. Undefined if it does not wait. */
  async function isOwn(session: string, message: string, by: Principal): Promise<boolean | undefined> {
    const queue = await engine.run("listQueue", { session, maxBytes: 0 }, by);
    const waiting = queue.find((queued) => queued.message === message);
    return waiting && waiting.author === check.access.token;
  }

  async function assertMayChange(session: string, message: string, by: Principal): Promise<void> {
    if (check.has("queue.any")) return;
    const own = await isOwn(session, message, by);
    if (own === false) throw check.refuse("queue.any", { by, session });
    // It could begin to wait again, and be somebody else's.
    if (own === undefined)
      throw (await store.getMessage(session, message)) ? messageNotQueued(message) : messageNotFound(message);
  }

  /** A token for one session gets no files of other directories by it. */
  async function assertFiles(session: string, parts: readonly PromptPart[]): Promise<void> {
    if (!scope.namesSessions || parts.every(({ type }) => type === "text")) return;
    const row = await store.getSession(session);
    if (!row) throw sessionNotFound(session);
    await files.checkParts(session, parts, row.cwd);
  }

  /** Without what was chosen by those who may, and without the names of other sessions. */
  function shown({ env, forks, forkedFrom, ...details }: SessionDetails): SessionDetails {
    const shownForks = forks?.filter((id) => scope.coversId(id));
    return {
      ...details,
      ...(env && check.has("session.program") && { env }),
      ...(shownForks && shownForks.length > 0 && { forks: shownForks }),
      ...(forkedFrom && scope.coversId(forkedFrom.session) && { forkedFrom }),
    };
  }

  /** Others may work in the same directory. */
  const onFiles = <Result>(work: Promise<Result>) => (scope.isAll ? work : withoutNames(work));

  /** Callers may put their own prompts in any order. Getting ahead of those of others changes what becomes of them. */
  const checks = { access: check.access };

  return {
    async createSession(request, _, next) {
      scope.assertAgent(request.agent);
      // One without an id would get another one than those the token is for.
      if (request.id === undefined ? scope.namesSessions : !scope.coversId(request.id))
        throw sessionNotFound(request.id ?? "");
      const { session, created } = await next(request);
      return { session: shown(session), created };
    },
    getSession: async (input, _, next) => shown(await next(input)),
    detachSession: async (input, _, next) => shown(await next(input)),
    attachSession: async (input, _, next) => shown(await next(input)),
    updateSession: async (input, _, next) => shown(await next(input)),
    async forkSession(input, by, next) {
      // The new session would not be one of those the token is for.
      if (scope.namesSessions) throw check.refuse("session.fork", { by, session: input.session });
      return shown(await next(input));
    },

    async prompt(input, _, next) {
      await assertFiles(input.session, input.parts);
      return next({ ...input, checks });
    },
    async edit(input, by, next) {
      const { session, id, parts } = input;
      await assertFiles(session, parts);
      if (check.has("session.rewrite")) return next(input);
      if (await isOwn(session, id, by)) {
        const change = engine.run("changeQueued", { session, message: id, parts }, by);
        const { message, seq } = await check.noted(change, { by, session });
        return { message, state: "queued", seq };
      }
      if (await store.getMessage(session, id)) throw check.refuse("session.rewrite", { by, session });
      const prompt = { session, id, parts, whenBusy: "queue", checks } as const;
      return check.noted(engine.run("prompt", prompt, by), { by, session });
    },
    async regenerate(input, _, next) {
      if (input.prompt) await assertFiles(input.session, input.prompt.parts);
      return next(input);
    },

    async changeQueued(input, by, next) {
      await assertMayChange(input.session, input.message, by);
      await assertFiles(input.session, input.parts);
      return next(input);
    },
    async moveQueued(input, by, next) {
      await assertMayChange(input.session, input.message, by);
      return next({ ...input, checks });
    },
    async sendQueued(input, by, next) {
      await assertMayChange(input.session, input.message, by);
      return next({ ...input, checks });
    },
    async withdrawQueued(input, by, next) {
      await assertMayChange(input.session, input.message, by);
      return next(input);
    },

    listAsks: (query, _, next) => next({ ...query, only: scope.only }),
    /** By the kind of the ask. One that is not committed yet is not there, whatever it will be. */
    async replyToAsk(input, by, next) {
      const { session, ask } = input;
      const row = await store.getAsk(session, ask);
      if (!row) throw askNotFound(ask);
      check.assert(answerRight(row.kind), { by, session });
      return next(input);
    },

    listChanges: (input, _, next) => onFiles(next(input)),
    restore: (input, _, next) => onFiles(next(input)),
    approve: (input, _, next) => onFiles(next(input)),
    reset: (input, _, next) => onFiles(next(input)),

    async listAgents(input, _, next) {
      return (await next(input)).filter(({ name }) => scope.coversAgent(name));
    },
    async getAgent(input, _, next) {
      scope.assertAgent(input.agent);
      return next(input);
    },
  };
}
