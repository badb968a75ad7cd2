import { UnavailableError } from '@vitrine/core';
import { StoreFolderError } from '../folder/store-folder-error.js';
import { CallServer, type Handlers } from './call-server.js';
import type { FromThread, StoreEvent } from './messages.js';
import { StoreThread, type Connect } from './store-thread.js';

interface Calls {
  echo(text: string): string;
  slow(text: string): string;
  fail(name: string): null;
  urgent(text: string): string;
}

const ERRORS: Readonly<Record<string, Error>> = {
  unavailable: new UnavailableError('The store is busy.'),
  folder: new StoreFolderError('unwritable', 'FOLDER', 'The disk is full.'),
  range: new RangeError('out of range'),
};

const context = { signal: new AbortController().signal };

/** A thread whose slow calls wait until `goOn` is called, and which can be lost. */
function started() {
  const ran: string[] = [];
  const events: StoreEvent[] = [];
  const waiting: (() => void)[] = [];
  const lost: ((error: unknown) => void)[] = [];
  let isHeld = false;
  const handlers: Handlers<Calls> = {
    echo: (text) => {
      ran.push(text);
      return text;
    },
    slow: async (text) => {
      ran.push(text);
      await new Promise<void>((done) => waiting.push(done));
      return text;
    },
    urgent: (text) => {
      ran.push(text);
      return text;
    },
    fail: (name) => {
      throw ERRORS[name] ?? new Error('unknown');
    },
  };
  const connect: Connect = (onMessage, onLost) => {
    lost.push(onLost);
    let onEnded: () => void = () => undefined;
    const ended = new Promise<void>((done) => (onEnded = done));
    const post = (message: FromThread): void => {
      onMessage(structuredClone(message));
    };
    const server = new CallServer(handlers, post, onEnded, ['urgent']);
    return {
      post: (message) => {
        setImmediate(() => {
          server.receive(structuredClone(message));
        });
      },
      hold: (isNeeded) => (isHeld = isNeeded),
      end: () => {
        server.receive({ end: true });
        return ended;
      },
    };
  };
  const thread = new StoreThread<Calls>(connect, (event) => events.push(event));
  const goOn = async (): Promise<void> => {
    while (waiting.length === 0) await new Promise(setImmediate);
    waiting.shift()?.();
  };
  return { thread, ran, lost, goOn, isHeld: () => isHeld };
}

describe('calls of a thread', () => {
  it('run one after the other, in the order in which they were made', async () => {
    const { thread, ran, goOn } = started();
    const calls = [thread.call('slow', '1', context), thread.call('echo', '2', context), thread.call('slow', '3', context)];
    await goOn();
    expect(ran).toEqual(['1']);
    await goOn();
    expect(await Promise.all(calls)).toEqual(['1', '2', '3']);
    expect(ran).toEqual(['1', '2', '3']);
  });

  it('that are urgent wait neither for a call that runs nor for those before them', async () => {
    const { thread, ran, goOn } = started();
    const searches = [thread.call('slow', '1', context), thread.call('slow', '2', context)];
    expect(await thread.call('urgent', '!', context)).toBe('!');
    expect(ran).toEqual(['1', '!']);
    const closed = thread.close();
    await goOn();
    await goOn();
    expect(await Promise.all(searches)).toEqual(['1', '2']);
    await closed;
  });

  it('reject at once with the reason of their signal, and do not start afterwards', async () => {
    const { thread, ran, goOn } = started();
    const controller = new AbortController();
    const reason = new Error('the caller has gone');
    const first = thread.call('slow', 'runs', { signal: controller.signal });
    const second = thread.call('echo', 'waits', { signal: controller.signal });
    controller.abort(reason);
    await expect(first).rejects.toBe(reason);
    await expect(second).rejects.toBe(reason);
    await expect(thread.call('echo', 'late', { signal: controller.signal })).rejects.toBe(reason);
    const next = thread.call('echo', 'next', context);
    await goOn();
    await next;
    expect(ran).toEqual(['runs', 'next']);
  });

  it.each(Object.entries(ERRORS))('reject with an error of the class that was thrown: %s', async (name, thrown) => {
    const error: unknown = await started()
      .thread.call('fail', name, context)
      .catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(name === 'range' ? Error : thrown.constructor);
    expect(String(error)).toBe(String(thrown));
    expect({ ...(error as Error) }).toMatchObject({ ...thrown });
  });

  it('reject if the thread has ended, and the next call starts another one', async () => {
    const { thread, lost } = started();
    const call = thread.call('slow', '1', context);
    lost[0]?.(new Error('out of memory'));
    await expect(call).rejects.toThrow(UnavailableError);
    expect(await thread.call('echo', '2', context)).toBe('2');
    expect(lost).toHaveLength(2);
  });

  it('keep the process alive only while they run, and end before the thread is closed', async () => {
    const { thread, goOn, isHeld } = started();
    await thread.call('echo', '1', context);
    expect(isHeld()).toBe(false);
    const call = thread.call('slow', '2', context);
    expect(isHeld()).toBe(true);
    const closed = thread.close();
    await goOn();
    expect(await call).toBe('2');
    await closed;
    await expect(thread.call('echo', '3', context)).rejects.toThrow('The store is closed.');
  });
});
