import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { wordsOfType } from '../../kit/flags/by-type.js';
import { knownOperations } from '../../kit/operations/described.js';
import { listNamed, listNames } from '../../kit/operations/list.js';
import type { Command } from '@oclif/core';
import type { Offers, OptionFacts } from '../../kit/flags/define.js';
import { addedKinds } from '../../kit/flags/common.js';
import { printedRecords, wholeResult } from '../../kit/output/printed-records.js';
import { allowedIn } from '../../kit/session/connection.js';
import { chosenName, profileOf, profileStore } from '../../kit/session/profile-store.js';
import type { Operation, RecordType } from '../../contract/build.js';
import { operations } from '../../contract/service.js';
import { itemRecord, memberAt } from '../../contract/walk.js';
import { fieldsSeenBy } from '../../lists/fields/look-up.js';
import type { Context } from '../../kit/host/context.js';
import { noPages, numberParameters } from '../../lists/of-operation/parameters.js';
import { bookmarksFolder, bookmarkEnding } from '../../lists/changes-since/bookmark-file.js';
import { allColumns, allOthers, helpWord } from '../../formats/columns.js';
import { isRecordKind, type RecordKind } from '../../contract/lists.js';
import { namesStartingWith } from '../../mirror/names.js';
import { nameKinds, namesOf, type NameKind } from '../../profiles/names.js';
import { sandboxName } from '../../profiles/store/store.js';
import { answer, nothing, type Completions, type Offer } from './answer.js';
import { fileOfMirror, serviceOfMirror } from '../../names/mirror/location.js';
import { isGuid } from '../../core/text/scalars.js';
import { readMirrorFile } from '../../mirror/open.js';
import { sourcesIn } from '../../mirror/sources.js';
import type { Database } from '../../state/sqlite/open.js';
import { orElse } from '../../core/values/value.js';

const mostOffers = 50;

/** How long a Tab waits for a sync that is about to write, in milliseconds. */
const patienceMs = 30;

interface ValueRequest {
  readonly facts: OptionFacts;
  readonly typed: string;
  readonly command: Command.Class;
  readonly args: readonly string[];
  /** Values of flags that were given before, by their names. */
  readonly given: ReadonlyMap<string, readonly string[]>;
}

const canBeTyped = ({ word }: Offer): boolean => word.trim() === word && !word.startsWith('-') && !isGuid(word);

type LookUpKind = Extract<Offers, string>;

/** What a look-up gives, or the empty list when it fails: completion says nothing of what is wrong elsewhere. */
const quietly = <T>(look: () => readonly T[]): readonly T[] => orElse(look, []);

const plain = (words: readonly string[]): readonly Offer[] => words.map((word) => ({ word }));

const profileOfRequest = ({ given: flags }: ValueRequest): string | undefined => flags.get('profile')?.at(-1);

/** What a look into the mirror that the line is about gives; nothing where there is none that can be read. */
const inMirror = (context: Context, request: ValueRequest, look: (database: Database) => readonly Offer[]) =>
  quietly(() => {
    const profile = profileOf(context, { profile: profileOfRequest(request) });
    const mirror = request.given.get('mirror')?.at(-1);
    const file = mirror === undefined ? fileOfMirror(context, profile.name) : context.environment.pathOf(mirror);
    const database = readMirrorFile({ file, service: serviceOfMirror(profile), forget: '' });
    if (database === undefined) return [];
    try {
      database.execute(`PRAGMA busy_timeout = ${patienceMs};`);
      return look(database);
    } finally {
      database.close();
    }
  });

function bookmarks(context: Context, request: ValueRequest): readonly Offer[] {
  const names = quietly(() =>
    readdirSync(join(bookmarksFolder(context), chosenName(context, profileOfRequest(request)))),
  );
  const files = names
    .filter((name) => name.endsWith(bookmarkEnding))
    .map((name) => name.slice(0, -bookmarkEnding.length));
  return plain(files.sort());
}

function idNames(context: Context, request: ValueRequest, kind: NameKind): readonly Offer[] {
  const names = quietly(() =>
    Object.entries(namesOf(profileStore(context).kept(chosenName(context, profileOfRequest(request))))[kind]),
  );
  return names.map(([word, about]) => ({ word, about }));
}

const recordNames = (context: Context, request: ValueRequest, kind: RecordKind): readonly Offer[] =>
  inMirror(context, request, (database) =>
    namesStartingWith(database, kind, { text: request.typed, most: mostOffers })
      .map(({ name, about }) => ({ word: name, about }))
      .filter(canBeTyped),
  );

