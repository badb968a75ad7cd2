import { mustBe } from './measure.js';

export function servicesOn(html: string): readonly string[] {
  return textsOf(html, /<a class="name" href="[^"]*"[^>]*>([^<]*)<\/a>/gu);
}

/** The ids of the commits that a page links to: `owner/name@sha`. */
export function commitsOn(html: string): readonly string[] {
  return [...new Set(textsOf(html, /href="\/commits\/([^"?]+)"/gu).map(decodeURIComponent))];
}

export function checkServices(page: string, html: string, services: readonly string[]): void {
  mustBe(`services on ${page}`, servicesOn(html), services);
  const parts = [/<a class="strip" /gu, /<span class="up">\d/gu, /<svg class="spark" /gu];
  mustBe(
    `bars, uptimes and lines on ${page}`,
    parts.map((part) => [...html.matchAll(part)].length),
    parts.map(() => services.length),
  );
}

function textsOf(html: string, pattern: RegExp): readonly string[] {
  return [...html.matchAll(pattern)].map(([, text = '']) => text);
}
