import type { MeasuredGroups } from './figures-file.js';
import type { WorkingTree } from './working-tree.js';

/** The files that `--write` changes. They are not code, so they may have uncommitted changes. */
const WRITTEN = ['docs/performance.md', 'bench/figures.json'] as const;

/** The paths of the code of each group, by the name of the group. */
export type CodeOfGroups = Readonly<Record<string, { readonly code: readonly string[] }>>;

/**
 * The reason why figures must not be written; `null` if they may. Figures belong to a commit, so all code must be committed. No row may be older than
 * the code that it measures.
 *
 * @param renewed the groups that this run measures; their stored figures do not matter
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
