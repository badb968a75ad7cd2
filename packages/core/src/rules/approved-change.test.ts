import fc from 'fast-check';
import { keyFor } from '../kinds/identity.js';
import { NO_REPOSITORY, type ScopeRef } from '../kinds/repository-name.js';
import { Allowlist } from './allowlist.js';
import { isApprovedChange } from './approvals.js';

const approved = Allowlist.of('acme/widget', 'acme/gadget').approved();
const SHOWN: readonly ScopeRef[] = ['acme/widget', 'acme/gadget', NO_REPOSITORY];
const HIDDEN: readonly ScopeRef[] = ['acme/secret', 'acme/widget#7', 'other/widget'];

const scopes = fc.constantFrom(...SHOWN, ...HIDDEN);
/** Ids that look like tags, and ids with spaces. */
const ids = fc.oneof(fc.string(), fc.constantFrom('a b', '0123456789abcdef', 'x 0123456789abcdef'));

describe('whether a change can concern an answer', () => {
  it('is decided by the scope of its record, if the store knows it', () => {
    fc.assert(
      fc.property(scopes, fc.option(ids), (repositoryRef, key) => {
        expect(isApprovedChange({ repositoryRef, key }, approved)).toBe(SHOWN.includes(repositoryRef));
      }),
    );
  });

  it('is decided by the tag in its key otherwise, whatever the id of the record is', () => {
    fc.assert(
      fc.property(fc.constantFrom(...HIDDEN, 'acme/widget' as const, 'acme/gadget' as const), ids, (scope, id) => {
        expect(isApprovedChange({ repositoryRef: null, key: keyFor(id, scope) }, approved)).toBe(SHOWN.includes(scope));
      }),
    );
  });

  it('is true if nothing tells the scope', () => {
    expect(isApprovedChange({ repositoryRef: null, key: null }, approved)).toBe(true);
    expect(isApprovedChange({ repositoryRef: null, key: 'nws_1' }, approved)).toBe(true);
  });

  it('follows the permission that is given, not an earlier one', () => {
    const change = { repositoryRef: null, key: keyFor('v1', 'acme/widget') };
    const lists = [approved, Allowlist.of('acme/gadget').approved(), Allowlist.of('acme/widget').approved(), Allowlist.of().approved()];
    expect([...lists, ...lists].map((list) => isApprovedChange(change, list))).toEqual([true, false, true, false, true, false, true, false]);
  });
});
