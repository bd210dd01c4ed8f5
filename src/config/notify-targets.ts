/** The targets of notifications that the config file names, with the daemon's variables put in, checked. */
import { isLoopback } from "../core/is-loopback.ts";
import { NOTIFY_EVENTS, type NotifySetting, type NotifyTarget } from "../core/notify-target.ts";
import { expandValues } from "./agent-config.ts";
import { ConfigError } from "./config-error.ts";

const MIN_SECRET_LENGTH = 16;
const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$/;
const HEADER_VALUE = /^[\t\x20-\x7e]*$/;
/** What the request itself sets. */
const OWN_HEADERS =
  /^(?:host|connection|content-.*|transfer-encoding|expect|upgrade|te|trailer|x-interlingua-.*)$/i;

/** Throws a ConfigError that names the setting, never what is in it: addresses of services are secrets. */
export function notifyTargets(
  settings: readonly NotifySetting[],
  environment: NodeJS.ProcessEnv,
): NotifyTarget[] {
  return settings.map((setting, index) => {
    const place = `notify.${index}`;
    const { url, page, secret, headers, events = NOTIFY_EVENTS, format = "json" } = setting;
    const given = expandValues(place, { url, ...(page && { page }), ...(secret && { secret }) }, environment);
    if (given.secret !== undefined && given.secret.length < MIN_SECRET_LENGTH) {
      throw new ConfigError(
        `${place}.secret: must have at least ${MIN_SECRET_LENGTH} characters. Make one with: openssl rand -hex 32`,
      );
    }
    const target = targetUrl(`${place}.url`, given.url!);
    if (format === "ntfy" && !/[^/]/.test(target.pathname)) {
      throw new ConfigError(`${place}.url: has no topic. Give it as https://ntfy.sh/YOUR-TOPIC.`);
    }
    return {
      ...{ url: target, format, events: new Set(events), secret: given.secret },
      headers: checkedHeaders(
        `${place}.headers`,
        expandValues(`${place}.headers`, headers ?? {}, environment),
      ),
      ...(given.page !== undefined && { page: pageAddress(`${place}.page`, given.page) }),
    };
  });
}

/** What is sent names sessions and carries keys in its headers: it leaves this machine encrypted or not at all. */
function targetUrl(place: string, text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== "https:" && url?.protocol !== "http:") {
    throw new ConfigError(`${place}: must be a URL such as https://example.com/hook.`);
  }
  if (url.username !== "" || url.password !== "") {
    throw new ConfigError(`${place}: must not hold a user name or a password. Put them into headers.`);
  }
  if (url.protocol === "http:" && !isLoopback(url.hostname.replace(/^\[(.*)\]$/, "$1"))) {
    throw new ConfigError(
      `${place}: http leaves this machine unencrypted. Use https, or an address such as 127.0.0.1.`,
    );
  }
  return url;
}

function pageAddress(place: string, text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (
    !url ||
    !/^https?:$/.test(url.protocol) ||
    url.hash !== "" ||
    url.search !== "" ||
    url.username !== ""
  ) {
    throw new ConfigError(
      `${place}: must be the address of the page without a token, such as https://box.example.com.`,
    );
  }
  return url.href.replace(/\/$/, "");
}

function checkedHeaders(place: string, headers: Record<string, string>): Record<string, string> {
  for (const [name, value] of Object.entries(headers)) {
    if (!HEADER_NAME.test(name)) throw new ConfigError(`${place}: "${name}" is no name of a header.`);
    if (OWN_HEADERS.test(name)) throw new ConfigError(`${place}.${name}: is set by the request itself.`);
    if (!HEADER_VALUE.test(value)) {
      throw new ConfigError(`${place}.${name}: may hold only printable ASCII characters.`);
    }
  }
  return headers;
}
