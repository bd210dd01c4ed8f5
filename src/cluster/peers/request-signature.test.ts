import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { MAX_CLOCK_DIFFERENCE_MS, RequestChecker } from "./request-checker.ts";
import { digestOf, type SignedRequest, signAnswer, signatureKey, signRequest } from "./request-signature.ts";
import { SeenNonces } from "./seen-nonces.ts";
import { readRequestHeaders, requestHeaders } from "./signature-headers.ts";

const KEY = signatureKey("only-for-tests-".repeat(3));
const DATABASE = "00000000-0000-4000-8000-000000000001";
const NOW = 1_800_000_000_000;

const hex = (length: number) =>
  fc.string({ unit: fc.constantFrom(..."0123456789abcdef"), minLength: length, maxLength: length });

const requests: fc.Arbitrary<SignedRequest> = fc.record({
  method: fc.constant("POST"),
  path: fc.stringMatching(/^\/[a-z/-]{1,20}$/),
  from: fc.integer({ min: 1, max: 1_000_000 }),
  to: fc.constant(7),
  database: fc.constant(DATABASE),
  at: fc.integer({ min: NOW - MAX_CLOCK_DIFFERENCE_MS, max: NOW + MAX_CLOCK_DIFFERENCE_MS }),
  nonce: hex(32),
  digest: hex(64),
});

function checker(now = () => NOW, key = KEY): RequestChecker {
  return new RequestChecker({ key, node: () => 7, database: () => DATABASE, now });
}

describe("a signed request", () => {
  it("is taken once, as its headers carry it", () => {
    fc.assert(
      fc.property(requests, (request) => {
        const { method, path } = request;
        const headers = requestHeaders(request, signRequest(KEY, request));
        const read = readRequestHeaders(headers, { method, path });
        expect(read?.request).toEqual(request);
        const receiver = checker();
        expect(receiver.check(read)).toBeUndefined();
        expect(receiver.check(read)).toBe("repeated");
      }),
    );
  });

  it("is refused when anything of it is changed", () => {
    const changes: { [Key in keyof SignedRequest]: (value: SignedRequest[Key]) => SignedRequest[Key] } = {
      method: () => "PUT",
      path: (path) => `${path}x`,
      from: (from) => from + 1,
      to: (to) => to + 1,
      database: (database) => [...database].reverse().join(""),
      at: (at) => at + 1,
      nonce: (nonce) => [...nonce].reverse().join("") + (nonce === [...nonce].reverse().join("") ? "0" : ""),
      digest: () => digestOf("another body"),
    };
    fc.assert(
      fc.property(
        requests,
        fc.constantFrom(...(Object.keys(changes) as (keyof SignedRequest)[])),
        (request, field) => {
          const signature = signRequest(KEY, request);
          const changed = {
            ...request,
            [field]: (changes[field] as (value: unknown) => unknown)(request[field]),
          };
          expect(checker().check({ request: changed as SignedRequest, signature })).toBe("wrong signature");
        },
      ),
    );
  });

  it("is refused with a signature that differs in any place, is cut or is of another secret", () => {
    fc.assert(
      fc.property(requests, fc.nat({ max: 63 }), (request, place) => {
        const right = signRequest(KEY, request);
        const other = right[place] === "0" ? "1" : "0";
        const signatures = [
          right.slice(0, place) + other + right.slice(place + 1),
          right.slice(0, place),
          `${right}0`,
          signRequest(signatureKey("another secret of some length"), request),
          signAnswer(KEY, { nonce: request.nonce, status: 200, digest: request.digest }),
        ];
        for (const signature of signatures)
          expect(checker().check({ request, signature })).toBe("wrong signature");
      }),
    );
  });

  it("is for one node, and for about now", () => {
    const request = fc.sample(requests, 1)[0]!;
    const signed = (change: Partial<SignedRequest>) => {
      const changed = { ...request, ...change };
      return { request: changed, signature: signRequest(KEY, changed) };
    };
    expect(checker().check(signed({ database: DATABASE.replace("1", "2") }))).toBe("another database");
    expect(checker().check(signed({ to: 8 }))).toBe("for another node");
    expect(checker().check(signed({ at: NOW - MAX_CLOCK_DIFFERENCE_MS - 1 }))).toBe("clocks differ");
    expect(checker().check(signed({ at: NOW + MAX_CLOCK_DIFFERENCE_MS + 1 }))).toBe("clocks differ");
    expect(checker().check(undefined)).toBe("no signature");
  });
});

describe("headers that are not those of a node", () => {
  it("are no request", () => {
    const request = fc.sample(requests, 1)[0]!;
    const headers = requestHeaders(request, signRequest(KEY, request));
    for (const name of Object.keys(headers))
      for (const value of [undefined, "", "0", "-1", "1e3", "x", `${headers[name]} `, "9".repeat(400)]) {
        // A time of zero is one, long ago.
        if (name === "interlingua-time" && value === "0") continue;
        const read = readRequestHeaders({ ...headers, [name]: value }, request);
        expect({
          name,
          value,
          read: read?.signature === undefined || name === "authorization",
        }).toMatchObject({
          read: true,
        });
      }
  });
});

describe("nonces", () => {
  it("are never taken twice within the window, however few are kept", () => {
    const arrivals = fc.array(
      fc.record({ nonce: hex(1), skew: fc.integer({ min: -100, max: 100 }), wait: fc.nat({ max: 60 }) }),
      { maxLength: 100 },
    );
    fc.assert(
      fc.property(arrivals, fc.integer({ min: 1, max: 8 }), (list, maxNonces) => {
        const seen = new SeenNonces({ windowMs: 100, maxNonces });
        const taken = new Set<string>();
        let now = 1000;
        for (const { nonce, skew, wait } of list) {
          now += wait;
          const at = now + skew;
          // An attacker repeats what was sent: the same nonce has the same time.
          const name = `${nonce}-${at}`;
          const isTaken = seen.note({ nonce: name, at }, now);
          if (isTaken) expect(taken.has(name)).toBe(false);
          if (isTaken) taken.add(name);
          for (const before of taken) {
            const [, time] = before.split("-");
            if (Math.abs(now - Number(time)) > 100) continue;
            expect(seen.note({ nonce: before, at: Number(time) }, now)).toBe(false);
          }
          expect(seen.size).toBeLessThanOrEqual(maxNonces);
        }
      }),
    );
  });

  it("are refused also after the clock was set back", () => {
    const seen = new SeenNonces({ windowMs: 100 });
    expect(seen.note({ nonce: "first", at: 1000 }, 1000)).toBe(true);
    expect(seen.note({ nonce: "second", at: 1200 }, 1200)).toBe(true);
    expect(seen.size).toBe(1);
    expect(seen.note({ nonce: "first", at: 1000 }, 1010)).toBe(false);
    expect(seen.note({ nonce: "third", at: 1010 }, 1010)).toBe(true);
  });

  it("are forgotten when their time is over", () => {
    const seen = new SeenNonces({ windowMs: 100 });
    for (let at = 0; at < 10_000; at += 10) seen.note({ nonce: String(at), at }, at);
    expect(seen.size).toBeLessThan(20);
  });
});
