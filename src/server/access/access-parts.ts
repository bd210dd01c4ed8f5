/**
 * What the server gives whoever holds a token: handlers over an engine, a store and streams that do and show what the token
 * is for. They are made once for each token. A handler has nothing else, so it cannot forget a check.
 */
import { type Access, isUnlimited } from "../../core/rights.ts";
import type {
  AnyDialect,
  ChannelDefinition,
  ChannelHandler,
  DialectServices,
} from "../../dialects/dialect.ts";
import { dialectServices } from "../dialects/dialect-services.ts";
import { type HandlerDependencies, handlers } from "../handlers/index.ts";
import type { Handlers } from "../mount.ts";
import { AccessCheck } from "./access-check.ts";
import { limitedDependencies } from "./limited-dependencies.ts";
import { limitedServices } from "./limited-services.ts";
import type { OnRefused } from "./refused.ts";
import { SessionScope } from "./session-scope.ts";

type Dependencies = HandlerDependencies & Parameters<typeof dialectServices>[0] & { onRefused: OnRefused };

export interface DialectParts {
  readonly handlers: ReturnType<AnyDialect["handlers"]>;
  readonly channels: ReadonlyMap<ChannelDefinition, ChannelHandler>;
}

export class AccessParts {
  readonly #dependencies: Dependencies;
  readonly #scopes: PerAccess<SessionScope>;
  readonly #handlers: PerAccess<Handlers>;
  readonly #services: DialectServices;

  constructor(dependencies: Dependencies) {
    this.#dependencies = dependencies;
    this.#scopes = new PerAccess((access) => new SessionScope(dependencies.store, access));
    this.#handlers = new PerAccess((access) => handlers(this.#dependenciesFor(access)));
    this.#services = dialectServices(dependencies);
  }

  /** The handlers of `/v1`. */
  handlersFor(access: Access): Handlers {
    return this.#handlers.of(access);
  }

  dialect(dialect: AnyDialect): PerAccess<DialectParts> {
    return new PerAccess((access) => {
      const services = this.#servicesFor(access, dialect.name);
      const channels = (dialect.channels ?? []).map(
        (definition) => [definition, definition.handler(services)] as const,
      );
      return { handlers: dialect.handlers(services), channels: new Map(channels) };
    });
  }

  #dependenciesFor(access: Access): HandlerDependencies {
    if (isUnlimited(access)) return this.#dependencies;
    return limitedDependencies<HandlerDependencies>(
      this.#dependencies,
      this.#checkOf(access, "v1"),
      this.#scopes.of(access),
    );
  }

  #servicesFor(access: Access, dialect: string): DialectServices {
    if (isUnlimited(access)) return this.#services;
    return limitedServices(
      this.#services,
      this.#dependencies,
      this.#checkOf(access, dialect),
      this.#scopes.of(access),
    );
  }

  #checkOf(access: Access, dialect: string): AccessCheck {
    return new AccessCheck(access, dialect, this.#dependencies.onRefused);
  }
}

/** Something that is made for each access when it is first needed, and forgotten with it. */
class PerAccess<Part> {
  readonly #make: (access: Access) => Part;
  readonly #made = new WeakMap<Access, Part>();

  constructor(make: (access: Access) => Part) {
    this.#make = make;
  }

  of(access: Access): Part {
    const known = this.#made.get(access);
    if (known !== undefined) return known;
    const part = this.#make(access);
    this.#made.set(access, part);
    return part;
  }
}
