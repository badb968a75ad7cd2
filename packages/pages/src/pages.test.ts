import { MINUTE, serviceStatusOf, type Check, type Service, type ServiceStatus } from '@vitrine/core';
import { aCheck, aService, NOW } from '@vitrine/core/testing';
import { createPages } from './create-pages.js';
import { DEFAULT_SITE, type Site } from './site.js';

const pagesOf = (site: Partial<Site> = {}) => createPages({ ...DEFAULT_SITE, ...site }, { basePath: '', publicUrl: () => 'https://acme.example' });

const CURRENCY = { dataStatus: 'fresh', warnings: [] } as const;

const unchecked = (more: Partial<Service>): ServiceStatus => serviceStatusOf(aService(more), null, NOW);

describe('the status page', () => {
  const pageOf = (services: readonly ServiceStatus[]): Promise<string> =>
    pagesOf().status({
      ...CURRENCY,
      status: { overallState: 'operational', services, incidents: { current: [], historicalAvailable: true }, observedAt: NOW },
      days: null,
      incidents: [],
    });
  const outline = async (services: readonly ServiceStatus[]): Promise<readonly string[]> =>
    [...(await pageOf(services)).matchAll(/<h3 dir="auto">(.*?)<\/h3>|<a class="name"[^>]*>(.*?)<\/a>|<details class="group panel" open/g)].map(
      ([, group, name]) => group ?? name ?? 'open',
    );

  it('shows groups in the order of their first services, and providers without a group last', async () => {
    const shown = await outline([
      unchecked({ key: 'a:provider', displayName: 'Mail', dependency: true }),
      unchecked({ key: 'b:own', displayName: 'Own' }),
      unchecked({ key: 'c:api', displayName: 'API', group: 'Product', order: 2 }),
      unchecked({ key: 'd:web', displayName: 'Web', group: 'Product', order: 1 }),
      unchecked({ key: 'e:cdn', displayName: 'CDN', group: 'Delivery', order: 0, dependency: true }),
    ]);
    expect(shown).toEqual([
      'open',
      'Delivery',
      'CDN',
      'open',
      'Product',
      'Web',
      'API',
      'open',
      'Our services',
      'Own',
      'open',
      'Providers that we depend on',
      'Mail',
    ]);
  });

  it('shows the response times of a day as a line, and the newest one', async () => {
    const check = (state: Check['state'], responseTimeMs: number | null) => [aCheck({ state, responseTimeMs, checkedAt: NOW - MINUTE })];
    const recentMs = [...Array<null>(20).fill(null), 100, null, 120, 90];
    const timed = (currentState: ServiceStatus['currentState'], evidence: readonly Check[]): ServiceStatus => ({
      ...unchecked({ key: 'a:b' }),
      currentState,
      evidence,
      recentMs,
    });
    const [, line, newest] =
      /<span class="latency">.*?<path d="(.*?)".*?<\/span>(.*?)<\/b>/s.exec(await pageOf([timed('operational', check('operational', 88))])) ?? [];
    expect(
      line
        ?.split(/[ML]/)
        .filter(Boolean)
        .map((point) => Number(point.split(',')[0])),
    ).toEqual([80, 88, 92]);
    expect(newest).toBe('88 ms');
    expect(await pageOf([timed('outage', check('outage', null))])).toContain('no answer</b>');
    expect(await pageOf([unchecked({ key: 'a:b' })])).not.toContain('class="latency"');
  });

  it('shows services without groups as one list', async () => {
    expect(await outline([unchecked({ key: 'a:b', displayName: 'B', order: 2 }), unchecked({ key: 'a:c', displayName: 'C', order: 1 })])).toEqual([
      'C',
      'B',
    ]);
  });
});
