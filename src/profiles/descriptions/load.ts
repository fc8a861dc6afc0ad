import { dirname, relative, resolve, sep, isAbsolute } from 'node:path';
import { badAnswer, type RelctlError, usage } from '../../core/errors/relctl-error.js';
import { readBytes } from '../../state/input-file.js';
import { shellWord, forMessage } from '../../core/text/text.js';
import type { Load } from '../../wsdl/reading/documents.js';
import { XmlDecoder } from '../../xml/decoder.js';

/** Longest document: descriptions of large services have some ten megabytes. */
const mostBytes = 24 * 1024 * 1024;

/** How documents of a description are got. */
export interface Sources {
  /** Gives what is at an address, of so many bytes at most. Throws `no-answer` and `bad-answer`. */
  readonly get: (url: string, mostBytes: number) => Promise<Buffer>;
  /** Origins, such as https://crm.example, and folders that documents may also come from. */
  readonly allowed: readonly string[];
}

const isUrl = (text: string): boolean => /^https?:\/\//i.test(text);

const isBelow = (folder: string, file: string): boolean => {
  const path = relative(folder, file);
  return path !== '' && path !== '..' && !path.startsWith(`..${sep}`) && !isAbsolute(path);
};

function notAllowed(where: string, allow: string): RelctlError {
  return usage('--allow', `the description imports ${forMessage(where, 300)}, which is not at its own origin`, {
    advice: `To read it, add --allow ${shellWord(allow)}`,
  });
}

function addressFrom(location: string, from: string, allowed: readonly string[]): string {
  if (!URL.canParse(location, from)) throw badAnswer('wsdl', `'${forMessage(location, 300)}' is not a URL`);
  const url = new URL(location, from);
  const origins = [new URL(from).origin, ...allowed.filter(isUrl).map((text) => new URL(text).origin)];
  url.hash = '';
  if (!isUrl(url.href))
    throw badAnswer('wsdl', `the description imports ${forMessage(url.href, 300)}, which is not a URL of HTTP`);
  if (origins.includes(url.origin)) return url.href;
  throw notAllowed(url.href, url.origin);
}

/** The path of a document that another one names. Throws `usage` for one outside of its folder that is not allowed. */
function pathFrom(
  location: string,
  root: string,
  { from, allowed }: { from: string; allowed: readonly string[] },
): string {
  const file = resolve(dirname(from), location);
  const folders = [root, ...allowed.filter((text) => !isUrl(text)).map((text) => resolve(text))];
  if (folders.some((folder) => isBelow(folder, file))) return file;
  throw notAllowed(file, dirname(file));
}

/** The text of a document, by the rules for XML. Throws `bad-answer` where a byte is wrong in its encoding. */
function textOf(bytes: Buffer, at: string): string {
  const decoder = new XmlDecoder();
  const text = decoder.decode(bytes);
  const whole = decoder.failure === undefined ? text + decoder.end() : text;
  const { failure } = decoder;
  if (failure !== undefined) throw badAnswer('wsdl', `${forMessage(at, 300)}: ${failure.message}`);
  return whole;
}

/** Gets the documents of a description. Throws `usage` for what is not allowed, `bad-answer`, `no-answer` and `local`. */
export function loadingOf({ get, allowed }: Sources): Load {
  let root: string | undefined;
  const resolveLocation = (location: string, from: string | undefined): string => {
    if (from === undefined) return isUrl(location) ? location : resolve(location);
    if (isUrl(from)) return addressFrom(location, from, allowed);
    return isUrl(location)
      ? addressFrom(location, allowed.find(isUrl) ?? 'file:///', allowed)
      : pathFrom(location, root ?? dirname(from), { from, allowed });
  };
  return {
    addressOf: (location, from) => {
      const at = resolveLocation(location, from);
      root ??= isUrl(at) ? undefined : dirname(at);
      return at;
    },
    textAt: async (at) => textOf(isUrl(at) ? await get(at, mostBytes) : readBytes(at, mostBytes), at),
  };
}
