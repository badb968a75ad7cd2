import type { StoredRecord } from '@vitrine/core';
import { aCommit } from '@vitrine/core/testing';
import { parametersOf } from '../src/views/shared/parameters.js';
import type { ApiRoute } from '../src/views/shared/route.js';
import { routeTable } from '../src/views/table.js';
import { everyNth } from '@vitrine/test-support';
import { Api, type Answer } from './support/api.js';
import { BAD_INPUTS, BAD_TIMES, type BadInput, type Kind, type Verdict } from './support/bad-inputs.js';
import { smallWorld } from './support/small-world.js';

const KIND_OF: Readonly<Record<string, Kind>> = {
  limit: 'L',
  cursor: 'C',
  q: 'Q',
  type: 'T',
  kind: 'T',
  granularity: 'T',
  include: 'T',
  state: 'T',
  status: 'E',
  changeType: 'E',
  releaseType: 'E',
  platform: 'E',
  tag: 'F',
  language: 'E',
  service: 'E',
  author: 'F',
  covers: 'F',
  branch: 'F',
  group: 'F',
  source: 'F',
  repository: 'R',
  from: 'D',
  to: 'D',
  sha: 'S',
  owner: 'N',
  name: 'N',
  fullName: 'N',
};

interface Place {
  readonly route: ApiRoute;
  readonly name: string;
  readonly kind: Kind;
  readonly example: string;
}

const apiRoutes = routeTable.filter((route): route is ApiRoute => route.kind === 'api');
const inQuery: readonly Place[] = apiRoutes.flatMap((route) =>
  parametersOf(route.query).map(({ name, example }) => ({ route, name, kind: kindOf(name), example: String(example) })),
);
const inPath: readonly Place[] = apiRoutes.flatMap((route) =>
  route.pathParameters.filter(({ name }) => name in KIND_OF).map(({ name, example }) => ({ route, name, kind: kindOf(name), example })),
);

function kindOf(name: string): Kind {
  const kind = KIND_OF[name];
  if (kind === undefined) throw new Error(`${name} has no column`);
  return kind;
}

/** The path of the route with its example values, except for one parameter. */
function pathWith(route: ApiRoute, name: string, sent: string): string {
  return route.pathParameters.reduce(
    (path, known) => path.replace(`{${known.name}}`, () => (known.name === name ? sent : encodeURIComponent(known.example))),
    route.path,
  );
}

function targetOf({ route, name, example }: Place, { sent, isPair }: BadInput): string {
  if (route.pathParameters.some((known) => known.name === name)) return pathWith(route, name, sent);
  const required = route.id === 'search' && name !== 'q' ? 'q=widget&' : '';
  const parameters = isPair === true ? sent.replaceAll('NAME', name).replaceAll('VALUE', encodeURIComponent(example)) : `${name}=${sent}`;
  return `${pathWith(route, '', '')}?${required}${parameters}`;
}

/** What is wrong with a response; empty if nothing is. */
function faultsOf({ target, status, json, body }: Answer, verdict: Verdict, { route, name }: Place): readonly string[] {
  const isFiltered = verdict === 'none' && route.data === 'list';
  // A filter that matches nothing returns an empty list; a path that matches nothing returns 404.
  const expected = verdict === 'none' ? (isFiltered ? 200 : 404) : verdict;
  if (status !== expected) return [`${target}: ${String(status)} instead of ${String(expected)}`];
  const data = (json as { readonly data?: readonly unknown[] } | null)?.data;
  if (isFiltered && data?.length !== 0) return [`${target}: not an empty list: ${body}`];
  const isOfQuery = parametersOf(route.query).some((known) => known.name === name);
  return status === 400 && isOfQuery && !body.includes(`"parameter":"${name}`) ? [`${target}: nothing of ${name}: ${body}`] : [];
}

const places = [...inQuery, ...inPath];
const secrets: readonly StoredRecord[] = [aCommit({ repositoryRef: 'acme/secret', sha: '5ec2e75ec2e75ec2e75ec2e75ec2e75ec2e75ec2' })];

