import type { ComboboxValues, FieldControl, FieldType } from '../../contract/enumerations.js';
import { emptyId, knownId } from './known.js';

/** A field of an entity type, as the catalogue writes it down. */
export interface FieldText {
  readonly number: number;
  readonly entityType: number;
  readonly name: string;
  readonly label: string;
  readonly type: (typeof FieldType)['values'][number];
  readonly control: (typeof FieldControl)['values'][number];
  readonly source?: (typeof ComboboxValues)['values'][number];
  /** Entity type of the datastore that a combo box offers. */
  readonly datastore?: number;
  readonly length?: number;
  readonly required?: true;
  readonly readOnly?: true;
}

type Kind = Pick<FieldText, 'type' | 'control'> & Partial<FieldText>;

const text: Kind = { type: 'NVarChar', control: 'TextBox', length: 200 };
const mail: Kind = { type: 'NVarChar', control: 'PvMailTextBox', length: 254 };
const link: Kind = { type: 'NVarChar', control: 'PvUrlTextBox', length: 2048 };
const moment: Kind = { type: 'Datetime', control: 'PvDateTimePicker' };
const exactMoment: Kind = { type: 'Datetime2', control: 'PvDateTimePicker' };
const yesNo: Kind = { type: 'Bit', control: 'CheckBox' };
const whole: Kind = { type: 'Int', control: 'PvIntegerTextBox' };
const money: Kind = { type: 'Currency', control: 'PvCurrencyTextBox' };
const labels: Kind = { type: 'Label', control: 'PvLabelControl' };
const reference: Kind = { type: 'UniqueIdentifier', control: 'PvComboBox' };
const choice = (datastore: number): Kind => ({ ...reference, source: 'Datastore', datastore });

const of = (
  entityType: number,
  fields: readonly (readonly [name: string, label: string, kind: Kind])[],
  behind = 0,
): readonly FieldText[] =>
  fields.map(([name, label, kind], at) => {
    return { number: entityType * 100 + behind + at + 1, entityType, name, label, ...kind };
  });

/** Fields by entity type, in the order of their SortIndex. */
export const fields: readonly FieldText[] = [
  ...of(1, [
    ['FirstName', 'Voornaam', text],
    ['LastName', 'Achternaam', { ...text, required: true }],
    ['Email', 'E-mailadres', mail],
    ['BirthDate', 'Geboortedatum', moment],
    ['City', 'Plaats', text],
    ['Newsletter', 'Nieuwsbrief', yesNo],
  ]),
  ...of(2, [
    ['Name', 'Naam', { ...text, required: true }],
    ['Email', 'E-mailadres', mail],
    ['Website', 'Website', link],
    ['Industry', 'Branche', choice(21)],
    ['SbiCode', 'SBI-code', { ...reference, source: 'SbiCodes' }],
    ['Employees', 'Aantal medewerkers', whole],
    ['City', 'Plaats', text],
  ]),
  ...of(3, [
    ['Function', 'Functie', text],
    ['DirectMail', 'Zakelijk e-mailadres', mail],
    ['Interests', 'Interesses', labels],
  ]),
  ...of(4, [
    ['Course', 'Opleiding', { ...text, required: true }],
    ['Finished', 'Afgerond op', moment],
  ]),
  ...of(5, [
    ['Department', 'Afdeling', text],
    ['Hours', 'Uren per week', { type: 'Decimal', control: 'TextBox' }],
  ]),
  ...[11, 12, 13, 14].flatMap((entityType) =>
    of(entityType, [
      ['Subject', 'Onderwerp', { ...text, required: true }],
      ['Priority', 'Prioriteit', choice(24)],
      ['Deadline', 'Uiterlijk op', exactMoment],
      ['Amount', 'Bedrag', money],
      ['Handler', 'Behandelaar', { ...reference, source: 'Users' }],
      ['Tags', 'Labels', labels],
      ['Reference', 'Kenmerk', { ...text, readOnly: true }],
    ]),
  ),
  // Behind the fields that all activities have, with numbers of their own: every type and source that there is.
  ...of(
    14,
    [
      ['Weight', 'Gewicht (kg)', { type: 'Float', control: 'TextBox' }],
      ['Parcels', 'Aantal colli', { type: 'SmallInt', control: 'PvIntegerTextBox' }],
      ['Tracking', 'Zendingnummer', { type: 'BigInt', control: 'PvIntegerTextBox' }],
      ['PostalCode', 'Postcode', { type: 'VarChar', control: 'TextBox', length: 7 }],
      ['Signature', 'Handtekening', { type: 'VarBinary', control: 'TextBox', readOnly: true }],
      ['Country', 'Land', { type: 'NVarChar', control: 'PvComboBox', length: 2, source: 'Countries' }],
      ['Courier', 'Bezorger', { ...reference, source: 'Employees' }],
      ['Delivery', 'Levering', { type: 'Int', control: 'PvComboBox', source: 'Enumeration' }],
      ['Payment', 'Betaalwijze', { ...reference, source: 'SystemDatastore' }],
      ['VatRate', 'Btw-tarief', { ...reference, source: 'Vat' }],
      ['Packing', 'Verpakking', { type: 'Int', control: 'PvComboBox', source: 'Unit' }],
      ['Picked', 'Verzameld op', moment],
      ['Insured', 'Verzekerd', yesNo],
      ['Discount', 'Korting (%)', { type: 'Decimal', control: 'TextBox' }],
      ['DeliveryMail', 'E-mailadres bezorging', mail],
      ['TrackingPage', 'Volgpagina', link],
      ['Trade', 'Bedrijfstak', { ...reference, source: 'SbiCodes' }],
    ],
    7,
  ),
  ...[21, 22, 23, 24].flatMap((entityType) =>
    of(entityType, [
      ['Description', 'Omschrijving', { ...text, required: true }],
      ['Code', 'Code', { ...text, length: 20 }],
      ['IsDefault', 'Standaard', yesNo],
      ['IsInactive', 'Inactief', yesNo],
      ['Parent', 'Bovenliggend', { ...reference, source: 'Datastore' }],
    ]),
  ),
];

const ids = new Map(fields.map((field) => [`${field.entityType}.${field.name}`, knownId('field', field.number)]));

/** Id of a field by entity type and name; the empty id for a field that the catalogue does not have. */
export const fieldId = (entityType: number, name: string): string => ids.get(`${entityType}.${name}`) ?? emptyId;
