import { readConfig } from '@vitrine/config';
import type { CommandContext } from '../command-context.js';
import { counted } from '../counted.js';
import { EXIT, type ExitCode } from '../exit-codes.js';
import { requireFolder } from '../usage-error.js';
import { checkedStore } from '../with-store.js';

/** Reads all stored records, prints their number, and names damaged ones. */
export async function checkStore(context: CommandContext): Promise<ExitCode> {
  const { env, print, progress } = context;
  const config = await readConfig(env);
  requireFolder(config);
  const { store, file } = config;
  progress.show('reading everything that is stored');
  const { rows, damages } = await checkedStore(config, context);
  for (const [name, count] of rows) print(`${name}: ${String(count)}`);
  for (const { kind, id, reason } of damages) print(`damaged: ${kind} ${id}: ${reason}`);
  const place = store.kind === 'mongodb' ? `the database at ${store.hosts}` : (store.path ?? file);
  print(
    `${place}: ${damages.length === 0 ? 'nothing is damaged' : `${counted(damages.length, 'problem')}. To get back what is damaged, collect again, or restore a backup.`}`,
  );
  return damages.length === 0 ? EXIT.fine : EXIT.partly;
}
