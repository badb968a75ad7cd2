import { EventEmitter } from 'node:events';
import { MessageChannel } from 'node:worker_threads';
import { type ReadContext, UnavailableError } from '@vitrine/core';
import { serveCalls, StoreThread, type Channel } from './store-thread.js';

const ERRORS: Readonly<Record<string, Error>> = {
  unavailable: new UnavailableError('The store is busy.'),
  range: new RangeError('out of range'),
  full: Object.assign(new Error('database or disk is full'), { code: 'SQLITE_FULL' }),
};

const context = { signal: new AbortController().signal };

/** A thread whose slow calls wait until `goOn` is called, and which can be lost. */
function started() {
  const ran: string[] = [];
  const waiting: (() => void)[] = [];
  const lost: (() => void)[] = [];
  let isHeld = false;
  const runs = (text: string, _: ReadContext): string => {
    ran.push(text);
    return text;
  };
  const calls = {
    echo: runs,
    urgent: runs,
    slow: async (text: string, _: ReadContext): Promise<string> => {
      ran.push(text);
      await new Promise<void>((done) => waiting.push(done));
      return text;
    },
    fail: (name: string, _: ReadContext): null => {
      throw ERRORS[name] ?? new Error('unknown');
    },
  };
  const start = (): Channel => {
    const { port1, port2 } = new MessageChannel();
    serveCalls(port2, calls, ['urgent'], () => undefined);
    port2.unref();
    lost.push(() => {
      port2.close();
    });
    const held = (isNeeded: boolean) => (): void => {
      isHeld = isNeeded;
    };
    return {
      postMessage: (message) => {
        port1.postMessage(message);
      },
      on: (event, listener) => {
        port1.on(event, listener).unref();
      },
      ref: held(true),
      unref: held(false),
    };
  };
  const thread = new StoreThread<typeof calls>(start, () => undefined);
  const goOn = async (): Promise<void> => {
    while (waiting.length === 0) await new Promise(setImmediate);
    waiting.shift()?.();
  };
  return { thread, ran, lost, goOn, isHeld: () => isHeld };
}

/** A thread that does nothing by itself: the test emits what comes from it. */
function faked() {
  const listeners = new EventEmitter();
  const sent: { readonly call: number; readonly args: readonly unknown[] }[] = [];
  const channel: Channel = {
    postMessage: (message) => {
      if ('call' in message) sent.push(message);
    },
    on: (event, listener) => listeners.on(event, listener),
    ref: () => undefined,
    unref: () => undefined,
  };
  const thread = new StoreThread<{ readonly echo: (text: string, context: ReadContext) => string }>(
    () => channel,
    () => undefined,
  );
  return { thread, sent, emit: (event: string, value: unknown) => listeners.emit(event, value) };
}

describe('calls of a thread', () => {
  it('run one after the other, in the order in which they were made', async () => {
    const { thread, ran, goOn } = started();
    const calls = [thread.call('slow', ['1'], context), thread.call('echo', ['2'], context), thread.call('slow', ['3'], context)];
    await goOn();
    expect(ran).toEqual(['1']);
    await goOn();
    expect(await Promise.all(calls)).toEqual(['1', '2', '3']);
    expect(ran).toEqual(['1', '2', '3']);
  });

  it('that are urgent wait neither for a call that runs nor for those before them', async () => {
    const { thread, ran, goOn } = started();
    const searches = [thread.call('slow', ['1'], context), thread.call('slow', ['2'], context)];
    expect(await thread.call('urgent', ['!'], context)).toBe('!');
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
    const first = thread.call('slow', ['runs'], { signal: controller.signal });
    const second = thread.call('echo', ['waits'], { signal: controller.signal });
    controller.abort(reason);
    await expect(first).rejects.toBe(reason);
    await expect(second).rejects.toBe(reason);
    await expect(thread.call('echo', ['late'], { signal: controller.signal })).rejects.toBe(reason);
    const next = thread.call('echo', ['next'], context);
    await goOn();
    await next;
    expect(ran).toEqual(['runs', 'next']);
  });

  it.each(Object.entries(ERRORS))('reject with an error of the class and with the code that was thrown: %s', async (name, thrown) => {
    const error: unknown = await started()
      .thread.call('fail', [name], context)
      .catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(name === 'range' ? Error : thrown.constructor);
    expect([(error as Error).message, { ...(error as Error) }]).toEqual([thrown.message, { ...thrown }]);
  });

  it('reject if the thread has ended, and the next call starts another one', async () => {
    const { thread, lost } = started();
    const call = thread.call('slow', ['1'], context);
    lost[0]?.();
    await expect(call).rejects.toThrow(UnavailableError);
    expect(await thread.call('echo', ['2'], context)).toBe('2');
    expect(lost).toHaveLength(2);
  });

  it('whose results arrive together are answered in different turns of the event loop', async () => {
    const { thread, sent, emit } = faked();
    const passed: string[] = [];
    const calls = ['1', '2', '3'].map(async (text) => passed.push(await thread.call('echo', [text], context)));
    for (const { call, args } of sent) emit('message', { call, result: args[0] });
    const turns: number[] = [];
    for (let turn = 0; turn < 3; turn++) {
      await new Promise(setImmediate);
      turns.push(passed.length);
    }
    await Promise.all(calls);
    expect(turns).toEqual([1, 2, 3]);
    expect(passed).toEqual(['1', '2', '3']);
  });

  it('reject with the reason for which the thread has ended', async () => {
    const { thread, emit } = faked();
    const calls = ['1', '2'].map((text) => thread.call('echo', [text], context).catch((error: unknown) => error));
    const cause = new Error('out of memory');
    emit('error', cause);
    emit('exit', 1);
    for (const error of await Promise.all(calls)) {
      expect(error).toBeInstanceOf(UnavailableError);
      expect((error as Error).cause).toBe(cause);
    }
  });

  it('keep the process alive only while they run, and end before the thread is closed', async () => {
    const { thread, goOn, isHeld } = started();
    await thread.call('echo', ['1'], context);
    expect(isHeld()).toBe(false);
    const call = thread.call('slow', ['2'], context);
    expect(isHeld()).toBe(true);
    const closed = thread.close();
    await goOn();
    expect(await call).toBe('2');
    await closed;
    await expect(thread.call('echo', ['3'], context)).rejects.toThrow('The store is closed.');
  });
});
