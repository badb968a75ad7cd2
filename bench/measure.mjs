/** The value below which a share of the samples lies. */
export function percentile(samples, share) {
  const sorted = Float64Array.from(samples).sort();
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN;
}

/** Milliseconds of each of `count` calls, one after another, after a tenth of them as warm-up. */
export async function timeEach(count, call) {
  for (let index = 0; index < count / 10; index++) await call(index);
  const samples = [];
  for (let index = 0; index < count; index++) {
    const start = performance.now();
    await call(index);
    samples.push(performance.now() - start);
  }
  return samples;
}

/** A row of the table of figures. `reach` is the bound, `holds` whether the value keeps it. */
function row(what, value, unit, reach, holds) {
  return { what, value, unit, reach, holds };
}

export function atMost(what, value, unit, bound) {
  return row(what, value, unit, `at most ${bound} ${unit}`.trim(), value <= bound);
}

export function atLeast(what, value, unit, bound) {
  return row(what, value, unit, `at least ${bound} ${unit}`.trim(), value >= bound);
}
