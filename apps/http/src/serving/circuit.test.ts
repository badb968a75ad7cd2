import { MINUTE, SECOND } from '@vitrine/core';
import { NOW, StandingClock } from '@vitrine/core/testing';
import { Circuit, type CallOutcome } from './store-guard.js';

function started() {
  const clock = new StandingClock(NOW);
  const changes: boolean[] = [];
  const circuit = new Circuit(clock, (isOpen) => changes.push(isOpen));
  /** Makes one call with the given outcome. Returns whether it was admitted. */
  const call = (outcome: CallOutcome, at = clock.now()): boolean => {
    clock.set(at);
    const era = circuit.admit();
    if (era !== null) circuit.ended(era, outcome);
    return era !== null;
  };
  return { clock, circuit, call, changes };
}

const opened = () => {
  const all = started();
  for (let times = 0; times < 3; times++) all.call('timed-out');
  return all;
};

describe('a circuit', () => {
  it('opens at the third time-out within ten seconds, and for no other outcome', () => {
    const { call, changes } = started();
    for (let times = 0; times < 20; times++) for (const outcome of ['answered', 'failed', 'left'] as const) expect(call(outcome)).toBe(true);
    expect([call('timed-out', NOW), call('timed-out', NOW + SECOND), call('timed-out', NOW + 10 * SECOND)]).toEqual([true, true, true]);
    expect(changes).toEqual([]);
    call('timed-out', NOW + 11 * SECOND - 1);
    expect([call('answered'), changes]).toEqual([false, [true]]);
  });

  it('admits a single call after a second, and closes if it succeeds', () => {
    const { clock, circuit, call, changes } = opened();
    expect([call('answered', NOW + SECOND - 1), circuit.isOpen]).toEqual([false, true]);
    clock.set(NOW + SECOND);
    const trial = circuit.admit();
    expect([trial === null, call('answered'), call('answered', NOW + MINUTE)]).toEqual([false, false, false]);
    circuit.ended(trial ?? -1, 'answered');
    expect([call('answered'), circuit.isOpen, changes]).toEqual([true, false, [true, false]]);
  });

  it.each(['timed-out', 'failed'] as const)('stays open for another second when the trial has %s', (outcome) => {
    const { call, changes } = opened();
    expect(call(outcome, NOW + SECOND)).toBe(true);
    expect([call('answered', NOW + 2 * SECOND - 1), call('answered', NOW + 2 * SECOND), call('answered')]).toEqual([false, true, true]);
    expect(changes).toEqual([true, false]);
  });

  it('admits another trial call if the client of the first one has disconnected', () => {
    const { call } = opened();
    expect([call('left', NOW + SECOND), call('answered'), call('answered')]).toEqual([true, true, true]);
  });

  it('ignores the outcome of calls that started before it opened', () => {
    const { circuit, call } = started();
    const before = [circuit.admit(), circuit.admit(), circuit.admit()];
    for (let times = 0; times < 3; times++) call('timed-out');
    call('answered', NOW + SECOND);
    for (const era of before) circuit.ended(era ?? -1, 'timed-out');
    expect(call('answered')).toBe(true);
  });

  it('does not stay open if the clock was set back', () => {
    expect(opened().call('answered', NOW - MINUTE)).toBe(true);
  });

  it('reports a failure until the next success, and for a minute at most', () => {
    const { clock, circuit, call } = started();
    call('failed');
    expect(circuit.isFailing).toBe(true);
    call('left');
    clock.set(NOW + MINUTE - 1);
    expect(circuit.isFailing).toBe(true);
    clock.set(NOW + MINUTE);
    expect(circuit.isFailing).toBe(false);
    call('failed');
    call('answered');
    expect(circuit.isFailing).toBe(false);
  });
});
