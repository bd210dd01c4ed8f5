/** The part of a store that can be read while another process writes. */
import type { Store } from "../core/store.ts";

type Writes =
  | "append"
  | "moveKey"
  | "deleteSession"
  | "addToken"
  | "noteTokenUse"
  | "removeToken"
  | "addInvitation"
  | "redeemInvitation"
  | "removeInvitation"
  | "removeExpired"
  | "appendAudit";

export type ReadableStore = Omit<Store, Writes>;
