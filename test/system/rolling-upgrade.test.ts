/** Three nodes behind a load balancer are restarted one after the other, while clients prompt and read. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { until } from "../../src/testkit/until.ts";
import { createSession } from "../cluster/node-sessions.ts";
import { untilAnswering } from "./answering-nodes.ts";
import { findSystemProgram, SYSTEM_PROGRAMS } from "./system-program.ts";
import { restart, ThreeNodes } from "./three-nodes.ts";
import { type Counts, UpgradedClient } from "./upgraded-client.ts";

const CLIENTS = 4;
const PROMPTS_BETWEEN = 4;

const found = SYSTEM_PROGRAMS.map((name) => ({ name, program: findSystemProgram(name) }));

describe.skipIf(found.every(({ program }) => program === undefined))("a rolling upgrade", () => {
  let cluster: ThreeNodes;

  beforeAll(async () => {
    cluster = await ThreeNodes.start();
  });

  afterAll(() => cluster?.[Symbol.asyncDispose]());

  for (const { name, program } of found)
    test.skipIf(!program)(`behind ${name} loses no event and no prompt`, async () => {
      const balancer = await cluster.startBalancer(name, program!);
      const client = cluster.clientOf(balancer.url);
      await untilAnswering(client, 3);
      const clients: UpgradedClient[] = [];
      for (let n = 0; n < CLIENTS; n += 1) {
        await createSession({ client }, `${name}-${n}`);
        clients.push(new UpgradedClient(client, `${name}-${n}`));
      }
      let isOver = false;
      const work = clients.map(async (each) => {
        while (!isOver) {
          await each.prompt();
          await each.read();
        }
      });
      const prompts = () => clients.reduce((sum, { counts }) => sum + counts.prompts, 0);
      for (const node of cluster.nodes) {
        const before = prompts();
        await restart(node);
        await untilAnswering(client, 3);
        await until(() => prompts() >= before + PROMPTS_BETWEEN, 60_000);
      }
      isOver = true;
      await Promise.all(work);
      for (const each of clients) await each.expectNothingLost();
      const failures: Counts = {};
      for (const each of clients)
        for (const [what, count] of Object.entries(each.failures))
          failures[what] = (failures[what] ?? 0) + count;
      console.log(
        `rolling upgrade behind ${name}:`,
        failures,
        clients.map(({ counts }) => counts),
      );
      expect(failures).toEqual({});
    });
});
