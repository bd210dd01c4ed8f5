/** What the models of a session are called, for whatever names one by its id. */
import { createContext } from "react";

export const ModelNames = createContext<readonly { id: string; name?: string }[]>([]);
