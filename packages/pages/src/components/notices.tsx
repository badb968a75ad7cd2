import type { DataStatus, Instant, Warning } from '@vitrine/core';
import { useView } from '../view.js';
import { FullTime } from './time.js';

/** How current the data of a page is. */
export interface Currency {
  readonly dataStatus: DataStatus;
  readonly warnings: readonly Warning[];
}

/** Where the notice of a last good copy is put. Texts of records cannot contain it, because theirs is escaped. */
export const LAST_GOOD_PLACE = '<!--last-good-->';

/** Says that a page is a copy that was made before the store failed. */
export function LastGoodNotice({ madeAt }: { readonly madeAt: Instant }) {
  const { t } = useView();
  return (
    <section class="card notice" role="note">
      <p>
        <strong>{t.notices.lastGood}</strong> <FullTime at={madeAt} />
      </p>
    </section>
  );
}

/** Says on each page of a copy when it was made. Nothing on pages that Vitrine serves. */
export function CopyNotice() {
  const { t, copy } = useView();
  if (copy === null) return null;
  return (
    <p class="soft" role="note" id="copy">
      {t.copy.made} <FullTime at={copy.madeAt} />. {t.copy.fixed}
    </p>
  );
}

/** Says what is late, incomplete or missing; nothing for a page that is current. */
export function Notices({ dataStatus, warnings }: Currency) {
  const { t } = useView();
  if (dataStatus === 'fresh') return null;
  // No alarm, because most teams have no source for some kinds of records.
  if (dataStatus === 'unknown')
    return (
      <p class="soft" role="note">
        {t.notices.unknown} <SourcesLink />
      </p>
    );
  return (
    <section class="card notice" role="note">
      <p>
        <strong>{t.notices[dataStatus]}</strong>
      </p>
      {warnings.length === 0 ? null : (
        <ul>
          {warnings.map((warning) => (
            <li key={`${warning.code} ${warning.source}`}>
              <WarningText warning={warning} />
            </li>
          ))}
        </ul>
      )}
      <p class="soft">
        <SourcesLink />
      </p>
    </section>
  );
}

function SourcesLink() {
  const { t, links } = useView();
  return <a href={links.to('/about')}>{t.notices.sources}</a>;
}

function WarningText({ warning: { code, source, detail } }: { readonly warning: Warning }) {
  const { t } = useView();
  const kind = t.kinds[source] ?? source;
  if (code === 'SOURCE_LATE') return <span title={detail}>{t.notices.late(kind)}</span>;
  if (code === 'SOURCE_INCOMPLETE') return <span title={detail}>{t.notices.incomplete(kind)}</span>;
  return <span>{t.notices.unreadable(kind)}</span>;
}
