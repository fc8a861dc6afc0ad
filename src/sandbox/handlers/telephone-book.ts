import { PvRelationData, PvTelephoneNumberData, type TelephoneBookEntry } from '../../contract/records/relation.js';
import type { OutputOf } from '../../contract/infer.js';
import { recordsWhere } from '../store/find.js';
import type { Store } from '../store/open.js';
import { answered, type Handler } from './handler.js';
import { pageOf, type ReceivedPaging } from './paging.js';

/** One page of relations that have a telephone number, with their numbers. */
function entries(store: Store, input: ReceivedPaging): readonly OutputOf<typeof TelephoneBookEntry>[] {
  const where = 'EXISTS (SELECT 1 FROM "PvTelephoneNumberData" t WHERE t."RelationId" = "PvRelationData"."Id")';
  const ofOne = '"RelationId" = ?';
  return recordsWhere(store, PvRelationData, { where, page: pageOf(input) }).map((relation) => ({
    relation,
    TelephoneNumbers: recordsWhere(store, PvTelephoneNumberData, { where: ofOne, values: [relation.Id ?? ''] }),
  }));
}

/** Interface document, Endpoints, RelationGetTelephoneBook. */
export const RelationGetTelephoneBook: Handler<'RelationGetTelephoneBook'> = ({ store }, input) =>
  answered({ TelephoneBookEntries: entries(store, input) });

/** The interface document names it as a replacement only (assumptions.ts, "Shapes that the document does not show"). */
export const RelationGetTelephoneBook_V2: Handler<'RelationGetTelephoneBook_V2'> = RelationGetTelephoneBook;
