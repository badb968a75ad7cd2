import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

const program = ['../../../../test/run-typescript.cjs', '../../test/time-zone-process.ts'].map((file) => join(__dirname, file));

/** What the rules say about some unusual days, in a process whose time zone is set before it starts. */
function inZone(zone: string): string {
  return execFileSync(process.execPath, program, { env: { ...process.env, TZ: zone }, encoding: 'utf8' });
}

const ZONES = ['America/New_York', 'Australia/Lord_Howe', 'UTC', 'Europe/Berlin', 'Pacific/Apia'];

describe('the time zone of the process', () => {
  it('changes nothing', () => {
    const [figures, ...others] = (process.env['VITRINE_TORTURE'] === '1' ? ZONES : ZONES.slice(0, 2)).map(inZone);
    expect(figures).toContain('"2026-03-08"');
    for (const other of others) expect(other).toBe(figures);
  });
});
