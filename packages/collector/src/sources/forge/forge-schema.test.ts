import { loadConfig } from '../../configuration/load-config.js';
import { problemsOf } from '../../../test/problems-of.js';

const load = (sources: string, approved = '[Acme/Widget, { name: acme/gadget, id: 4711 }]') =>
  loadConfig({ text: `approved: ${approved}\nsources:\n${sources}\n`, file: '/etc/v.yaml', env: {} });

const problems = (sources: string) => problemsOf(() => load(sources));

const forges = (sources: string) => load(sources).sources.filter(({ kind }) => kind === 'forge');

describe('a forge source', () => {
  it('has defaults for everything, and implies a git source of its clone address', () => {
    const common = { ref: 'acme/widget', name: { fullName: 'Acme/Widget', owner: 'Acme', name: 'Widget' }, url: 'https://github.com/Acme/Widget' };
    expect(load('  - github: acme/widget').sources).toEqual([
      {
        ...{ ...common, kind: 'git', location: 'https://github.com/Acme/Widget.git', label: 'github.com', forge: 'github' },
        ...{ remote: null, branches: null, findings: false, intervalMs: 300_000 },
      },
      {
        ...{ ...common, kind: 'forge', type: 'github', api: 'https://api.github.com', label: 'github.com' },
        ...{ token: { variable: 'GITHUB_TOKEN', isRequired: false }, allowPrivate: false, intervalMs: 300_000 },
      },
    ]);
  });

  it.each([
    ['gitea: acme/widget', 'gitea', 'https://gitea.com/api/v1', 'https://gitea.com/Acme/Widget'],
    ['forgejo: acme/widget', 'gitea', 'https://codeberg.org/api/v1', 'https://codeberg.org/Acme/Widget'],
    ['gitlab: acme/widget', 'gitlab', 'https://gitlab.com/api/v4', 'https://gitlab.com/Acme/Widget'],
    [
      '{ github: acme/widget, api: "https://git.acme.example/" }',
      'github',
      'https://git.acme.example/api/v3',
      'https://git.acme.example/Acme/Widget',
    ],
    [
      '{ github: acme/widget, api: "https://git.acme.example/api/v3" }',
      'github',
      'https://git.acme.example/api/v3',
      'https://git.acme.example/Acme/Widget',
    ],
    ['{ github: acme/widget, api: "https://api.acme.ghe.com" }', 'github', 'https://api.acme.ghe.com', 'https://acme.ghe.com/Acme/Widget'],
    ['{ gitea: acme/widget, api: "https://acme.example/git" }', 'gitea', 'https://acme.example/git/api/v1', 'https://acme.example/git/Acme/Widget'],
    [
      '{ gitlab: acme/widget, api: "https://lab.acme.example/api/v4/" }',
      'gitlab',
      'https://lab.acme.example/api/v4',
      'https://lab.acme.example/Acme/Widget',
    ],
  ])('reads %s', (source, type, api, url) => {
    expect(load(`  - ${source}`).sources).toMatchObject([
      { kind: 'git', location: `${url}.git`, url, forge: type },
      { kind: 'forge', type, api, url },
    ]);
  });

  it('takes GITHUB_TOKEN for api.github.com only, and otherwise the variable that it names', () => {
    const tokens = (source: string) => forges(`  - ${source}`).map((one) => one.kind === 'forge' && one.token);
    expect(tokens('{ github: acme/widget, api: "https://api.github.com/" }')).toEqual([{ variable: 'GITHUB_TOKEN', isRequired: false }]);
    expect(tokens('{ github: acme/widget, api: "https://git.acme.example" }')).toEqual([null]);
    expect(tokens('{ gitlab: acme/widget, token: LAB_TOKEN }')).toEqual([{ variable: 'LAB_TOKEN', isRequired: true }]);
  });

  it('implies no git source if there is one, or if it says so', () => {
    const git = '  - { git: ., repository: acme/widget, url: "https://code.acme.example/w" }\n';
    expect(load(`  - github: ACME/widget\n${git}`).sources.map(({ kind }) => kind)).toEqual(['forge', 'git']);
    expect(load('  - { github: acme/widget, git: false }').sources.map(({ kind }) => kind)).toEqual(['forge']);
  });

  it('takes the id from the allowlist, and every other key', () => {
    const source =
      '{ forgejo: acme/gadget, api: "http://10.0.0.1:3000", token: T, url: "https://git.acme.example/acme/gadget", label: Acme Git, interval: 1m, allowPrivate: true }';
    expect(load(`  - ${source}`).sources).toMatchObject([
      { kind: 'git', location: 'http://10.0.0.1:3000/acme/gadget.git', url: 'https://git.acme.example/acme/gadget', ref: 'acme/gadget#4711' },
      { kind: 'forge', ref: 'acme/gadget#4711', label: 'Acme Git', intervalMs: 60_000, allowPrivate: true },
    ]);
  });

  it('is skipped with its git source if its repository is not approved', () => {
    const { sources, warnings } = load('  - github: acme/widgte');
    expect(sources).toEqual([]);
    expect(warnings).toEqual([
      expect.stringContaining('sources[0].github: "acme/widgte" is not approved, so this source is skipped. Did you mean "Acme/Widget"?'),
    ]);
  });

  it.each([
    ['{ github: acme }', 'sources[0].github: "acme" is not a repository name; write owner/name'],
    ['{ github: acme/widget, git: true }', 'sources[0].git: true is not known; write false, or remove the key'],
    ['{ github: acme/widget, token: ghp_abc }', 'sources[0].token: is not such a name; write the name of an environment variable in capital letters'],
    ['{ gitlab: acme/widget, token: glpat-Abc }', 'sources[0].token: is not such a name'],
    ['{ gitea: acme/widget, token: 7 }', 'sources[0].token: is not such a name'],
    ['{ github: acme/widget, api: git.acme.example }', 'sources[0].api: "git.acme.example" is not a public address'],
    ['{ github: acme/widget, interval: 1s }', 'sources[0].interval: "1s" is out of range'],
    ['{ github: acme/widget, repository: acme/widget }', 'sources[0].repository: is not a key here'],
    ['{ githb: acme/widget }', 'sources[0].githb: is not a key here; did you mean github?'],
    ['{ gitea: acme/widget, api: "http://git.acme.example", token: T }', 'sources[0].token: would be sent without encryption'],
    ['{ gitea: acme/widget, api: "http://10.0.0.1", allowPrivate: true }', 'sources[0].allowPrivate: needs the key url'],
    ['github: acme/widget\n  - gitlab: ACME/widget', 'sources[1].gitlab: "ACME/widget" appears twice; write it once'],
  ])('says what is wrong with %s', (source, problem) => {
    expect(problems(`  - ${source}`)).toEqual([expect.stringContaining(problem)]);
  });
});
