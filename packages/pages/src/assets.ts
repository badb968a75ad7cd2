import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { brandColours } from './brand.js';
import { dataUrl, isInline, type Site } from './site.js';

/** A file that pages load. Its path holds a hash of its content, so it can be kept for ever. */
export interface Asset {
  readonly path: string;
  readonly type: string;
  readonly text: string;
}

export interface Assets {
  readonly style: Asset;
  readonly script: Asset;
}

const SCRIPT = ['script', 'read-out'].map((name) => withoutComments(readFileSync(new URL(`../assets/${name}.js`, import.meta.url), 'utf8'))).join('');
const STYLE = withoutSpace(readFileSync(new URL('../assets/style.css', import.meta.url), 'utf8'));

const known = new WeakMap<Site, Assets>();

/** The style sheet with the colour of the site, and the script. */
export function assets(site: Site): Assets {
  let own = known.get(site);
  if (own === undefined) {
    own = { style: assetOf('css', 'text/css', styleOf(site)), script: assetOf('js', 'text/javascript', SCRIPT) };
    known.set(site, own);
  }
  return own;
}

/** Without indentation and comments, each of which is a line of its own. No text in the script goes over several lines. */
function withoutComments(script: string): string {
  return script.replaceAll(/^ *(?:\/\/.*\n|\/\*.*\*\/\n)?/gm, '');
}

/** Without comments, indentation and line breaks. No text in the style sheet has a line break. */
function withoutSpace(css: string): string {
  return css.replaceAll(/\/\*.*?\*\//gs, '').replaceAll(/\n */g, '');
}

function styleOf({ accent, logo }: Site): string {
  const mark = logo !== null && isInline(logo) ? `.brand .logo{background-image:url(${dataUrl(logo)})}\n` : '';
  if (accent === null) return STYLE + mark;
  const { light, dark } = brandColours(accent);
  return `${STYLE}:root{--brand-light:${light};--brand-dark:${dark}}\n${mark}`;
}

function assetOf(ending: string, type: string, text: string): Asset {
  const hash = createHash('sha256').update(text).digest('hex').slice(0, 12);
  return { path: `/assets/${hash}.${ending}`, type: `${type}; charset=utf-8`, text };
}
