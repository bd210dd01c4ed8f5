/** What a session with the model agent is opened with: a process of its own, which is given the conversation so far. */
import { InterlinguaError } from "../../core/error.ts";
import type { ChildOpening, OpenOptions } from "../transport/define-protocol.ts";
import { readMcpServers } from "../transport/mcp-servers.ts";
import type { ModelState } from "./conversation-state.ts";
import { writeHistory } from "./history.ts";
import { createInbound, toWireConfiguration } from "./inbound.ts";
import { launch } from "./launch.ts";
import type { ModelAgent } from "./manifest.ts";
import type { ModelOptions } from "./options.ts";
import { accessVariables, type ModelServices, pickVariables } from "./services.ts";
import type { SessionDirectories } from "./session-directories.ts";
import { type ModelAccess, WIRE_VERSION } from "./wire.ts";

export async function open(
  { title, provider }: ModelAgent,
  { providers, web }: ModelServices,
  directories: SessionDirectories,
  { connect, options, directory, environment }: OpenOptions<ModelOptions>,
): Promise<ChildOpening<ModelState>> {
  if (connect.resume) {
    const detail = `${title} keeps no conversations; connect without \`resume\` and give the history.`;
    throw new InterlinguaError("conversation_lost", detail);
  }
  const configuration = toWireConfiguration(title, connect);
  const mcpServers = readMcpServers(connect);
  const own = await directories.create(directory());
  try {
    const history = await writeHistory(own.path, connect.history);
    const encoder = createInbound(title, {
      wire: WIRE_VERSION,
      configuration,
      provider,
      directory: own.path,
      ...(connect.hasTitle && { hasTitle: true }),
      history,
      ...options,
    });
    const names = accessVariables({ providers, web });
    const given = pickVariables(names, { ...environment(), ...connect.environment });
    const access: ModelAccess = { providers, mcpServers, web, variables: given };
    return { launch: launch(connect, names), preface: JSON.stringify(access), encoder, end: own.remove };
  } catch (error) {
    await own.remove();
    throw error;
  }
}
