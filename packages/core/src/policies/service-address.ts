import type { Provenance } from '../domain/shared/provenance.js';
import type { Check } from '../domain/status/check.js';
import type { Service } from '../domain/status/service.js';

/**
 * The check with the present address of its service, if Vitrine itself measures the service. An address that the service had before, and that may not be published any
 * more, does not stay in its history.
 *
 * @param service `undefined` for checks of a service that is gone
 */
export function withServiceAddress(check: Check, service: Pick<Service, 'provenance'> | undefined): Check {
  if (service === undefined || !isMeasured(service.provenance) || !isMeasured(check.provenance)) return check;
  const { sourceUrl } = service.provenance;
  return check.provenance.sourceUrl === sourceUrl ? check : { ...check, provenance: { ...check.provenance, sourceUrl } };
}

/** Whether Vitrine has measured it, and not a provider or another collector. */
function isMeasured({ source, sourceKind }: Provenance): boolean {
  return source === 'vitrine' && sourceKind === 'confirmed-from-source';
}
