import { itInTorture } from '@vitrine/test-support';
import { DEFAULT_SITE, type Site } from '../site.js';
import { TextThread } from '../text/worker-text-renderer.js';
import { Pictures, PICTURES, type PictureName } from './pictures.js';

/** The width and the height in the head of a PNG. */
function sizeOf(png: Buffer): readonly [number, number] {
  expect(png.subarray(0, 8).toString('latin1')).toBe('\u0089PNG\r\n\u001a\n');
  return [png.readUInt32BE(16), png.readUInt32BE(20)];
}

const SVG = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"><rect width="1" height="1" fill="#fff"/></svg>';

async function drawn(site: Partial<Site>, pictures = new Pictures({ ...DEFAULT_SITE, ...site })): Promise<Record<PictureName, Buffer>> {
  return Object.fromEntries(await Promise.all(PICTURES.map(async (name) => [name, await pictures.draw(name)]))) as Record<PictureName, Buffer>;
}

function expectSizesAndStates(pictures: Record<PictureName, Buffer>): void {
  for (const name of PICTURES) expect(sizeOf(pictures[name])).toEqual(name === 'touch-icon' ? [180, 180] : [1_200, 630]);
  expect(new Set(Object.values(pictures).map((png) => png.toString('base64'))).size).toBe(PICTURES.length);
}

describe('Pictures', () => {
  itInTorture('are drawn in the sizes that networks and phones ask for, each state as another one', async () => {
    expectSizesAndStates(await drawn({ language: 'de' }));
  });

  it('are drawn with any title and description, and with a logo that cannot be read; the first one does not wait for the others', async () => {
    const [title, description] = ['<b> & "c"\u0000\ud800\uffff \u6f22\u{1f600}', 'x'.repeat(10_000)];
    const site = { ...DEFAULT_SITE, title, description, logo: { type: 'image/png', bytes: Buffer.from('no picture') } };
    const render = jest.spyOn(TextThread.prototype, 'render');
    const pictures = new Pictures(site);
    await pictures.draw('touch-icon');
    expect(render.mock.calls.length).toBeLessThan(PICTURES.length);
    expectSizesAndStates(await drawn(site, pictures));
    expect(render).toHaveBeenCalledTimes(PICTURES.length);
    render.mockRestore();
  });

  itInTorture('show the logo of the team', async () => {
    const logo = { type: 'image/svg+xml', bytes: Buffer.from(SVG) };
    const [own, plain] = [await drawn({ title: '', logo }), await drawn({})];
    expect(own['touch-icon'].equals(plain['touch-icon'])).toBe(false);
  });
});
