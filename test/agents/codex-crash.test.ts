/** Codex does not answer any more. */
import { expect, it } from "vitest";
import { text } from "../../src/testkit/scripted-model/index.ts";
import { codexWorld } from "./codex-world.ts";

const scripts = () => ({
  hello: [text("Hello, I am here.")],
  recall: [text("I remember.")],
});

it("hangs: whoever comes next gets a new process, and so do the sessions of the old one", async () => {
  await using world = await codexWorld({ scripts });
  const one = await world.session();
  await one.run("One says [[hello]]");
  const stuck = await one.pid();
  process.kill(stuck, "SIGSTOP");
  const two = await world.session();
  expect((await two.run("Two says [[hello]]")).text).toBe("Hello, I am here.");
  expect(await two.pid()).not.toBe(stuck);
  await one.event("session.detached");
  expect((await one.run("Recall [[recall]]")).text).toBe("I remember.");
  expect(JSON.stringify(world.model.requests.at(-1)?.body.input)).toContain("One says");
});
