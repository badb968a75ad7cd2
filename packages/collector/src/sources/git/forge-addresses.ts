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
    return this.#below(this.#parts.commit + sha) ?? this.repository;
  }

  tag(name: string): string {
    return this.#below(this.#parts.tag + encodedPath(name)) ?? this.repository;
  }

  /** A file of a release, as GitHub and Gitea keep it; `null` if the address would be too long. */
  file(tag: string, name: string): string | null {
    return this.#below(`/releases/download/${encodedPath(tag)}/${encodeURIComponent(name)}`);
  }

  #below(path: string): string | null {
    const address = this.repository + path;
    return address.length <= MAX_URL ? address : null;
  }
}

function encodedPath(name: string): string {
  return name.split('/').map(encodeURIComponent).join('/');
}

function styleOf(url: string): ForgeStyle {
  const host = URL.canParse(url) ? new URL(url).hostname : '';
  return FORGE_STYLES.find((style) => host.split('.').some((label) => label.includes(style))) ?? 'github';
}
