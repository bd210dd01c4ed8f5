/** Views and formats of a dialect from outside: what they give is checked, and what they throw ends their own stream only. */
import type { SessionEvent } from "../../core/event.ts";
import type {
  FollowSession,
  Frame,
  MessageFormat,
  MessageFrame,
  SharedView,
  View,
  ViewDefinition,
  WantedMessage,
} from "../dialect.ts";
import type { ModuleCalls } from "./module-calls.ts";

const MARKS: readonly unknown[] = ["start", "step", "content", "seam", "end"];

/** Throws `internal` where the module's view throws or gives no frames. */
export class OutsideView<OneFrame extends Frame = Frame> implements View<OneFrame> {
  readonly inner: View<OneFrame>;
  readonly #calls: ModuleCalls;
  readonly #hasMarks: boolean;

  constructor(inner: View<OneFrame>, calls: ModuleCalls, hasMarks = false) {
    this.inner = inner;
    this.#calls = calls;
    this.#hasMarks = hasMarks;
  }

  add(event: SessionEvent): readonly OneFrame[] {
    try {
      const frames = this.#calls.enter(() => this.inner.add(event));
      assertFrames(frames, this.#hasMarks);
      return frames;
    } catch (error) {
      this.#calls.note(error, `the view of a dialect failed at an event of the type ${event.type}`);
      throw this.#calls.failure();
    }
  }
}

function assertFrames(frames: unknown, hasMarks: boolean): void {
  if (!Array.isArray(frames)) throw new Error("add gave no list of frames; give [] where there is none");
  for (const frame of frames) {
    if (typeof frame?.text !== "string") throw new Error("a frame has no text");
    if (!hasMarks) continue;
    if (!MARKS.includes(frame.mark)) throw new Error(`the mark of a frame is none of ${MARKS.join(", ")}`);
    if (frame.mark === "seam" && typeof frame.ask !== "string")
      throw new Error("a seam does not name its ask");
  }
}

export function outsideFormat(inner: MessageFormat, calls: ModuleCalls): MessageFormat {
  return {
    // Readers of equal keys share a view: of this dialect alone.
    key: `outside:${calls.dialect}:${inner.key}`,
    createView: (facts) =>
      new OutsideView<MessageFrame>(
        made(calls, () => inner.createView(facts)),
        calls,
        true,
      ),
    done: String(inner.done),
    begin: (message) => String(made(calls, () => inner.begin(message))),
    pause: String(inner.pause),
  };
}

export function outsideWanted(wanted: WantedMessage, calls: ModuleCalls): WantedMessage {
  return { ...wanted, format: outsideFormat(wanted.format, calls) };
}

export function outsideFollow(options: FollowSession, calls: ModuleCalls): FollowSession {
  const { view, isComplete, onLevel, shared } = options;
  return {
    after: options.after,
    ...(options.from !== undefined && { from: options.from }),
    view: new OutsideView(view, calls),
    ...(isComplete && { isComplete: (event) => made(calls, () => isComplete(event)) }),
    ...(onLevel && {
      onLevel: (seen) => made(calls, () => onLevel(seen instanceof OutsideView ? seen.inner : seen)),
    }),
    ...(shared && { shared: outsideShared(shared, calls) }),
  };
}

function outsideShared(inner: SharedView, calls: ModuleCalls): SharedView {
  return {
    key: `outside:${calls.dialect}:${inner.key}`,
    async restart(after) {
      const { view, from } = await calls.enter(async () => inner.restart(after));
      return { view: new OutsideView(view, calls), from };
    },
  };
}

/** What the module gives, or `internal`. */
function made<Result>(calls: ModuleCalls, make: () => Result): Result {
  try {
    return calls.enter(make);
  } catch (error) {
    calls.note(error, "the view of a dialect failed");
    throw calls.failure();
  }
}

/** For X-ray, which shows what all dialects say: one that fails says so, and hides nobody else's frames. */
export function outsideViewDefinition(inner: ViewDefinition, calls: ModuleCalls): ViewDefinition {
  if (inner.scope === "message") {
    const formats = inner.formats.map((format) => {
      const outside = outsideFormat(format, calls);
      return { ...outside, createView: (facts: object) => softly(() => outside.createView(facts)) };
    });
    return { scope: "message", resume: inner.resume, formats };
  }
  const { inspect } = inner;
  const soft = (create: () => View) => softly(() => new OutsideView(made(calls, create), calls));
  return {
    scope: "session",
    resume: inner.resume,
    create: () => soft(() => inner.create()),
    ...(inspect && { inspect: (session) => soft(() => Reflect.apply(inspect, inner, [session])) }),
  };
}

function softly<OneFrame extends Frame>(create: () => View<OneFrame>): View<OneFrame> {
  let view: View<OneFrame> | undefined;
  let hasFailed = false;
  return {
    add(event) {
      if (hasFailed) return [];
      try {
        view ??= create();
        return view.add(event);
      } catch (error) {
        hasFailed = true;
        return [{ mark: "content", text: (error as Error).message } as unknown as OneFrame];
      }
    },
  };
}