describe('bad input', () => {
  let api: Api;

  beforeAll(async () => {
    api = await Api.open({ records: [...smallWorld, ...secrets] });
  });

  afterAll(() => api.close());

  /** Of several parameters of one kind, each gets other rows of the table. */
  const rowsOf = (place: Place) => {
    const nth = everyNth(16);
    const turn = places.filter(({ kind }) => kind === place.kind).indexOf(place) % nth;
    return BAD_INPUTS.filter((_, row) => row % nth === turn);
  };

  it.each(places.map((place) => [`${place.route.id} ${place.name}`, place] as const))('is answered as the table says: %s', async (_title, place) => {
    const faults: string[] = [];
    for (const input of rowsOf(place)) {
      // Without its last segment, the address is that of the list with a trailing slash.
      const verdict = place.name === 'fullName' && input.sent === '' ? 308 : input.verdicts[place.kind];
      if (verdict === 'skip') continue;
      faults.push(...faultsOf(await api.send('GET', targetOf(place, input)), verdict, place));
    }
    expect(faults).toEqual([]);
  });

  it.each(inQuery.filter(({ kind }) => kind === 'D').map((place) => [`${place.route.id} ${place.name}`, place] as const))(
    'is rejected as a time: %s',
    async (_title, place) => {
      const faults: string[] = [];
      for (const sent of BAD_TIMES)
        faults.push(...faultsOf(await api.send('GET', targetOf(place, { what: sent, sent, verdicts: BAD_INPUTS[0]!.verdicts })), 400, place));
      expect(faults).toEqual([]);
    },
  );

  it('is rejected if the range ends before it begins', async () => {
    for (const { route } of inQuery.filter(({ name }) => name === 'from')) {
      const answer = await api.get(`${pathWith(route, '', '')}?to=2026-01-01&from=2026-01-02`);
      expect(answer.json).toMatchObject({ code: 'INVALID_RANGE', errors: [{ parameter: 'from', in: 'query', detail: 'must not be later than to' }] });
    }
  });

  it('explains how to encode the + of an offset', async () => {
    const answer = await api.send('GET', '/api/v1/news?from=2026-01-01T00:00:00+02:00');
    expect(answer.json).toMatchObject({ errors: [{ parameter: 'from', detail: expect.stringContaining('%2B') as string }] });
  });

  it('is rejected if it is too long, on every route', async () => {
    for (const { path } of apiRoutes) {
      expect((await api.send('GET', `${path.replace(/[{}]/g, '')}?x=${'a'.repeat(3_000)}`)).json).toMatchObject({ code: 'URI_TOO_LONG' });
      expect((await api.send('GET', `${path.replace(/[{}]/g, '')}?x=${'a'.repeat(20_000)}`)).json).toMatchObject({ code: 'HEADERS_TOO_LARGE' });
    }
  });

  it('is rejected with the allowed names and the most similar one if a parameter is unknown, on every route', async () => {
    for (const route of apiRoutes) {
      const answer = await api.get(`${pathWith(route, '', '')}?limmit=5`);
      const allowed = parametersOf(route.query).map(({ name }) => name);
      const unknown = { parameter: 'limmit', in: 'query', code: 'UNKNOWN_PARAMETER', allowed };
      expect(answer.json).toMatchObject({
        code: 'UNKNOWN_PARAMETER',
        errors: expect.arrayContaining([expect.objectContaining(unknown)]) as unknown[],
      });
      if (allowed.includes('limit')) expect(answer.body).toContain('did you mean limit?');
    }
  });

  it('reports all violations in one problem, in the order of the request, missing parameters last', async () => {
    const answer = await api.send('GET', '/api/v1/search?nope=1&type=commits&limit=x&limit=1&cursor=%ZZ');
    expect(answer.json).toMatchObject({
      code: 'UNKNOWN_PARAMETER',
      errors: [
        { parameter: 'nope', code: 'UNKNOWN_PARAMETER' },
        { parameter: 'type', code: 'INVALID_PARAMETER' },
        { parameter: 'limit', code: 'INVALID_PARAMETER' },
        { parameter: 'limit', code: 'DUPLICATE_PARAMETER' },
        { parameter: 'cursor', code: 'BAD_REQUEST' },
        { parameter: 'q', code: 'MISSING_PARAMETER' },
      ],
    });
    expect(answer.body).toContain('did you mean commit?');
  });

  it('is echoed in at most 64 clean characters', async () => {
    const answer = await api.send('GET', `/api/v1/news?${encodeURIComponent(`\u202ea\u0007${'b'.repeat(200)}`)}=1`);
    const { errors } = answer.json as { errors: { parameter: string }[] };
    expect(errors[0]?.parameter).toBe(`a ${'b'.repeat(61)}…`);
  });

  it('never changes the meaning of a valid request', async () => {
    const answer = await api.send('GET', '/api/v1/search?q=+keyset%20%20INDEX+');
    expect(answer.json).toMatchObject({ data: [{ type: 'commit' }] });
  });
});
