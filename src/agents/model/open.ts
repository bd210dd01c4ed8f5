/** What a session with the model agent is opened with: a process of its own, which is given the conversation so far. */
import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { InterlinguaError } from "../../core/error.ts";
import type { ChildOpening, OpenOptions } from "../transport/define-protocol.ts";
import { readMcpServers } from "../transport/mcp-servers.ts";
import type { ModelState } from "./conversation-state.ts";
import { writeHistory } from "./history.ts";
import { createInbound, toWireConfiguration } from "./inbound.ts";
import { launch } from "./launch.ts";
import type { ModelAgent } from "./manifest.ts";
import type { ModelOptions } from "./options.ts";
import { type ModelServices, variables } from "./services.ts";
import { WIRE_VERSION } from "./wire.ts";

export async function open(
  { title, provider }: ModelAgent,
  { providers, web }: ModelServices,
  { connect, options, directory }: OpenOptions<ModelOptions>,
): Promise<ChildOpening<ModelState>> {
  if (connect.resume) {
    const detail = `${title} keeps no conversations; connect without \`resume\` and give the history.`;
    throw new InterlinguaError("conversation_lost", detail);
  }
  const configuration = toWireConfiguration(title, connect);
  const mcpServers = readMcpServers(connect);
  const own = mkdtempSync(join(directory(), "session-"));
  const end = () => rmSync(own, { recursive: true, force: true });
  try {
    const history = await writeHistory(own, connect.history);
    const encoder = createInbound(title, {
      wire: WIRE_VERSION,
      configuration,
      providers,
      provider,
      directory: own,
      history,
      mcpServers,
      web,
      ...options,
    });
    return { launch: launch(connect, variables({ providers, web })), encoder, end };
  } catch (error) {
    end();
    throw error;
  }
}
