import type { InterventionList } from '#api/integrity/interventions/interventions.contract.ts';

/** Replaces the figures of the page with those of this moment; without an answer, those of the publish stay. */
async function update(list: HTMLElement): Promise<void> {
  const response = await fetch(list.dataset.source ?? '');
  if (!response.ok) return;
  const totals = (await response.json()) as InterventionList;
  for (const figure of list.querySelectorAll<HTMLElement>('[data-figure]')) {
    const count = totals[figure.dataset.figure as 'receivedVotes'];
    // Not through ui/format, so that the script stays a few hundred bytes without a request of its own.
    figure.textContent = count.toLocaleString('en-US');
  }
}

for (const list of document.querySelectorAll<HTMLElement>('[data-source]')) update(list).catch(() => undefined);
