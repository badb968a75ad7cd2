import type { MeasuredGroups } from './figures-file.js';
import type { WorkingTree } from './working-tree.js';

/** What `--write` itself writes: it is no code, so it may differ from what is committed. */
const WRITTEN = ['docs/performance.md', 'bench/figures.json'] as const;

/** The code of each group, by the group's name. */
export type CodeOfGroups = Readonly<Record<string, { readonly code: readonly string[] }>>;

/**
 * Why figures must not be written; `null` when they may. Figures are those of a commit, so all code has to be committed; and no row may be older than
 * the code it measures.
 *
 * @param renewed the groups that are measured in this run, whose stored figures do not matter
 */
export function reasonNotToWrite(tree: WorkingTree, groups: CodeOfGroups, stored: MeasuredGroups, renewed: readonly string[]): string | null {
  const changes = tree.changes(...WRITTEN);
  if (changes.length > 0)
    return `Some files are not committed. Commit them first, because each row names the commit it measures:\n${changes.join('\n')}`;
  const kept = Object.keys(groups).filter((name) => !renewed.includes(name));
  const old = kept.filter((name) => isOld(tree, groups[name]?.code ?? [], stored[name]?.commit));
  if (old.length === 0) return null;
  const reasons = old.map((name) => `${name} (${stored[name] === undefined ? 'never measured' : `commit ${stored[name].commit.slice(0, 10)}`})`);
  const command = ['npm run bench -- --write', ...Object.keys(groups).filter((name) => renewed.includes(name) || old.includes(name))].join(' ');
  return `Some rows are older than the code they measure: ${reasons.join(', ')}.\nMeasure them too: ${command}`;
}

function isOld(tree: WorkingTree, code: readonly string[], commit: string | undefined): boolean {
  return commit === undefined || tree.differsFrom(commit, code);
}
