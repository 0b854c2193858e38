import { expect, test } from 'vitest';
import { countriesOf, linesOf } from './countries.ts';

test('countries are read from lines with a name and a percentage, however they are separated', () => {
  const countries = [
    { name: 'Norway', percentage: 12.5 },
    { name: 'Côte d’Ivoire', percentage: 3 },
    { name: 'Korea, South', percentage: 0 },
  ];
  expect(countriesOf('Norway 12.5\n\n  Côte d’Ivoire: 3 %\nKorea, South, 0%')).toEqual({ countries, wrong: null });
  expect(countriesOf(linesOf(countries))).toEqual({ countries, wrong: null });
  expect(countriesOf('')).toEqual({ countries: [], wrong: null });
});

test('a line without a name or with an impossible percentage is named, and the other lines are read', () => {
  for (const line of ['Norway', '12.5', 'Norway 101', 'Norway -3', 'Norway twelve'])
    expect([line, countriesOf(`Sweden 4\n${line}\nDenmark 5`).wrong]).toEqual([line, 2]);
  expect(countriesOf('Norway\nDenmark 5').countries).toEqual([{ name: 'Denmark', percentage: 5 }]);
});
