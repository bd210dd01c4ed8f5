/** The engine of this node, with the sessions of all nodes to follow. */
import type { Engine } from "../../engine/engine.ts";

export function followingEngine(engine: Engine, following: Pick<Engine, "follow" | "followAll">): Engine {
  return new Proxy(engine, {
    get(target, name: keyof Engine) {
      if (name === "follow" || name === "followAll") return following[name].bind(following);
      const value = target[name];
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}
