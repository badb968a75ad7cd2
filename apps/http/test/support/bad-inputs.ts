/**
 * The expected response to bad input, for each kind of parameter. L limit · C cursor · Q q · T closed sets · E open sets and keys · F free texts · R repository ·
 * D times · S sha in the path · N repository names in the path. `none`: a well-formed value that no record has, so the list is empty.
 */
export type Kind = 'L' | 'C' | 'Q' | 'T' | 'E' | 'F' | 'R' | 'D' | 'S' | 'N';
export type Verdict = 400 | 404 | 200 | 308 | 'none' | 'skip';

export interface BadInput {
  readonly what: string;
  /** The value as it is sent, with percent-encoding. `NAME` stands for the name of the parameter, for rows about the whole pair. */
  readonly sent: string;
  readonly isPair?: true;
  readonly verdicts: Readonly<Record<Kind, Verdict>>;
}

const KINDS = ['L', 'C', 'Q', 'T', 'E', 'F', 'R', 'D', 'S', 'N'] as const;

/** One row of the table: ten verdicts in the order of {@link KINDS}. */
function row(what: string, sent: string, ...verdicts: readonly Verdict[]): BadInput {
  return { what, sent, verdicts: Object.fromEntries(KINDS.map((kind, index) => [kind, verdicts[index] ?? 'skip'])) as Record<Kind, Verdict> };
}

function pair(what: string, sent: string): BadInput {
  return { ...row(what, sent, 400, 400, 400, 400, 400, 400, 400, 400), isPair: true };
}

/** Well-formed for `q` and for free texts only. */
const text = (what: string, sent: string): BadInput => row(what, sent, 400, 400, 200, 400, 400, 'none', 400, 400, 400, 404);
/** Well-formed for open sets too. */
const word = (what: string, sent: string): BadInput => row(what, sent, 400, 400, 200, 400, 'none', 'none', 400, 400, 400, 404);
const broken = (what: string, sent: string): BadInput => row(what, sent, 400, 400, 400, 400, 400, 400, 400, 400, 400, 400);
const control = (what: string, sent: string): BadInput => row(what, sent, 400, 400, 400, 400, 400, 400, 400, 400, 400, 404);

export const BAD_INPUTS: readonly BadInput[] = [
  row('empty', '', 400, 400, 400, 400, 400, 400, 400, 400, 308, 404),
  pair('a name without =', 'NAME'),
  row('a space', '%20', 400, 400, 400, 400, 400, 400, 400, 400, 400, 404),
  pair('given twice', 'NAME=VALUE&NAME=VALUE'),
  pair('brackets', 'NAME[]=1'),
  pair('an operator in the name', 'NAME[$ne]=1'),
  pair('a regular expression in the name', 'NAME[$regex]=.*'),
  text('an operator', '%7B%22%24gt%22%3A%22%22%7D'),
  text('code', '%24where%3A%271%3D%3D1%27'),
  text('code that waits', '%27%3Bsleep(5000)%3B%27'),
  row('0', '0', 400, 400, 400, 400, 'none', 'none', 400, 400, 400, 404),
  word('-1', '-1'),
  word('101', '101'),
  word('1e2', '1e2'),
  word('0x10', '0x10'),
  word('10.0', '10.0'),
  text('+10', '+10'),
  text('fullwidth digits', '%EF%BC%99%EF%BC%99'),
  row('9007199254740993', '9007199254740993', 400, 400, 200, 400, 'none', 'none', 400, 400, 404, 404),
  ...['NaN', 'Infinity', 'null', 'undefined', 'true'].map((name) => word(name, name)),
  control('NUL', '%00'),
  control('NUL inside', 'ab%00cd'),
  control('a line break', 'ab%0d%0aSet-Cookie:x=1'),
  broken('a broken escape', '%ZZ'),
  broken('a lone %', '%'),
  broken('an overlong form', '%C0%AE'),
  broken('a stray byte', '%FF'),
  broken('a surrogate', '%ED%A0%80'),
  broken('%u0061', '%u0061'),
  text('a path', '..%2f..%2fetc%2fpasswd'),
  text('a path, encoded twice', '%252e%252e%252f'),
  row('another host', '//evil.example/', 400, 400, 200, 400, 400, 'none', 400, 400, 404, 404),
  ...['(a+)+$', '.*', '[[', '\\\\'].map((pattern) => text(`the pattern ${pattern}`, pattern)),
  row('101 letters', 'a'.repeat(101), 400, 400, 400, 400, 400, 'none', 400, 400, 400, 404),
  row('20 families', encodeURIComponent('👨‍👩‍👧‍👦'.repeat(20)), 400, 400, 400, 400, 400, 'none', 400, 400, 400, 404),
  text('100 emoji', encodeURIComponent('😀'.repeat(100))),
  ...['\u202e', '\u200b', '\ufeff'].map((mark) => text(`an invisible mark U+${mark.charCodeAt(0).toString(16)}`, encodeURIComponent(`ab${mark}cd`))),
  text('a Cyrillic look-alike', encodeURIComponent('аcme/widget')),
  text('the Kelvin sign', encodeURIComponent('acme/\u212aidget')),
  text('markup', '%3Cscript%3Ealert(1)%3C%2Fscript%3E'),
  ...['__proto__', 'constructor', 'toString'].map((name) => word(name, name)),
  row('a private repository', 'acme%2Fsecret', 400, 400, 200, 400, 400, 'none', 'none', 400, 400, 404),
  row('a private sha', '5ec2e75ec2e75ec2e75ec2e75ec2e75ec2e75ec2', 400, 400, 200, 400, 'none', 'none', 400, 400, 404, 404),
];

/** For times, each of these is answered with 400. */
export const BAD_TIMES: readonly string[] = [
  '2024-02-30',
  '0',
  '1',
  '2024-01-01T24:00:00Z',
  '2024-01-01T23:59:60Z',
  '2024-01-01T00:00:00',
  'Jan%201%202024',
  '%2B275760-09-13T00:00:00.001Z',
  '2024-01-01T00:00:00+02:00',
];
