/**
 * The AI SDK checks what it reads with zod, which tries to compile code while modules are loaded. The policy of the page
 * forbids that, and a browser would report it. Has to be imported before everything else.
 */
import { config } from "zod/v4/mini";

config({ jitless: true });
