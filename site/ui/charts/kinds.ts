/** The kinds of charts of a result; a report starts with the first. */
export const chartKinds = ['pie', 'bar'] as const;
export type ChartKind = (typeof chartKinds)[number];
