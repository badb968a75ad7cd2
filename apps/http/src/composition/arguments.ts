import { VERSION } from '../openapi/document.js';
import { unusable } from './start-error.js';

export interface Arguments {
  readonly isDemo: boolean;
  readonly collects: boolean;
}

const OPTIONS: Readonly<Record<string, string>> = {
  '--demo': 'serve demo data (in temporary files) and ignore the configuration',
  '--no-collect': 'serve only: run no source',
  '--version': 'show the version',
  '--help': 'show this text',
};

/** The help or the version, if the arguments request it; `null` if the server is to start. */
export function informationFor(args: readonly string[]): string | null {
  if (args.some((argument) => argument === '--help' || argument === '-h')) return help();
  return args.some((argument) => argument === '--version' || argument === '-V') ? VERSION : null;
}

/** Throws a `StartError` at an argument that is not known. */
export function readArguments(args: readonly string[]): Arguments {
  const unknown = args.find((argument) => !Object.hasOwn(OPTIONS, argument));
  if (unknown !== undefined) throw unusable(`${unknown} is not an argument of the server. Use ${Object.keys(OPTIONS).join(', ')}.`);
  const isDemo = args.includes('--demo');
  return { isDemo, collects: !isDemo && !args.includes('--no-collect') };
}

function help(): string {
  const width = Math.max(...Object.keys(OPTIONS).map((name) => name.length));
  return [
    'Usage: npm start -- [options]',
    '',
    'Serves the pages and the API of Vitrine, and collects their records. The configuration is vitrine.yaml, or the file that VITRINE_CONFIG names.',
    '',
    'Options:',
    ...Object.entries(OPTIONS).map(([name, description]) => `  ${name.padEnd(width)}  ${description}`),
    '',
    'To import, export or check, see: npm run vitrine -- --help',
  ].join('\n');
}
