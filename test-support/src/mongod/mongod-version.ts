import { runCommand } from './run-command.ts';

/** What a binary says of itself, such as 6.0.5. @throws Error when it does not run here, or is no mongod */
export async function mongodVersion(binary: string): Promise<string> {
  const said = await runCommand(binary, ['--version']);
  const version = /^db version v(\S+)/mu.exec(said)?.[1];
  if (version === undefined) throw new Error(`${binary} is no mongod`);
  return version;
}
