/** Mounts the WebSockets of a dialect. Requests for them pass the guard like all others. */
import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import type { Logger } from "pino";
import type { WebSocketServer } from "ws";
import { InterlinguaError } from "../../core/error.ts";
import type { Principal } from "../../core/principal.ts";
import type {
  AnyDialect,
  Channel,
  ChannelCall,
  ChannelDefinition,
  ChannelHandler,
} from "../../dialects/dialect.ts";
import { CLOSE_CODES } from "../../protocol/close-code.ts";
import { checkRoute } from "../access/check-route.ts";
import type { OnRefused } from "../access/refused.ts";
import { ALREADY_SENT } from "../answers/already-sent.ts";
import { isUnexpected, problemResponse } from "../answers/error-response.ts";
import type { BodyMemory } from "../bodies/read-json-body.ts";
import type { ServerLimits } from "../limits.ts";
import { type App, type AppContext, addHeaders } from "../mount.ts";
import type { FanOut } from "../streams/fan-out.ts";
import { checkHandshake, HANDSHAKE_HEADERS, refuseUnusualAddress } from "./check-handshake.ts";
import { PROTOCOL } from "./offered-protocols.ts";
import type { Upgrades } from "./upgrades.ts";
import { WebSocketChannel } from "./web-socket-channel.ts";

/** How long a client may take to answer a close frame. */
const CLOSE_TIMEOUT_MS = 5_000;

export interface ChannelMounting {
  dialect: AnyDialect;
  /** The handler of a channel for whoever sent this request. */
  handlerOf(definition: ChannelDefinition, context: AppContext): ChannelHandler;
  callerOf(context: AppContext): Principal;
  upgrades: Upgrades;
  onRefused: OnRefused;
  fanOut: FanOut;
  limits: ServerLimits;
  bodies: BodyMemory;
  logger: Logger;
}

export function mountChannels(app: App, mounting: ChannelMounting): void {
  const sockets = webSocketServer(mounting.limits);
  for (const definition of mounting.dialect.channels ?? []) {
    const path = definition.path.replaceAll(/\{(\w+)\}/g, ":$1");
    app.get(path, async (context) => {
      context.set("route", definition.path);
      checkRequest(context);
      if (!mounting.upgrades.isUpgrade(context.env.incoming as IncomingMessage)) refuseUnusualAddress();
      const caller = mounting.callerOf(context);
      mounting.fanOut.assertRoom();
      const leaving = new AbortController();
      const leave = () => leaving.abort();
      const connection = context.env.incoming.socket.once("close", leave);
      const call = channelCall(context, caller, leaving.signal);
      const library = await sockets();
      let run: Awaited<ReturnType<ChannelHandler>>;
      try {
        checkRoute({ ...definition, method: "get", responses: {} }, caller, mounting.onRefused);
        run = await mounting.handlerOf(definition, context)(call);
        mounting.fanOut.assertRoom();
      } catch (error) {
        // A page cannot see the answer to a failed handshake, only the code of a close frame.
        if (isUnexpected(error) || context.req.header("origin") === undefined) throw error;
        run = (channel) => endWith(channel, error);
      }
      const channel = accept(context, mounting, library, caller);
      // From now on the channel tells. An abort costs more than everything else at the end of a socket.
      connection.off("close", leave);
      if (!channel) return context.body(null, 499 as 400);
      void start(channel, run, mounting.logger);
      context.set("isUpgraded", true);
      return ALREADY_SENT;
    });
    app.all(path, (context) => {
      context.header("allow", "GET");
      throw new InterlinguaError("method_not_allowed", "Only GET can be used here, to open a WebSocket.");
    });
  }
}

function checkRequest(context: AppContext): void {
  try {
    checkHandshake((name) => context.req.header(name));
  } catch (error) {
    if (InterlinguaError.isInstance(error) && error.code === "upgrade_required")
      addHeaders(context, HANDSHAKE_HEADERS);
    throw error;
  }
}

function channelCall(context: AppContext, caller: Principal, signal: AbortSignal): ChannelCall {
  return {
    caller,
    signal,
    header: (name) => context.req.header(name),
    params: context.req.param(),
    query: new URL(context.req.url).searchParams,
  };
}

/** Undefined if the client has left. */
function accept(
  context: AppContext,
  { upgrades, fanOut, limits, bodies, logger }: ChannelMounting,
  sockets: WebSocketServer,
  caller: Principal,
): WebSocketChannel | undefined {
  const incoming = context.env.incoming as IncomingMessage;
  const upgrade = upgrades.take(incoming, context.env.outgoing as never);
  if (!upgrade) return undefined;
  let channel: WebSocketChannel | undefined;
  // It calls back at once: everything that it refuses was refused before.
  sockets.handleUpgrade(incoming, upgrade.socket, upgrade.head, (socket) => {
    const options = {
      counters: fanOut.counters,
      limits,
      memory: bodies,
      caller,
      onError: (error: unknown) => logger.error({ err: error }, "a message of a socket could not be handled"),
    };
    channel = fanOut.openChannel(new WebSocketChannel(socket, upgrade.socket as Socket, options));
  });
  return channel;
}

async function start(
  channel: WebSocketChannel,
  run: Awaited<ReturnType<ChannelHandler>>,
  logger: Logger,
): Promise<void> {
  try {
    await run(channel);
  } catch (error) {
    if (isUnexpected(error)) logger.error({ err: error }, "a socket failed");
    endWith(channel, error);
  }
}

/** 4000 and the status that an answer would have. */
function endWith(channel: Channel, error: unknown): void {
  const { status, body } = problemResponse(error);
  channel.end(body.detail, isUnexpected(error) ? CLOSE_CODES.internal : 4000 + status);
}

/** The library is loaded for the first socket: most daemons never have one. */
function webSocketServer(limits: ServerLimits): () => Promise<WebSocketServer> {
  let loading: Promise<WebSocketServer> | undefined;
  const load = async () => {
    const { WebSocketServer } = await import("ws");
    const options = {
      noServer: true,
      clientTracking: false,
      perMessageDeflate: false,
      autoPong: false,
      // Thousands of small frames can arrive in one piece. In each turn of the event loop one of each socket is handled, pings
      // and pongs too; meanwhile the connection is not read.
      allowSynchronousEvents: false,
      maxPayload: limits.maxMessageBytes,
      closeTimeout: CLOSE_TIMEOUT_MS,
      handleProtocols: (offered: Set<string>) => offered.has(PROTOCOL) && PROTOCOL,
    };
    return new WebSocketServer(options);
  };
  return () => {
    loading ??= load();
    return loading;
  };
}
