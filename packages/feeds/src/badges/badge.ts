import { plainLine } from '../feeds/plain-text.js';
import { libraries } from '../libraries.js';

/** How a badge may look. */
export const BADGE_STYLES = ['flat', 'flat-square', 'plastic', 'for-the-badge'] as const;
export type BadgeStyle = (typeof BADGE_STYLES)[number];

/** Colours by their names at shields.io. */
type BadgeColor = 'brightgreen' | 'yellow' | 'red' | 'blue' | 'lightgrey';

/** What a badge says. Its label is one of a few fixed texts. */
export interface Badge {
  readonly label: string;
  readonly message: string;
  readonly color: BadgeColor;
}

/** Longer messages, such as long tags, are cut: a badge is as wide as its text. */
const MAX_MESSAGE = 40;

export const UNKNOWN = 'unknown';

/** A badge without a value: grey, and never a number. */
export function unknownBadge(label: string): Badge {
  return { label, message: UNKNOWN, color: 'lightgrey' };
}

/** A badge as an SVG image. Its title, for screen readers, is `label: message`. */
export function badgeSvg({ label, message, color }: Badge, style: BadgeStyle = 'flat'): string {
  return libraries.badges.makeBadge({ label, message: shortened(message), color, style });
}

/** A badge as JSON for the endpoint badge of shields.io (its schema version 1). */
export function badgeJson({ label, message, color }: Badge, style: BadgeStyle = 'flat'): string {
  return JSON.stringify({ schemaVersion: 1, label, message: shortened(message), color, style });
}

function shortened(message: string): string {
  const characters = [...plainLine(message, UNKNOWN)];
  return characters.length <= MAX_MESSAGE ? characters.join('') : `${characters.slice(0, MAX_MESSAGE - 1).join('')}…`;
}
