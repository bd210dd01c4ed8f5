import { createRoot } from "react-dom/client";
import { takeTokenFromAddress } from "./api/token.ts";
import { App } from "./app.tsx";
import "./styles.css";

takeTokenFromAddress();
createRoot(document.getElementById("root")!).render(<App />);
