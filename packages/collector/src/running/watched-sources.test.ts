import { loadConfig } from '../configuration/load-config.js';
import { WatchedSources } from './watched-sources.js';
import type { WatchLog } from './watch-log.js';

const FIRST = 'approved: [acme/widget]\nsources: [{records: news}]\n';
const SECOND = `${FIRST}services: [{key: "acme:api", name: API, check: self}]\n`;

/** A log that adds each call as one line of JSON. */
function writingTo(lines: string[]): WatchLog {
  const write = (facts: object, sentence: string) => void lines.push(JSON.stringify({ ...facts, sentence }));
  return { info: write, warn: write, error: write };
}

function watched() {
  const read = (content: Buffer) => loadConfig({ text: content.toString(), file: 'vitrine.yaml', env: {} });
  const lines: string[] = [];
  const log = writingTo(lines);
  const sources = new WatchedSources(read(Buffer.from(FIRST)), read, log);
  let changes = 0;
  sources.onChange(() => (changes += 1));
  return {
    sources,
    take: (text: string) => {
      sources.take(Buffer.from(text));
    },
    changes: () => changes,
    said: (text: string) => lines.filter((line) => line.includes(text)),
  };
}

describe('the watched sources', () => {
  it.each([
    ['a source is added', FIRST.replace('[{', '[{records: more}, {')],
    ['a source leaves', 'approved: [acme/widget]\n'],
    ['a source changes', FIRST.replace('news}', 'news, interval: 20s}')],
    ['a service is added', SECOND],
  ])('are those of the file when %s', (_, text) => {
    const { sources, take, changes } = watched();
    take(text);
    const { sources: expected, services } = loadConfig({ text, file: 'vitrine.yaml', env: {} });
    expect([changes(), sources.current()]).toMatchObject([1, { sources: expected, services }]);
  });

  it('do not change when nothing of them does', () => {
    const { take, changes } = watched();
    for (const text of [FIRST, `# a comment\n${FIRST}`, FIRST.replace('acme/widget', 'acme/widget, acme/gadget')]) take(text);
    expect(changes()).toBe(0);
  });

  it.each(['servises: []\n', 'server: {port: x}\n', 'sources: [{git: .}]\n', 'approved: [\n'])(
    'stay as they were while the file has a problem, which is told once for each content: %j',
    (mistake) => {
      const { sources, take, changes, said } = watched();
      take(SECOND);
      const before = sources.current();
      take(`${FIRST}${mistake}`);
      expect([changes(), sources.current() === before, said('sources and services stay as they were').length]).toEqual([1, true, 1]);
      take(FIRST);
      expect([changes(), sources.current().services, said('no problems any more').length]).toEqual([2, [], 1]);
    },
  );

  it('leave out the source of a repository that is not approved, with one warning and one line at its end', () => {
    const { sources, take, said } = watched();
    const git = (name: string) => `approved: [${name}]\nsources: [{git: ., repository: acme/gadget, url: "https://acme.example/g"}]\n`;
    take(git('acme/widget'));
    take(`${git('acme/widget')}# the same\n`);
    expect([sources.current().sources, said('is not approved, so this source is skipped').length]).toEqual([[], 1]);
    take(git('acme/gadget'));
    expect(sources.current().sources).toMatchObject([{ ref: 'acme/gadget' }]);
    take(`${git('acme/gadget')}# the same\n`);
    expect(said('this warning is over')).toEqual([expect.stringContaining('is not approved, so this source is skipped')]);
    take(git('acme/widget'));
    expect(said('a source is skipped').length).toBe(2);
  });

  it('tell once which changed keys wait for a restart', () => {
    const { take, changes, said } = watched();
    const changed = `${FIRST}server: {port: 81}\nstore: {path: elsewhere}\nlimits: false\n`;
    take(changed);
    take(`${changed}# the same\n`);
    expect([changes(), said('restart this process to apply them')]).toEqual([0, [expect.stringContaining('["server","limits","store"]')]]);
  });
  it.each([
    'title: Acme',
    'logo: logo.svg',
    'accent: "#2f5bd0"',
    'links: [{label: A, url: "https://a.example"}]',
    'language: de',
    'timeZone: Europe/Berlin',
  ])('tell that a change of the pages waits for a restart: %s', (line) => {
    const { take, said } = watched();
    take(`${FIRST}site: {${line}}\n`);
    expect(said('restart this process to apply them')).toEqual([expect.stringContaining('["site"]')]);
  });
});
