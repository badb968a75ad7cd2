/** Pieces of text that a rule for e-mail addresses looks at closely. Repeated, they are made to be slow. */
const HOSTILE_PIECES = [
  '%25',
  '%25@',
  '%2525',
  '%25%32%35',
  '%41',
  '%C3%25',
  '%C3%A9',
  '%E2%82',
  '%',
  '%4',
  '&amp;',
  '&#65;',
  '&#',
  '&shy;',
  '&nosuch;',
  '\\@',
  '\\',
  '\u00ad',
  '\u6f22',
  '\ufb01',
  '\uff05',
  '\ud83d\ude80',
  'a@',
  'a@b.',
  'a@b.cc ',
  'a@b.cc<',
  '<a@',
  '<b>@</b>',
  '<b',
  '<!--',
  '**@**',
  '*',
  '`a`@`b`.',
  '{a,b}@',
  '"a"@',
  'mailto:a@b,',
  'mailto:',
];

/** Long texts, each a repetition of one piece, with what makes it interesting behind it. A normal run takes every ninth. */
export function hostileRepetitions(length: number): readonly { readonly piece: string; readonly text: string }[] {
  const nth = process.env['VITRINE_TORTURE'] === '1' ? 1 : 9;
  return HOSTILE_PIECES.filter((_, index) => index % nth === 0).map((piece) => ({
    piece,
    text: `${piece.repeat(Math.floor(length / piece.length))} a@b.cc`,
  }));
}

/** What takes seconds or minutes when a rule is not linear. In milliseconds; a tenth to a third of it is usual. */
export const AT_ONCE_MS = 2_000;

/**
 * The time that the processor works for a call, in milliseconds. Unlike the time on the clock, it does not grow when other processes share the
 * machine. The shorter of two calls counts when the first was slow, because it may have been compiled or collected garbage.
 */
export function processorMs(call: () => void): number {
  const first = measured(call);
  return first < AT_ONCE_MS ? first : Math.min(first, measured(call));
}

function measured(call: () => void): number {
  const start = process.cpuUsage();
  call();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1_000;
}
