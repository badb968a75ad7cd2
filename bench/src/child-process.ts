import { fork, type ChildProcess } from 'node:child_process';
import { once, type EventEmitter } from 'node:events';

/** A process of this folder that has sent its one message. */
export interface Child<Message> {
  readonly message: Message;
  /** Ends it, if it has not ended by itself. */
  readonly stop: () => void;
}

/**
 * Starts a module of this folder in a process of its own, so that its memory and its compiled code are its own.
 * @throws Error when the process ends before it has sent a message
 */
export async function startChild<Message>(module: string, args: readonly string[]): Promise<Child<Message>> {
  const child = fork(new URL(module, import.meta.url), [...args]);
  const message = await Promise.race([messageOf(child), endOf(child, module)]);
  // Both ends are of the same build.
  return { message: message as Message, stop: () => child.kill('SIGKILL') };
}

/** What the next event of a name brings. */
export async function eventOf(emitter: EventEmitter, name: string): Promise<readonly unknown[]> {
  return (await once(emitter, name)) as readonly unknown[];
}

async function messageOf(child: ChildProcess): Promise<unknown> {
  return (await eventOf(child, 'message'))[0];
}

async function endOf(child: ChildProcess, module: string): Promise<never> {
  const [code, signal] = await eventOf(child, 'exit');
  throw new Error(`${module} ended before it sent a message: ${String(signal ?? code)}`);
}

/** Sends the one message of a process that `startChild` started. It then ends, unless it waits for something else. */
export function answerParent(message: unknown, { stays = false } = {}): void {
  if (process.send === undefined) throw new Error('This module is started by a benchmark. Run "npm run bench".');
  process.send(message, () => {
    if (stays) process.once('disconnect', () => process.exit());
    else process.disconnect();
  });
}
