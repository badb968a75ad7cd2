import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';

/** Draws an SVG as PNG, in base64. The library and the font are loaded by the first picture. */
export async function pictureOfSvg(svg: string): Promise<string> {
  const { Resvg, font } = await (loaded ??= load());
  const drawing = new Resvg(svg, { font: { fontBuffers: [font], defaultFontFamily: 'DejaVu Sans' } });
  return Buffer.from(drawing.render().asPng()).toString('base64');
}

let loaded: ReturnType<typeof load> | null = null;

async function load() {
  const { initWasm, Resvg } = await import('@resvg/resvg-wasm');
  await initWasm(await readFile(createRequire(import.meta.url).resolve('@resvg/resvg-wasm/index_bg.wasm')));
  return { Resvg, font: await readFile(new URL('../../assets/font/dejavu-sans-bold.ttf', import.meta.url)) };
}
