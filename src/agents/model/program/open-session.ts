/** Opens a conversation, a new one or one that goes on from our own log, and introduces the agent. */
import { randomUUID } from "node:crypto";
import { realpathSync } from "node:fs";
import { join } from "node:path";
import { RequestError } from "../../transport/request-error.ts";
import { COMMANDS, OWN_VARIABLES, VERSION } from "../manifest.ts";
import { keyOf, resolveProviders, secretVariables } from "../providers.ts";
import { type OpenParams, type OpenResult, WIRE_VERSION } from "../wire.ts";
import { changeConfiguration, initialConfiguration, type Offer } from "./configuration.ts";
import { fromModelTool } from "./loop-tool.ts";
import { connectMcpServers } from "./mcp.ts";
import { Permissions } from "./permissions.ts";
import { restoreConversation } from "./restore-conversation.ts";
import { ModelSession, type Output } from "./session.ts";
import { TOOLS } from "./tools/index.ts";
import { createResultStore } from "./tools/result-store.ts";
import type { WebSettings } from "./tools/web/web-settings.ts";

export async function openSession(
  output: Output,
  params: OpenParams,
): Promise<{ session: ModelSession; result: OpenResult }> {
  if (params.wire !== WIRE_VERSION) {
    throw new RequestError("wrong_version", `This agent speaks version ${WIRE_VERSION} of its protocol.`);
  }
  const { env: environment } = process;
  const offer: Offer = {
    providers: resolveProviders(params.providers, environment),
    ownProvider: params.provider,
  };
  const initial = initialConfiguration(offer, environment);
  const configuration = changeConfiguration(offer, initial, params.configuration);
  const results = createResultStore({ directory: join(params.directory, "results") });
  const { conversation, rules, messages } = await restoreConversation(params.history, results);
  const cwd = realpathSync(process.cwd());
  const commandEnvironment = withoutKeys(environment, params);
  const failed = (server: string, reason: string) => {
    const text = `The MCP server "${server}" cannot be used: ${reason}. The agent goes on without its tools.`;
    void output.send({ event: "remark", level: "warning", code: "mcp", text });
  };
  const web: WebSettings = { allowPrivate: false, ...params.web };
  const tools = TOOLS.filter((tool) => tool.unavailable?.(web) === undefined);
  const session = new ModelSession(
    {
      output,
      conversation,
      results,
      permissions: new Permissions(rules, cwd),
      offer,
      cwd,
      environment,
      commandEnvironment,
      web,
      limits: params,
      extraInstructions: params.instructions,
      ownTools: tools.map(fromModelTool),
      mcpTools: connectMcpServers(params.mcpServers, { cwd, environment: commandEnvironment, failed }),
    },
    configuration,
  );
  return {
    session,
    result: {
      conversation: `model-${randomUUID()}`,
      version: VERSION,
      restored: messages,
      configuration,
      models: knownModels(offer, environment),
      commands: COMMANDS,
      tools: [...tools, { name: "ask_user", kind: "other" }].map(({ name, kind }) => ({ name, kind })),
    },
  };
}

/** Of the providers that can be used. */
function knownModels({ providers, ownProvider }: Offer, environment: NodeJS.ProcessEnv) {
  return [...providers.values()]
    .filter(({ name }) => !ownProvider || name === ownProvider)
    .filter((provider) => !provider.needsKey || keyOf(provider, environment) !== undefined)
    .flatMap(({ name, title, models }) =>
      models.map((model) => ({ id: `${name}/${model}`, name: `${model} (${title})` })),
    );
}

/** What commands and MCP servers get: the model's keys are not for them. */
function withoutKeys(environment: NodeJS.ProcessEnv, { providers, web }: OpenParams): Record<string, string> {
  const search = web?.search && "keyEnv" in web.search ? [web.search.keyEnv] : [];
  const hidden = new Set<string | undefined>([...secretVariables(providers), ...OWN_VARIABLES, ...search]);
  return Object.fromEntries(
    Object.entries(environment).filter(
      (entry): entry is [string, string] => entry[1] !== undefined && !hidden.has(entry[0]),
    ),
  );
}
