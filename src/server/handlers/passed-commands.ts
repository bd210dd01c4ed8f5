/** Handlers of the routes that a command has: they hand the input of the route to the command and answer with its answer. */
import type { RouteConfig } from "@hono/zod-openapi";
import { type CommandName, type Commands, commands } from "../../protocol/commands/index.ts";
import { callerOf } from "../guard/caller.ts";
import type { AppContext, Handlers } from "../mount.ts";
import type { HandlerDependencies } from "./index.ts";

type PassedName = {
  [Name in CommandName]: Commands[Name] extends { route: RouteConfig } ? Name : never;
}[CommandName] &
  keyof Handlers;

interface AnyInput {
  readonly params?: { readonly id?: string };
  readonly query?: object;
  readonly body?: object;
}

export function passedCommands({ engine }: HandlerDependencies): Pick<Handlers, PassedName> {
  const names = Object.keys(commands) as CommandName[];
  const passed = names.flatMap((name) => {
    const { route } = commands[name] as { route?: RouteConfig };
    if (!route) return [];
    const status = Number(Object.keys(route.responses).find((each) => each.startsWith("2")));
    const handle: Handlers[PassedName] = async ({ params, query, body }: AnyInput, context: AppContext) => {
      const { id: session, ...others } = params ?? {};
      // Names in the address win.
      const input = { ...query, ...body, ...others, ...(session !== undefined && { session }) };
      const answer = await engine.run(name, input as never, callerOf(context));
      return (answer === undefined ? { status } : { status, body: answer }) as never;
    };
    return [[name, handle]];
  });
  return Object.fromEntries(passed);
}
