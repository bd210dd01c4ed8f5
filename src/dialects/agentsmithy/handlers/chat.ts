/** Prompts and answers as AgentSmithy's clients post them, and the responses they read. */
import { type ErrorCode, InterlinguaError } from "../../../core/error.ts";
import type { Principal } from "../../../core/principal.ts";
import type { PromptPart } from "../../../core/prompt-part.ts";
import type { SessionRow } from "../../../core/store.ts";
import type { AskView } from "../../../protocol/commands/command-types.ts";
import type { Call, DialectHandlers, DialectServices, FollowSession } from "../../dialect.ts";
import { contextPart, findAnswer, lastUserText } from "../inbound.ts";
import { canApprovePlans, type SmithyMount } from "../mount.ts";
import { ResponseView } from "../outbound.ts";
import type { SmithyRoutes } from "../routes.ts";
import type { ChatRequest } from "../schemas.ts";
import { EVENT_STREAM_HEADERS } from "../sse.ts";
import { WholeResponseView } from "../whole-response.ts";
import { readCheckpoints } from "./checkpoints.ts";
import { type DialogsDirectory, dialogIdOf } from "./dialogs-directory.ts";

/** What a request has set going. */
interface Begun {
  view: ResponseView;
  /** The view needs the events after this one. */
  from: number;
  /** Takes it back: nobody reads the response. */
  abandon(): Promise<void>;
}

export function chatHandlers(
  services: DialectServices,
  dialogs: DialogsDirectory,
  mount: SmithyMount,
): Pick<DialectHandlers<SmithyRoutes>, "sendSmithyMessage"> {
  const { engine, store, sessions, logger } = services;

  async function dialogFor({ dialog_id }: ChatRequest, by: Principal): Promise<SessionRow> {
    if (dialog_id) return dialogs.require(dialog_id);
    const current = await dialogs.current();
    if (current) return current;
    const session = await dialogs.create(by);
    await dialogs.setCurrent(session.id);
    return session;
  }

  async function promptParts(session: SessionRow, body: ChatRequest, text: string): Promise<PromptPart[]> {
    const said: PromptPart = { type: "text", text };
    const context = contextPart(body, session.cwd);
    if (!context) return [said];
    try {
      await services.checkPrompt([context], session.id);
    } catch (error) {
      // An editor may show a file of another project. That is no reason to refuse what the person says.
      if (isRefusal(error, "outside_roots")) return [said];
      throw error;
    }
    return [context, said];
  }

  /**
   * Answers the first question that takes the text. Undefined if none does, or it is closed by now. Throws if somebody
   * was faster and no other takes it: it was meant as an answer, so it is no prompt.
   */
  async function giveAnswer(
    session: string,
    asks: readonly AskView[],
    text: string,
    by: Principal,
  ): Promise<AskView | undefined> {
    let tooLate: unknown;
    for (const ask of asks) {
      const answer = findAnswer(ask, text, canApprovePlans(mount));
      if (!answer) continue;
      try {
        return await engine.run("replyToAsk", { ...answer, session, ask: ask.ask }, by);
      } catch (error) {
        if (isRefusal(error, "ask_answered")) tooLate ??= error;
        else if (!isRefusal(error, "ask_closed", "option_not_offered")) throw error;
      }
    }
    if (tooLate !== undefined) throw tooLate;
    return undefined;
  }

  async function begin(session: SessionRow, body: ChatRequest, by: Principal): Promise<Begun> {
    const { id, cwd } = session;
    const text = lastUserText(body);
    const facts = {
      dialog: dialogIdOf(session),
      cwd,
      page: services.pageLink(id),
      canApprovePlans: canApprovePlans(mount),
    };
    const asks = await turnAsks(id, by);
    const answered = await giveAnswer(id, asks, text, by);
    if (answered) {
      const { ask, turn } = answered;
      return {
        view: new ResponseView({
          ...facts,
          to: { ask },
          checkpointAt: await readCheckpoints(engine, id, by),
        }),
        from: earliest(asks) - 1,
        abandon: async () => void (await engine.run("interrupt", { session: id, turn }, by)),
      };
    }
    const parts = await promptParts(session, body, text);
    const { message, seq } = await engine.run("prompt", { session: id, parts, whenBusy: "queue" }, by);
    const view = new ResponseView({ ...facts, to: { prompt: message } });
    return {
      view,
      // Asked again, since one may have been opened meanwhile, before the prompt was accepted.
      from: Math.min(seq, earliest(await turnAsks(id, by))) - 1,
      abandon: () => takeBack(id, message, view, by),
    };
  }

  /** Background work may ask, too, while turns go on: no prompt waits for that. */
  async function turnAsks(session: string, by: Principal): Promise<AskView[]> {
    const { asks } = await engine.run("listAsks", { session }, by);
    return asks.filter(({ turn }) => turn !== undefined);
  }

  /** Withdraws a prompt that waits, or stops its turn. */
  async function takeBack(
    session: string,
    message: string,
    view: ResponseView,
    by: Principal,
  ): Promise<void> {
    try {
      return await engine.run("withdrawQueued", { session, message }, by);
    } catch (error) {
      if (!isRefusal(error, "message_not_queued")) throw error;
    }
    // Without a turn it is being dispatched: then that is the turn that runs.
    const turn = view.turn ?? (await store.getMessage(session, message))?.turn;
    await engine.run("interrupt", { session, turn }, by);
  }

  /** Only a connection that closes before `done` stops anything. */
  function clientLeft({ view, abandon }: Begun, session: string): void {
    if (view.isDone || mount.keepsRunning) return;
    abandon().catch((error: unknown) => {
      // The session was deleted, or the daemon is stopping: there is nothing left to stop.
      logger.debug({ err: error, session }, "a turn whose client left could not be stopped");
    });
  }

  function follow({ view, from }: Begun): FollowSession {
    return { view, after: from, isComplete: () => view.isDone };
  }

  function respond(call: Call, session: string, begun: Begun): Response {
    const { view } = begun;
    const closingFrame = (reason: string) => textOf(view.cutOff(reason));
    const options = { headers: EVENT_STREAM_HEADERS, closingFrame, hasComments: false };
    return call.stream(options, (sink) => {
      sink.onClose(() => clientLeft(begun, session));
      sessions.follow(sink, session, follow(begun));
    });
  }

  async function answerWhole(call: Call, session: SessionRow, begun: Begun) {
    const { signal } = call;
    const view = new WholeResponseView(begun.view, dialogIdOf(session), services.pages.maxBytes);
    try {
      await sessions.collect(session.id, { ...follow(begun), view }, signal);
      return { status: 200 as const, body: view.whole };
    } catch (error) {
      if (signal.aborted) clientLeft(begun, session.id);
      throw error;
    }
  }

  return {
    async sendSmithyMessage({ body }, call) {
      // A prompt whose stream is then refused would run unseen.
      services.assertRoom();
      lastUserText(body);
      const session = await dialogFor(body, call.caller);
      const begun = await begin(session, body, call.caller);
      if (body.stream) return respond(call, session.id, begun);
      return answerWhole(call, session, begun);
    },
  };
}

function textOf(frames: readonly { text: string }[]): string {
  return frames.map(({ text }) => text).join("");
}

function earliest(asks: readonly AskView[]): number {
  return Math.min(...asks.map(({ seq }) => seq));
}

function isRefusal(error: unknown, ...codes: readonly ErrorCode[]): boolean {
  return InterlinguaError.isInstance(error) && codes.includes(error.code);
}
