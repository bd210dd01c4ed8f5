/** A dialect from outside, held to the port. What it throws concerns the request or the stream in which it happened. */
import type { SessionEvent } from "../../core/event.ts";
import type { ModuleErrors } from "../../modules/module-errors.ts";
import type { Problem } from "../../protocol/schemas/problem.ts";
import type {
  AnyDialect,
  Call,
  ChannelDefinition,
  ChannelHandler,
  DialectServices,
  Sink,
} from "../dialect.ts";
import { ModuleCalls } from "./module-calls.ts";
import { outsideServices } from "./outside-services.ts";
import { outsideChannel, outsideSignal, outsideSink } from "./outside-sink.ts";
import { outsideViewDefinition } from "./outside-view.ts";

/** Of one event. */
const MAX_KEYS = 16;
const MAX_KEY_LENGTH = 512;
const FAILED = "the dialect failed";

const NO_KEYS: readonly string[] = [];

/** @param inner As `readDialect` gives it. */
export function outsideDialect(inner: AnyDialect, errors: ModuleErrors): AnyDialect {
  const calls = new ModuleCalls(inner.name, errors);
  const { keys, describeProblem } = inner;
  return {
    ...inner,
    handlers: (services) => outsideHandlers(inner, services, calls),
    channels: inner.channels?.map((channel) => outsideChannelDefinition(channel, calls)),
    view: outsideViewDefinition(inner.view, calls),
    ...(keys && { keys: (event: SessionEvent) => keysOf(event, keys, calls) }),
    ...(describeProblem && {
      describeProblem: (problem: Problem) => describe(problem, describeProblem, calls),
    }),
  };
}

function outsideHandlers(
  { name, routes, handlers: create }: AnyDialect,
  services: DialectServices,
  calls: ModuleCalls,
): ReturnType<AnyDialect["handlers"]> {
  const handlers = calls.enter(() => create(outsideServices(services, calls))) as Readonly<
    Record<string, unknown>
  >;
  return Object.fromEntries(
    Object.keys(routes).map((route) => [
      route,
      async (input: never, call: Call) => {
        const handler = handlers?.[route];
        if (typeof handler !== "function") throw new Error(`the dialect "${name}" has no handler "${route}"`);
        const reply = await calls.enter(async () =>
          Reflect.apply(handler, handlers, [input, outsideCall(call, calls)]),
        );
        assertReply(reply, `the handler "${route}" of the dialect "${name}"`);
        return reply;
      },
    ]),
  );
}

/** A whole response, or a status with its body. */
function assertReply(reply: unknown, who: string): void {
  if (typeof reply === "object" && reply !== null) {
    const { status, body, headers } = reply as Readonly<Record<string, unknown>>;
    if (typeof (headers as Headers | undefined)?.get === "function") return;
    const isStatus = Number.isInteger(status) && (status as number) >= 200 && (status as number) < 600;
    if (headers === undefined && isStatus && (body === undefined || typeof body === "object")) return;
  }
  throw new Error(`${who} gave no answer: return { status, body }, or what a method of the call gives`);
}

function outsideCall(call: Call, calls: ModuleCalls): Call {
  let signal: AbortSignal | undefined;
  return {
    isHead: call.isHead,
    caller: call.caller,
    get signal() {
      signal ??= outsideSignal(call.signal, calls);
      return signal;
    },
    header: (name) => call.header(name),
    answer: (status, body, headers) => call.answer(status, body, headers),
    answerJson: (status, pieces) => call.answerJson(status, pieces),
    answerList: (name, items, beside) => call.answerList(name, items, beside),
    stream({ headers, closingFrame, hasComments }, run) {
      const closing = closingFrame && ((reason: string) => closingText(reason, closingFrame, calls));
      return calls.leave(() =>
        call.stream({ headers, hasComments, ...(closing && { closingFrame: closing }) }, (sink) => {
          const own = callsOf(sink, calls);
          own.settle(() => run(outsideSink(sink, own)), "a stream of a dialect failed");
        }),
      );
    },
  };
}

/** What fails in a stream ends it. */
function callsOf(sink: Sink, calls: ModuleCalls): ModuleCalls {
  return calls.with(() => sink.end(FAILED));
}

function closingText(reason: string, closingFrame: (reason: string) => string, calls: ModuleCalls): string {
  try {
    return String(calls.enter(() => closingFrame(reason)));
  } catch (error) {
    calls.note(error, "the closing frame of a dialect failed");
    return "";
  }
}

function outsideChannelDefinition(channel: ChannelDefinition, calls: ModuleCalls): ChannelDefinition {
  return {
    ...channel,
    handler(services): ChannelHandler {
      const open = calls.enter(() => channel.handler(outsideServices(services, calls)));
      return async (call) => {
        const signal = outsideSignal(call.signal, calls);
        const { caller, params, query } = call;
        const header = (name: string) => call.header(name);
        const run = await calls.enter(async () => open({ caller, params, query, header, signal }));
        if (typeof run !== "function")
          throw new Error(
            `a channel of the dialect "${calls.dialect}" gave no function for the open channel`,
          );
        return (opened) => {
          const own = callsOf(opened, calls);
          return own.enter(async () => run(outsideChannel(opened, own)));
        };
      };
    },
  };
}

/** Never throws: the commit that the keys go with is everybody's. */
function keysOf(
  event: SessionEvent,
  keys: NonNullable<AnyDialect["keys"]>,
  calls: ModuleCalls,
): readonly string[] {
  try {
    const found: unknown = calls.enter(() => keys(event));
    if (!Array.isArray(found)) throw new Error("keys gave no list; give [] where there is none");
    if (found.length === 0) return NO_KEYS;
    const usable = found.filter(
      (key) => typeof key === "string" && key !== "" && key.length <= MAX_KEY_LENGTH,
    );
    if (usable.length < found.length || usable.length > MAX_KEYS)
      throw new Error(
        `keys gave what is no key: ${MAX_KEYS} texts of 1 to ${MAX_KEY_LENGTH} characters at most`,
      );
    return usable;
  } catch (error) {
    calls.note(error, `the keys of a dialect failed at an event of the type ${event.type}`);
    return NO_KEYS;
  }
}

/** A problem document where the module has no words for it. */
function describe(
  problem: Problem,
  describeProblem: NonNullable<AnyDialect["describeProblem"]>,
  calls: ModuleCalls,
): { body: string; headers: Readonly<Record<string, string>> } {
  try {
    const { body, headers } = calls.enter(() => describeProblem(problem));
    if (typeof body !== "string") throw new Error("describeProblem gave no text as body");
    // Throws for what cannot be sent.
    return { body, headers: Object.fromEntries(new Headers(headers)) };
  } catch (error) {
    calls.note(error, "describeProblem of a dialect failed");
    return { body: JSON.stringify(problem), headers: { "content-type": "application/problem+json" } };
  }
}
