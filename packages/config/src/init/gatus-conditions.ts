import { quotable } from '@vitrine/core';
import type { ForeignCheck } from './foreign-check.js';
import { goDuration, scalarOf } from './foreign-values.js';

type Understood = Partial<Pick<ForeignCheck, 'status' | 'text' | 'json' | 'slowAfterMs' | 'certificateMs'>>;
/** Reads the subject of a condition; `null` if Vitrine does not support it. */
type Rule = readonly [pattern: RegExp, read: (...groups: readonly string[]) => Understood | null];

const LONGEST = 1_000;
/** What a condition is about. The rest may contain values that are secret. */
const SUBJECT = /^(?:\w{3}\()?\[[A-Z_]{1,40}\][\w.[\]-]{0,100}\)?/;
const [LEAST_STATUS, LEAST_FINAL, MOST_STATUS] = [100, 200, 599];
const STATUS = /^\[STATUS\]\s*(==|!=|<=|>=|<|>)\s*(\d{3})$/;
const LISTED = /^\[STATUS\]\s*(==|!=)\s*any\(([\d, ]+)\)$/;
const SUCCESS = '200-299';
/** What a check accepts that has no condition on the status. */
export const ANY_STATUS = '100-599';

const RULES: readonly Rule[] = [
  [/^\[CONNECTED\]\s*==\s*true$/, () => ({})],
  [/^\[DNS_RCODE\]\s*==\s*NOERROR$/, () => ({})],
  [/^\[BODY\]\s*==\s*pat\(\*([^*?[\]\\]+)\*\)$/, (text = '') => ({ text })],
  [/^\[BODY\]\.([\w[\].-]+)\s*==\s*([^()\s][^()]*)$/, (path = '', expected = '') => jsonOf(path, expected.trim())],
  [/^\[RESPONSE_TIME\]\s*<=?\s*(\d{1,9})$/, (milliseconds = '') => ({ slowAfterMs: Number(milliseconds) })],
  [/^\[CERTIFICATE_EXPIRATION\]\s*>=?\s*(\S+)$/, (duration = '') => certificateOf(duration)],
];

/**
 * What Vitrine can compare too, and a line for each other condition. Conditions on the status are joined; without one, `understood` has none. Of two others about the same
 * thing, the first one counts.
 */
export function readConditions(conditions: readonly unknown[]): { readonly understood: Understood; readonly unknown: readonly string[] } {
  const texts = conditions.map((condition) => (typeof condition === 'string' ? condition.trim().slice(0, LONGEST) : ''));
  const ofStatus = texts.flatMap((text) => statusRule(text) ?? []);
  let understood: Understood = ofStatus.length === 0 ? {} : { status: statusesOf(ofStatus) };
  const unknown: string[] = [];
  for (const text of texts.filter((one) => statusRule(one) === null)) {
    const read = readCondition(text);
    const isTaken = read === null || Object.keys(read).some((key) => Object.hasOwn(understood, key));
    if (isTaken) unknown.push(`not carried over: the condition on ${quotable(SUBJECT.exec(text)?.[0] ?? 'something else', LONGEST)}`);
    else understood = { ...understood, ...read };
  }
  return { understood, unknown };
}

/** The statuses that every condition accepts. */
function statusesOf(rules: readonly ((status: number) => boolean)[]): ForeignCheck['status'] {
  const ranges: [first: number, last: number][] = [];
  for (let status = LEAST_STATUS; status <= MOST_STATUS; status++) {
    if (!rules.every((accepts) => accepts(status))) continue;
    const last = ranges.at(-1);
    if (last?.[1] === status - 1) last[1] = status;
    else ranges.push([status, status]);
  }
  const statuses = ranges.map(([first, last]) => (first === last ? first : `${String(first)}-${String(last)}`));
  return statuses.length === 1 && statuses[0] === SUCCESS ? null : statuses;
}

type Accepts = (status: number, values: readonly number[]) => boolean;

/** `< 300` is how people write that a request must succeed. An informational status is never the final one. */
const OPERATORS: ReadonlyMap<string, Accepts> = new Map<string, Accepts>([
  ['==', (status, values) => values.includes(status)],
  ['!=', (status, values) => !values.includes(status)],
  ['<', (status, [value = 0]) => status < value && status >= LEAST_FINAL],
  ['<=', (status, [value = 0]) => status <= value && status >= LEAST_FINAL],
  ['>', (status, [value = 0]) => status > value],
  ['>=', (status, [value = 0]) => status >= value],
]);

function statusRule(condition: string): ((status: number) => boolean) | null {
  const [, operator, operand] = STATUS.exec(condition) ?? LISTED.exec(condition) ?? [];
  const accepts = OPERATORS.get(operator ?? '');
  const values = (operand?.match(/\d+/g) ?? []).map(Number);
  return accepts === undefined ? null : (status) => accepts(status, values);
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
