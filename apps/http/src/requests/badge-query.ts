import { ClosedSet } from './parameters.js';
import { Query } from './query.js';

const DEFAULT_STYLE = 'flat';
const STYLES = [DEFAULT_STYLE, 'flat-square', 'plastic', 'for-the-badge'] as const;

export class BadgeQuery extends Query {
  @ClosedSet('How the badge looks.', STYLES, DEFAULT_STYLE) readonly style?: string;

  badgeStyle(): (typeof STYLES)[number] {
    return STYLES.find((style) => style === this.style) ?? DEFAULT_STYLE;
  }

  override filters(): object {
    return {};
  }
}
