import assert from 'node:assert/strict';
import { existsSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Folders up to the layer of output, where what has no test of its own is data, types, or part of a neighbour. */
const lower = ['contract', 'errors', 'files', 'lexical', 'output', 'plain', 'profiles', 'soap/transport', 'xml'];

/**
 * Where the tests of a file are that has none under its own path, of a file or of a folder: paths below src, and below
 * test without their ending. What a process does as a whole is tested by the program.
 */
const elsewhere: Readonly<Record<string, readonly string[]>> = {
  'topics/completion/': ['long/autocomplete', 'processes/completion', 'cli/completion-install'],
  'app/help/': ['cli/help', 'app/help/markdown'],
  'app/meanings.ts': ['app/guess'],
  'app/run-within.ts': ['cli/find'],
  'app/run-apart.ts': ['processes/mcp'],
  'host/defects.ts': ['processes/defects'],
  'host/given.ts': ['processes/input-pipes'],
  'host/lock.ts': ['cli/mirror', 'cli/changes-since'],
  'app/main.ts': ['long/start', 'cli/usage', 'cli/exit-codes'],
  'app/resolve-command.ts': ['cli/usage'],
  'app/usage-error.ts': ['cli/usage', 'cli/input-files'],
  'ledger/': ['ledger/ledger'],
  'records/recorded.ts': ['cli/writes'],
  'cli/session/filled.ts': ['cli/left-nil'],
  'lists/left-nil.ts': ['cli/left-nil'],
  'sqlite/held.ts': ['long/mirror-held'],
  'topics/writes/': ['cli/writes'],
  'batches/row-states.ts': ['batches/journal'],
  'batches/written.ts': ['processes/writes-undo'],
  'cli/operations/places.ts': ['cli/imported-calls', 'cli/call'],
  'cli/operations/described.ts': ['cli/operations-import'],
  'cli/operations/readable.ts': ['cli/imported-members'],
  'soap/codec/decoder-options.ts': ['soap/codec/decode'],
  'soap/codec/bounds.ts': ['long/answer-bounds'],
  'soap/codec/choices.ts': ['wsdl/reading/types'],
  'descriptions/': ['cli/operations-import'],
  'wsdl/reading/': ['wsdl/reading/operations', 'wsdl/reading/imported'],
  'bulk/dry-run.ts': ['cli/product-dry-run'],
  'edits/cell-state.ts': ['edits/base'],
  'edits/taken.ts': ['edits/damage'],
  'lists/editing/': ['cli/round-trip'],
  'inputs/': ['inputs/text-forms', 'inputs/written-tables', 'inputs/workbook/forms'],
  'bulk/': ['cli/product-rows', 'cli/rows-of-commands'],
  'attachments/': ['long/attachments-down', 'long/attachments-up', 'operations/attachment'],
  'cli/command.ts': ['cli/usage', 'long/examples'],
  'cli/commands-of.ts': ['cli/operations'],
  'cli/consent.ts': ['cli/questions', 'operations/writes'],
  'cli/calls/envelope.ts': ['commands/envelopes'],
  'cli/flags/by-type.ts': ['operations/fuzz', 'cli/usage'],
  'cli/flags/lists/export.ts': ['long/exports', 'cli/output-file', 'processes/ids'],
  'cli/flags/lists/list.ts': [
    'cli/changes-since',
    'cli/list-members',
    'cli/lists',
    'operations/times',
    'cli/field-columns',
  ],
  'cli/flags/common.ts': ['cli/output-file', 'cli/usage', 'commands/envelopes', 'cli/profiles', 'cli/with-names'],
  'cli/flags/lists/of-operation.ts': ['long/call-lists', 'cli/mirror-call'],
  'cli/flags/shared.ts': ['commands/envelopes'],
  'cli/flags/readers.ts': ['operations/fuzz', 'cli/flags/define'],
  'cli/flags/kinds.ts': ['cli/flags/define', 'commands/envelopes'],
  'cli/flags/values/': ['operations/fuzz', 'commands/envelopes', 'cli/profiles', 'processes/sandbox'],
  'mirror/search/': ['mirror/search/find', 'mirror/search/telephone'],
  'cli/operations/legacy.ts': ['operations/relation'],
  'secrets/': ['secrets/mask'],
  'cli/calls/masked-envelope.ts': ['commands/envelopes'],
  'cli/names/': ['cli/names'],
  'cli/remedy/': ['cli/hint', 'cli/mistakes'],
  'cli/output/column-help.ts': ['cli/column-help'],
  'cli/output/printed-records.ts': ['cli/column-help'],
  'cli/output/asked-output.ts': ['cli/query'],
  'cli/output/columns.ts': ['cli/lists', 'operations/relation'],
  'cli/output/open-output.ts': ['cli/query'],
  'cli/output/output-choice.ts': ['cli/output-file', 'long/streams'],
  'cli/output/record-output.ts': ['long/streams', 'operations/relation'],
  'cli/session/profile-store.ts': ['cli/profiles'],
  'cli/sandbox/running.ts': ['processes/sandbox', 'long/sandbox-control'],
  'cli/session/connection.ts': ['cli/profiles', 'cli/allowed-values', 'cli/session/gateway'],
  'cli/session/session.ts': ['cli/failures', 'cli/profiles', 'cli/credentials-refused'],
  'cli/session/times.ts': ['operations/times'],
  'client/access.ts': ['cli/session/gateway'],
  'cli/calls/record.ts': ['processes/recordings'],
  'recordings/': ['processes/recordings'],
  'client/namespace.ts': ['cli/wrong-namespace'],
  'client/ids/guid-table.ts': ['client/ids/id-set'],
  'client/ids/overflow-guids.ts': ['client/ids/id-set'],
  'client/paging.ts': ['client/pages', 'client/paging-runs'],
  'client/rows/renderer.ts': ['client/rows/rendered', 'client/rows/kept-rows'],
  'client/walk.ts': ['client/pages', 'client/paging-runs', 'client/list-end'],
  'commands/': ['commands/envelopes', 'operations/coverage', 'long/examples'],
  'export/consistent.ts': ['client/paging-runs', 'long/exports'],
  'export/diff/packed-tables.ts': ['cli/export-diff'],
  'export/diff/read-table.ts': ['export/diff/compare'],
  'export/diff/side.ts': ['export/diff/compare'],
  'export/diff/table.ts': ['export/diff/compare'],
  'export/meta.ts': ['long/exports', 'cli/export-report'],
  'export/pieces.ts': ['long/rendered-exports', 'long/exports'],
  'export/plan.ts': ['export/run'],
  'export/resume-state.ts': ['export/run'],
  'export/rows/byte-writer.ts': ['export/rows/byte-rows'],
  'export/since/digest.ts': ['export/since/rows'],
  'export/since/read-bookmark.ts': ['export/since/bookmark-file'],
  'export/staging.ts': ['cli/field-columns', 'fields/staging'],
  'fields/cache.ts': ['operations/fields'],
  'fields/catalogue.ts': ['fields/included', 'operations/fuzz'],
  'fields/choices.ts': ['operations/field-choices'],
  'fields/columns.ts': ['fields/included'],
  'fields/made.ts': ['cli/query'],
  'fields/look-up.ts': ['operations/fields'],
  'fields/values.ts': ['operations/fuzz'],
  'host/context.ts': ['host/progress', 'long/start'],
  'host/environment.ts': ['long/unattended'],
  'host/heap.ts': ['long/start'],
  'host/may-ask.ts': ['cli/questions'],
  'host/notes.ts': ['cli/beyond-contract', 'long/exports'],
  'host/parent-channel.ts': ['long/export-run'],
  'host/signals.ts': ['app/exit', 'long/export-run'],
  'jobs/': ['jobs/plan-jobs', 'long/export-run', 'long/guide'],
  'lists/rendering.ts': ['long/rendered-exports'],
  'lists/command.ts': ['commands/envelopes', 'cli/lists'],
  'lists/exporting/export.ts': ['long/exports', 'processes/exports-calibrated'],
  'lists/filter.ts': ['cli/query'],
  'lists/ids/': ['processes/ids'],
  'lists/list-members.ts': ['cli/list-members', 'output/list-members'],
  'lists/open-start.ts': ['cli/open-period'],
  'lists/overflow.ts': ['cli/changes-since', 'cli/lists'],
  'lists/phone-book.ts': ['operations/relation'],
  'lists/paging.ts': ['cli/page-size'],
  'lists/plan.ts': ['cli/lists'],
  'lists/run.ts': ['cli/lists'],
  'lists/since/bookmark-files.ts': ['cli/changes-since'],
  'lists/since/bookmarks.ts': ['cli/changes-since'],
  'lists/since/changes-since.ts': ['cli/changes-since'],
  'lists/exporting/staged-export.ts': ['cli/field-columns'],
  'lists/unlisted-fields.ts': ['cli/field-columns'],
  'lists/whole-list.ts': ['cli/lists-that-vanish', 'processes/list-ends'],
  'lists/write-rows.ts': ['cli/lists', 'long/streams'],
  'query/check.ts': ['query/expression'],
  'query/mistake.ts': ['query/expression'],
  'query/questions.ts': ['cli/query'],
  'query/where/like.ts': ['query/where/oracle'],
  'query/where/names.ts': ['query/where/where'],
  'query/where/parser.ts': ['query/where/where'],
  'query/where/tests.ts': ['query/where/oracle'],
  'query/where/values.ts': ['query/where/oracle'],
  'query/result.ts': ['cli/query'],
  'records/': ['cli/answers', 'operations/writes', 'operations/relation'],
  'sandbox/': ['sandbox/endpoint', 'sandbox/http/server'],
  'sandbox/asmx/': ['sandbox/asmx/probes', 'sandbox/asmx/transport', 'sandbox/asmx/places'],
  'sandbox/dataset/': ['sandbox/dataset/consistency', 'sandbox/dataset/coverage', 'sandbox/dataset/fill'],
  'sandbox/faults/': ['sandbox/faults/spec', 'sandbox/faults/plan', 'sandbox/faults/admin'],
  'sandbox/faults/kinds/': ['sandbox/faults/kinds/catalogue', 'sandbox/faults/spec'],
  'sandbox/handlers/': ['sandbox/handlers/effects', 'sandbox/handlers/refusals', 'operations/coverage'],
  'sandbox/http/': ['sandbox/http/server'],
  'sandbox/pages/': ['sandbox/pages/pages', 'cli/pages-built'],
  'sandbox/store/': ['sandbox/store/create', 'sandbox/store/rows'],
  'soap/codec/decode-bytes.ts': ['export/rows/byte-rows', 'long/rendered-exports'],
  'soap/codec/decode-plan.ts': ['soap/codec/decode', 'soap/codec/decode-flat'],
  'soap/codec/frames/frame-values.ts': ['soap/codec/decode', 'soap/codec/notes'],
  'soap/codec/frames/frames.ts': ['soap/codec/decode', 'soap/codec/notes'],
  'soap/values/': ['soap/values/scalars', 'soap/codec/round-trip'],
  'soap/wire/': ['soap/wire/fault', 'soap/wire/receive', 'soap/wire/response'],
  'sql/allowed.ts': ['cli/sql'],
  'sql/messages.ts': ['cli/sql'],
  'sql/mistakes.ts': ['cli/sql'],
  'sql/reader.ts': ['cli/sql'],
  'sql/reading.ts': ['cli/sql'],
  'sql/records.ts': ['cli/sql'],
  'topics/sql/': ['cli/sql'],
  'tables/': ['sandbox/store/schema', 'sandbox/store/rows'],
  'topics/activities/': ['operations/activity', 'operations/activity-update', 'operations/relation'],
  'topics/call/': ['cli/call', 'long/call-lists'],
  'cli/operations/list.ts': ['long/call-lists'],
  'lists/of-operation/': ['long/call-lists'],
  'topics/datastores/': ['operations/datastore'],
  'topics/diff/': ['cli/export-diff'],
  'topics/doctor/': ['cli/doctor'],
  'topics/find/': ['cli/find'],
  'topics/marks/': ['cli/mark-names'],
  'syncs/call-plan.ts': ['cli/mirror-call'],
  'topics/mirror/add/call.ts': ['cli/mirror-call'],
  'mirror/of-call/': ['mirror/of-call/table'],
  'cli/operations/named.ts': ['cli/call', 'long/call-lists'],
  'cli/operations/input.ts': ['cli/call', 'long/call-lists'],
  'syncs/each-relation.ts': ['processes/mirror-each-relation'],
  'mirror/publish/': ['long/mirror-publish', 'processes/mirror-publish-folder'],
  'mirror/': ['cli/mirror'],
  'syncs/': ['cli/mirror'],
  'topics/mirror/': ['cli/mirror'],
  'topics/mcp/': ['processes/mcp', 'processes/mcp-hostile', 'cli/mcp-writes', 'cli/mcp-imported'],
  'topics/notifications/': ['cli/notification-count'],
  'topics/operations/': ['cli/operations'],
  'topics/relationships/': ['cli/rows-of-commands'],
  'topics/products/': ['operations/product', 'operations/product-terms', 'operations/product-update'],
  'topics/profiles/': ['cli/names', 'cli/profiles', 'processes/exports-calibrated', 'operations/fields'],
  'topics/sandbox/': ['processes/sandbox', 'long/sandbox-control'],
  'wsdl/element.ts': ['wsdl/schema', 'wsdl/definitions'],
  'wsdl/target.ts': ['cli/wrong-namespace'],
  'postgres/failure.ts': ['postgres/connect', 'postgres/tls'],
  'cli/mirror/': ['cli/mirror'],
};

const files = (folder: string): readonly string[] =>
  readdirSync(`${root}${folder}`, { recursive: true, encoding: 'utf8' })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => /\.\w+$/.test(path));

