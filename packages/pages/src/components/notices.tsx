import type { DataStatus, Instant, Warning } from '@vitrine/core';
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { useView } from '../view.js';
import { FullTime } from './time.js';

/** How current the data of a page is. */
export interface Currency {
  readonly dataStatus: DataStatus;
  readonly warnings: readonly Warning[];
}

/** What the state of services is computed from. */
export const STATUS_KINDS = ['status', 'service', 'check'] as const;

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

/** How current the page is that is rendered; `null` for pages without records. */
export const CurrencyContext = createContext<Currency | null>(null);

/** Says below the headline what is late, incomplete or missing on a page about one kind of records. Nothing for a page that is current. */
export function PageNotice() {
  const { t } = useView();
  const { dataStatus, warnings } = useContext(CurrencyContext) ?? CURRENT;
  if (dataStatus === 'fresh') return null;
  if (dataStatus === 'unknown') return <UnknownNotice />;
  return (
    <section class="card notice" role="note">
      <p>
        <strong>{t.notices[dataStatus]}</strong>
      </p>
      <WarningList warnings={warnings} />
      <p class="soft">
        <SourcesLink />
      </p>
    </section>
  );
}

/** The same for one part of a page. @param props.kinds the kinds of records that the part shows */
export function PartNotice({ kinds }: { readonly kinds: readonly string[] }) {
  const { warnings } = useContext(CurrencyContext) ?? CURRENT;
  const own = warnings.filter(({ source }) => kinds.includes(source));
  if (own.length === 0) return null;
  return (
    <div class="notice" role="note">
      <WarningList warnings={own} />
    </div>
  );
}

/** Says at the end of a page with several parts that one of them has no source. */
export function EndNotice() {
  return useContext(CurrencyContext)?.dataStatus === 'unknown' ? <UnknownNotice /> : null;
}

const CURRENT: Currency = { dataStatus: 'fresh', warnings: [] };

/** No alarm, because most teams have no source for some kinds of records. */
function UnknownNotice() {
  const { t } = useView();
  return (
    <p class="soft" role="note">
      {t.notices.unknown} <SourcesLink />
    </p>
  );
}

function WarningList({ warnings }: Pick<Currency, 'warnings'>) {
  if (warnings.length === 0) return null;
  return (
    <ul>
      {warnings.map((warning) => (
        <li key={`${warning.code} ${warning.source}`}>
          <WarningText warning={warning} />
        </li>
      ))}
    </ul>
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
