/** The pages of docs/reference/ that are made from the code. */
import { featureMatrix } from "./feature-matrix.ts";
import { sdkReference } from "./sdk-reference.ts";

export const GENERATED_PAGES: Readonly<Record<string, () => string>> = {
  "feature-matrix.md": featureMatrix,
  "sdk.md": sdkReference,
};