function namesOfArgumentKind(context: Context, request: ValueRequest): readonly Offer[] {
  const kind = nameKinds.find((each) => each === request.args[0]);
  return kind === undefined ? [] : idNames(context, request, kind);
}

function fieldNames(context: Context, request: ValueRequest): readonly Offer[] {
  const seen = quietly(() => fieldsSeenBy(context, chosenName(context, profileOfRequest(request))));
  const named = seen.flatMap(({ Name, Label }) =>
    typeof Name === 'string' && Name !== '' ? [{ word: Name, about: Label ?? undefined }] : [],
  );
  const all = [...idNames(context, request, 'field'), ...named];
  return [...new Map(all.map((offer) => [offer.word, offer])).values()];
}

const startOfLastName = (typed: string): number => Math.max(typed.lastIndexOf(','), typed.lastIndexOf('=')) + 1;

function recordsOn(context: Context, request: ValueRequest): readonly RecordType[] {
  const known = new Map(operationsOfProfile(context, request).map((operation) => [operation.name, operation]));
  const own = printedRecords(request.command, (name) => known.get(name)).map(({ type }) => type);
  const operation = own.length > 0 ? undefined : operationOnLine(context, request);
  if (operation === undefined) return own;
  const list = request.given.get('list')?.at(-1);
  return quietly(() => [list === undefined ? wholeResult(operation) : itemRecord(listNamed(operation, list).type)]);
}

function columnTitles(context: Context, request: ValueRequest): readonly Offer[] {
  const { typed } = request;
  const about = new Map<string, string>();
  for (const record of recordsOn(context, request)) {
    for (const [name, { doc }] of Object.entries(record.fields)) about.set(name, doc);
    for (const { title, path } of allColumns(record)) {
      const above = path.slice(0, -1).join('.');
      const isNear = above === '' || typed.slice(startOfLastName(typed)).startsWith(`${above}.`);
      const word = isNear ? title : `${path[0] ?? ''}.`;
      if (!about.has(word)) about.set(word, '');
    }
  }
  return [...about].map(([word, words]) => ({ word, about: words }));
}

/** The same, or what stands for all of them or for their list; behind a title, columns alone. */
function columnWords(context: Context, request: ValueRequest): readonly Offer[] {
  const { typed } = request;
  if (typed[startOfLastName(typed) - 1] === '=') return columnTitles(context, request);
  const all = { word: allOthers, about: 'all columns that are not listed explicitly' };
  const list = { word: helpWord, about: 'list the columns, with their types' };
  return [...columnTitles(context, request), all, ...(typed.includes(',') ? [] : [list])];
}

function operationsOfProfile(context: Context, request: ValueRequest): readonly Operation[] {
  const answer = quietly(() => {
    const { names, find } = knownOperations(context, profileOfRequest(request));
    return names.flatMap((name) => find(name) ?? []);
  });
  return answer.length > 0 ? answer : Object.values<Operation>(operations);
}

function parameterNames(context: Context, request: ValueRequest): Completions {
  const { typed } = request;
  const operation = operationOnLine(context, request);
  if (operation === undefined) return nothing;
  const at = typed.indexOf('=');
  const names = Object.entries(operation.parameters);
  if (at === -1) {
    return { ...answer(names.map(([name, { doc }]) => ({ word: `${name}=`, about: doc }))), isOpen: true };
  }
  const field = names.find(([name]) => name === typed.slice(0, at))?.[1];
  const words = field === undefined ? [] : wordsOfType(field.type);
  return { ...answer(plain(words)), kept: typed.slice(0, at + 1) };
}

const callPrefix = 'call:';

function operationOnLine(context: Context, request: ValueRequest): Operation | undefined {
  const [word = ''] = request.args;
  const searched = word.startsWith(callPrefix) ? word.slice(callPrefix.length) : word;
  return operationsOfProfile(context, request).find(({ name }) => name === searched);
}

/** What can be added to a mirror; behind `call:` the operations that answer a list, and are not known to write. */
function added(context: Context, request: ValueRequest): Completions {
  const { typed } = request;
  if (typed !== '' && typed !== callPrefix && callPrefix.startsWith(typed))
    return { ...answer(plain([callPrefix])), isOpen: true };
  if (!typed.startsWith(callPrefix)) return answer(plain([...addedKinds, callPrefix]));
  const all = operationsOfProfile(context, request).filter(
    (operation) => (operation.access === 'read' || operation.source === 'imported') && listNames(operation).length > 0,
  );
  return { ...answer(all.map(({ name, doc }) => ({ word: name, about: doc }))), kept: callPrefix };
}

