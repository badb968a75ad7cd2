import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

/** Bundles the core, runs it in a process whose time zone is set before it starts, and prints the results of the rules for some unusual days. */
const SCRIPT = `
const bundle = require('esbuild').buildSync({ entryPoints: [process.argv[1]], bundle: true, write: false, format: 'cjs', target: 'es2023' });
const core = { exports: {} };
new Function('module', 'exports', bundle.outputFiles[0].text)(core, core.exports);
const { DAY, HOUR, formatDate, formatInstant, parseDate, parseDateTime, startOfDay, tallyOf, uptimeOf } = core.exports;
const days = ['2026-03-08', '2026-03-29', '2026-10-25', '2026-11-01', '2028-02-29', '2026-12-31', '2011-12-30', '0099-01-01'];
console.log(JSON.stringify(days.map((text) => {
  const day = parseDate(text);
  const checks = Array.from({ length: 60 }, (_, hour) => ({
    kind: 'check', state: hour % 7 === 0 ? 'outage' : 'operational', rawState: '', checkedAt: day - 10 * HOUR + hour * HOUR, responseTimeMs: hour, validForMs: HOUR / 2,
    serviceKey: 'a:b', provenance: { source: 'x' },
  }));
  const tally = tallyOf(checks, { from: day, to: day + DAY - 1 }, day + 9 * DAY);
  return [day, formatDate(day + DAY - 1), formatInstant(day), startOfDay(day + 5 * HOUR), parseDateTime(text + 'T02:30:00+01:00'), uptimeOf(tally.counts), tally];
})));
`;

function inZone(zone: string): string {
  return execFileSync(process.execPath, ['-e', SCRIPT, join(__dirname, '../index.ts')], { env: { ...process.env, TZ: zone }, encoding: 'utf8' });
}

describe('the time zone of the process', () => {
  it.each(['America/New_York', 'Europe/Berlin', 'Pacific/Apia', 'Australia/Lord_Howe'])('changes nothing: %s', (zone) => {
    const figures = inZone('UTC');
    expect(figures).toContain('"2026-03-08"');
    expect(inZone(zone)).toBe(figures);
  });
});
