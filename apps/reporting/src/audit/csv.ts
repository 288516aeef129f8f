/** Characters with which spreadsheets begin a formula, full-width forms included, and those that they skip before it. */
const FORMULA = /^[=+\-@\t\r\n\uFF1D\uFF0B\uFF0D\uFF20]/;
/** Comma, quote and line break need quotes (RFC 4180, 2.6). Spreadsheets of some languages separate by ; and tab. */
const NEEDS_QUOTES = /[",;\t\r\n]/;

/**
 * A record of a CSV file with its CRLF (RFC 4180). A cell that a spreadsheet would run as a formula begins with an apostrophe,
 * which spreadsheets take for "text".
 */
export function csvRecord(cells: readonly string[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`;
}

function csvCell(value: string): string {
  const neutral = FORMULA.test(value) ? `'${value}` : value;
  return NEEDS_QUOTES.test(neutral) ? `"${neutral.replaceAll('"', '""')}"` : neutral;
}
