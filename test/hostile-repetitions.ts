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

/** Long texts, each a repetition of one piece, with what makes it interesting behind it. */
export function hostileRepetitions(length: number): readonly { readonly piece: string; readonly text: string }[] {
  return HOSTILE_PIECES.map((piece) => ({ piece, text: `${piece.repeat(Math.floor(length / piece.length))} a@b.cc` }));
}

/** The shortest of three runs, in milliseconds: another process may hold one of them up. Ends with the first that is below the limit. */
export function shortestMs(limitMs: number, run: () => void): number {
  let shortest = Infinity;
  for (let left = 3; left > 0 && shortest >= limitMs; left--) {
    const start = performance.now();
    run();
    shortest = Math.min(shortest, performance.now() - start);
  }
  return shortest;
}