/** The longest line that a file is under. */
const lineOf = (file: string): string | undefined =>
  Object.keys(elsewhere)
    .filter((line) => (line.endsWith('/') ? file.startsWith(line) : file === line))
    .sort((left, right) => right.length - left.length)[0];

describe('The tests', () => {
  const without = files('src').filter(
    (file) =>
      file.endsWith('.ts') &&
      !lower.some((folder) => file.startsWith(`${folder}/`)) &&
      !existsSync(`${root}test/${file.replace(/\.ts$/, '.test.ts')}`),
  );

  it('of a file above output are under its path, or a line of this table says where', () => {
    assert.deepEqual(
      without.filter((file) => lineOf(file) === undefined),
      [],
    );
  });

  it('are where the table says, and no line says it of a file that is not there or has its own', () => {
    const used = new Set(without.map(lineOf));
    assert.deepEqual(
      Object.keys(elsewhere).filter((line) => !used.has(line)),
      [],
    );
    const named = [...new Set(Object.values(elsewhere).flat())];
    assert.deepEqual(
      named.filter((name) => !existsSync(`${root}test/${name}.test.ts`)),
      [],
    );
  });

  it('are all that is under test, but for their helpers in test/support', () => {
    assert.deepEqual(
      files('test').filter((file) => !file.endsWith('.test.ts') && !file.startsWith('support/')),
      [],
    );
  });
});
