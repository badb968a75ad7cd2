import type { Provenance } from '@vitrine/core';
import { useView, type View } from '../view.js';
import { ExternalLink } from './external-link.js';

interface ProvenanceLineProps {
  readonly provenance: Provenance;
  /** The public address of the record at its origin; `null`: it has none. */
  readonly url: string | null;
}

/** Where a record comes from. */
export function ProvenanceLine({ provenance, url }: ProvenanceLineProps) {
  const view = useView();
  const kind = kindOf(provenance, view);
  return (
    <p class="soft">
      {view.t.record.source}: <span dir="auto">{provenance.source}</span>
      {kind === null ? '' : ` (${kind})`}
      {url === null ? null : (
        <>
          {' '}
          · <ExternalLink href={url}>{view.t.record.original}</ExternalLink>
        </>
      )}
    </p>
  );
}

function kindOf({ sourceKind, isOfficialSource }: Provenance, { t }: View): string | null {
  if (sourceKind === 'service-interpretation') return t.record.derived;
  if (sourceKind === 'community-feed') return t.record.community;
  return isOfficialSource ? t.record.official : null;
}
