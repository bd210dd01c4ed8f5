import { expect, test } from "vitest";
import type { Ask } from "../api/types.ts";
import { type FeedState, NOTHING_YET, type SessionSummary } from "../feed/feed-state.ts";
import { feedNews } from "./feed-news.ts";

const session = (id: string, status: SessionSummary["status"]) =>
  ({ session: id, agent: "mock", status }) as SessionSummary;
const ask = (id: string, kind: Ask["kind"] = "permission") =>
  ({ session: "a", ask: id, kind, state: "open", title: id, options: [], at: 1, seq: 1 }) as Ask;
const state = (sessions: SessionSummary[], asks: Ask[] = [], snapshots = 1): FeedState => ({
  ...NOTHING_YET,
  ...{ snapshots, asks, sessions: new Map(sessions.map((summary) => [summary.session, summary])) },
});
const everything = () => true;
const kinds = (before: FeedState, after: FeedState, may: (kind: Ask["kind"]) => boolean = everything) =>
  feedNews(before, after, may).map(({ kind, session: { session: id }, ask: asked }) =>
    asked ? `${kind} ${asked.ask}` : `${kind} ${id}`,
  );

test("what is there when the page opens is no news", () => {
  expect(kinds(NOTHING_YET, state([session("a", "waiting")], [ask("q1")]))).toEqual([]);
});

test("an ask that was not there, also after a break", () => {
  const before = state([session("a", "waiting")], [ask("q1")]);
  expect(kinds(before, state([session("a", "waiting")], [ask("q1"), ask("q2")], 2))).toEqual(["ask q2"]);
  expect(kinds(before, before)).toEqual([]);
});

test("an ask that somebody else has to answer is no news", () => {
  const after = state([session("a", "waiting")], [ask("q1"), ask("q2", "question")]);
  expect(kinds(state([session("a", "waiting")]), after, (kind) => kind === "question")).toEqual(["ask q2"]);
});

test("a turn that ended, well or not; nothing that was at rest before", () => {
  const before = state([session("a", "running"), session("b", "waiting"), session("c", "idle")]);
  const after = state([
    session("a", "idle"),
    session("b", "failed"),
    session("c", "idle"),
    session("d", "idle"),
  ]);
  expect(kinds(before, after)).toEqual(["ended a", "failed b"]);
  expect(kinds(state([session("a", "running")]), state([session("a", "waiting")]))).toEqual([]);
  expect(kinds(state([session("a", "running")]), state([session("a", "closed")]))).toEqual([]);
});
