/** What is odd about a relation: members that replace the usual ones. null: the member is left out. */
export interface OddRelation {
  readonly DisplayName?: string;
  readonly SortingName?: string;
  readonly Info?: string | null;
  readonly ImportKey?: string | null;
  readonly IsDummy?: true;
  readonly IsInactive?: true;
  /** Has no field values at all. */
  readonly fields?: 'none';
}

const longText = 'Een lange notitie die nergens ophoudt; met “aanhalingstekens”, & en <haken>. '.repeat(450).trimEnd();

/** Relations that show what real data holds, by index: each line is there because some program once fell over it. */
export const oddRelations: Readonly<Record<number, OddRelation>> = {
  1: { Info: 'Belt liefst na 17:00.' },
  3: { DisplayName: '=1+1', SortingName: '=1+1' },
  4: { DisplayName: 'Vermeer & <Zonen> "De Gouden \'Leeuw\'"; B.V.' },
  5: { ImportKey: '007' },
  6: { Info: 'Eerste regel\r\nTweede regel\nDerde\tmet tab\r' },
  7: { Info: '', ImportKey: '' },
  8: { Info: null, ImportKey: null },
  9: { DisplayName: 'مريم חנה', SortingName: 'مريم' },
  10: { DisplayName: 'Bäckerei \u{1F35E} Brötchen \u{20BB7}' },
  11: { Info: 'Voor\u001Fna' },
  12: { Info: longText },
  13: { DisplayName: '  Ruimte  ervoor en erna  ' },
  14: { DisplayName: '日本フィリップス株式会社' },
  15: { DisplayName: 'Gökçe Ğünöz-Żółć' },
  16: { IsInactive: true },
  17: { IsDummy: true, DisplayName: '' },
  18: { fields: 'none' },
  19: { DisplayName: 'null', ImportKey: 'NULL' },
  20: { DisplayName: 'Zoe\u0308 (los trema)', SortingName: 'ZOE\u0308' },
  21: { ImportKey: '1E5' },
  22: { ImportKey: '12345678901234567890' },
  23: { DisplayName: "-2+3+cmd|' /C calc'!A0" },
  24: { DisplayName: 'Komma, punt; "aanhaling"' },
  25: { Info: ']]> <![CDATA[ &amp; &#233; <!-- ? -->' },
};
