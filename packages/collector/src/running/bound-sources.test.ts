import { loadConfig } from '../configuration/load-config.js';
import { boundSources, NOTHING_STORED } from './approvals.js';
import { ownerListId } from '../sources/owner-list/owner-list.js';

const git = (repository: string) => `  - { git: ., repository: ${repository}, url: "https://acme.example/w" }\n`;
const config = (approved: string, sources: string) => loadConfig({ text: `approved: [${approved}]\nsources:\n${sources}`, file: 'f', env: {} });
const listed = (fullName: string, forgeId: string) => ({
  fullName,
  owner: 'Acme',
  name: fullName.slice(5),
  forgeId,
  isFork: false,
  isArchived: false,
});

describe('the source of a repository that only a pattern approves', () => {
  const patterned = config('acme/named, { github: "acme/*" }', `${git('acme/named')}${git('acme/widget')}  - { records: news }\n`);
  const [pattern] = patterned.patterns;
  const id = pattern === undefined ? '' : ownerListId(pattern);

  it('is skipped, with a line, until the list of the owner has the repository', () => {
    expect(boundSources(patterned, NOTHING_STORED)).toMatchObject({
      sources: [{ ref: 'acme/named' }, { kind: 'records' }],
      skipped: [expect.stringContaining('acme/widget is not in the list of its owner, so its source is skipped')],
    });
  });

  it('then has the name and the id of the list, also while the repository is hidden', () => {
    const lists = new Map([[id, [listed('Acme/Widget', '7'), listed('Acme/Named', '8')]]]);
    const hidden = new Map([['acme/widget', { name: 'acme/widget', since: 0, reason: 'private' as const }]]);
    expect(boundSources(patterned, { lists, hidden })).toMatchObject({
      sources: [
        { ref: 'acme/named' },
        { ref: 'acme/widget#7', name: { fullName: 'Acme/Widget', owner: 'Acme', name: 'Widget' } },
        { kind: 'records' },
      ],
      skipped: [],
    });
  });

  it('may be one of a forge, whose git source and derived sources follow the list too', () => {
    const sources = ['{ github: acme/widget }', '{ articles: docs, from: git, repository: acme/widget }'];
    const forges = config('{ github: "acme/*" }', sources.map((source) => `  - ${source}\n`).join(''));
    expect(boundSources(forges, NOTHING_STORED)).toMatchObject({ sources: [], skipped: { length: 3 } });
    const lists = new Map([[id, [listed('Acme/Widget', '7')]]]);
    expect(boundSources(forges, { lists, hidden: new Map() })).toMatchObject({
      sources: [
        { kind: 'git', ref: 'acme/widget#7', name: { fullName: 'Acme/Widget' } },
        { kind: 'forge', ref: 'acme/widget#7', name: { fullName: 'Acme/Widget' } },
        { kind: 'articles', from: 'git', ref: 'acme/widget#7' },
      ],
      skipped: [],
    });
  });
});
