import { DEFAULT_SITE, type Site } from '../site.js';
import { Pictures, PICTURES, type PictureName } from './pictures.js';

/** The width and the height in the head of a PNG. */
function sizeOf(png: Buffer): readonly [number, number] {
  expect(png.subarray(0, 8).toString('latin1')).toBe('\u0089PNG\r\n\u001a\n');
  return [png.readUInt32BE(16), png.readUInt32BE(20)];
}

const draw = (site: Partial<Site>, name: PictureName) => new Pictures({ ...DEFAULT_SITE, ...site }).draw(name);

describe('Pictures', () => {
  it('are drawn in the sizes that networks and phones ask for, each state as another one', async () => {
    const pictures = new Pictures({ ...DEFAULT_SITE, language: 'de' });
    const drawn = await Promise.all(PICTURES.map((name) => pictures.draw(name)));
    for (const [index, name] of PICTURES.entries()) expect(sizeOf(drawn[index] as Buffer)).toEqual(name === 'touch-icon' ? [180, 180] : [1_200, 630]);
    expect(new Set(drawn.map((png) => png.toString('base64'))).size).toBe(PICTURES.length);
  });

  it.each(['<b> & "c"', '\u0000\ud800\uffff', 'x'.repeat(10_000), '\u6f22\u5b57 \u{1f600}', ''])(
    'are drawn with the title and the description %j',
    async (title) => {
      expect(sizeOf(await draw({ title, description: title }, 'site'))).toEqual([1_200, 630]);
    },
  );

  it('show the logo of the team, also one that cannot be read', async () => {
    const plain = await draw({}, 'touch-icon');
    const svg = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"><rect width="1" height="1" fill="#fff"/></svg>';
    expect((await draw({ logo: { type: 'image/svg+xml', bytes: Buffer.from(svg) } }, 'touch-icon')).equals(plain)).toBe(false);
    expect(sizeOf(await draw({ logo: { type: 'image/png', bytes: Buffer.from('no picture') } }, 'touch-icon'))).toEqual([180, 180]);
  });
});
