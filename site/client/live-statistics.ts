import type { Statistics } from '#api/polls/polls.contract.ts';
import { callApi } from './api.ts';
import { formatCount } from '#site/ui/format-count.ts';

/** Shows the headline figures wherever the page has them. */
export function showStatistics(statistics: Statistics): void {
  for (const element of document.querySelectorAll<HTMLElement>('[data-statistic]')) {
    const count = statistics[element.dataset.statistic as keyof Statistics];
    element.textContent = formatCount(count);
    const label = element.previousElementSibling as HTMLElement | null;
    const { one, other, needs } = label?.dataset ?? {};
    if (label === null || one === undefined || other === undefined) continue;
    label.textContent = count === 1 ? one : other;
    element.parentElement!.hidden = !!needs?.split(' ').some((name) => statistics[name as keyof Statistics] === 0);
  }
}

/** Shows the live figures; if they can’t be read, the published ones stay, with a notice and a button to try again. */
export async function watchStatistics(): Promise<void> {
  const failure = document.querySelector<HTMLElement>('[data-statistics-failed]');
  const read = async () => {
    try {
      showStatistics(await callApi('statistics'));
      if (failure?.contains(document.activeElement)) document.getElementById('main')?.focus({ preventScroll: true });
      failure?.toggleAttribute('hidden', true);
    } catch {
      failure?.toggleAttribute('hidden', false);
    }
  };
  failure?.querySelector('button')?.addEventListener('click', () => void read());
  await read();
}
