import { isUtf8 } from 'node:buffer';

/** The most columns whose kinds fit in the bits of one number. */
const MOST_COLUMNS = 30;

/**
 * The same query with all text as bytes. The driver ends the process if it reads text that is not UTF-8, and damage of a file can put text into a column of any type. The
 * last column says which columns were text, as the bits of a number.
 */
export function asBytes(sql: string, columns: number): string {
  const names = Array.from({ length: Math.min(columns, MOST_COLUMNS) }, (_, index) => `c${index}`);
  const values = names.map((name) => `iif(typeof(${name}) = 'text', cast(${name} as blob), ${name})`);
  const kinds = names.map((name, index) => `(typeof(${name}) = 'text') * ${1 << index}`);
  return `with row(${names.join(', ')}) as (${sql}) select ${values.join(', ')}, ${kinds.join(' + ')} from row`;
}

/** The row of the original query. Text that is not UTF-8 begins with U+FFFD, so it is neither JSON nor a known name, and readers skip its record. */
export function decodedRow(row: readonly unknown[]): readonly unknown[] {
  const values = row.slice(0, -1);
  const kinds = Number(row.at(-1));
  for (let index = 0; 1 << index <= kinds; index++) if ((kinds & (1 << index)) !== 0) values[index] = textOf(values[index] as Uint8Array);
  return values;
}

function textOf(bytes: Uint8Array): string {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return isUtf8(buffer) ? buffer.toString('utf8') : `\u{fffd}${buffer.toString('utf8')}`;
}
