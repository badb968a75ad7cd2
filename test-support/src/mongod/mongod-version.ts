import { runCommand } from './run-command.ts';

/** The version that a binary reports, such as 6.0.5. @throws Error if it does not run here, or is not a mongod */
export async function mongodVersion(binary: string): Promise<string> {
  const said = await runCommand(binary, ['--version']);
  const version = /^db version v(\S+)/mu.exec(said)?.[1];
  if (version === undefined) throw new Error(`${binary} is no mongod`);
  return version;
}
