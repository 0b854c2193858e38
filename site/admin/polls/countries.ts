import type { CountryShare } from '#api/polls/polls.contract.ts';

/** Countries as lines of a text: “Norway 12.5”. */
export const linesOf = (countries: readonly CountryShare[]): string =>
  countries.map(({ name, percentage }) => `${name} ${percentage}`).join('\n');

/** The lines of the countries: as typed, if they are those. */
export const linesAs = (typed: string, countries: readonly CountryShare[]): string =>
  linesOf(countriesOf(typed).countries) === linesOf(countries) ? typed : linesOf(countries);

/** The countries in the lines of a text, and the number of the first line that has none; blank lines are skipped. */
export function countriesOf(text: string): {
  readonly countries: readonly CountryShare[];
  readonly wrong: number | null;
} {
  const countries: CountryShare[] = [];
  let wrong: number | null = null;
  for (const [index, line] of text.split('\n').entries()) {
    const [, name, figure] = /^\s*(.*\S)[\s:,]+(\d+(?:\.\d+)?)\s*%?\s*$/.exec(line) ?? [];
    const percentage = Number(figure);
    if (name !== undefined && percentage <= 100) countries.push({ name: name.replace(/[\s:,]+$/, ''), percentage });
    else if (line.trim() !== '') wrong ??= index + 1;
  }
  return { countries, wrong };
}
