import { brandColours } from '../brand.js';
import { messagesOf } from '../messages/messages.js';
import { dataUrl, type Site } from '../site.js';
import { TextThread } from '../text/worker-text-renderer.js';
import { shortened } from '../text/html.js';
import { BADGES, badgeOf, escapedXml, MARK } from './site-documents.js';

/** The pictures of a site, for previews of links and for home screens, by their names. */
export const PICTURES = ['site', 'operational', 'degraded', 'outage', 'maintenance', 'unknown', 'touch-icon'] as const;
export type PictureName = (typeof PICTURES)[number];

/** Longer than on any machine that is not ill. The texts are those of the team. */
const DEADLINE_MS = 20_000;
const DEFAULT_ACCENT = '#4f46e5';
/** The characters of the bundled font, all of which XML allows. A text with others is left out: a mark alone is better than boxes. */
const DRAWN = /^[\s\u0020-\u007e\u00a0-\u024f\u0370-\u0525\u2010-\u2027\u2030-\u205e\u20ac\u2116\u2122]*$/u;
/** Of 1,130 units, so that the longest lines fit. */
const CHARACTERS = 24;

type Drawn = ReadonlyMap<PictureName, Promise<Buffer>>;

/**
 * Draws the pictures when the first one is asked for, this one first, because nobody waits as long as all take on a busy machine. The thread ends when all
 * are drawn, because it takes much memory.
 */
export class Pictures {
  readonly #site: Site;
  #drawn: Drawn | null = null;

  constructor(site: Site) {
    this.#site = site;
  }

  /** As PNG. Rejects if it cannot be drawn; the next call tries again. */
  async draw(name: PictureName): Promise<Buffer> {
    const drawn = (this.#drawn ??= drawAll(this.#site, name));
    const picture = await drawn.get(name)?.catch(() => null);
    if (picture) return picture;
    if (this.#drawn === drawn) this.#drawn = null;
    throw new Error(`The picture ${name} cannot be drawn.`);
  }
}

function drawAll(site: Site, first: PictureName): Drawn {
  const thread = new TextThread(DEADLINE_MS);
  const drawn = new Map<PictureName, Promise<Buffer>>();
  let before: Promise<unknown> = Promise.resolve();
  for (const name of new Set([first, ...PICTURES])) {
    const picture = before.then(() => drawOne(thread, name, site));
    drawn.set(name, picture);
    before = picture.catch(() => null);
  }
  void before.then(() => thread.end());
  return drawn;
}

async function drawOne(thread: TextThread, name: PictureName, site: Site): Promise<Buffer> {
  const png = await thread.render({ text: pictureOf(name, site), form: 'picture', images: false, anchors: false }, DEADLINE_MS);
  if (png === null) throw new Error(`The picture ${name} was not drawn.`);
  return Buffer.from(png, 'base64');
}

/** The picture as SVG. */
function pictureOf(name: PictureName, site: Site): string {
  const accent = brandColours(site.accent ?? DEFAULT_ACCENT).light;
  if (name === 'touch-icon')
    return `<svg xmlns="http://www.w3.org/2000/svg" width="180" height="180"><rect width="180" height="180" fill="${accent}"/>${markOf(site, [40, 40, 100], '#fff')}</svg>`;
  const colour = name === 'site' ? accent : BADGES[name][0];
  const [title, lines] = [shortened(drawable(site.title), 34), linesOf(name, site)];
  const isBare = name === 'site' && title === '' && lines === '';
  return (
    '<svg xmlns="http://www.w3.org/2000/svg" width="1200" height="630" font-family="DejaVu Sans" font-weight="bold">' +
    `<rect width="1200" height="630" fill="#fff"/><rect width="1200" height="630" fill="${colour}" opacity="0.09"/><rect y="606" width="1200" height="24" fill="${colour}"/>` +
    markOf(site, isBare ? [450, 153, 300] : [80, 80, 72], accent) +
    `<text x="176" y="132" font-size="44" fill="#13161b">${escapedXml(title)}</text>${name === 'site' ? '' : `<g transform="translate(80 224) scale(3.5)">${badgeOf(name, 9)}</g>`}${lines}</svg>`
  );
}

function drawable(text: string): string {
  const composed = text.normalize('NFC').trim();
  return DRAWN.test(composed) ? composed : '';
}

/** The logo of the team, or the mark. */
function markOf({ logo }: Site, [x, y, size]: readonly [number, number, number], colour: string): string {
  const place = `x="${String(x)}" y="${String(y)}" width="${String(size)}" height="${String(size)}"`;
  if (logo !== null) return `<image ${place} href="${dataUrl(logo)}"/>`;
  return `<g transform="translate(${String(x)} ${String(y)}) scale(${String(size / 24)})" fill="${colour}"><path d="${MARK}"/></g>`;
}

/** The sentence of the picture in at most three lines. */
function linesOf(name: Exclude<PictureName, 'touch-icon'>, site: Site): string {
  const t = messagesOf(site.language);
  const text = name === 'site' ? (site.description ?? t.description(site.title)) : t.overall[name];
  const lines = wrapped(drawable(text), CHARACTERS).slice(0, 3);
  const top = name === 'site' ? 300 : 430;
  return lines.map((line, index) => `<text x="80" y="${String(top + 80 * index)}" font-size="64" fill="#13161b">${escapedXml(line)}</text>`).join('');
}

function wrapped(text: string, most: number): readonly string[] {
  const lines: string[] = [];
  for (const word of text.split(/\s+/u).filter(Boolean)) {
    const last = lines.at(-1);
    if (last !== undefined && `${last} ${word}`.length <= most) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(shortened(word, most));
  }
  return lines;
}
