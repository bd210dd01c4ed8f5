/**
 * A bot that gives an agent a prompt, allows what it wants to do in files and refuses the rest, and prints the answer.
 * It starts a daemon of its own, which ends with it.
 *
 *   npx node examples/answer-asks.ts mock "Note what you find"
 */
import { Interlingua, InterlinguaError } from "interlingua/sdk";

const [agent, text] = process.argv.slice(2);
if (!agent || !text) {
  console.error("usage: answer-asks.ts AGENT PROMPT");
  process.exit(2);
}

await using interlingua = await Interlingua.start({
  data: process.env.INTERLINGUA_DATA ?? ":memory:",
  root: process.cwd(),
});
const session = await interlingua.sessions.create({ agent });
const prompt = session.prompt(text);

for await (const event of prompt) {
  if (event.type !== "ask.opened") continue;
  const isAboutFiles = (event.changes ?? []).length > 0;
  console.log(`${isAboutFiles ? "allowed" : "refused"}: ${event.title}`);
  await session.reply(event.ask, { reply: isAboutFiles ? "once" : "reject" });
}

try {
  console.log(await prompt.text());
} catch (error) {
  if (!InterlinguaError.is(error, "turn_failed")) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
