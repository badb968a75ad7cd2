import { SourceError } from '../../running/source.js';
import fc from 'fast-check';
import { DAY, HOUR, MINUTE } from '@vitrine/core';
import { ForgeAccount } from './forge-account.js';

const NOW = Date.UTC(2026, 10, 20, 12);
const anonymous = () => new ForgeAccount('https://api.github.com', true);
const limits = (limit: number, remaining: number, resetsAt: number) => ({
  'x-ratelimit-limit': String(limit),
  'x-ratelimit-remaining': String(remaining),
  'x-ratelimit-reset': String(resetsAt / 1_000),
});

describe('ForgeAccount', () => {
  it('stretches intervals so that all sources together fit the limit', () => {
    const account = anonymous();
    expect(account.intervalFor(5 * MINUTE, 5)).toBe(Math.ceil((5 * HOUR) / 57));
    account.members = 10;
    expect(account.intervalFor(5 * MINUTE, 5)).toBe(Math.ceil((50 * HOUR) / 57));
    expect(account.intervalFor(8 * HOUR, 5)).toBe(8 * HOUR);
    expect(new ForgeAccount('https://git.acme.example', true).intervalFor(MINUTE, 500)).toBe(MINUTE);
  });

  it('never sends more requests in an hour than the limit allows, whatever the number of sources and of their requests', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 100 }), fc.integer({ min: 1, max: 40 }), (members, requests) => {
        const account = anonymous();
        account.members = members;
        expect((members * requests * HOUR) / account.intervalFor(MINUTE, requests)).toBeLessThanOrEqual(57);
      }),
    );
  });

  it('leaves a part of the limit to others until it is reset', () => {
    const account = anonymous();
    account.note(limits(5_000, 251, NOW + HOUR), NOW);
    account.require(NOW);
    account.note(limits(5_000, 250, NOW + HOUR), NOW);
    expect(() => account.require(NOW)).toThrow(SourceError);
    account.require(NOW + HOUR);
  });

  it.each([
    [{}],
    [{ 'x-ratelimit-limit': 'many', 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '-1' }],
    [{ 'x-ratelimit-limit': '60', 'x-ratelimit-remaining': '0' }],
  ])('ignores headers that say no limit: %j', (headers) => {
    const account = anonymous();
    account.note(headers, NOW);
    account.require(NOW);
  });

  it('waits for the later of two limits', () => {
    const account = anonymous();
    account.note(limits(60, 0, NOW + HOUR), NOW);
    expect(() => account.stop({ 'retry-after': '60' }, NOW)).toThrow(
      /continues at 2026-11-20T13:00:00\.000Z\. Set GITHUB_TOKEN to get more requests$/,
    );
    account.note(limits(60, 0, NOW + MINUTE), NOW);
    expect(() => account.stop({ 'retry-after': '3600' }, NOW)).toThrow(
      /continues at 2026-11-20T13:00:00\.000Z\. Set GITHUB_TOKEN to get more requests$/,
    );
  });

  it('reads the headers of GitLab', () => {
    const account = anonymous();
    const [, minute] = [NOW, NOW + MINUTE];
    account.note({ 'ratelimit-limit': '500', 'ratelimit-remaining': '1', 'ratelimit-reset': String(minute / 1_000) }, NOW);
    expect(() => account.require(NOW)).toThrow(/continues at 2026-11-20T12:01:00\.000Z\. Set GITHUB_TOKEN to get more requests$/);
  });

  it('never stops for longer than a day, whatever the clock says between the calls', () => {
    const times = fc.array(fc.tuple(fc.constantFrom('note', 'stop', 'require'), fc.integer({ min: -4_000, max: 4_000 })), { maxLength: 10 });
    fc.assert(
      fc.property(times, (calls) => {
        const account = anonymous();
        for (const [call, hours] of [...calls, ['require', 0] as const]) {
          const now = NOW + hours * HOUR;
          try {
            if (call === 'note') account.note(limits(60, 0, now + HOUR), now);
            else if (call === 'stop') account.stop({ 'retry-after': '3600' }, now);
            else account.require(now);
          } catch (error) {
            expect((error as SourceError).retryAfterMs).toBeLessThanOrEqual(DAY);
          }
        }
      }),
    );
  });

  it('goes on at once when a clock that was years ahead is right again, and keeps to later stops', () => {
    const account = anonymous();
    const wrong = NOW + 3_650 * DAY;
    account.note(limits(60, 0, wrong + HOUR), wrong);
    expect(() => account.stop({}, wrong)).toThrow(SourceError);
    account.require(NOW);
    expect(() => account.stop({ 'retry-after': '120' }, NOW)).toThrow(SourceError);
    expect(() => account.require(NOW + 2 * MINUTE - 1)).toThrow(SourceError);
    account.require(NOW + 2 * MINUTE);
  });

  it('goes by the clock of the forge', () => {
    const account = anonymous();
    const theirs = NOW + 10 * MINUTE;
    account.note({ ...limits(60, 0, theirs + MINUTE), date: new Date(theirs).toUTCString() }, NOW);
    expect(() => account.require(NOW + MINUTE - 1)).toThrow(SourceError);
    account.require(NOW + MINUTE);
  });
});
