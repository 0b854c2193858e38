import { chartRows, chartWords } from '#api/content/blog/blog.contract.ts';
import type { Poll } from '#api/polls/polls.contract.ts';
import { percentOneDecimal, rankOptions } from './poll-results.ts';

/** The block of an article that draws the results of a poll as they are now; null if it has no votes. */
export function pollChartBlock(
  { question, options, totalVotes }: Pick<Poll, 'question' | 'options' | 'totalVotes'>,
  source: string,
): string | null {
  if (totalVotes === 0 || options.length < 2) return null;
  const rows = rankOptions(options).slice(0, chartRows);
  // Texts in JSON are texts in YAML.
  const text = (words: string) => JSON.stringify(words.slice(0, chartWords));
  const data = rows.map((option) => `  - [${text(option.text)}, ${percentOneDecimal(option.votes, totalVotes)}]`);
  return [
    '```chart',
    'type: bars',
    `title: ${text(question)}`,
    'unit: "%"',
    `source: ${text(source)}`,
    'data:',
    ...data,
    '```',
  ].join('\n');
}
