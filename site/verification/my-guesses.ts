import { readWithin } from '#domain/guess.ts';
import { guessing, storeGuessing, watchGuessing } from '#site/polls/voting/guesses.ts';
import type { MadeGuess } from '#site/polls/voting/guesses.ts';
import { formatCount } from '#site/ui/format.ts';
import { guessTexts } from '#texts/guess.ts';
import { copyOf, part, partOf } from './page-parts.ts';

/** The guesses on this device, on the page with its receipts. */

const { kept } = guessTexts;

const fields = ['question', 'path', 'option'] as const;
const isGuess = (guess: Partial<MadeGuess> | null): guess is MadeGuess =>
  fields.every((field) => typeof guess?.[field] === 'string') &&
  [guess?.percent, guess?.share].every((percent) => Number.isFinite(percent));

function rowOf({ question, path, option, percent, share }: MadeGuess): HTMLElement {
  const row = copyOf('guess');
  const link = partOf(HTMLAnchorElement, 'question', row);
  link.textContent = question;
  link.href = path;
  part('guessed', row).textContent = kept.row(percent, option, share);
  row.querySelector('.share')!.setAttribute('width', String(share));
  row.querySelector('.mark')!.setAttribute('x', String(percent * 0.994));
  return row;
}

function update(): void {
  const device = guessing();
  const within = readWithin(device);
  part('guesses').hidden = within === null;
  if (within === null) return;
  part('calibration').textContent = guessTexts.calibration(within, device.guesses, formatCount(device.guesses));
  part('guess-list').replaceChildren(...device.made.filter(isGuess).map(rowOf));
}

part('forget-guesses').addEventListener('click', () => {
  if (!confirm(kept.confirm)) return;
  storeGuessing({ guesses: 0, points: 0, made: [] });
  part('announcement').textContent = kept.forgotten;
  part('title').focus();
});
watchGuessing(update);
update();
