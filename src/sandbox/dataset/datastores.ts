import type { SystemDatastoreType } from '../../contract/enumerations.js';

/** A datastore: the entity type number, the one its items hang under, and the items with their translations. */
export interface Datastore {
  readonly number: number;
  readonly parent?: number;
  readonly items: readonly (readonly [code: string, dutch: string, english: string, german?: string])[];
}

/** The datastores of the catalogue. Two items of a child datastore hang under each item of its parent. */
export const datastores: readonly Datastore[] = [
  {
    number: 21,
    items: [
      ['001', 'Bouw', 'Construction', 'Bauwesen'],
      ['002', 'Zorg & welzijn', 'Health & welfare', 'Gesundheit & Soziales'],
      ['003', 'Horeca', 'Catering', 'Gastgewerbe'],
      ['004', 'Onderwijs', 'Education', 'Bildung'],
      ['005', 'Drukkerijen', 'Printers'],
      ['006', 'Zakelijke dienstverlening', 'Business services', 'Dienstleistungen für Unternehmen'],
      ['007', 'Transport en logistiek', 'Transport and logistics', 'Verkehr und Logistik'],
      ['008', 'Financiën', 'Finance', 'Finanzwesen'],
      ['009', 'Industrie', 'Manufacturing', 'Industrie'],
      ['010', 'Overheid', 'Government', 'Öffentliche Verwaltung'],
    ],
  },
  {
    number: 22,
    parent: 21,
    items: [
      ['001.1', 'Woningbouw', 'Housing', 'Wohnungsbau'],
      ['001.2', 'Wegenbouw', 'Road construction', 'Straßenbau'],
      ['002.1', 'Ziekenhuizen', 'Hospitals', 'Krankenhäuser'],
      ['002.2', 'Thuiszorg', 'Home care', 'Häusliche Pflege'],
      ['003.1', 'Cafés', 'Bars'],
      ['003.2', 'Hotels', 'Hotels', 'Hotels'],
      ['004.1', 'Basisonderwijs', 'Primary education', 'Grundschulen'],
      ['004.2', 'Hoger onderwijs', 'Higher education', 'Hochschulen'],
    ],
  },
  {
    number: 23,
    items: [
      ['WEB', 'Website', 'Website', 'Website'],
      ['TEL', 'Telefonisch', 'By telephone', 'Telefonisch'],
      ['BEURS', 'Beurs', 'Trade fair', 'Messe'],
      ['MOND', 'Mond-tot-mondreclame', 'Word of mouth', 'Mundpropaganda'],
      ['FAX', 'Fax', 'Fax'],
    ],
  },
  {
    number: 24,
    items: [
      ['N', 'Normaal', 'Normal', 'Normal'],
      ['L', 'Laag', 'Low', 'Niedrig'],
      ['H', 'Hoog', 'High', 'Hoch'],
      ['S', 'Spoed', 'Urgent', 'Eilt'],
    ],
  },
];

type Items = readonly (readonly [code: string | undefined, description: string])[];

/** Items of the lists that the system itself keeps; some have no code. */
export const systemDatastores: Readonly<Record<(typeof SystemDatastoreType)['values'][number], Items>> = {
  LegalEntity: [
    ['BV', 'Besloten vennootschap'],
    ['NV', 'Naamloze vennootschap'],
    ['VOF', 'Vennootschap onder firma'],
    ['ST', 'Stichting'],
    ['EZ', 'Eenmanszaak'],
  ],
  ClassPersonnel: [
    ['1', '1 werknemer'],
    ['2', '2 - 4 werknemers'],
    ['3', '5 - 9 werknemers'],
    ['4', '10 - 49 werknemers'],
    ['5', '≥ 50 werknemers'],
  ],
  PaymentMethod: [
    ['01', 'Overboeking'],
    ['02', 'Automatische incasso'],
    ['03', 'iDEAL'],
    [undefined, 'Contant'],
  ],
  Prolongation: [
    ['M', 'Maandelijks'],
    ['K', 'Per kwartaal'],
    ['J', 'Jaarlijks'],
  ],
  InvoiceMoment: [
    ['V', 'Vooraf'],
    ['A', 'Achteraf'],
  ],
  AuthorizationType: [
    ['E', 'Eenmalig'],
    ['D', 'Doorlopend'],
    ['B2B', 'Zakelijke incasso'],
  ],
  ReversalReason: [
    ['AM04', 'Onvoldoende saldo'],
    ['AC04', 'Rekening opgeheven'],
    ['MD06', 'Terugboeking door de klant'],
  ],
  BikeDepotBrand: [
    ['BAT', 'Batavus'],
    ['GAZ', 'Gazelle'],
    ['SPA', 'Sparta'],
    [undefined, 'Overige merken'],
  ],
};
