import { fork, type ChildProcess } from 'node:child_process';
import { once, type EventEmitter } from 'node:events';

/** A child process and the one message that it has sent. */
export interface Child<Message> {
  readonly message: Message;
  readonly pid: number;
  /** Kills the process if it still runs. */
  readonly stop: () => void;
}

/**
 * Starts a module of this folder in its own process, so that it has its own memory and its own compiled code.
 * @throws Error if the process exits before it has sent a message
 */
export async function startChild<Message>(module: string, args: readonly string[]): Promise<Child<Message>> {
  // Only the table of figures goes to the standard output.
  const child = fork(new URL(module, import.meta.url), [...args], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  const message = await Promise.race([messageOf(child), endOf(child, module)]);
  // Both processes run the same build, so the type is correct.
  return { message: message as Message, pid: Number(child.pid), stop: () => child.kill('SIGKILL') };
}

/** The arguments of the next event with this name. */
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

/** Sends the one message to the process that called `startChild`. This process then exits, unless it has other work. */
export function answerParent(message: unknown, { stays = false } = {}): void {
  if (process.send === undefined) throw new Error('This module is started by a benchmark. Run "npm run bench".');
  process.send(message, () => {
    if (stays) process.once('disconnect', () => process.exit());
    else process.disconnect();
  });
}
