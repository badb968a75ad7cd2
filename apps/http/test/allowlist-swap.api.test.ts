import { Allowlist } from '@vitrine/core';
import { Random, randomRecords } from '@vitrine/core/testing';
import { Api } from './support/api.js';

const FLIPS = process.env['VITRINE_TORTURE'] === '1' ? 1_000 : 40;
const PATHS = [
  '/api/v1/development/commits',
  '/api/v1/development/releases',
  '/api/v1/development/findings',
  '/api/v1/missions',
  '/api/v1/articles',
  '/api/v1/videos',
  '/api/v1/repositories',
  '/api/v1/overview',
  '/api/v1/search?q=acme',
  '/api/v1/repositories/acme/gadget/hub',
] as const;

describe('a repository that is removed from the allowlist', () => {
  it(
    'is in no response to a request that started after the change',
    async () => {
      const lists = [Allowlist.of('acme/widget', 'acme/gadget').approved(), Allowlist.of('acme/widget').approved()] as const;
      const state = { list: lists[0] };
      const random = new Random(3);
      const api = await Api.open({ records: randomRecords(random, ['acme/widget', 'acme/gadget'], 0, 100), approved: { current: () => state.list } });
      let shownWhileApproved = 0;
      for (let flip = 0; flip < FLIPS; flip++) {
        state.list = lists[0];
        // These requests are in progress while the list changes, so they may still show the repository.
        const before = Array.from({ length: 4 }, () => api.send('GET', random.pick(PATHS)));
        await Promise.race(before);
        state.list = lists[1];
        const after = await Promise.all(Array.from({ length: 4 }, () => api.send('GET', random.pick(PATHS))));
        expect(after.filter(({ body, target }) => body.includes('acme/gadget') && !target.includes('gadget')).map(({ target }) => target)).toEqual(
          [],
        );
        expect(after.filter(({ target, status }) => target.includes('gadget') && status !== 404)).toEqual([]);
        shownWhileApproved += (await Promise.all(before)).filter(({ body }) => body.includes('acme/gadget')).length;
      }
      await api.close();
      expect(shownWhileApproved).toBeGreaterThan(0);
    },
    FLIPS * 2_000,
  );
});
