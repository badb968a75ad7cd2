import { resolve } from 'node:path';
import { build } from 'esbuild';

/** Makes one file of a program beside this one, so that plain Node can run it. */
export async function bundleProcess(name: string, script: string): Promise<void> {
  const level = require.resolve('classic-level');
  await build({
    entryPoints: [resolve(__dirname, `${name}.ts`)],
    outfile: script,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    conditions: ['@vitrine/source'],
    alias: { 'classic-level': level },
    external: [level],
  });
}
