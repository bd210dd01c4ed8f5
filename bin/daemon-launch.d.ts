export declare const OWN_SECRETS: readonly string[];
export declare function missingNodeOptions(given: string): string[];
