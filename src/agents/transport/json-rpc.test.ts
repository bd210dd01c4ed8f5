import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  afterHeard,
  afterSent,
  EMPTY_LEDGER,
  isWaitingFor,
  METHOD_NOT_FOUND,
  type RpcLedger,
  readMessage,
} from "./json-rpc.ts";
import {
  errorLine,
  noteOf,
  notificationLine,
  refusals,
  requestLines,
  resultLine,
  scopeOf,
} from "./json-rpc-lines.ts";

const read = (line: string) => readMessage(JSON.parse(line));
const sent = (ledger: RpcLedger, line: string) => afterSent(ledger, read(line));
const heard = (ledger: RpcLedger, line: string) => afterHeard(ledger, read(line));

describe("reading", () => {
  it.each([
    ['{"id":0,"method":"ask","params":{"a":1}}', { kind: "request", id: 0, method: "ask", params: { a: 1 } }],
    ['{"id":"x","method":"ask"}', { kind: "request", id: "x", method: "ask", params: {} }],
    ['{"method":"tell","params":[1]}', { kind: "notification", method: "tell", params: {} }],
    ['{"jsonrpc":"2.0","id":1,"result":null}', { kind: "result", id: 1, result: null }],
    [
      '{"id":1,"error":{"code":-1,"message":"no"}}',
      { kind: "error", id: 1, error: { code: -1, message: "no" } },
    ],
    ['{"id":1,"error":"no"}', { kind: "error", id: 1, error: { code: 0, message: '"no"' } }],
    ['{"id":901}', { kind: "other" }],
    ['{"type":"hello"}', { kind: "other" }],
    ['{"id":null,"result":1}', { kind: "other" }],
  ])("%s", (line, message) => {
    expect(read(line)).toEqual(message);
  });
});

describe("the ledger", () => {
  it("knows which requests of ours wait, and numbers the next ones", () => {
    const [first, second] = requestLines(EMPTY_LEDGER, [
      { method: "one", params: {} },
      { method: "two", params: {} },
    ]);
    let ledger = sent(sent(EMPTY_LEDGER, first!), second!);
    expect(isWaitingFor(ledger, "one")).toBe(true);
    ledger = heard(ledger, '{"id":1,"result":{}}');
    expect(isWaitingFor(ledger, "one")).toBe(false);
    expect(isWaitingFor(ledger, "two")).toBe(true);
    expect(read(requestLines(ledger, [{ method: "three", params: {} }])[0]!)).toMatchObject({ id: 3 });
  });

  it("keeps the numbers of the two sides apart", () => {
    let ledger = sent(EMPTY_LEDGER, requestLines(EMPTY_LEDGER, [{ method: "mine", params: {} }])[0]!);
    ledger = heard(ledger, '{"id":1,"method":"yours"}');
    ledger = sent(ledger, resultLine(1, {}));
    expect(ledger.asked.size).toBe(0);
    expect(isWaitingFor(ledger, "mine")).toBe(true);
  });

  it("does not mind answers nobody waits for", () => {
    expect(heard(EMPTY_LEDGER, '{"id":7,"result":1}')).toBe(EMPTY_LEDGER);
    expect(sent(EMPTY_LEDGER, '{"id":777,"result":{}}')).toBe(EMPTY_LEDGER);
    expect(heard(EMPTY_LEDGER, notificationLine("tell"))).toBe(EMPTY_LEDGER);
  });

  it("refuses what nobody here can answer, once, under the id as it came", () => {
    let ledger = heard(EMPTY_LEDGER, '{"id":0,"method":"fine"}');
    ledger = heard(ledger, '{"id":"0b","method":"strange"}');
    const lines = refusals(ledger, (method) => method === "fine");
    expect(lines.map(read)).toEqual([
      {
        kind: "error",
        id: "0b",
        error: { code: METHOD_NOT_FOUND, message: expect.stringContaining("strange") },
      },
    ]);
    ledger = lines.reduce(sent, ledger);
    expect(refusals(ledger, (method) => method === "fine")).toEqual([]);
    expect([...ledger.asked.keys()]).toEqual(["0"]);
  });

  it("is empty again when everything was answered, in whatever order", () => {
    const step = fc.record({ side: fc.constantFrom("ours", "theirs"), id: fc.nat(50), fails: fc.boolean() });
    fc.assert(
      fc.property(
        fc.uniqueArray(step, { selector: ({ side, id }) => `${side} ${id}` }),
        fc.gen(),
        (steps, gen) => {
          let ledger = EMPTY_LEDGER;
          for (const { side, id } of steps) {
            const line = JSON.stringify({ id, method: "do", params: {} });
            ledger = side === "ours" ? sent(ledger, line) : heard(ledger, line);
          }
          expect(ledger.sent.size + ledger.asked.size).toBe(steps.length);
          for (const { side, id, fails } of gen(fc.shuffledSubarray, steps, { minLength: steps.length })) {
            const line = fails ? errorLine(id, { code: 1, message: "no" }) : resultLine(id, null);
            ledger = side === "ours" ? heard(ledger, line) : sent(ledger, line);
          }
          expect(ledger.sent.size + ledger.asked.size).toBe(0);
        },
      ),
    );
  });
});

describe("ids", () => {
  it("carry the scope of a session and a note", () => {
    const [plain, noted] = requestLines(
      EMPTY_LEDGER,
      [
        { method: "a", params: {} },
        { method: "b", params: {}, note: "before:m1" },
      ],
      "s4",
    ).map((line) => JSON.parse(line).id);
    expect(scopeOf(plain)).toBe("s4");
    expect(noteOf(plain)).toBeUndefined();
    expect(scopeOf(noted)).toBe("s4");
    expect(noteOf(noted)).toBe("before:m1");
    expect(scopeOf(12)).toBeUndefined();
    expect(scopeOf("theirs")).toBeUndefined();
  });
});
