/** What this machine is called in the names of native packages. */

interface ReportHeader {
  readonly header?: { readonly glibcVersionRuntime?: string };
}

/** `darwin-arm64`, `linux-x64`, or `linux-x64-musl` where the C library is musl. */
export function platformName(): string {
  const name = `${process.platform}-${process.arch}`;
  return process.platform === "linux" && !hasGlibc() ? `${name}-musl` : name;
}

/** The C library of a platform by that name. */
export function libcOf(platform: string): "glibc" | "musl" {
  return platform.endsWith("-musl") ? "musl" : "glibc";
}

/** Node has it nowhere else. Network addresses in the report would make it slow. */
function hasGlibc(): boolean {
  // The types lack the option.
  const report = process.report as NodeJS.ProcessReport & { excludeNetwork: boolean };
  const { excludeNetwork } = report;
  report.excludeNetwork = true;
  const { header } = report.getReport() as ReportHeader;
  report.excludeNetwork = excludeNetwork;
  return header?.glibcVersionRuntime !== undefined;
}
