import { z } from 'zod';

/** Parses a value with another schema, and adds that schema's problems to this one. */
export function parsed<Schema extends z.ZodType>(schema: Schema, value: unknown, context: z.core.$RefinementCtx): z.output<Schema> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  for (const { message, path, ...issue } of result.error.issues) {
    const place = { message, path: [...path] };
    context.issues.push(
      issue.code === 'unrecognized_keys' ? { code: issue.code, keys: issue.keys, input: {}, ...place } : { code: 'custom', input: value, ...place },
    );
  }
  return z.NEVER;
}
