/** A module to import before a program: prints, when the process exits, how many modules of the driver of MongoDB it has loaded. */
export const COUNTING = `data:text/javascript,
  import { createRequire } from 'node:module';
  const { cache } = createRequire('file:///');
  process.on('exit', () => process._rawDebug(Object.keys(cache).filter((path) => path.includes('mongodb')).length));`;
