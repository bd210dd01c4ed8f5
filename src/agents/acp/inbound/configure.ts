/** Model, mode and settings → the requests that set them. Config options first, then the older ways. */
import { InterlinguaError } from "../../../core/error.ts";
import type { RpcCall } from "../../transport/json-rpc-lines.ts";
import type { AcpState } from "../conversation-state.ts";
import { optionOfCategory, settingsOf } from "../outbound/configuration.ts";
import { METHOD } from "../wire.ts";

export interface WantedConfiguration {
  readonly model?: string;
  readonly mode?: string;
  readonly settings?: Readonly<Record<string, string | boolean>>;
}

/** Nothing for what is so already. Throws `unsupported` for what the agent does not let be set. */
export function configurationCalls(state: AcpState, wanted: WantedConfiguration): RpcCall[] {
  const current = settingsOf(state.configuration);
  const calls: RpcCall[] = [];
  if (wanted.model !== undefined && wanted.model !== current.model)
    calls.push(modelCall(state, wanted.model));
  if (wanted.mode !== undefined && wanted.mode !== current.mode) calls.push(modeCall(state, wanted.mode));
  for (const [id, value] of Object.entries(wanted.settings ?? {})) {
    const setting = current.settings?.find((known) => known.id === id);
    if (!setting) {
      const known = current.settings?.map((other) => other.id).join(", ") || "none";
      throw new InterlinguaError("unsupported", `The agent has no setting "${id}"; it has ${known}.`);
    }
    if (setting.value !== value) calls.push(optionCall(state, id, value));
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

function modeCall(state: AcpState, mode: string): RpcCall {
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
