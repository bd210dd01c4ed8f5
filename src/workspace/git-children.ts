/** What ends the git processes of a daemon that dies, wherever in the workspace they are started. Like the lock, a context. */
import { AsyncLocalStorage } from "node:async_hooks";

export interface GitChildren {
  /** End this process group when the daemon is gone. */
  watch(group: number): void;
  /** The group has ended. */
  forget(group: number): void;
  /** Marks a process as one of this daemon. */
  readonly environment: Readonly<Record<string, string>>;
}

const context = new AsyncLocalStorage<GitChildren>();

/** Gives the service back. Every git that its methods start is watched. */
export function withGitChildren<Service extends object>(service: Service, children: GitChildren): Service {
  return new Proxy(service, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== "function") return value;
      return (...args: unknown[]) => context.run(children, () => Reflect.apply(value, target, args));
    },
  });
}

/** Undefined in programs that are no daemon, such as the command line. */
export function gitChildren(): GitChildren | undefined {
  return context.getStore();
}
