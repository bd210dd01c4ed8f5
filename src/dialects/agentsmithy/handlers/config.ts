/** The config as AgentSmithy's clients know it: it shows the models there are, and only the model can be changed. */
import { InterlinguaError } from "../../../core/error.ts";
import type { Principal } from "../../../core/principal.ts";
import type { Call, DialectHandlers, DialectServices } from "../../dialect.ts";
import {
  configView,
  DEFAULT_WORKLOAD,
  listed,
  type ModelChoice,
  readPatch,
  shortened,
} from "../config-view.ts";
import type { SmithyMount } from "../mount.ts";
import type { SmithyRoutes } from "../routes.ts";
import type { DialogsDirectory } from "./dialogs-directory.ts";

type ConfigHandlers = Pick<
  DialectHandlers<SmithyRoutes>,
  "getSmithyConfig" | "changeSmithyConfig" | "renameInSmithyConfig"
>;

export function configHandlers(
  { engine, defaultAgent }: DialectServices,
  dialogs: DialogsDirectory,
  mount: SmithyMount,
): ConfigHandlers {
  /** That of the current dialog, else that of a new one. */
  async function modelChoice(caller: Principal): Promise<ModelChoice> {
    const current = await dialogs.current();
    const agent = current?.agent ?? mount.agent ?? defaultAgent;
    const details = current && (await engine.run("getSession", { session: current.id }, caller));
    const offered = details?.models ?? (await engine.run("getAgent", { agent }, caller)).status?.models ?? [];
    return { agent, models: offered.map(({ id }) => id), model: details?.model };
  }

  /** Of the current dialog, from which new ones take it. */
  async function setModel(model: string, by: Principal): Promise<void> {
    const current = await dialogs.current();
    if (current) return void (await engine.run("updateSession", { session: current.id, model }, by));
    const session = await dialogs.create(by, { model });
    await dialogs.setCurrent(session.id);
  }

  return {
    async getSmithyConfig(_, { caller }) {
      return { status: 200, body: configView(await modelChoice(caller)) };
    },

    async changeSmithyConfig({ body }, call) {
      const choice = await modelChoice(call.caller);
      const { workload, refused, refusedCount } = readPatch(body.config, configView(choice));
      if (refusedCount > 0)
        return refuse(
          call,
          "Only the model can be changed here: models.agents.universal.workload. Everything else is set in the daemon's config.",
          [
            ...refused.map((path) => `${path} cannot be changed`),
            ...(refusedCount > refused.length ? [`and ${refusedCount - refused.length} more`] : []),
          ],
        );
      if (workload !== undefined && workload !== (choice.model ?? DEFAULT_WORKLOAD)) {
        const problem = problemOf(workload, choice);
        if (problem) return refuse(call, problem.message, problem.errors);
        try {
          await setModel(workload, call.caller);
        } catch (error) {
          if (!InterlinguaError.isInstance(error) || error.status !== 422) throw error;
          return refuse(call, error.message, []);
        }
      }
      const message = workload === undefined ? "Nothing to change" : `The model is ${shortened(workload)}`;
      return { status: 200, body: { success: true, message, ...configView(await modelChoice(call.caller)) } };
    },

    renameInSmithyConfig() {
      throw new InterlinguaError(
        "invalid_request",
        "Workloads and providers are named by their agents and cannot be renamed here.",
      );
    },
  };
}

/** Why it cannot be chosen. Where an agent does not say what it offers, it is asked. */
function problemOf(
  workload: string,
  { models }: ModelChoice,
): { message: string; errors: string[] } | undefined {
  if (models.includes(workload)) return undefined;
  if (workload === DEFAULT_WORKLOAD)
    return {
      message: "This dialog has a model, and its agent cannot be told to choose one itself again.",
      errors: ["Pick a model by its name, or begin a session without one on the page."],
    };
  if (models.length === 0) return undefined;
  return {
    message: `There is no workload "${shortened(workload)}".`,
    errors: [`There are: ${listed(models)}`],
  };
}

function refuse(call: Call, message: string, errors: readonly string[]): Response {
  return call.answerJson(400, [JSON.stringify({ detail: { message, errors } })]);
}
