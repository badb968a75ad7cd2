/** The contrast that WCAG 2 asks for between text and its background. */
const ENOUGH = 4.5;
/** The backgrounds of pages in both themes, as in the style sheet. */
export const GROUNDS = { light: '#ffffff', dark: '#0c0e12' } as const;

/** The colour of a team for both themes: darkened or lightened only as far as text in it, or on it, needs. @param accent `#rrggbb` */
export function brandColours(accent: string): Readonly<Record<keyof typeof GROUNDS, string>> {
  return { light: readable(accent, '#000000', GROUNDS.light), dark: readable(accent, '#ffffff', GROUNDS.dark) };
}

function readable(colour: string, towards: string, ground: string): string {
  for (let share = 0; share < 1; share += 0.02) {
    const mixed = mix(colour, towards, share);
    if (contrast(mixed, ground) >= ENOUGH) return mixed;
  }
  return towards;
}

function channels(colour: string): readonly number[] {
  return [1, 3, 5].map((place) => Number.parseInt(colour.slice(place, place + 2), 16));
}

function mix(colour: string, other: string, share: number): string {
  const others = channels(other);
  const mixed = channels(colour).map((value, index) => Math.round(value + ((others[index] ?? value) - value) * share));
  return `#${mixed.map((value) => value.toString(16).padStart(2, '0')).join('')}`;
}

/** Between 1 and 21, by the relative luminance of WCAG 2. */
export function contrast(a: string, b: string): number {
  const [darker = 0, lighter = 0] = [luminance(a), luminance(b)].sort((one, other) => one - other);
  return (lighter + 0.05) / (darker + 0.05);
}

function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = channels(colour).map((value) => {
    const share = value / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
