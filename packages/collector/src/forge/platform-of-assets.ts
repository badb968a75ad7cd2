/** The words that name a platform in file names of releases. A word counts only if no letter is next to it. */
const PLATFORMS: readonly (readonly [platform: string, words: RegExp])[] = [
  ['windows', /(?<![a-z])(?:windows|win(?:32|64)?|msvc|mingw)(?![a-z])|\.(?:exe|msi|msix)$/i],
  ['macos', /(?<![a-z])(?:macos|mac|darwin|osx|apple)(?![a-z])|\.(?:dmg|pkg)$/i],
  ['linux', /(?<![a-z])(?:linux|ubuntu|debian|musl)(?![a-z])|\.(?:deb|rpm|appimage|snap|flatpak)$/i],
  ['android', /(?<![a-z])android(?![a-z])|\.(?:apk|aab)$/i],
  ['ios', /(?<![a-z])(?:ios|iphone)(?![a-z])|\.ipa$/i],
];

/** Of a longer name, only the end is read. */
const LONGEST = 255;

/** The platform of a release, from the names of its files; `null` if they name none, or several. */
export function platformOfAssets(names: readonly string[]): string | null {
  const found = new Set(names.flatMap((name) => platformOf(name.slice(-LONGEST)) ?? []));
  const [platform = null] = found;
  return found.size === 1 ? platform : null;
}

function platformOf(name: string): string | null {
  return PLATFORMS.find(([, words]) => words.test(name))?.[0] ?? null;
}
