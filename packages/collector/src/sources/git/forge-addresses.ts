import { withoutFinalSlashes } from '@vitrine/core';

const MAX_URL = 2_048;

const PARTS = {
  github: { commit: '/commit/', tag: '/releases/tag/' },
  gitea: { commit: '/commit/', tag: '/releases/tag/' },
  gitlab: { commit: '/-/commit/', tag: '/-/tags/' },
  bitbucket: { commit: '/commits/', tag: '/src/' },
} as const;

export type ForgeStyle = keyof typeof PARTS;
const FORGE_STYLES = Object.keys(PARTS) as ForgeStyle[];

export class ForgeAddresses {
  readonly repository: string;
  readonly #parts: (typeof PARTS)[ForgeStyle];

  /** @param style without it, the host name decides; the default is the format of GitHub */
  constructor(url: string, style: ForgeStyle | null = null) {
    this.repository = withoutFinalSlashes(url).replace(/\.git$/, '');
    this.#parts = PARTS[style ?? styleOf(url)];
  }

  commit(sha: string): string {
    return this.#under(this.#parts.commit + sha);
  }

  tag(name: string): string {
    return this.#under(this.#parts.tag + name.split('/').map(encodeURIComponent).join('/'));
  }

  /** A file of a release, as GitHub and Gitea keep it; `null` if the address would be too long. */
  file(tag: string, name: string): string | null {
    const address = `${this.repository}/releases/download/${tag.split('/').map(encodeURIComponent).join('/')}/${encodeURIComponent(name)}`;
    return address.length <= MAX_URL ? address : null;
  }

  #under(part: string): string {
    const address = this.repository + part;
    return address.length <= MAX_URL ? address : this.repository;
  }
}

function styleOf(url: string): ForgeStyle {
  const host = URL.canParse(url) ? new URL(url).hostname : '';
  return FORGE_STYLES.find((style) => host.split('.').some((label) => label.includes(style))) ?? 'github';
}
