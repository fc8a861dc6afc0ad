import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { costOf, isThere } from './child.js';
import { pageSize } from './prepared.js';
import type { Place, PreparedList } from './place.js';
import type { Candidate, Turns } from './turns.js';

/** Another client of such services, that writes a list to CSV. */
export interface Peer {
  /** As its goals name it. */
  readonly id: 'php' | 'npm-soap' | 'zeep';
  readonly name: string;
  /** How it gets at the WSDL without asking for it. */
  readonly cache: string;
  /** Program and script; none where it is not on this machine. */
  readonly command: readonly string[] | undefined;
}

const client = (file: string): string => fileURLToPath(new URL(`clients/${file}`, import.meta.url));

const python = ['python3', '/usr/bin/python3'].find((program) => isThere(program, '-c', 'import zeep'));
const hasPhp = isThere('php', '-r', 'exit(class_exists("SoapClient") ? 0 : 1);');

/** All peers, whether they are here or not. */
export const peers: readonly Peer[] = [
  {
    id: 'php',
    name: 'PHP SoapClient, fputcsv',
    cache: 'in its cache on disk',
    command: hasPhp ? ['php', client('php-list.php')] : undefined,
  },
  {
    id: 'npm-soap',
    name: 'npm soap 1.13',
    cache: 'read from a local file, because it has no cache for another process',
    command: [process.execPath, client('npm-soap-list.mjs')],
  },
  {
    id: 'zeep',
    name: 'python3-zeep, csv',
    cache: 'in its SQLite cache',
    command: python === undefined ? undefined : [python, client('zeep-list.py')],
  },
];

/** A peer by the name of its way with the WSDL cached. */
export const cached = (peer: Peer): string => `${peer.name}, WSDL cached`;

const notHere = 'is not on this machine';

/** Prepares what a peer reads the WSDL from, and gives the argument that says where it is. */
async function cacheArgument(peer: Peer, place: Place, list: PreparedList): Promise<string> {
  const folder = join(place.folder, 'wsdl');
  mkdirSync(folder, { recursive: true });
  if (peer.id === 'php') return folder;
  if (peer.id === 'zeep') return join(folder, 'zeep.db');
  const file = join(folder, 'service.wsdl');
  const answer = await fetch(`${place.url(list)}?WSDL`);
  writeFileSync(file, await answer.text());
  return file;
}

interface Way {
  readonly list: PreparedList;
  /** Whether the WSDL is asked for in each run, or cached by the first one. */
  readonly ways: readonly ('asked for' | 'cached')[];
}

type Candidates = Map<string, Candidate>;

/** Adds lists by each peer to a file. What is not on this machine is told to the turns. */
export async function addPeers(turns: Turns, found: Candidates, place: Place, { list, ways }: Way): Promise<void> {
  for (const peer of peers) {
    for (const way of ways) {
      const name = way === 'cached' ? cached(peer) : peer.name;
      if (peer.command === undefined) {
        turns.without(name, notHere);
        continue;
      }
      const file = join(place.folder, `${peer.id}.csv`);
      const cache = way === 'cached' ? [await cacheArgument(peer, place, list)] : [];
      const command = [...peer.command, place.url(list), file, String(list.cap ?? pageSize), ...cache];
      found.set(name, () => costOf({ command, env: place.env(list) }));
    }
  }
}

/** curl by the name of how many pages it asks for at once. */
export const curlAt = (atOnce: number): string => `curl to /dev/null, ${atOnce === 1 ? 'one' : atOnce} at a time`;

/** Adds a list by curl that drops the bytes: what asking alone takes. */
export function addCurl(
  turns: Turns,
  found: Candidates,
  place: Place,
  { list, atOnce }: { readonly list: PreparedList; readonly atOnce: number },
): void {
  if (!isThere('curl', '--version')) {
    turns.without(curlAt(atOnce), notHere);
    return;
  }
  const parallel = atOnce === 1 ? [] : ['--parallel', '--parallel-max', String(atOnce)];
  const url = `${place.url(list)}?page=[1-${list.pages + 1}]`;
  const request = ['-H', 'content-type: application/soap+xml', '-d', '<x/>', '-o', '/dev/null', url];
  found.set(curlAt(atOnce), () => costOf({ command: ['curl', '-sS', ...parallel, ...request], env: place.env(list) }));
}
