/** What a talkative agent says, and the log our machine makes of it: small deltas of one long text. */
import type { AgentOutput } from "../../src/core/adapter.ts";
import type { EncodedEvent } from "../../src/core/encoded-event.ts";
import type { RawRecord } from "../../src/core/raw-record.ts";
import { SessionMachine } from "../../src/core/session-machine.ts";
import { emptyState } from "../../src/core/session-state.ts";
import type { SessionAppend, SessionRow } from "../../src/core/store.ts";

const LETTERS = "etaoinshrdlucmfwypvbgkjqxz";

/** Words that are made up, always the same: real ones repeat themselves less than a short list would. */
function* pieces(): Generator<string, never> {
  let state = 1;
  const random = (below: number) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  // The product of two numbers is mostly small: some letters and some words are much more frequent than others.
  const letter = () => LETTERS[Math.floor((random(26) * random(26)) / 25)];
  const vocabulary = Array.from({ length: 4000 }, () =>
    Array.from({ length: 2 + random(9) }, letter).join(""),
  );
  const word = () => vocabulary[Math.floor((random(4000) * random(4000)) / 4000)];
  for (;;) yield `${word()} ${word()} `;
}

export function agentOutputs(count: number): AgentOutput[] {
  const text = pieces();
  return Array.from({ length: count }, () => {
    const delta = text.next().value;
    return {
      raw: {
        direction: "in",
        data: JSON.stringify({ event: "block_delta", block: "block-1", kind: "text", text: delta }),
      },
      drafts: [{ type: "text.delta", part: "block-1", delta }],
    };
  });
}

/** A machine in the middle of a turn. */
export function machineInTurn(session: string): SessionMachine {
  const sources = { now: Date.now, messageId: () => "msg_Zm9ydHktdHdvIGJ5" };
  const machine = new SessionMachine(emptyState(session), sources);
  machine.create({ agent: "mock", cwd: "/" });
  machine.acceptPrompt("msg_cHJvbXB0IGlzIG9l", [{ type: "text", text: "Tell me everything." }], "queue");
  machine.dispatch("msg_cHJvbXB0IGlzIG9l");
  machine.apply({ type: "text.start", part: "block-1" });
  return machine;
}

/** A log of `count` deltas, cut into what `perCommit` of them add to the store. */
export function sampleAppends(session: string, count: number, perCommit: number): SessionAppend[] {
  const machine = machineInTurn(session);
  const appends: SessionAppend[] = [];
  let events: EncodedEvent[] = machine.take().map(encode);
  let raws: RawRecord[] = [];
  for (const [index, { raw, drafts }] of agentOutputs(count).entries()) {
    raws.push({ rawSeq: index + 1, generation: 1, at: Date.now(), ...raw });
    for (const draft of drafts) machine.apply(draft, index + 1);
    for (const event of machine.take()) events.push(encode(event));
    if (raws.length < perCommit && index + 1 < count) continue;
    const row = rowOf(session, machine.state.head, index + 1);
    appends.push({ session, events, raws, row, messages: [], asks: [], usage: [] });
    events = [];
    raws = [];
  }
  return appends;
}

function encode(event: { seq: number }): EncodedEvent {
  return { seq: event.seq, json: JSON.stringify(event) };
}

export function rowOf(id: string, head: number, rawHead: number): SessionRow {
  return {
    id,
    agent: "mock",
    cwd: "/",
    status: "running",
    createdAt: 1,
    updatedAt: 1,
    head,
    rawHead,
    openAsks: 0,
    queued: 0,
    attached: false,
    request: "",
  };
}
