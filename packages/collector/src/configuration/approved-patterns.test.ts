import { readAllowlist } from '@vitrine/config';
import { loadConfig } from './load-config.js';
import { problemsOf } from '../../test/problems-of.js';

const load = (text: string) => loadConfig({ text, file: 'vitrine.yaml', env: {} });

const problems = (text: string) => problemsOf(() => load(text));

const GIT = 'sources:\n  - { git: ., repository: acme/Tool, url: "https://acme.example/tool" }\n';

describe('a pattern in approved', () => {
  it('approves the public repositories of an owner, with defaults for what it does not say', () => {
    const { approved, patterns } = load('approved: [acme/widget, { github: "Acme/*", except: [acme/Secret] }]\n');
    expect(approved.map(({ fullName }) => fullName)).toEqual(['acme/widget']);
    expect(patterns).toEqual([
      {
        owner: 'Acme',
        ownerId: null,
        except: [{ fullName: 'acme/Secret', owner: 'acme', name: 'Secret' }],
        forks: false,
        archived: false,
        api: 'https://api.github.com',
        token: { variable: 'GITHUB_TOKEN', isRequired: false },
        allowPrivate: false,
        intervalMs: 900_000,
      },
    ]);
  });

  it('says everything it can', () => {
    const keys = 'id: 42, forks: true, archived: true, api: "https://code.acme.example/api/v3/", token: CODE_TOKEN, allowPrivate: true, interval: 5m';
    expect(load(`approved: [{ github: "acme/*", ${keys} }]\n`).patterns).toMatchObject([
      {
        ownerId: '42',
        forks: true,
        archived: true,
        api: 'https://code.acme.example/api/v3',
        token: { variable: 'CODE_TOKEN', isRequired: true },
        allowPrivate: true,
        intervalMs: 300_000,
      },
    ]);
  });

  it.each([
    ['[acme/*]', 'approved[0]: "acme/*" is a pattern, which is written as { github: "owner/*" }, and not a repository name; write owner/name'],
    ['[{ github: acme }]', 'approved[0].github: "acme" is not such a pattern; write "owner/*" in quotes: all public repositories of one owner'],
    ['[{ github: "*/*" }]', 'approved[0].github: "*/*" is not such a pattern'],
    ['[{ github: "*" }]', 'approved[0].github: "*" is not such a pattern'],
    ['[{ github: "acme/*", excpt: [] }]', 'approved[0].excpt: is not a key here; did you mean except?'],
    ['[{ github: "acme/*", except: [zeta/a] }]', 'approved[0].except[0]: "zeta/a" is not a repository of acme, so the pattern cannot approve it'],
    [
      '[{ github: "acme/*", api: "ftp://acme.example" }]',
      'approved[0].api: "ftp://acme.example" is not a public address; write the address of its API',
    ],
    ['[{ github: "acme/*", token: "a b" }]', 'approved[0].token: is not such a name; write the name of an environment variable in capital letters'],
    ['[{ github: "acme/*", api: "http://acme.example/api/v3", token: T }]', 'approved[0].token: would be sent without encryption'],
    ['[acme/widget, { github: "acme/*", api: "HTTP://acme.example", token: T }]', 'approved[1].token: would be sent without encryption'],
    ['[{ github: "acme/*", interval: 10s }]', 'approved[0].interval: '],
    ['[{ github: "acme/*" }, { github: "ACME/*" }]', 'approved[1].github: "ACME/*" appears twice; write it once'],
    ['[acme/Widget, { github: "acme/*", except: [acme/widget] }]', 'approved[1].except[0]: "acme/widget" has an entry of its own in approved'],
  ])('is refused with what is wrong: %s', (list, problem) => {
    expect(problems(`approved: ${list}\n`)).toEqual([expect.stringContaining(problem)]);
  });

  it.each(['api: "http://10.0.0.1", token: T, allowPrivate: true', 'api: "http://acme.example"', 'api: "https://acme.example", token: T'])(
    'sends nothing secret to other people: %s',
    (keys) => {
      expect(load(`approved: [{ github: "acme/*", ${keys} }]\n`).patterns).toHaveLength(1);
    },
  );

  it('may name the same owner on another server', () => {
    expect(load('approved: [{ github: "acme/*" }, { github: "acme/*", api: "https://code.acme.example" }]\n').patterns).toHaveLength(2);
  });

  it('keeps the sources of repositories that it could approve, and no others', () => {
    const of = (list: string) => load(`approved: [${list}]\n${GIT}`);
    expect(of('{ github: "ACME/*" }')).toMatchObject({ sources: [{ ref: 'acme/tool', name: { fullName: 'acme/Tool' } }], warnings: [] });
    expect(of('{ name: acme/tool, id: 7 }, { github: "acme/*" }')).toMatchObject({ sources: [{ ref: 'acme/tool#7' }], warnings: [] });
    for (const list of ['{ github: "zeta/*" }', '{ github: "acme/*", except: [acme/tool] }'])
      expect(of(list)).toMatchObject({ sources: [], warnings: [expect.stringContaining('"acme/Tool" is not approved, so this source is skipped')] });
  });

  it('is read with the list alone, also when what it excepts is named', () => {
    const text = 'approved: [acme/secret, { github: "acme/*", except: [acme/secret] }]\nservises: []\n';
    const { approved, patterns } = readAllowlist({ text, file: 'vitrine.yaml' });
    expect([approved.length, patterns.length]).toEqual([1, 1]);
  });
});
