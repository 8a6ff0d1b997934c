/** Tables in CSV that spreadsheets read as they are meant. */

/** A name as a cell: quoted where it must be, and never a formula: an apostrophe makes a spreadsheet take it as text. */
export function cell(name: string): string {
  const plain = /^[=+\-@\t\r]/.test(name) ? `'${name}` : name;
  return /[",;\r\n]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain;
}
