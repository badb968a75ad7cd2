import { mustBe } from './wrong-answer.js';

/** The services that a page lists, in their order. */
export function servicesOn(html: string): readonly string[] {
  return textsOf(html, /<a class="name" href="[^"]*">([^<]*)<\/a>/gu);
}

/** The ids of the commits that a page links to: `owner/name@sha`. */
export function commitsOn(html: string): readonly string[] {
  return [...new Set(textsOf(html, /href="\/commits\/([^"?]+)"/gu).map(decodeURIComponent))];
}

/** Checks that each listed service has bars and an uptime with this number of checks behind it. */
export function checkServices(page: string, html: string, services: readonly string[], checks: string): void {
  mustBe(`services on ${page}`, servicesOn(html), services);
  mustBe(`bars on ${page}`, html.split('<div class="bars apart">').length - 1, services.length);
  mustBe(`uptimes on ${page}`, textsOf(html, /<\/b> uptime of ([\d,]+) checks/gu), new Array<string>(services.length).fill(checks));
}

function textsOf(html: string, pattern: RegExp): readonly string[] {
  return [...html.matchAll(pattern)].map(([, text = '']) => text);
}
