import type { Commit, Instant, WithRepository } from '@vitrine/core';
import type { ComponentChildren } from 'preact';
import { useView, type View } from '../view.js';
import { Author, authorOf, ChangedLines, linkOf, SHOWN_DIGITS } from './entries.js';
import { TitleLink } from './entry-list.js';
import { Icon, Node } from './icon.js';
import { Clock, RepositoryLink } from './inline.js';

export interface StreamItem {
  readonly key: string;
  readonly at: Instant;
  readonly node: ComponentChildren;
}

const MOST_LINES = 4;

/** The commits of a day and repository in one line. @param commits newest first @param hasMore whether there are older ones */
export function foldedCommits(commits: readonly WithRepository<Commit>[], hasMore: boolean, { format }: View): readonly StreamItem[] {
  const keyOf = ({ record, repository }: WithRepository<Commit>) => `${String(format.dayOf(record.committedAt))} ${repository.fullName}`;
  const lastDay = format.dayOf(commits.at(-1)?.record.committedAt ?? 0);
  return [...new Set(commits.map(keyOf))].flatMap((key) => {
    const all = commits.filter((commit) => keyOf(commit) === key);
    const [first] = all;
    if (first === undefined) return [];
    const isCut = hasMore && format.dayOf(first.record.committedAt) === lastDay;
    return { key, at: first.record.committedAt, node: <CommitFold commits={all} first={first} isCut={isCut} /> };
  });
}

interface CommitFoldProps {
  readonly commits: readonly WithRepository<Commit>[];
  readonly first: WithRepository<Commit>;
  /** Whether that day may have more. */
  readonly isCut: boolean;
}

function CommitFold({ commits, first, isCut }: CommitFoldProps) {
  const { t, links, format } = useView();
  const { fullName } = first.repository;
  const count = `${format.number(commits.length)}${isCut ? '+' : ''}`;
  return (
    <>
      <Node icon="commit" />
      {commits.length === 1 ? (
        <>
          <CommitLink commit={first} class="title" />
          <div class="meta">
            <CommitFacts commits={commits} />
            <RepositoryLink repository={first.repository} />
          </div>
        </>
      ) : (
        <details class="fold">
          <summary>
            <span class="title">{t.activity.inPlace(t.activity.commits(commits.length, count), fullName)}</span>{' '}
            <Icon name="chevron" class="chevron" />
            <span class="meta">
              <CommitFacts commits={commits} />
            </span>
          </summary>
          <CommitLines commits={commits.slice(0, MOST_LINES)}>
            {commits.length <= MOST_LINES ? null : (
              <li>
                <a href={links.list('commits', { repository: fullName })}>{t.more.commits}</a>
              </li>
            )}
          </CommitLines>
        </details>
      )}
    </>
  );
}

function CommitLink({ commit, ...more }: { readonly commit: WithRepository<Commit>; readonly class?: string }) {
  const { href, title } = linkOf(commit, useView());
  return <TitleLink {...more} href={href} text={title} />;
}

/** When the newest was made, by whom all are, and how much they changed. */
function CommitFacts({ commits }: { readonly commits: readonly WithRepository<Commit>[] }) {
  const sum = (of: 'additions' | 'deletions') => commits.reduce((all, { record }) => all + record[of], 0);
  const authors = [...new Set(commits.map(({ record }) => authorOf(record)))].filter((name) => name !== '');
  return (
    <>
      <Clock at={commits[0]?.record.committedAt ?? 0} />
      {authors.length === 0 ? null : <span dir="auto">{authors.slice(0, 3).join(', ')}</span>}
      <ChangedLines additions={sum('additions')} deletions={sum('deletions')} />
    </>
  );
}

/** One line for each commit. @param props.children a last line */
export function CommitLines({ commits, children }: { readonly commits: readonly WithRepository<Commit>[]; readonly children?: ComponentChildren }) {
  return (
    <ul class="lines">
      {commits.map((commit) => (
        <li key={commit.record.sha}>
          <CommitLink commit={commit} />
          <span class="meta">
            <Author commit={commit.record} />
            <code>{commit.record.sha.slice(0, SHOWN_DIGITS)}</code>
          </span>
        </li>
      ))}
      {children}
    </ul>
  );
}
