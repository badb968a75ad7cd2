import { ARTICLE_CHANGE_TYPES, type ArticleChange } from '@vitrine/core';

/** A released version in a changelog. All texts are Markdown. */
export interface ChangelogSection {
  readonly version: string;
  /** As it is written; `''` without one. */
  readonly date: string;
  readonly body: string;
  readonly changes: readonly ArticleChange[];
}

/** `## [1.2.0] - 2026-11-20`, `## v1.2.0 (2026-11-20)`, `## 1.2.0` */
const VERSION = /^##\s+\[?v?(\d[\w.+-]*)/;
const DATE = /\d{4}-\d{2}-\d{2}/;
/** Any heading of a version, such as `## [Unreleased]`, and the addresses of versions at the end. */
const BLOCK = /^##?\s|^\[[^\]]*\]:\s/;
const GROUP = /^###\s/;
const HEADING = /^#{1,6}\s/;
const ITEM = /^\s{0,3}[-*+]\s+(?=\S)/;

/** The released versions in a file of the format Keep a Changelog. What is not released yet is left out. */
export function changelogSections(markdown: string): readonly ChangelogSection[] {
  return partsOf(markdown.split('\n'), BLOCK).flatMap(([heading = '', ...lines]) => {
    const version = VERSION.exec(heading)?.[1];
    if (version === undefined) return [];
    const date = DATE.exec(heading.slice(heading.indexOf(version) + version.length))?.[0] ?? '';
    return [{ version, date, body: lines.join('\n').trim(), changes: partsOf(lines, GROUP).flatMap(changesIn) }];
  });
}

/** The changes in the notes of one release. Its groups may be headings of any level, such as `## Added`. */
export function changesInNotes(markdown: string): readonly ArticleChange[] {
  return partsOf(markdown.split('\n'), HEADING).flatMap(changesIn);
}

/** The items of a group such as `### Added`; none if the group has another name. */
function changesIn([heading = '', ...lines]: readonly string[]): readonly ArticleChange[] {
  const name = heading.replace(HEADING, '').trim().toLowerCase();
  const type = ARTICLE_CHANGE_TYPES.find((known) => known === name);
  if (type === undefined) return [];
  return partsOf(lines, ITEM).map((item) => ({ type, text: textOf(item) }));
}

/** The first paragraph of a list item, in one line. */
function textOf([first = '', ...lines]: readonly string[]): string {
  const end = lines.findIndex((line) => !/^\s+\S/.test(line));
  return [first.replace(ITEM, ''), ...(end < 0 ? lines : lines.slice(0, end)).map((line) => line.trim())].join(' ');
}

/** The lines from each line that matches to the next one. */
function partsOf(lines: readonly string[], start: RegExp): readonly (readonly string[])[] {
  const parts: string[][] = [];
  for (const line of lines) {
    if (start.test(line)) parts.push([line]);
    else parts.at(-1)?.push(line);
  }
  return parts;
}
