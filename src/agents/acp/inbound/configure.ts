/** Model, mode and settings → the requests that set them. Config options first, then the older ways. */
import { InterlinguaError } from "../../../core/error.ts";
import { assertOffered } from "../../../core/offered-settings.ts";
import type { SettingValues } from "../../../core/setting.ts";
import { type RpcId, type RpcLedger, unansweredIds } from "../../transport/json-rpc.ts";
import type { RpcCall } from "../../transport/json-rpc-lines.ts";
import type { AcpState } from "../conversation-state.ts";
import { optionOfCategory, settingsOf } from "../outbound/configuration.ts";
import { METHOD } from "../wire.ts";

interface WantedConfiguration {
  readonly model?: string;
  readonly mode?: string;
  readonly settings?: SettingValues;
}

const CHANGES: readonly string[] = [METHOD.setMode, METHOD.setModel, METHOD.setConfigOption];

/** The requests for changes the agent has still to answer. */
export function unansweredChanges(rpc: RpcLedger): RpcId[] {
  return unansweredIds(rpc, CHANGES);
}

/**
 * Nothing for what is so already, unless that is being changed just now. Throws `unsupported` or `option_not_offered` for what
 * the agent does not let be set.
 */
export function configurationCalls(state: AcpState, wanted: WantedConfiguration): RpcCall[] {
  const current = settingsOf(state.configuration);
  const isKnown = unansweredChanges(state.rpc).length === 0;
  const calls: RpcCall[] = [];
  if (wanted.model !== undefined && !(isKnown && wanted.model === current.model))
    calls.push(modelCall(state, wanted.model));
  if (wanted.mode !== undefined && !(isKnown && wanted.mode === current.mode))
    calls.push(modeCall(state, wanted.mode));
  // Another model may have other settings: then the agent itself refuses what it does not have.
  const isSameModel = wanted.model === undefined || wanted.model === current.model;
  if (isSameModel) assertOffered("The agent", current.settings ?? [], wanted.settings);
  for (const [id, value] of Object.entries(wanted.settings ?? {})) {
    const setting = current.settings?.find((known) => known.id === id);
    if (!isKnown || setting?.value !== value) calls.push(optionCall(state, id, value));
  }
  return calls;
}

function modelCall(state: AcpState, model: string): RpcCall {
  const option = optionOfCategory(state.configuration, "model");
  if (option) return optionCall(state, option.id as string, model);
  if (state.configuration.models) {
    return { method: METHOD.setModel, params: { sessionId: state.session?.id, modelId: model } };
  }
  throw new InterlinguaError("unsupported", "The agent does not let its model be chosen.");
}

/** Some agents take any name and go on as before. */
function modeCall(state: AcpState, mode: string): RpcCall {
  const offered = settingsOf(state.configuration).modes?.map(({ id }) => id) ?? [];
  if (offered.length > 0 && !offered.includes(mode)) {
    throw new InterlinguaError(
      "unsupported",
      `The agent has no mode "${mode}"; it offers ${offered.join(", ")}.`,
    );
  }
  const option = optionOfCategory(state.configuration, "mode");
  if (option) return optionCall(state, option.id as string, mode);
  if (state.configuration.modes) {
    return { method: METHOD.setMode, params: { sessionId: state.session?.id, modeId: mode } };
  }
  throw new InterlinguaError("unsupported", "The agent has no modes.");
}

function optionCall(state: AcpState, configId: string, value: string | boolean): RpcCall {
  const isSwitch = typeof value === "boolean";
  return {
    method: METHOD.setConfigOption,
    params: { sessionId: state.session?.id, configId, value, ...(isSwitch && { type: "boolean" }) },
  };
}
