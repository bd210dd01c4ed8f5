/** Opens a conversation, a new one or one that an earlier process left, and introduces the mock. */
import { RequestError } from "../../transport/request-error.ts";
import { COMMANDS, MODELS, MODES, TOOLS, VERSION } from "../manifest.ts";
import { type OpenParams, type OpenResult, WIRE_VERSION } from "../wire.ts";
import { changeConfiguration, DEFAULT_CONFIGURATION } from "./configuration.ts";
import { Conversation } from "./conversation.ts";
import type { Output } from "./output.ts";
import { MockSession } from "./session.ts";

export function openSession(
  output: Output,
  stateDirectory: string,
  params: OpenParams,
): { session: MockSession; result: OpenResult } {
  if (params.wire !== WIRE_VERSION) {
    throw new RequestError("wrong_version", `This mock speaks version ${WIRE_VERSION} of its protocol.`);
  }
  const conversation = findOrBegin(stateDirectory, params);
  const former = conversation.configuration ?? DEFAULT_CONFIGURATION;
  const configuration = changeConfiguration(former, params.configuration);
  conversation.configure(configuration);
  return {
    session: new MockSession(output, conversation, configuration, params.pace ?? 1),
    result: {
      conversation: conversation.id,
      version: VERSION,
      continued: params.conversation !== undefined,
      configuration,
      models: MODELS,
      modes: MODES,
      commands: COMMANDS,
      tools: TOOLS,
    },
  };
}

function findOrBegin(
  stateDirectory: string,
  { conversation: id, secretNames = [] }: OpenParams,
): Conversation {
  if (id === undefined) return Conversation.begin(stateDirectory, secretNames);
  const found = Conversation.find(stateDirectory, id, secretNames);
  if (found) return found;
  throw new RequestError("unknown_conversation", `There is no conversation ${id} to resume.`);
}
