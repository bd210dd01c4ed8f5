import { expect, it } from "vitest";
import { conversationOf, temporaryHome, travel } from "../transport/memory.test-support.ts";
import { memory } from "./memory.ts";

const ID = "e54596fc-a06b-47ef-8a01-b6053f78bffa";
const FOLDER = "projects/-work-project";

const of = (home: string) => memory({ environment: () => ({ HOME: home }) });

it("takes the conversation and those of its sub-agents, and nothing else of the home", async () => {
  const [from, to] = [temporaryHome(), temporaryHome()];
  const talk = `{"type":"user","sessionId":"${ID}","message":{"content":"The word is kestrel"}}\n`;
  const helper = `{"isSidechain":true,"sessionId":"${ID}"}\n`;
  from.write(`.claude/${FOLDER}/${ID}.jsonl`, talk);
  from.write(`.claude/${FOLDER}/${ID}/subagents/agent-1.jsonl`, helper);
  from.write(`.claude/${FOLDER}/${ID}/tool-results/1.txt`, "long");
  from.write(`.claude/${FOLDER}/00000000-a06b-47ef-8a01-b6053f78bffa.jsonl`, "{}\n");
  from.write(".claude/.credentials.json", "token");
  from.write(".claude.json", "{}");
  expect(await travel(of(from.path), of(to.path), conversationOf(ID))).toEqual([
    `${FOLDER}/${ID}.jsonl`,
    `${FOLDER}/${ID}/subagents/agent-1.jsonl`,
  ]);
  expect(to.files()).toEqual({
    [`.claude/${FOLDER}/${ID}.jsonl`]: talk,
    [`.claude/${FOLDER}/${ID}/subagents/agent-1.jsonl`]: helper,
  });
});

it("looks where the environment of the session says", async () => {
  const [from, to] = [temporaryHome(), temporaryHome()];
  from.write(`${FOLDER}/${ID}.jsonl`, "{}\n");
  const updates = await of("/nonexistent").capture(
    conversationOf(ID, { CLAUDE_CONFIG_DIR: from.path }),
    new Map(),
  );
  expect(updates).toHaveLength(1);
  expect(await of(to.path).capture(conversationOf(ID), new Map())).toEqual([]);
  const nowhere = memory({ environment: () => ({}) });
  expect(await nowhere.capture(conversationOf(ID), new Map())).toEqual([]);
});

it("takes no id for a path", async () => {
  const home = temporaryHome();
  home.write(".claude/secret.jsonl", "{}\n");
  expect(await of(home.path).capture(conversationOf("../../secret"), new Map())).toEqual([]);
});
