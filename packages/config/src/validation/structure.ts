import { z } from 'zod';
import { wrong } from './leaf.js';

/** The schema of an object that rejects unknown keys. */
export function object<Shape extends z.core.$ZodShape>(what: string, shape: Shape) {
  const known = Object.keys(shape).join(' ');
  // The message of an unknown key is the list of known keys. `problemsOf` uses it to suggest the nearest one.
  return z.strictObject(shape, {
    error: (issue) => (issue.code === 'unrecognized_keys' ? known : `${wrong(issue.input, 'is not an object')}; write ${what}`),
  });
}

/** The schema of a list of at least `least` and at most `most` items. */
export function list<Item extends z.core.SomeType>(what: string, item: Item, most: number, least = 0) {
  const error = (reason: string) => ({ error: `${reason}; write ${what}` });
  return z
    .array(item, { error: (issue) => `${wrong(issue.input, 'is not a list')}; write ${what}` })
    .min(least, error('is empty'))
    .max(most, error(`has more than ${String(most)} entries`));
}
