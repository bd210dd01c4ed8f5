/** The pages of docs/reference/ that are made from the code. */
import { asking } from "./asking.ts";
import { dialectCoverage } from "./dialect-coverage.ts";
import { featureMatrix } from "./feature-matrix.ts";
import { rights } from "./rights.ts";
import { sdkReference } from "./sdk-reference.ts";

export const GENERATED_PAGES: Readonly<Record<string, () => string>> = {
  "asking.md": asking,
  "dialect-coverage.md": dialectCoverage,
  "feature-matrix.md": featureMatrix,
  "rights.md": rights,
  "sdk.md": sdkReference,
};
