import { loadConfig } from '../../configuration/load-config.js';
import { problemsOf } from '../../../test/problems-of.js';

const load = (sources: string) => loadConfig({ text: `approved: []\nsources:\n${sources}`, file: '/srv/vitrine.yaml', env: {} });

const problems = (sources: string) => problemsOf(() => load(sources));

describe('a source of incidents', () => {
  it('reads a folder relative to the file, with defaults', () => {
    expect(load('  - incidents: incidents\n').sources).toEqual([
      { kind: 'incidents', path: '/srv/incidents', label: 'incidents', intervalMs: 10_000 },
    ]);
    expect(load('  - { incidents: /var/incidents, label: Acme operations, interval: 1m }\n').sources).toEqual([
      { kind: 'incidents', path: '/var/incidents', label: 'Acme operations', intervalMs: 60_000 },
    ]);
  });

  it.each([
    ['{ incidents: "" }', 'sources[0].incidents: "" is not a path; write a path, in quotes where it holds special characters'],
    ['{ incidents: a, label: /srv }', 'sources[0].label: "/srv" is not such a text; write a text of 1 to 100 characters without / \\ @'],
    ['{ incidents: a, interval: 1s }', 'sources[0].interval: "1s" is out of range; write a number and a unit, such as 30s, 5m or 8h, from 10s to 8h'],
    ['{ incidents: a, url: x }', 'sources[0].url: is not a key here; write one of incidents, label, interval'],
    ['{ incident: a }', 'sources[0].incident: is not a key here; did you mean incidents?'],
  ])('says what is wrong with %s', (source, problem) => {
    expect(problems(`  - ${source}\n`)).toEqual([`/srv/vitrine.yaml:3: ${problem}`]);
  });

  it('is the only one, because the commands write into its folder', () => {
    expect(problems('  - incidents: a\n  - incidents: b\n')).toEqual([
      '/srv/vitrine.yaml:4: sources[1].incidents: is a second folder of incidents; put its files into the first one, and remove this source',
    ]);
  });
});

describe('a source of a status page', () => {
  it('has defaults for everything but its address', () => {
    expect(load('  - statuspage: https://status.provider.example/\n').sources).toEqual([
      {
        kind: 'statuspage',
        address: 'https://status.provider.example',
        services: null,
        label: 'status.provider.example',
        publicUrl: null,
        allowPrivate: false,
        intervalMs: 60_000,
      },
    ]);
  });

  it.each([
    ['{ statuspage: "https://a.example/?b=c" }', 'sources[0].statuspage: "https://a.example/?…" is not a public address'],
    ['{ statuspage: "https://a.example", services: [] }', 'sources[0].services: is empty; write a list of component names or ids'],
    ['{ statuspage: "https://a.example", interval: 30s }', 'sources[0].interval: "30s" is out of range; write a number and a unit'],
  ])('says what is wrong with %s', (source, problem) => {
    expect(problems(`  - ${source}\n`)[0]).toContain(problem);
  });

  it('does not share the prefix of its keys with another page or with a service', () => {
    const pages = '  - { statuspage: "https://a.example", label: Acme API }\n  - { statuspage: "https://b.example", label: acme-api! }\n';
    expect(problems(`${pages}services:\n  - { key: "other:api", name: Api, check: self }\n`)).toEqual([
      '/srv/vitrine.yaml:4: sources[1].statuspage: has the label "acme-api!", so its services would get keys that begin with acme-api: as the status page "Acme API" has; write another label',
    ]);
    expect(problems('  - { statuspage: "https://a.example", label: Acme }\nservices:\n  - { key: "acme:api", name: Api, check: self }\n')).toEqual([
      '/srv/vitrine.yaml:3: sources[0].statuspage: has the label "Acme", so its services would get keys that begin with acme: as a service of the configuration has; write another label',
    ]);
  });

  it('needs a label of its own', () => {
    const found = problems('  - statuspage: https://a.example\n  - { statuspage: "https://a.example/b" }\n');
    expect(found).toEqual([expect.stringContaining('has the label "a.example", as another statuspage source has; write a label of its own')]);
  });
});
