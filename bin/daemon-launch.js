/**
 * What programs that start the daemon must agree on: `bin/interlingua.js`, `Interlingua.start()` and commands that start
 * a daemon in the background. Plain JavaScript, for old versions of Node too.
 */

/** Only Interlingua itself reads these variables, so its children do without them. */
export const OWN_SECRETS = [
  ...["INTERLINGUA_TOKEN", "INTERLINGUA_FORMER_TOKEN"],
  ...["INTERLINGUA_CLUSTER_SECRET", "INTERLINGUA_STORE"],
];

/**
 * Most objects of a busy daemon are garbage a moment later. A small young generation stays in the processor's cache. With
 * less than this, the pending commits of many busy sessions no longer fit.
 */
const YOUNG_SPACE = "--max-semi-space-size=16";

/** SIGUSR1 would open an inspector, through which every local program could run code in the daemon. */
const NO_INSPECTOR = "--disable-sigusr1";

/**
 * The options that the daemon's Node lacks. A user's own choice for one of them wins.
 * @param given The options that Node has already, from its arguments and `NODE_OPTIONS`.
 */
export function missingNodeOptions(given) {
  return [
    ...(/semi[-_]space/.test(given) ? [] : [YOUNG_SPACE]),
    ...(/disable-sigusr1|--inspect/.test(given) ? [] : [NO_INSPECTOR]),
  ];
}
