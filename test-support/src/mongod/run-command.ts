import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const LONGEST_MS = 5 * 60_000;

/**
 * The output of a program. @throws Error if it does not exist or fails; the message ends with its last output
 */
export async function runCommand(program: string, args: readonly string[]): Promise<string> {
  try {
    return (await promisify(execFile)(program, [...args], { timeout: LONGEST_MS })).stdout;
  } catch (error) {
    const said = error instanceof Error && 'stderr' in error ? String(error.stderr).trim().split('\n').at(-1) : undefined;
    throw new Error(`${program} failed: ${said === undefined || said === '' ? String(error) : said}`, { cause: error });
  }
}
