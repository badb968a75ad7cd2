import { useView } from '../view.js';

interface PagerProps {
  /** The path and query of the next page, without the base path; `null` for the last one. */
  readonly next: string | null;
  /** The path and query of the first page; `null` on the first page. */
  readonly first: string | null;
  readonly nextLabel: string;
}

/** Links to the other pages of a list. A copy of the site has only the first one, and says so. */
export function Pager({ next, first, nextLabel }: PagerProps) {
  const { t, links, copy } = useView();
  if (next === null && first === null) return null;
  if (copy !== null) return <p class="soft">{t.copy.more}</p>;
  return (
    <nav class="pager" aria-label={t.lists.pages}>
      {first === null ? null : (
        <a class="button" href={links.to(first)}>
          {t.lists.newest}
        </a>
      )}
      {next === null ? null : (
        <a class="button" href={links.to(next)} rel="next">
          {nextLabel}
        </a>
      )}
    </nav>
  );
}
