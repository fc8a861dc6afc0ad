// What a query may call: names of functions and of virtual tables. The driver has some that read and write files.

/** Functions of SQLite that only compute. */
const computing =
  'abs acos acosh asin asinh atan atan2 atanh atn2 avg ceil ceiling char charindex coalesce concat concat_ws cos cosh cot ' +
  'coth count cume_dist current_date current_time current_timestamp date datetime degrees dense_rank difference exp ' +
  'first_value floor format glob group_concat hex ifnull iif instr json json_array json_array_length json_error_position ' +
  'json_extract json_group_array json_group_object json_insert json_object json_patch json_quote json_remove json_replace ' +
  'json_set json_type json_valid julianday lag last_value lead leftstr length like likelihood likely ln log log10 lower ' +
  'lower_quartile ltrim max median min mode nth_value ntile nullif octet_length padc padl padr percent_rank pi power ' +
  'printf proper quote radians random rank regexp regexpi replace reverse rightstr round row_number rtrim sign sin sinh ' +
  'soundex sqlite_version sqrt square stdev strfilter strftime string_agg substr substring sum tan tanh time timediff ' +
  'total trim typeof unhex unicode unixepoch unlikely upper upper_quartile uuid variance -> ->>';

/** Functions of its search in texts. */
const searching = 'bm25 highlight match snippet';

/** Functions that a query may call. */
export const functions: ReadonlySet<string> = new Set(`${computing} ${searching}`.split(' '));

/** Virtual tables that a query may read. */
export const modules: ReadonlySet<string> = new Set(['fts5', 'fts5vocab', 'generate_series', 'json_each', 'json_tree']);
