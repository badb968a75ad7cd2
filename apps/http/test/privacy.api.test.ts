import type { StoredRecord } from '@vitrine/core';
import { DEFAULT_SITE } from '@vitrine/pages';
import { aBuild, aCommit, aFinding, aMission, anArticle, aRelease, aRepositoryRecord } from '@vitrine/core/testing';
import { Api, type Answer } from './support/api.js';
import { smallWorld } from './support/small-world.js';

const SECRET_SHA = '5ec2e75ec2e75ec2e75ec2e75ec2e75ec2e75ec2';
const UNKNOWN_SHA = '0123456789012345678901234567890123456789';
const repositoryRef = 'acme/secret';

const secrets: readonly StoredRecord[] = [
  aRepositoryRecord({ repositoryRef }),
  aCommit({ repositoryRef, sha: SECRET_SHA, title: 'CANARY', branch: 'canary-branch', authorName: 'CANARY' }),
  aRelease({ repositoryRef, id: 'acme/secret@v9', tagName: 'v9', name: 'CANARY' }),
  aFinding({ repositoryRef, id: 'fnd_secret', title: 'CANARY' }),
  aMission({ repositoryRef, id: 'msn_secret', title: 'CANARY' }),
  aBuild({ repositoryRef, id: 'bld_secret', name: 'CANARY' }),
  anArticle({ repositoryRef, id: 'art_secret', title: 'CANARY' }),
];

const FEEDS = ['commits', 'releases', 'findings', 'articles', 'videos'] as const;

/** Pairs of addresses of the same form: the first of a private record, the second of one that does not exist. */
const PAIRS = [
  [`/api/v1/development/commits/${SECRET_SHA}`, `/api/v1/development/commits/${UNKNOWN_SHA}`],
  [`/api/v1/development/commits/acme%2Fsecret%40${SECRET_SHA}`, `/api/v1/development/commits/acme%2Fnobody%40${SECRET_SHA}`],
  [`/api/v1/development/commits/${SECRET_SHA}?repository=acme/secret`, `/api/v1/development/commits/${SECRET_SHA}?repository=acme/nobody`],
  ['/api/v1/development/releases/acme%2Fsecret%40v9', '/api/v1/development/releases/acme%2Fnobody%40v9'],
  ['/api/v1/development/findings/fnd_secret', '/api/v1/development/findings/fnd_nobody'],
  ['/api/v1/missions/msn_secret', '/api/v1/missions/msn_nobody'],
  ['/api/v1/articles/art_secret', '/api/v1/articles/art_nobody'],
  ['/api/v1/repositories/acme/secret', '/api/v1/repositories/acme/nobody'],
  ['/api/v1/repositories/acme%2Fsecret', '/api/v1/repositories/acme%2Fnobody'],
  ['/api/v1/repositories/acme/secret/hub', '/api/v1/repositories/acme/nobody/hub'],
  ['/api/v1/development/commits?repository=acme/secret', '/api/v1/development/commits?repository=acme/nobody'],
  ['/api/v1/development/commits?branch=canary-branch', '/api/v1/development/commits?branch=nobody-branch'],
  ['/api/v1/development/releases?repository=acme/secret', '/api/v1/development/releases?repository=acme/nobody'],
  ['/api/v1/development/findings?repository=acme/secret', '/api/v1/development/findings?repository=acme/nobody'],
  ['/api/v1/development/activity?repository=acme/secret', '/api/v1/development/activity?repository=acme/nobody'],
  ['/api/v1/missions?repository=acme/secret', '/api/v1/missions?repository=acme/nobody'],
  ['/api/v1/articles?repository=acme/secret', '/api/v1/articles?repository=acme/nobody'],
  ['/api/v1/search?q=canary', '/api/v1/search?q=nobody'],
  [`/commits/${SECRET_SHA}`, `/commits/${UNKNOWN_SHA}`],
  ['/releases/acme%2Fsecret%40v9', '/releases/acme%2Fnobody%40v9'],
  ['/findings/fnd_secret', '/findings/fnd_nobody'],
  ['/missions/msn_secret', '/missions/msn_nobody'],
  ['/articles/art_secret', '/articles/art_nobody'],
  ['/repositories/acme/secret', '/repositories/acme/nobody'],
  ['/repositories/acme%2Fsecret', '/repositories/acme%2Fnobody'],
  ['/badges/repositories/acme/secret/release.svg', '/badges/repositories/acme/nobody/release.svg'],
  ['/badges/repositories/acme/secret/release.json', '/badges/repositories/acme/nobody/release.json'],
  ['/badges/repositories/acme/secret/activity.svg', '/badges/repositories/acme/nobody/activity.svg'],
  ['/badges/repositories/acme/secret/activity.json', '/badges/repositories/acme/nobody/activity.json'],
] as const;

describe('a repository that is not approved', () => {
  let api: Api;

  beforeAll(async () => {
    api = await Api.open({ records: [...smallWorld, ...secrets], site: DEFAULT_SITE });
  });

  afterAll(() => api.close());

  const visible = ({ status, headers, body }: Answer): unknown => ({
    status,
    headers: { ...headers, date: '', 'x-request-id': '' },
    body: body.replace(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, ''),
  });

  it.each(PAIRS)('is answered at %s like a repository that does not exist', async (secret, unknown) => {
    // From the second time on, an answer of 200 comes from those that are kept.
    for (const [method, headers] of [
      ['GET', {}],
      ['GET', {}],
      ['HEAD', {}],
      ['OPTIONS', {}],
      ['GET', { 'If-None-Match': '*', Range: 'bytes=0-1' }],
      ['GET', { 'Accept-Encoding': 'br, gzip' }],
      ['GET', { Accept: 'text/html' }],
      ['HEAD', { 'If-None-Match': '"none"', 'Accept-Encoding': 'gzip' }],
    ] as const)
      expect(visible(await api.send(method, secret, headers))).toEqual(visible(await api.send(method, unknown, headers)));
    expect((await api.get(secret)).body).not.toMatch(/canary|secret/i);
  });

  it.each(FEEDS.flatMap((name) => [`/feeds/${name}.atom`, `/feeds/${name}.json`]))(
    'gives an empty feed at %s, as one that does not exist',
    async (feed) => {
      const [secret, unknown] = [await api.get(`${feed}?repository=acme/secret`), await api.get(`${feed}?repository=acme/nobody`)];
      // Each feed has its own address and title in it, and so has its tag.
      expect({ ...secret.headers, date: '', 'x-request-id': '', etag: '' }).toEqual({ ...unknown.headers, date: '', 'x-request-id': '', etag: '' });
      const named = secret.body.replaceAll(/(?<=acme(?:%2F|\/))secret/g, 'nobody');
      expect([secret.status, named]).toEqual([unknown.status, unknown.body]);
      expect(named).not.toMatch(/canary|secret/i);
    },
  );

  it('is in no log line', () => {
    expect(api.logLines.length).toBeGreaterThan(100);
    expect(api.logLines.join('')).not.toMatch(/canary|secret|nobody/i);
  });
});
