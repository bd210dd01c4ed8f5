/** `include=raw` puts what real agents said beside the events and chunks that came from it. */
import { describe, expect, it } from "vitest";
import type { EventOf, SessionEvent } from "../../src/core/event.ts";
import type { RawOrigin, RawRecord } from "../../src/core/raw-record.ts";
import { text } from "../../src/testkit/scripted-model/index.ts";
import { AGENTS } from "./agents.ts";

const SAID = "The kestrel hovers.";

describe.each(AGENTS)("$agent.name", ({ agent, world: start, sessions }) => {
  it("each event of a stream has the raw record it came from, and so has the text of a chat", async () => {
    await using world = await start({ scripts: () => ({ hello: [text(SAID)] }) });
    const session = await world.session(sessions.trusted);
    const { message } = await session.prompt("Hello [[hello]]");
    const stream = await session.stream("/events/sse?include=raw");
    await session.turnOf(message);
    const { raws } = (await session.call("GET", "/raw?limit=1000")).body as { raws: RawRecord[] };
    const recordOf = new Map(raws.map((record) => [record.rawSeq, record]));

    const events = () => stream.frames.map(({ data }) => data as SessionEvent & RawOrigin);
    await stream.until("the end of the turn", () => events().some(({ type }) => type === "turn.ended"));
    stream.close();
    const withOrigin = events().filter(({ raw }) => raw !== undefined);
    expect(withOrigin.length).toBeGreaterThan(0);
    // A large record is only beside the first event that came from it.
    const first = new Map(withOrigin.toReversed().map((event) => [event.raw!, event]));
    for (const [raw, { rawRecord }] of first) expect(rawRecord).toMatchObject(recordOf.get(raw)!);
    const isSaid = (event: SessionEvent): event is EventOf<"text.delta"> => event.type === "text.delta";
    const said = events().filter(isSaid) as (EventOf<"text.delta"> & RawOrigin)[];
    expect(said.map(({ delta }) => delta).join("")).toBe(SAID);
    for (const { delta, rawRecord } of said) expect(JSON.stringify(rawRecord?.data)).toContain(delta);

    const chat = await session.chat(`/messages/${message}/stream?include=raw`);
    const chunks = [...chat.text.matchAll(/^data: (\{.*)$/gm)].map(([, json]) => JSON.parse(json!));
    const deltas = chunks.filter(({ type }) => type === "text-delta");
    expect(deltas.map(({ delta }) => delta).join("")).toBe(SAID);
    for (const { delta, providerMetadata } of deltas)
      expect(JSON.stringify(providerMetadata[agent.name].message)).toContain(delta);
  });
});
