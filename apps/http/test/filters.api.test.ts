import { Api } from './support/api.js';
import { smallWorld } from './support/small-world.js';

describe('a filter over documented values', () => {
  let api: Api;
  beforeAll(async () => {
    api = await Api.open({ records: smallWorld });
  });
  afterAll(() => api.close());

  it.each([
    ['/api/v1/development/commits?changeType=', 'performance', 'Performance'],
    ['/api/v1/development/releases?releaseType=', 'stable', 'STABLE'],
    ['/api/v1/development/findings?status=', 'CONFIRMED', 'confirmed'],
    ['/api/v1/development/findings?changeType=', 'tests', 'Tests'],
    ['/api/v1/missions?status=', 'active', 'Active'],
    ['/api/v1/articles?kind=', 'changelog', 'ChangeLog'],
    ['/api/v1/status/incidents?state=', 'resolved', 'RESOLVED'],
    ['/api/v1/search?q=widget&type=', 'commit,status-service', 'Commit,Service'],
  ])('takes any letter case: %s%s', async (address, value, other) => {
    const [expected, answer] = [await api.get(address + value), await api.get(address + other)];
    expect([expected.status, answer.status]).toEqual([200, 200]);
    const data = ({ json }: typeof answer) => (json as { readonly data: readonly unknown[] }).data;
    expect(data(answer)).toEqual(data(expected));
  });

  it('looks up a value that is not documented, and warns with the known ones', async () => {
    const { status, json } = await api.get('/api/v1/development/releases?releaseType=Final');
    const detail = 'releaseType is none of the known values: stable, prerelease, rc, beta, alpha, nightly.';
    expect([status, json]).toMatchObject([200, { data: [], meta: { warnings: [{ code: 'UNKNOWN_VALUE', source: 'release', detail }] } }]);
    expect(JSON.stringify((await api.get('/api/v1/development/releases?releaseType=RC')).json)).not.toContain('UNKNOWN_VALUE');
    expect((await api.get('/api/v1/search?q=widget&type=services')).json).toMatchObject({ code: 'INVALID_PARAMETER' });
  });
});
