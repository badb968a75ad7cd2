import fc from 'fast-check';

// The gates say the same of the same commit; the long runs look for new counterexamples.
if (process.env['VITRINE_TORTURE'] !== '1') fc.configureGlobal({ seed: 20_261_121, numRuns: 8 });
