import { Allowlist, isApprovedChange, LISTED_KINDS, NO_REPOSITORY, scopeTag } from '@vitrine/core';
import { specOf } from '../documents/documents.js';
import { ChangeEvents } from './change-events.js';

const approved = Allowlist.of('acme/widget').approved();
const tagged = (ref: string): string => `some-id ${scopeTag(ref)}`;
const SCOPED = LISTED_KINDS.filter((kind) => kind !== 'news' && kind !== 'incident');

function toldOf(kind: (typeof SCOPED)[number], id: string, ref: unknown) {
  const event = { operationType: 'update', coll: specOf(kind).collection, id, ref, updated: ['repositoryRef'], removed: [] };
  const change = new ChangeEvents(() => false, []).changeOf(event);
  return change === null ? null : { ref: change.repositoryRef, isSeen: isApprovedChange(change, approved) };
}

describe.each(SCOPED)('a change of a document of the kind %s', (kind) => {
  it.each(['acme/widget', 'acme/gadget#4711'])('names the repository %s that its id confirms', (ref) => {
    expect(toldOf(kind, tagged(ref), ref)?.ref).toBe(ref);
  });

  it('names no repository if its id has none', () => {
    expect(toldOf(kind, 'some-id', NO_REPOSITORY)?.ref).toBe(NO_REPOSITORY);
  });

  it.each(['acme/secret', NO_REPOSITORY, 5, null])('ends the answers that showed the record before it got the ref %j', (ref) => {
    expect(toldOf(kind, tagged('acme/widget'), ref)).toEqual({ ref: null, isSeen: true });
    expect(toldOf(kind, 'some-id', ref === NO_REPOSITORY ? 'acme/widget' : ref)).toEqual({ ref: null, isSeen: true });
  });

  it('of a hidden repository ends no answer, whatever its ref says', () => {
    for (const ref of ['acme/secret', 'acme/other', NO_REPOSITORY, 5]) expect(toldOf(kind, tagged('acme/secret'), ref)?.isSeen).toBe(false);
  });
});
