import { at } from './places.js';
import type { Problem } from './validation/problems.js';

/** A token must not be sent in clear text, except within a private network. @param path that of the entry with the keys `api`, `token` and `allowPrivate` */
export function plainTokenProblems(entry: unknown, path: readonly PropertyKey[]): readonly Problem[] {
  const [api, token] = [at(entry, 'api'), at(entry, 'token')];
  const isPlain = typeof api === 'string' && /^http:/i.test(api);
  if (!isPlain || token === undefined || at(entry, 'allowPrivate') === true) return [];
  return [{ path: [...path, 'token'], message: 'would be sent without encryption, because api begins with http:; write an https address' }];
}
