import { isTorture, sampled } from '@vitrine/test-support';
import { requireLinearGrowth } from '@vitrine/test-support/growth';
import { AT_ONCE_MS, processorMs } from '../../../../test/hostile-repetitions.js';
import { ConfigError, readAllowlist } from '@vitrine/config';
import { heavyYaml } from '@vitrine/config/internal';
import { loadConfig } from './load-config.js';

const MEGABYTE = 1_000_000;
/** How many repositories a list has that is read whole: nearly the most that the limits allow, in a torture run. */
const MANY = isTorture ? 99_999 : 300;
const filled = (part: string, length: number) => part.repeat(Math.floor(length / part.length));
const entries = (count: number) => Array.from({ length: count }, (_, index) => `  - o${String(1_000_000 + index)}/n\n`).join('');

/** Each kept the parser busy for up to a minute, or took all memory. */
const HOSTILE: Readonly<Record<string, readonly [text: string, reason: string]>> = {
  '12 MB of comments': [`${filled('#\n', 12 * MEGABYTE)}approved: []\n`, 'f:1: the file is larger than 2 MB; make it smaller'],
  'a million commas': [
    `\n\napproved: [${filled('a,', 2 * MEGABYTE)}]\n`,
    'f:3: the file has more than 400,000 values and punctuation marks; make it smaller',
  ],
  'a million open brackets': [`approved: ${filled('[', MEGABYTE)}`, 'f:1: the file is nested more than 32 levels deep'],
  'a million open braces': [`approved: ${filled('{a: ', MEGABYTE)}`, 'f:1: the file is nested more than 32 levels deep'],
  'half a million dashes on one line': [filled('- ', MEGABYTE), 'f:1: the file is nested more than 32 levels deep'],
  'half a million question marks': [filled('? ', MEGABYTE), 'f:1: the file has more than 20 keys that begin with a question mark'],
  'many entries': [`approved:\n${entries(140_000)}`, 'f:1: the file is larger than 2 MB'],
  '2 MB of comments': [`${filled('#\n', 2 * MEGABYTE)}approved: []\n`, 'f:150001: the file has more than 150,000 lines; make it smaller'],
  '15 MB of dashes': [`approved:\n${filled('- \n', 15 * MEGABYTE)}`, 'f:1: the file is larger than 2 MB'],
  '2 MB of dashes': [`approved:\n${filled('- \n', 2 * MEGABYTE)}`, 'f:150001: the file has more than 150,000 lines'],
};

function errorOf(call: () => unknown): unknown {
  try {
    call();
    return null;
  } catch (error) {
    return error;
  }
}

describe('a configuration file that would keep the parser busy', () => {
  it.each(sampled(Object.entries(HOSTILE), 3))('is refused at once: %s', (_, [text, reason]) => {
    const calls = [() => loadConfig({ text, file: 'f', env: {} }), () => readAllowlist({ text, file: 'f' })];
    for (const call of isTorture ? calls : calls.slice(0, 1)) {
      let error: unknown;
      expect(processorMs(() => (error = errorOf(call)))).toBeLessThan(AT_ONCE_MS);
      expect(error).toBeInstanceOf(ConfigError);
      expect(String(error)).toContain(reason);
    }
  });

  it('is refused if it has more values and punctuation marks than a limit', () => {
    expect(heavyYaml('\n[a,a,a]', 8)).toBeNull();
    expect(heavyYaml('\n[a,a,a]', 7)).toEqual({ line: 2, problem: 'the file has more than 7 values and punctuation marks; make it smaller' });
  });

  it('is refused at once if each of many lines begins a key inside of the key before', () => {
    const text = `approved: []\nx:\n${Array.from({ length: 40 }, (_, level) => `${' '.repeat(level + 1)}?\n`).join('')}`;
    let error: unknown;
    expect(processorMs(() => (error = errorOf(() => loadConfig({ text, file: 'f', env: {} }))))).toBeLessThan(AT_ONCE_MS);
    expect(String(error)).toContain('f:23: the file has more than 20 keys that begin with a question mark; write plain keys');
  });

  it(`reads ${MANY.toLocaleString('en')} repositories, and a third of them with their ids`, () => {
    expect(readAllowlist({ text: `approved:\n${entries(MANY)}`, file: 'f' }).approved).toHaveLength(MANY);
    const withIds = Array.from({ length: MANY / 3 }, (_, index) => `  - {name: owner/r${String(index)}, id: ${String(index)}}\n`).join('');
    expect(readAllowlist({ text: `approved:\n${withIds}`, file: 'f' }).approved).toHaveLength(MANY / 3);
  });

  it.each([
    ['comments', `approved: [acme/widget] # ${filled('[', 1_000)}\n# ${filled('{', 1_000)}\n`],
    ['quoted texts', `approved: [acme/widget]\nservices: [{key: "a:b", name: "${filled('[', 200)}", check: self}]\n`],
    [
      'a long flow list',
      `approved: [${Array.from({ length: 300 }, (_, index) => `{name: a/r${String(index)}, id: ${String(index)}}`).join(', ')}]\n`,
    ],
    ['a wrapped text', `approved: [acme/widget]\nservices:\n- key: a:b\n  name: >\n    ${filled('- [\n    ', 100)}\n  check: self\n`],
  ])('may have brackets and dashes in %s', (_, text) => {
    expect(() => loadConfig({ text, file: 'f', env: {} })).not.toThrow();
  });

  it('names a hundred problems and the number of the others', () => {
    const { problems } = errorOf(() => readAllowlist({ text: `approved: [${filled('x,', 400)}]\n`, file: 'f' })) as ConfigError;
    expect([problems.length, problems[99], problems[100]]).toEqual([
      101,
      expect.stringMatching(/^f:1: approved/),
      expect.stringMatching(/^f: has \d+ more problems; correct these first$/),
    ]);
    const syntax = errorOf(() => readAllowlist({ text: `approved: ${filled(']\n', 600)}`, file: 'f' })) as ConfigError;
    expect([syntax.problems.length, syntax.problems[100]]).toEqual([101, expect.stringMatching(/^f: has \d+ more problems/)]);
  });

  it('finds the repository of each of many sources in a time that grows with their number', () => {
    const input = (repositories: number): string => {
      const source = (index: number) => `- {git: a, repository: o${String(999_999 + repositories - index)}/n, url: "http://a"}\n`;
      return `approved:\n${entries(repositories)}sources:\n${Array.from({ length: repositories / 5 }, (_, index) => source(index)).join('')}`;
    };
    const most = isTorture ? 10_000 : 2_000;
    expect(loadConfig({ text: input(100), file: 'f', env: {} }).sources).toHaveLength(20);
    // It took 25 s for 10,000 when each source looked through the whole list.
    requireLinearGrowth((text) => loadConfig({ text, file: 'f', env: {} }), { name: 'many sources', input }, most);
  });
});
