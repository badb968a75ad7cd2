// Checks packed packages with publint and attw, and writes what each objects to. One process, because to load the compiler takes longer than to use it.
import { readFile } from 'node:fs/promises';
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';

/** What the profile "esm-only" of the command line of attw ignores. */
const IGNORED_RESOLUTIONS = ['node10', 'node16-cjs'];

async function publintProblems(data) {
  const { messages, pkg } = await publint({ pack: { tarball: data.buffer }, strict: true });
  return messages.map((message) => formatMessage(message, pkg, { color: false }) ?? message.code);
}

async function attwProblems(data) {
  const { types, problems } = await checkPackage(createPackageFromTarballData(data));
  if (types === false) return ['it has no types'];
  return problems.filter((problem) => !IGNORED_RESOLUTIONS.includes(problem.resolutionKind));
}

const found = [];
for (const file of process.argv.slice(2)) {
  const data = new Uint8Array(await readFile(file));
  found.push({ publint: await publintProblems(data), attw: await attwProblems(data) });
}
process.stdout.write(JSON.stringify(found));
