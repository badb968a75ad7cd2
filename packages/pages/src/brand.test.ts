import fc from 'fast-check';
import { brandColours, contrast, GROUNDS } from './brand.js';

const colour = fc.integer({ min: 0, max: 0xffffff }).map((value) => `#${value.toString(16).padStart(6, '0')}`);

describe('brandColours', () => {
  it('makes text in any colour readable in both themes', () => {
    fc.assert(
      fc.property(colour, (accent) => {
        const { light, dark } = brandColours(accent);
        expect(contrast(light, GROUNDS.light)).toBeGreaterThanOrEqual(4.5);
        expect(contrast(dark, GROUNDS.dark)).toBeGreaterThanOrEqual(4.5);
      }),
    );
  });

  it('leaves a colour as it is where it can be read', () => {
    expect(brandColours('#a01020').light).toBe('#a01020');
    expect(brandColours('#ffd400').dark).toBe('#ffd400');
  });

  it.each([
    ['#000000', '#ffffff', 21],
    ['#767676', '#ffffff', 4.54],
    ['#ff0000', '#00ff00', 2.91],
  ])('measures the contrast of %s and %s as WCAG does', (a, b, expected) => {
    expect(contrast(a, b)).toBeCloseTo(expected, 2);
    expect(contrast(b, a)).toBe(contrast(a, b));
  });
});
