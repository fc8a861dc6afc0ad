/** A cookie as its origin set it (RFC 6265, section 5.3), without what never matters here: it goes to its origin alone. */
interface Cookie {
  readonly value: string;
  readonly path: string;
  /** By the clock of `performance.now()`; it lasts as long as the run without. */
  readonly endsMs: number;
}

/** Browsers keep as many of a host; a cookie is longer nowhere. */
const mostCookies = 50;
const mostLetters = 4096;

/** What no header carries, and what would end a cookie within one. */
const unsound = /[\p{Cc};]/u;

type Attributes = ReadonlyMap<string, string>;

/** The path of a cookie: the folder of the page that set it, unless it names one (section 5.1.4). */
function pathOf(attributes: Attributes, { pathname }: URL): string {
  const own = attributes.get('path') ?? '';
  if (own.startsWith('/')) return own;
  const end = pathname.lastIndexOf('/');
  return end <= 0 ? '/' : pathname.slice(0, end);
}

/** True where a cookie of a path goes to another path (section 5.1.4). */
const covers = (path: string, pathname: string): boolean =>
  pathname === path || (pathname.startsWith(path) && (path.endsWith('/') || pathname[path.length] === '/'));

/** False for what is to go by TLS alone and came without, and for a domain that the host is no part of. */
function mayBeSet(attributes: Attributes, { protocol, hostname }: URL): boolean {
  if (attributes.has('secure') && protocol !== 'https:') return false;
  const domain = (attributes.get('domain') ?? '').replace(/^\./, '').toLowerCase();
  return domain === '' || hostname === domain || hostname.endsWith(`.${domain}`);
}

/** Milliseconds that a cookie lasts: Max-Age counts before Expires, which is told by the clock of the service. */
function lifetimeMs(attributes: Attributes, date: string | undefined): number {
  const age = attributes.get('max-age') ?? '';
  if (/^-?\d+$/.test(age)) return Number(age) * 1000;
  const expires = Date.parse(attributes.get('expires') ?? '');
  if (Number.isNaN(expires)) return Infinity;
  const now = Date.parse(date ?? '');
  // Who takes a cookie away names a time long past.
  return Number.isNaN(now) ? (expires < Date.UTC(2000, 0) ? 0 : Infinity) : expires - now;
}

/** A name and a value, without white space around them; undefined without a = or a name (section 5.2). */
function pairIn(text: string): readonly [name: string, value: string] | undefined {
  const at = text.indexOf('=');
  const name = text.slice(0, Math.max(0, at)).trim();
  return name === '' ? undefined : [name, text.slice(at + 1).trim()];
}

/** The attributes of a cookie by their names in small letters; the last one of a name counts. */
const attributesIn = (parts: readonly string[]): Attributes =>
  new Map(
    parts.map((part): readonly [string, string] => {
      const [name, value] = pairIn(part) ?? [part.trim(), ''];
      return [name.toLowerCase(), value];
    }),
  );

/**
 * The cookies of one origin, in memory alone: load balancers keep a client on one node by them, without which pages of a list
 * come from nodes that order it otherwise. Nothing outside of the transport sees them.
 */
export class CookieJar {
  readonly #cookies = new Map<string, Cookie>();

  /** Keeps what an answer sets, and drops what it takes away. What breaks a rule is passed over, as browsers do. */
  store(lines: readonly string[], url: URL, date: string | undefined): void {
    for (const line of lines) this.#storeOne(line, url, date);
  }

  #storeOne(line: string, url: URL, date: string | undefined): void {
    const [first = '', ...parts] = line.split(';');
    const pair = pairIn(first);
    if (pair === undefined || unsound.test(first) || first.length > mostLetters) return;
    const [name, value] = pair;
    const attributes = attributesIn(parts);
    if (!mayBeSet(attributes, url)) return;
    const path = pathOf(attributes, url);
    const key = `${name};${path}`;
    const lastsMs = lifetimeMs(attributes, date);
    if (lastsMs <= 0) this.#cookies.delete(key);
    else if (this.#cookies.has(key) || this.#cookies.size < mostCookies)
      this.#cookies.set(key, { value, path, endsMs: performance.now() + lastsMs });
  }

  /**
   * The header Cookie for an address, those of longer paths first; undefined without one (section 5.4).
   * @param own what a profile sends by itself, whose names are not sent twice
   */
  headerFor({ pathname }: URL, own = ''): string | undefined {
    // Most services set none, and the clock is a module of its own.
    if (this.#cookies.size === 0) return own === '' ? undefined : own;
    const now = performance.now();
    const names = new Set(own.split(';').map((each) => pairIn(each)?.[0]));
    const sent = [...this.#cookies]
      .filter(([, { path, endsMs }]) => endsMs > now && covers(path, pathname))
      .toSorted(([, left], [, right]) => right.path.length - left.path.length)
      .map(([key, { value }]) => [key.slice(0, key.indexOf(';')), value] as const)
      .filter(([name]) => !names.has(name))
      .map((pair) => pair.join('='));
    const all = own === '' ? sent : [own, ...sent];
    return all.length === 0 ? undefined : all.join('; ');
  }
}
