import { DOMParser } from '@xmldom/xmldom';
import { SERVICE_STATES } from '@vitrine/core';
import {
  activityBadge,
  BADGE_STYLES,
  badgeJson,
  badgeSvg,
  releaseBadge,
  responseBadge,
  stateBadge,
  statusBadge,
  uptimeBadge,
  type Badge,
} from './badges.js';

const HOSTILE = [
  '</title><script>alert(1)</script>',
  '"><svg onload="alert(1)">',
  '&amp;&',
  'a\u0000b\uD800',
  '\u202E',
  '🚀'.repeat(100),
  'x'.repeat(10_000),
  ' ',
];

function rootOf(svg: string) {
  const onError = (level: string, message: string): never => {
    throw new Error(`${level}: ${message}`);
  };
  return new DOMParser({ onError }).parseFromString(svg, 'image/svg+xml').documentElement;
}

describe('a badge', () => {
  it.each(BADGE_STYLES)('of style %s is an image with an accessible title', (style) => {
    const root = rootOf(badgeSvg(statusBadge('operational'), style));
    expect(root?.getAttribute('role')).toBe('img');
    expect(root?.getAttribute('aria-label')?.toLowerCase()).toBe('status: operational');
    expect(root?.getElementsByTagName('title')[0]?.textContent?.toLowerCase()).toBe('status: operational');
  });

  it('is what the endpoint badge of shields.io reads', () => {
    expect(JSON.parse(badgeJson(uptimeBadge({ uptimePercent: 99.9 }), 'plastic'))).toEqual({
      schemaVersion: 1,
      label: 'uptime 90 d',
      message: '99.9%',
      color: 'blue',
      style: 'plastic',
    });
  });

  it.each(HOSTILE)('of a release is well-formed with the tag %j, which is never markup', (tagName) => {
    for (const style of BADGE_STYLES) {
      const root = rootOf(badgeSvg(releaseBadge({ tagName }), style));
      expect(root?.getElementsByTagName('script')).toHaveLength(0);
      expect(root?.getElementsByTagName('svg')).toHaveLength(0);
      expect(Number(root?.getAttribute('width'))).toBeLessThan(900);
    }
    expect([...(JSON.parse(badgeJson(releaseBadge({ tagName }))) as Badge).message].length).toBeLessThanOrEqual(40);
  });
});

describe('what a badge says', () => {
  it('is the state, in a colour of its own', () => {
    const badges = SERVICE_STATES.map(statusBadge);
    expect(badges.map(({ message }) => message)).toEqual([...SERVICE_STATES]);
    expect(new Set(badges.map(({ color }) => color)).size).toBe(SERVICE_STATES.length);
    expect(stateBadge({ currentState: 'outage' })).toEqual({ label: 'state', message: 'outage', color: 'red' });
  });

  it('is "unknown" in grey if there is no value', () => {
    const badges = [
      statusBadge('unknown'),
      stateBadge({ currentState: 'unknown' }),
      uptimeBadge({ uptimePercent: null }),
      responseBadge({ responseTimeMs: null }),
      releaseBadge(null),
      activityBadge([]),
    ];
    for (const { message, color } of badges) expect([message, color]).toEqual(['unknown', 'lightgrey']);
  });

  it.each([100, 99.99, 99.9, 99.5, 0, 12.34])('is the uptime %d as JSON prints it', (uptimePercent) => {
    expect(uptimeBadge({ uptimePercent }).message).toBe(`${JSON.stringify(uptimePercent)}%`);
  });

  it('is the median response time', () => {
    expect(responseBadge({ responseTimeMs: { p50: 212, p95: 900, max: 1_000 } }).message).toBe('212 ms');
  });

  it('is the number of commits of the last 30 days', () => {
    expect(activityBadge(Array.from({ length: 365 }, (_, index) => ({ commits: index < 335 ? 1_000 : 2 }))).message).toBe('60');
    expect(activityBadge([{ commits: 0 }]).message).toBe('0');
  });
});
