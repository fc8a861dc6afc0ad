// A list to its end as CSV with npm's soap. Arguments: URL of the service, file to write, page size, and a file
// that holds the WSDL, or none.
import { closeSync, openSync, writeSync } from 'node:fs';
import soap from 'soap';

const [url, file, pageSize, wsdl = `${url}?WSDL`] = process.argv.slice(2);
const client = await soap.createClientAsync(wsdl);
const out = openSync(file, 'w');
const credentials = { ApiKey: '00000000-0000-4000-8000-000000000001', DatabaseId: null, UserId: null };
const cell = (value) => {
  const text = value === undefined || value === null ? '' : String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
};
const names = 'Id EntityTypeId Info SortingName DisplayName IsRoot IsDummy ImportKey IsInactive'.split(' ');
for (let pageNumber = 1; ; pageNumber += 1) {
  const [answer] = await client.RelationGetAllAsync({
    credentials,
    pageNumber,
    pageSize: Number(pageSize),
    includeFields: false,
    includeCounters: false,
  });
  const rows = answer.RelationGetAllResult?.Relations?.PvRelationData ?? [];
  if (rows.length === 0) break;
  writeSync(out, rows.map((row) => `${names.map((name) => cell(row[name])).join(',')},,\n`).join(''));
}
closeSync(out);
