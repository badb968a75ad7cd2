import type { ForeignCheck } from './foreign-check.js';
import { goDuration, scalarOf } from './foreign-values.js';

type Understood = Partial<Pick<ForeignCheck, 'status' | 'text' | 'json' | 'slowAfterMs' | 'certificateMs'>>;
/** Reads what is compared; `null` if Vitrine cannot do that. */
type Rule = readonly [pattern: RegExp, read: (...groups: readonly string[]) => Understood | null];

const LONGEST = 1_000;
/** What a condition is about. The rest may contain values that are secret. */
const SUBJECT = /^(?:\w{3}\()?\[[A-Z_]{1,40}\][\w.[\]-]{0,100}\)?/;

const RULES: readonly Rule[] = [
  [/^\[CONNECTED\]\s*==\s*true$/, () => ({})],
  [/^\[DNS_RCODE\]\s*==\s*NOERROR$/, () => ({})],
  [/^\[STATUS\]\s*(?:<\s*300|<=\s*299)$/, () => ({ status: null })],
  [/^\[STATUS\]\s*==\s*(\d{3})$/, (status = '') => ({ status: [Number(status)] })],
  [/^\[STATUS\]\s*==\s*any\(([\d, ]+)\)$/, (list = '') => ({ status: list.split(',').map(Number) })],
  [/^\[BODY\]\s*==\s*pat\(\*([^*?[\]\\]+)\*\)$/, (text = '') => ({ text })],
  [/^\[BODY\]\.([\w[\].-]+)\s*==\s*([^()\s][^()]*)$/, (path = '', expected = '') => jsonOf(path, expected.trim())],
  [/^\[RESPONSE_TIME\]\s*<=?\s*(\d{1,9})$/, (milliseconds = '') => ({ slowAfterMs: Number(milliseconds) })],
  [/^\[CERTIFICATE_EXPIRATION\]\s*>=?\s*(\S+)$/, (duration = '') => certificateOf(duration)],
];

/** What Vitrine can compare too, and a line for each other condition. Of two conditions about the same thing, the first one counts. */
export function readConditions(conditions: readonly string[]): { readonly understood: Understood; readonly unknown: readonly string[] } {
  let understood: Understood = {};
  const unknown: string[] = [];
  for (const condition of conditions) {
    const read = readCondition(condition.trim().slice(0, LONGEST));
    const isTaken = read === null || Object.keys(read).some((key) => Object.hasOwn(understood, key));
    if (isTaken) unknown.push(`the condition on ${SUBJECT.exec(condition.trim())?.[0] ?? 'something else'}`);
    else understood = { ...understood, ...read };
  }
  return { understood, unknown };
}

function readCondition(condition: string): Understood | null {
  for (const [pattern, read] of RULES) {
    const found = pattern.exec(condition);
    if (found !== null) return read(...found.slice(1));
  }
  return null;
}

/** `data[0].id` is `data.0.id` in Vitrine. A comparison with another placeholder cannot be carried over. */
function jsonOf(path: string, expected: string): Understood | null {
  if (expected.startsWith('[')) return null;
  return { json: { path: path.replace(/\[(\d+)\]/g, '.$1').replace(/^\./, ''), equals: scalarOf(expected) } };
}

function certificateOf(duration: string): Understood | null {
  const certificateMs = goDuration(duration);
  return certificateMs === null ? null : { certificateMs };
}
