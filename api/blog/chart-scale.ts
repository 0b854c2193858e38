/** A scale with round marks. */
export interface Scale {
  readonly from: number;
  readonly to: number;
  readonly marks: readonly number[];
}

/** A scale of about `steps` round steps that holds all values; it begins at nought if they do not lie far above. */
export function roundScale(values: readonly number[], steps: number, { fromNought = false } = {}): Scale {
  const low = Math.min(...values);
  const high = Math.max(...values);
  const start = fromNought || (low >= 0 && low < 0.4 * high) ? Math.min(0, low) : low;
  const raw = (high - start || Math.abs(high) || 1) / steps;
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = power * ([1, 2, 2.5, 5, 10].find((factor) => factor * power >= raw * 0.999) ?? 10);
  const first = Math.floor(start / step + 1e-9);
  const last = Math.max(first + 1, Math.ceil(high / step - 1e-9));
  // Multiples of 0.1 and the like are not exact.
  const marks = Array.from({ length: last - first + 1 }, (_, index) =>
    Number(((first + index) * step).toPrecision(12)),
  );
  return { from: marks[0] ?? 0, to: marks.at(-1) ?? 1, marks };
}

/** Where a value stands on a scale, in per cent of its length, to a hundredth. */
export function placeOn(scale: Scale, value: number): number {
  return Math.round(((value - scale.from) / (scale.to - scale.from)) * 10_000) / 100;
}

/** Decimals of the most exact of these numbers. */
export function decimalsOf(values: readonly number[]): number {
  return Math.max(0, ...values.map((value) => String(value).split('.')[1]?.length ?? 0));
}

/** Writes numbers with the same decimals and thousands separators: 1,204 or 62.0. */
export function numberWriter(decimals: number, { grouping = true } = {}): (value: number) => string {
  const format = new Intl.NumberFormat('en-US', {
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
    useGrouping: grouping,
  });
  return (value) => format.format(value);
}
