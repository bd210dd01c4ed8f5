/**
 * Invites somebody to watch a session, comes as that guest by the link, watches a turn, and takes the invitation back. It
 * starts a daemon of its own, which ends with it.
 *
 *   npx node examples/invite-somebody.ts mock "scenario:text"
 */
import { Interlingua, InterlinguaError } from "interlingua/sdk";

const [agent, text] = process.argv.slice(2);
if (!agent || !text) {
  console.error("usage: invite-somebody.ts AGENT PROMPT");
  process.exit(2);
}

await using host = await Interlingua.start({
  data: process.env.INTERLINGUA_DATA ?? ":memory:",
  root: process.cwd(),
});
const session = await host.sessions.create({ agent });
const invitation = await session.invite({ role: "observer" });
if (!invitation.reachable) console.log("The link works on this machine only.");

// What follows would happen elsewhere, with nothing but the link.
await using guest = await Interlingua.redeem({ baseUrl: invitation.link, name: "Anna" });
const { name, role, sessions = [] } = await guest.me();
console.log(`${name} is in as ${role}`);
const watched = guest.sessions.handle(sessions[0]!);

const prompt = session.prompt(text);
for await (const event of watched.events()) {
  if (event.type === "text.delta") process.stdout.write(event.delta);
  if (event.type === "turn.ended") break;
}
await prompt;

await session.revokeInvitation(invitation.id);
try {
  await guest.me();
} catch (error) {
  if (!InterlinguaError.is(error, "unauthorized")) throw error;
  console.log(`\n${name} is out`);
}
for await (const entry of host.audit({ session: session.id }))
  if (entry.action.startsWith("invitation.")) console.log(`${entry.by}: ${entry.action}`);
