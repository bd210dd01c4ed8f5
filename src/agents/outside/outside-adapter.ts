/** An adapter from outside under the name that the config gives it, held to the port. What it throws concerns its sessions only. */
import type { BackendAdapter, BackendSession } from "../../core/adapter.ts";
import { type AgentStatus, agentStatusSchema } from "../../core/capability.ts";
import { errorText } from "../../core/error-text.ts";
import type { ModuleErrors, ModuleScope } from "../../modules/module-errors.ts";
import type { AdapterContext } from "./adapter-module.ts";
import { type OutsideSession, outsideSession } from "./outside-session.ts";

const PROBE_MS = 30_000;

export function outsideAdapter(
  inner: BackendAdapter,
  { name, processHost }: Pick<AdapterContext, "name" | "processHost">,
  errors: ModuleErrors,
): BackendAdapter {
  const scope: ModuleScope = { agent: name };
  return {
    name,
    title: inner.title,
    capabilities: inner.capabilities,
    environmentKeys: inner.environmentKeys ?? [],
    takesHistory: inner.takesHistory,
    rewindsByFork: inner.rewindsByFork,
    probe: () => probe(name, async () => errors.run(scope, () => inner.probe?.())),
    ...(inner.settle && { settle: (wanted) => errors.run(scope, () => inner.settle!(wanted)) }),
    async connect(options) {
      const { sessionId } = options;
      let session: OutsideSession | undefined;
      let failure: { readonly error: unknown } | undefined;
      const opening = Promise.withResolvers<never>();
      // Nobody may wait for it any more.
      opening.promise.catch(() => {});
      const own: ModuleScope = {
        agent: name,
        session: sessionId,
        fail(error) {
          failure ??= { error };
          opening.reject(error);
          session?.fail(error);
        },
      };
      const run = <Result>(action: () => Result): Result => errors.run(own, action);
      const connecting = run(async () => inner.connect(options));
      // One that comes after the failure is not wanted.
      connecting.then(
        (late) => failure && !session && closeQuietly(late, run),
        () => {},
      );
      const opened = await Promise.race([connecting, opening.promise]);
      try {
        session = outsideSession(opened, { agent: name, sessionId, run });
      } catch (error) {
        closeQuietly(opened, run);
        throw error;
      }
      return session;
    },
    async release(sessionId) {
      try {
        await errors.run(scope, async () => inner.release?.(sessionId));
      } finally {
        await processHost.endSession(sessionId);
      }
    },
  };
}

function closeQuietly(session: BackendSession, run: <Result>(action: () => Result) => Result): void {
  void run(async () => session?.close?.()).catch(() => {});
}

/** Never rejects, and always answers. */
async function probe(name: string, ask: () => Promise<unknown>): Promise<AgentStatus> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new Error(`it did not answer within ${PROBE_MS / 1000} seconds`)),
      PROBE_MS,
    );
  });
  try {
    const answer = (await Promise.race([ask(), late])) ?? { installed: true };
    return agentStatusSchema.parse(answer);
  } catch (error) {
    const reason = errorText(error);
    return { installed: false, remedy: `probe of agents.${name}.module failed: ${reason}` };
  } finally {
    clearTimeout(timer);
  }
}
