import { basename, dirname } from 'node:path';
import type { Ending } from '../../state/ledger/outcome.js';
import type { BulkPlace, RowPlan, RowsAsked, RowsText, RowValues } from '../rows/rows-text.js';
import { operations } from '../../contract/service.js';
import { RelctlError, usage } from '../../core/errors/relctl-error.js';
import { note } from '../../kit/host/notes.js';
import { defined } from '../../core/values/value.js';
import { checkLinks, folderInput, pathWithin, type Base } from './folder/input.js';
import { requestNote } from './send.js';
import { contentOfFile, knownFile, sizeOfFile, type KnownFile } from './sent-file.js';
import { sizeWords } from './many/finish.js';

interface Attaching extends Pick<BulkPlace, 'context' | 'flags'> {
  readonly base: Base;
  /** True once a file was found that services usually refuse: the others are not told of. */
  isLargeTold: boolean;
}

const member = 'base64EncodedFile';

function baseOf({ context, flags }: BulkPlace): Base {
  const { pathOf } = context.environment;
  const { file, dir: folder, 'allow-outside': takesOthers } = flags;
  const isFile = typeof file === 'string' && file !== '-';
  const found = typeof folder === 'string' ? pathOf(folder) : isFile ? dirname(pathOf(file)) : pathOf('.');
  return { folder: found, takesOthers: takesOthers === true };
}

function planRow({ values }: RowValues, { base }: Attaching): RowPlan {
  const activityId = String(values['id']);
  const path = pathWithin(base, String(values['file']));
  const given = values['name'];
  if (given === null || given === '') throw usage('name', 'a file is attached under a name, which cannot be empty');
  const fileName = typeof given === 'string' ? given : basename(path);
  return {
    key: activityId.toLowerCase(),
    title: `activity ${activityId}`,
    once: JSON.stringify([activityId.toLowerCase(), path, fileName]),
    input: { activityId, fileName, [member]: '' },
    file: { path },
    changes: [{ name: 'fileName', to: fileName }],
  };
}

function fileOf({ file }: RowPlan): NonNullable<RowPlan['file']> {
  if (file === undefined) throw new RelctlError('bug', 'the row has no file');
  return file;
}

async function tellLarge(shared: Attaching, size: number): Promise<void> {
  const { context, flags, isLargeTold } = shared;
  const words = requestNote(size);
  if (isLargeTold || words === undefined) return;
  shared.isLargeTold = true;
  await note(context, flags, `${words}: there are such files among these`);
}

async function looked(plan: RowPlan, shared: Attaching): Promise<RowPlan> {
  const { path } = fileOf(plan);
  const { context, flags, base } = shared;
  try {
    checkLinks(base, path);
    const isShown = flags['dry-run'] === true;
    const file = isShown ? await knownFile(path, context.signal) : { path, size: sizeOfFile(path) };
    await tellLarge(shared, file.size);
    const seen = 'sha256' in file ? [{ name: 'sha256', to: file.sha256 }] : [];
    return { ...plan, file, changes: [...plan.changes, { name: 'size', to: file.size }, ...seen] };
  } catch (thrown) {
    const error = RelctlError.from(thrown);
    throw error.but({ facts: { ...error.facts, path: 'file' } });
  }
}

const failed = ({ message, facts }: RelctlError): Ending => ({
  outcome: 'failed',
  words: message,
  ...defined({ code: facts.code }),
});

async function readAgain(plan: RowPlan, { context, base }: Attaching): Promise<RowPlan | Ending> {
  const { path } = fileOf(plan);
  let file: KnownFile;
  try {
    checkLinks(base, path);
    file = await knownFile(path, context.signal);
  } catch (thrown) {
    const error = RelctlError.from(thrown);
    if (error.kind === 'interrupted' || error.kind === 'bug') throw error;
    return failed(error);
  }
  const input = { ...plan.input, [member]: `[base64 of ${file.size} bytes, sha256 ${file.sha256}]` };
  return { ...plan, input, file, content: contentOfFile(member, file) };
}

const asked = ({ count, bytes, input }: RowsAsked): string =>
  `attach ${count} ${count === 1 ? 'file' : 'files'} (${sizeWords(bytes)}) by ${input}`;

/** How files are attached by the rows of a file, or by those of a folder. */
export const attachmentRows: RowsText<Attaching> = {
  operation: operations.ActivityAddAttachment,
  does: 'add',
  record: { argument: 'id', members: ['activityId', 'activity'] },
  members: { path: 'file', fileName: 'name' },
  hasFields: false,
  sendsFiles: true,
  input: folderInput,
  open: (place) => Promise.resolve({ ...place, base: baseOf(place), isLargeTold: false }),
  plan: planRow,
  looks: looked,
  asks: asked,
  again: readAgain,
};
