import type { DataStatus, Instant, Warning } from '@vitrine/core';
import { createContext, type ComponentChildren } from 'preact';
import { useContext } from 'preact/hooks';
import { useView } from '../view.js';
import { Icon } from './icon.js';
import { FullTime } from './inline.js';
import { said } from './state.js';

/** How current the data of a page is. */
export interface Currency {
  readonly dataStatus: DataStatus;
  readonly warnings: readonly Warning[];
}

/** What the state of services is computed from. */
export const STATUS_KINDS = ['status', 'service', 'check'] as const;

/** Where the notice of a last good answer is put, below the heading of a page. Texts of records cannot contain it, because theirs is escaped. */
export const LAST_GOOD_PLACE = '<!--last-good-->';

/** Says that a page is a copy that was made before the store failed. */
export function LastGoodNotice({ madeAt }: { readonly madeAt: Instant }) {
  const { t } = useView();
  return (
    <Notice>
      <strong>{t.notices.lastGood}</strong> <FullTime at={madeAt} />
    </Notice>
  );
}

/** Says on each page of a copy when it was made. Nothing on pages that Vitrine serves. */
export function CopyNotice() {
  const { t, copy } = useView();
  if (copy === null) return null;
  return (
    <p class="soft small" role="note" id="copy">
      {t.copy.made} <FullTime at={copy.madeAt} />. {t.copy.fixed}
    </p>
  );
}

/** How current the page is that is rendered. */
export const CurrencyContext = createContext<Currency>({ dataStatus: 'fresh', warnings: [] });

/** Names the late, incomplete or missing parts of a page about one kind of records. Nothing for a page that is current. */
export function PageNotice() {
  const { t } = useView();
  const { dataStatus, warnings } = useContext(CurrencyContext);
  if (dataStatus === 'fresh') return null;
  if (dataStatus === 'unknown') return <UnknownNotice />;
  return (
    <Notice>
      {warnings.length === 0 ? t.notices[dataStatus] : <Warnings warnings={warnings} />} <SourcesLink />
    </Notice>
  );
}

/** The same for one part of a page. @param props.kinds the kinds of records that the part shows */
export function PartNotice({ kinds }: { readonly kinds: readonly string[] }) {
  const { warnings } = useContext(CurrencyContext);
  const own = warnings.filter(({ source }) => kinds.includes(source));
  if (own.length === 0) return null;
  return (
    <Notice>
      <Warnings warnings={own} />
    </Notice>
  );
}

function Notice({ children }: { readonly children: ComponentChildren }) {
  return (
    <div class="notice" role="note">
      <Icon name="degraded" />
      <span>{children}</span>
    </div>
  );
}

/** No alarm, because most teams have no source for some kinds of records. */
function UnknownNotice() {
  const { t } = useView();
  return (
    <p class="soft small" role="note">
      {t.notices.unknown} <SourcesLink />
    </p>
  );
}

function SourcesLink() {
  const { t, links } = useView();
  return <a href={links.to('/about')}>{t.notices.sources}</a>;
}

/** One sentence for each problem, which names all kinds that have it. */
function Warnings({ warnings }: Pick<Currency, 'warnings'>) {
  const { t, format, copy } = useView();
  const codes = [...new Set(warnings.map(({ code }) => code))];
  return (
    <>
      {codes.map((code) => {
        const same = warnings.filter((warning) => warning.code === code);
        const known = { SOURCE_LATE: t.notices.late, SOURCE_INCOMPLETE: t.notices.incomplete }[code];
        const again = known === undefined && copy === null ? `${t.notices.again} ` : '';
        return (
          <span key={code} title={same.map(({ detail }) => detail).join('\n')}>
            {(known ?? t.notices.unreadable)(format.list(same.map(({ source }) => said(t.kinds, source) ?? source)))} {again}
          </span>
        );
      })}
    </>
  );
}
