/** Random drafts as a careless agent would send them: wrong order, repeated ids, ends without starts. */
import fc from "fast-check";
import type { Draft } from "../core/draft.ts";

const few = <Value extends string>(...values: Value[]) => fc.constantFrom(...values);
const part = few("p1", "p2", "p3");
const call = few("c1", "c2", "c3", "c4");
const ask = few("q1", "q2", "q3");
const task = few("k1", "k2");
const text = fc.string({ maxLength: 6 });
const origin = fc.oneof(
  { weight: 6, arbitrary: fc.constant({}) },
  { weight: 2, arbitrary: fc.record({ parent: call }) },
  { weight: 1, arbitrary: fc.record({ task }) },
);

function draft<Type extends Draft["type"]>(
  type: Type,
  fields: fc.Arbitrary<object> = fc.constant({}),
): fc.Arbitrary<Draft> {
  return fields.map((body) => ({ type, ...body }) as unknown as Draft);
}

function placed(fields: fc.Arbitrary<object>): fc.Arbitrary<object> {
  return fc.tuple(fields, origin).map(([body, where]) => ({ ...body, ...where }));
}

const option = fc.constantFrom(
  [
    { id: "yes", label: "Yes", effect: "once" },
    { id: "no", label: "No", effect: "reject" },
  ],
  [
    { id: "always", label: "Always", effect: "always" },
    { id: "stop", label: "Stop", effect: "reject", stops: true },
  ],
);

const opened = placed(
  fc.record({
    ask,
    kind: few("permission", "question", "plan"),
    title: fc.constant("?"),
    options: option,
    call: fc.option(call, { nil: undefined }),
    editable: fc.option(fc.constant(true), { nil: undefined }),
  }),
);

/**
 * Any draft a translator could make.
 *
 * @example fc.assert(fc.property(fc.array(sloppyDraft), (drafts) => checkLog(logOf(drafts)).length === 0));
 */
export const sloppyDraft: fc.Arbitrary<Draft> = fc.oneof(
  ...(["text", "reasoning"] as const).flatMap((kind) => [
    draft(`${kind}.start`, placed(fc.record({ part }))),
    draft(`${kind}.delta`, placed(fc.record({ part: fc.option(part, { nil: undefined }), delta: text }))),
    draft(`${kind}.end`, placed(fc.record({ part }))),
  ]),
  draft(
    "tool.start",
    placed(fc.record({ call, name: few("Read", "Bash", ""), title: fc.option(text, { nil: undefined }) })),
  ),
  draft("tool.input.delta", placed(fc.record({ call, delta: text }))),
  draft("tool.input", placed(fc.record({ call, input: fc.jsonValue({ maxDepth: 1 }) }))),
  draft("tool.progress", placed(fc.record({ call, progress: fc.constant(1) }))),
  draft("tool.output.delta", placed(fc.record({ call, delta: text }))),
  draft(
    "tool.output",
    placed(fc.record({ call, output: text, preliminary: fc.boolean(), running: fc.boolean() })),
  ),
  draft("tool.failed", placed(fc.record({ call, error: text }))),
  draft("tool.denied", placed(fc.record({ call }))),
  draft("tool.abandoned", placed(fc.record({ call, reason: text }))),
  draft("tool.amended", placed(fc.record({ call, output: text }))),
  draft("tool.summary", fc.record({ calls: fc.array(call, { maxLength: 2 }), text })),
  draft(
    "content.discarded",
    fc.record({
      parts: fc.array(part, { maxLength: 2 }),
      calls: fc.array(call, { maxLength: 2 }),
      reason: text,
    }),
  ),
  draft("file", placed(fc.record({ url: fc.constant("data:,x"), mediaType: fc.constant("text/plain") }))),
  draft("source", placed(fc.record({ id: few("s1", "s2"), url: fc.constant("https://example.test/") }))),
  draft("file.edited", placed(fc.record({ path: fc.constant("/x"), kind: few("created", "changed") }))),
  draft("plan.updated", placed(fc.record({ entries: fc.constant([{ text: "do", status: "active" }]) }))),
  draft(
    "usage",
    placed(fc.record({ input: fc.nat(9), output: fc.nat(9), cost: fc.constantFrom(0.01, 0.1, undefined) })),
  ),
  draft("notice", placed(fc.record({ level: few("info", "warning"), code: fc.constant("n"), text }))),
  draft("step.started"),
  draft("step.ended", fc.record({ reason: fc.option(text, { nil: undefined }) })),
  draft(
    "turn.started",
    fc.record({ cause: fc.constant("task"), text, task: fc.option(task, { nil: undefined }) }),
  ),
  draft(
    "turn.ended",
    fc.record({
      outcome: few("completed", "failed", "refused", "limit", "interrupted"),
      origin: fc.option(fc.constant("agent"), { nil: undefined }),
    }),
  ),
  draft("ask.opened", opened),
  draft("ask.opened", opened),
  draft("ask.updated", fc.record({ ask, detail: few("one", "two") })),
  draft(
    "ask.closed",
    fc.record({ ask, outcome: few("cancelled", "answered", "expired"), delivered: fc.boolean() }),
  ),
  draft("ask.answered", fc.record({ ask, option: few("yes", "no", "other") })),
  draft("task.started", fc.record({ task, title: text, call: fc.option(call, { nil: undefined }) })),
  draft("task.updated", fc.record({ task, status: text })),
  draft("task.ended", fc.record({ task, outcome: few("completed", "failed", "stopped") })),
  draft("prompt.taken"),
  draft("prompt.received", fc.record({ native: text })),
  draft("session.attached", fc.record({ agentSessionId: few("n1", "n2"), model: few("m1", "m2") })),
  draft("session.updated", fc.record({ title: text })),
  draft("compaction.started"),
  draft("agent.unknown", fc.record({ native: text })),
);
