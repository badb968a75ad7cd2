import { findChromium } from '../browser/find-chromium.ts';

const MISSING = 'No Chromium was found: the browser tests are skipped. Install Chromium, or name it in VITRINE_CHROMIUM.';

/**
 * A suite that needs Chromium. Without one it is skipped, or fails if REQUIRE_BROWSER is 1.
 * @param suite receives the path of the browser
 */
export function describeBrowser(title: string, suite: (executablePath: string) => void): void {
  const path = findChromium(process.env);
  if (path !== null) {
    describe(title, () => suite(path));
  } else if (process.env['REQUIRE_BROWSER'] === '1') {
    it(`${title}: there is a Chromium`, () => {
      throw new Error(MISSING);
    });
  } else {
    process.stderr.write(`${MISSING}\n`);
    describe.skip(title, () => it('needs Chromium', () => undefined));
  }
}
