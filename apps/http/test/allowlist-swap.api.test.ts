import { Allowlist } from '@vitrine/core';
import { DEFAULT_SITE } from '@vitrine/pages';
import { Random, randomRecords } from '@vitrine/core/testing';
import { Api, type Answer } from './support/api.js';

const FLIPS = process.env['VITRINE_TORTURE'] === '1' ? 1_000 : 8;
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
  '/',
  '/commits',
  '/repositories',
  '/repositories/acme/gadget',
  '/search?q=acme',
  '/sitemap.xml',
] as const;

type Form = readonly [method: string, headers: Readonly<Record<string, string>>];

/** The forms of a request in which an answer may have been kept, and the forms in which it is asked for. */
const FORMS: readonly [Form, ...Form[]] = [
  ['GET', {}],
  ['HEAD', {}],
  ['GET', { 'Accept-Encoding': 'br, gzip' }],
  ['HEAD', { 'Accept-Encoding': 'gzip' }],
];

/** Tags of answers that show the repository. */
type Tags = Map<string, Set<string>>;

function remember(tags: Tags, answers: readonly Answer[]): void {
  for (const { target, headers, body } of answers)
    if (body.includes('acme/gadget')) tags.set(target, (tags.get(target) ?? new Set()).add(String(headers['etag'])));
}

/** An `If-None-Match` with all tags of answers that showed the repository. */
function tagsOf(tags: Tags, target: string): string | null {
  const known = tags.get(target);
  return known === undefined ? null : [...known].join(', ');
}

/** Whether an answer, also one without a body, tells that the repository is there. */
function shows(tags: Tags, { target, status, headers, body }: Answer): boolean {
  if (target.includes('gadget')) return status !== 404;
  return status === 304 || body.includes('acme/gadget') || (tags.get(target)?.has(String(headers['etag'])) ?? false);
}

describe('a repository that is removed from the allowlist', () => {
  it(
    'is in no response to a request that started after the change, computed or kept, with a body or without',
    async () => {
      const lists = [Allowlist.of('acme/widget', 'acme/gadget').approved(), Allowlist.of('acme/widget').approved()] as const;
      const state = { list: lists[0] };
      const random = new Random(3);
      const api = await Api.open({
        records: randomRecords(random, ['acme/widget', 'acme/gadget'], 0, 100),
        site: DEFAULT_SITE,
        approved: { current: () => state.list },
      });
      const tags: Tags = new Map();
      let [shownWhileApproved, kept] = [0, 0];
      const ask = (target: string, tag: string | null = null): Promise<Answer> => {
        const [method, headers] = random.pick(FORMS);
        return api.send(method, target, tag === null ? headers : { ...headers, 'If-None-Match': tag });
      };
      for (let flip = 0; flip < FLIPS; flip++) {
        state.list = lists[0];
        const targets = Array.from({ length: 4 }, () => random.pick(PATHS));
        // Half of the answers are kept when the list changes.
        remember(tags, await Promise.all(targets.slice(0, 2).map((target) => api.send('GET', target))));
        // These requests are in progress while the list changes, so they may still show the repository.
        const before = [...targets, ...targets.slice(0, 2)].map((target) => ask(target));
        await Promise.race(before);
        state.list = lists[1];
        const after = await Promise.all(targets.map((target) => ask(target, tagsOf(tags, target))));
        const again = await Promise.all(targets.map((target) => ask(target)));
        remember(tags, await Promise.all(before));
        expect([...after, ...again].filter((answer) => shows(tags, answer)).map(({ target }) => target)).toEqual([]);
        shownWhileApproved += (await Promise.all(before)).filter((answer) => shows(tags, answer)).length;
        kept += again.filter(({ headers }) => headers['age'] !== undefined).length;
      }
      await api.close();
      expect(shownWhileApproved).toBeGreaterThan(FLIPS);
      expect(kept).toBeGreaterThan(FLIPS);
    },
    FLIPS * 2_000,
  );
});