function listNamesOnLine(context: Context, request: ValueRequest): readonly Offer[] {
  const operation = operationOnLine(context, request);
  if (operation === undefined) return [];
  return listNames(operation).map((word) => ({ word, about: memberAt(operation.result, word.split('.'))?.doc }));
}

function pageParameterNames(context: Context, request: ValueRequest): readonly Offer[] {
  const operation = operationOnLine(context, request);
  if (operation === undefined) return [];
  return [...plain(numberParameters(operation)), { word: noPages, about: 'one answer has the whole list' }];
}

function secretReferences({ typed }: ValueRequest): Completions {
  if (typed.startsWith('file:')) return { ...nothing, kind: 'files', kept: 'file:' };
  const offers = [
    { word: 'env:', about: 'an environment variable' },
    { word: 'file:', about: 'the first line of a file' },
    { word: 'cmd:', about: 'the output of a command' },
    { word: 'keyring:', about: 'the keyring of the system' },
  ];
  return { ...answer(offers), isOpen: true };
}

function asPairs(offers: readonly Offer[], { facts, typed }: ValueRequest): Completions {
  if (facts.form !== 'pairs') return answer(offers);
  if (typed.includes('=')) return nothing;
  return { ...answer(offers.map(({ word, about }) => ({ word: `${word}=`, about }))), isOpen: true };
}

const finders: Readonly<Record<LookUpKind, (context: Context, request: ValueRequest) => Completions>> = {
  files: () => ({ ...nothing, kind: 'files' }),
  folders: () => ({ ...nothing, kind: 'folders' }),
  profiles: (context) => answer(plain([...quietly(() => profileStore(context).names()), sandboxName])),
  bookmarks: (context, request) => answer(bookmarks(context, request)),
  'field-names': (context, request) => asPairs(idNames(context, request, 'field'), request),
  fields: (context, request) => asPairs(fieldNames(context, request), request),
  columns: (context, request) => answer(columnTitles(context, request)),
  'added-kinds': added,
  'column-words': (context, request) => answer(columnWords(context, request)),
  lists: (context, request) => answer(listNamesOnLine(context, request)),
  names: (context, request) => answer(namesOfArgumentKind(context, request)),
  operations: (context, request) =>
    answer(operationsOfProfile(context, request).map(({ name, doc }) => ({ word: name, about: doc }))),
  'page-parameters': (context, request) => lastOfNames(answer(pageParameterNames(context, request)), request.typed),
  parameters: parameterNames,
  places: (_context, request) => secretReferences(request),
  sources: (context, request) =>
    answer(
      inMirror(context, request, (database) =>
        sourcesIn(database).map(({ name, table }) => ({ word: name, about: table })),
      ),
    ),
  zones: () => answer(plain(['UTC', ...Intl.supportedValuesOf('timeZone')])),
};

function lastOfNames(answer: Completions, typed: string): Completions {
  const at = startOfLastName(typed);
  const before = new Set(typed.slice(0, at).split(','));
  const offers = answer.offers.filter(({ word }) => !before.has(word));
  return { ...answer, kept: typed.slice(0, at), offers, isOpen: true };
}

function valuesAllowedByProfile(context: Context, request: ValueRequest): readonly string[] {
  const { name = '' } = request.facts.enumeration ?? {};
  return quietly(() => allowedIn(profileOf(context, { profile: profileOfRequest(request) }))?.[name] ?? []);
}

/** What may stand for a value. No service is called, and what cannot be read offers nothing. */
export function completeValue(context: Context, request: ValueRequest): Completions {
  const { facts, typed } = request;
  const { offers, form, idOf } = facts;
  if (idOf !== undefined)
    return answer(isRecordKind(idOf) ? recordNames(context, request, idOf) : idNames(context, request, idOf));
  if (offers === undefined) return nothing;
  if (typeof offers === 'function') {
    const { kept: typedPart, words } = offers(typed);
    return { ...answer(plain(words)), kept: typedPart, isOpen: true };
  }
  const result =
    typeof offers === 'string'
      ? finders[offers](context, request)
      : answer(plain([...offers, ...valuesAllowedByProfile(context, request)]));
  return form === 'names' ? lastOfNames(result, typed) : result;
}
