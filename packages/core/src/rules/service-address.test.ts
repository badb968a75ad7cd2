import { aCheck, aService } from '../testing/index.js';
import { withServiceAddress } from './own-url.js';

const MEASURED = { source: 'vitrine', sourceKind: 'confirmed-from-source', observedAt: 1, confidence: 'high', isOfficialSource: true };
const service = aService({ provenance: { ...MEASURED, sourceUrl: 'https://vitrine.acme.example/status/services/a' } });

describe('withServiceAddress', () => {
  it('shows a check that Vitrine has measured with the present address of its service', () => {
    const check = aCheck({ provenance: { ...MEASURED, sourceUrl: 'https://secret.acme.example' } });
    expect(withServiceAddress(check, service)).toEqual({ ...check, provenance: { ...check.provenance, sourceUrl: service.provenance.sourceUrl } });
  });

  it('changes no check of another origin, and none of a service that is gone or that Vitrine does not measure', () => {
    const provider = aCheck({ provenance: { ...MEASURED, source: 'Provider', sourceUrl: 'https://status.provider.example/1' } });
    const measured = aCheck({ provenance: { ...MEASURED, sourceUrl: 'https://acme.example' } });
    const foreign = aService({ provenance: { ...service.provenance, source: 'Provider' } });
    expect(withServiceAddress(provider, service)).toBe(provider);
    expect(withServiceAddress(measured, undefined)).toBe(measured);
    expect(withServiceAddress(measured, foreign)).toBe(measured);
  });
});
