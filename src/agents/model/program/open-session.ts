/** Opens a conversation, a new one or one that goes on from our own log, and introduces the agent. */
import { randomUUID } from "node:crypto";
import { realpathSync } from "node:fs";
import { join } from "node:path";
import { RequestError } from "../../transport/request-error.ts";
import { withListedModels } from "../list-models.ts";
import { COMMANDS, OWN_VARIABLES, VERSION } from "../manifest.ts";
import { type Environment, isUsable, resolveProviders } from "../providers.ts";
import { accessVariables, pickVariables } from "../services.ts";
import { type ModelAccess, type OpenParams, type OpenResult, WIRE_VERSION } from "../wire.ts";
import { initialConfiguration, type Offer } from "./configuration.ts";
import { fromModelTool, isOffered } from "./loop-tool.ts";
import { connectMcpServers } from "./mcp.ts";
import { Permissions } from "./permissions.ts";
import { restoreConversation } from "./restore-conversation.ts";
import { ModelSession, type Output } from "./session.ts";
import { TOOLS } from "./tools/index.ts";
import { createResultStore } from "./tools/result-store.ts";
import type { WebSettings } from "./tools/web/web-settings.ts";
import { withoutPasswords } from "./without-passwords.ts";

export async function openSession(
  output: Output,
  params: OpenParams,
  access: ModelAccess,
): Promise<{ session: ModelSession; result: OpenResult }> {
  if (params.wire !== WIRE_VERSION) {
    throw new RequestError("wrong_version", `This agent speaks version ${WIRE_VERSION} of its protocol.`);
  }
  const environment = { ...process.env, ...access.variables };
  const offer: Offer = {
    providers: await withListedModels(resolveProviders(access.providers, environment), environment),
    ownProvider: params.provider,
  };
  const configuration = initialConfiguration(offer, environment, params.configuration);
  const results = createResultStore({ directory: join(params.directory, "results") });
  const { conversation, rules, messages } = await restoreConversation(params.history, results);
  const cwd = realpathSync(process.cwd());
  const commandEnvironment = withoutAccess(process.env, access);
  const failed = (server: string, reason: string) => {
    const text = `The MCP server "${server}" cannot be used: ${withoutPasswords(reason)}. The agent goes on without its tools.`;
    void output.send({ event: "remark", level: "warning", code: "mcp", text });
  };
  const web: WebSettings = { allowPrivate: false, ...access.web, searchKey: searchKey(access) };
  const tools = TOOLS.map((tool) => fromModelTool(tool, web));
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
      ownTools: tools,
      mcpTools: connectMcpServers(access.mcpServers, { cwd, environment: commandEnvironment, failed }),
    },
    configuration,
    !params.hasTitle && messages === 0,
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
      tools: [...tools.filter(isOffered), { name: "ask_user", kind: "question" }].map(({ name, kind }) => ({
        name,
        kind,
      })),
    },
  };
}

/** Of the providers that can be used. */
function knownModels({ providers, ownProvider }: Offer, environment: Environment) {
  return [...providers.values()]
    .filter(({ name }) => !ownProvider || name === ownProvider)
    .filter((provider) => isUsable(provider, environment))
    .flatMap(({ name, title, models }) =>
      models.map((model) => ({ id: `${name}/${model}`, name: `${model} (${title})` })),
    );
}

/** What commands and MCP servers get: what leads to models is not for them, wherever it was set. */
function withoutAccess(environment: NodeJS.ProcessEnv, access: ModelAccess): Record<string, string> {
  const hidden = new Set([...OWN_VARIABLES, ...accessVariables(access)]);
  return pickVariables(
    Object.keys(environment).filter((name) => !hidden.has(name)),
    environment,
  );
}

function searchKey({ web, variables }: ModelAccess): string | undefined {
  return web?.search && "keyEnv" in web.search ? variables[web.search.keyEnv] : undefined;
}
