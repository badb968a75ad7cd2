import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

const program = ['../../../../test/run-typescript.cjs', '../../test/time-zone-process.ts'].map((file) => join(__dirname, file));

/** What the rules say about some unusual days, in a process whose time zone is set before it starts. */
function inZone(zone: string): string {
  return execFileSync(process.execPath, program, { env: { ...process.env, TZ: zone }, encoding: 'utf8' });
}

const ZONES = ['America/New_York', 'Australia/Lord_Howe', 'Europe/Berlin', 'Pacific/Apia'];

describe('the time zone of the process', () => {
  const figures = inZone('UTC');

  it.each(process.env['VITRINE_TORTURE'] === '1' ? ZONES : ZONES.slice(0, 2))('changes nothing: %s', (zone) => {
    expect(figures).toContain('"2026-03-08"');
    expect(inZone(zone)).toBe(figures);
  });
});
