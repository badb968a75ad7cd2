import { Allowlist, comparePositions, positionOf, type Finding, type ListQuery, type TimePage, type TimePosition } from '@vitrine/core';
import { aCommit, aFinding, anArticle, NOW } from '@vitrine/core/testing';
import { openLocalStore } from '../test/open-local-store.js';

const context = { signal: new AbortController().signal };
const approved = Allowlist.of('acme/widget').approved();
const list = { limit: 1, after: null, from: null, to: NOW };

/** Some paths of SQLite end a text at its first U+0000. */
describe('text with U+0000', () => {
  it('is stored and shown whole, in every field', async () => {
    const store = await openLocalStore({ clock: { now: () => NOW }, path: null });
    const commit = aCommit({ title: 'one\0two', branch: 'a\0b', authorName: '\0', description: '\ufffd and \0' });
    await store.writer.put([commit], context);
    expect(await store.readers.commits.bySha(approved, commit.sha, context)).toEqual([commit]);
    expect((await store.writer.put([commit], context)).unchanged).toBe(1);
    await store.close();
  });

  it('in ids and filters neither hides a record nor finds another one, and pages lose nothing', async () => {
    const store = await openLocalStore({ clock: { now: () => NOW }, path: null });
    const findings = ['x', 'x\0', 'x\0y', 'x\0z', 'y'].map((id) => aFinding({ id, status: id }));
    await store.writer.put([...findings].reverse(), context);
    for (const finding of findings) {
      expect(await store.readers.findings.byId(approved, finding.id, context)).toEqual(finding);
      const page = await store.readers.findings.list(approved, { ...list, limit: 9, status: finding.status, changeType: null }, context);
      expect(page.items).toEqual([finding]);
    }
    const seen: string[] = [];
    let after: TimePosition | null = null;
    do {
      const query: ListQuery<'finding'> = { ...list, after, status: null, changeType: null };
      const page: TimePage<Finding> = await store.readers.findings.list(approved, query, context);
      seen.push(...page.items.map(({ id }) => id));
      after = page.next;
    } while (after !== null);
    const inOrder = [...findings].sort((a, b) => comparePositions(positionOf(a), positionOf(b)));
    expect(seen).toEqual(inOrder.map(({ id }) => id));
    await store.close();
  });

  it('in a tag is a tag of its own', async () => {
    const store = await openLocalStore({ clock: { now: () => NOW }, path: null });
    await store.writer.put([anArticle({ tags: ['a\0b'] })], context);
    const tagged = async (tag: string) =>
      (await store.readers.articles.list(approved, { ...list, tag, articleKind: null, language: null }, context)).items.length;
    expect([await tagged('a'), await tagged('a\0b'), await tagged('a\0')]).toEqual([0, 1, 0]);
    await store.close();
  });
});
