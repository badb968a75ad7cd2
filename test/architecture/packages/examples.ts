import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { transformSync } from '@swc/core';
import { root } from '../planted-tree.js';

/** A piece of code in a document. */
export interface Example {
  /** Document and line. */
  readonly place: string;
  readonly code: string;
}

/** The TypeScript examples of a document, in their order. */
export function examplesIn(document: string): readonly Example[] {
  const text = readFileSync(join(root, document), 'utf8');
  return [...text.matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map(({ 1: code = '', index }) => ({
    place: `${document}:${String(text.slice(0, index).split('\n').length)}`,
    code,
  }));
}

/** A program that imports every entry of the packages in these folders, so that the compiler reads all their types. */
export function entriesOf(folders: readonly string[]): Example {
  const specifiers = folders.flatMap((folder) => {
    const { name, exports } = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')) as { name: string; exports: object };
    return Object.keys(exports).flatMap((entry) => (entry.includes('*') ? [] : [`${name}${entry.slice(1)}`]));
  });
  const code = specifiers.map((specifier, index) => `import * as entry${String(index)} from '${specifier}';\n`);
  return { place: 'entries', code: `${code.join('')}console.log(${specifiers.map((_, index) => `entry${String(index)}`).join(', ')});\n` };
}

/** What an example logs, by the comments behind its calls. */
export function expectedLog({ code }: Example): readonly string[] {
  return [...code.matchAll(/console\.log\(.*; \/\/ (.*)$/gm)].map(([, text = '']) => text);
}

/** The same code for a CommonJS file, in which only a function can wait: imports first, and everything else in `main`. */
export function asCommonJs({ code }: Example): string {
  const imports = [...code.matchAll(/^import [\s\S]*?;$/gm)].map(([statement]) => statement);
  const rest = code.replace(/^import [\s\S]*?;$/gm, '').replace(/^export (?=const|class|async|function)/gm, '');
  return `${imports.join('\n')}\nexport async function main(): Promise<void> {\n${rest}}\n`;
}

export function asJavaScript(code: string, type: 'es6' | 'commonjs'): string {
  return transformSync(code, { jsc: { target: 'es2023', parser: { syntax: 'typescript' } }, module: { type } }).code;
}
