/** A mark of the catalogue. */
export interface MarkText {
  readonly category: string;
  readonly name: string;
  readonly external?: string;
  readonly campaign?: true;
  readonly inactive?: true;
}

/** Marks, campaign marks among them; numbers (see known.ts) follow the order. */
export const marks: readonly MarkText[] = [
  { category: 'Mailing', name: 'Nieuwsbrief', external: 'Onze nieuwsbrief' },
  { category: 'Mailing', name: 'Kerstkaart' },
  { category: 'Mailing', name: 'Jaarverslag', external: '' },
  { category: 'Klant', name: 'A-klant' },
  { category: 'Klant', name: 'B-klant' },
  { category: 'Klant', name: 'Ex-klant', inactive: true },
  { category: 'Interesse', name: 'Elektrische fietsen', external: 'E-bikes & meer' },
  { category: 'Interesse', name: 'Onderhoud' },
  { category: 'Interesse', name: 'Café "Zuid" <leden>' },
  { category: 'Interesse', name: 'Überland – Österreich' },
  { category: 'Financieel', name: 'Op rekening' },
  { category: 'Financieel', name: '2e aanmaning' },
  { category: 'Campagne', name: 'Voorjaar 2024', campaign: true, inactive: true },
  { category: 'Campagne', name: 'Najaar 2024', campaign: true },
  { category: 'Campagne', name: 'Open dag', external: 'Kom naar onze open dag!', campaign: true },
  { category: 'Campagne', name: 'Enquête tevredenheid', campaign: true },
];
