import type { Poll } from '#api/polls/polls.contract.ts';
import { percentOneDecimal } from '#domain/poll-results.ts';
import { ApiError, callApi } from '#site/client/api.ts';
import { deviceId, isDeviceIdStored } from '#site/client/device-id.ts';
import { isVaried } from '#site/polls/voting/option-order.ts';
import { formatPercent } from '#site/ui/format.ts';
import { embeddedBallotTexts as texts } from '#texts/embedded-ballot.ts';

/*
 * Votes in another site’s page. Without an origin (in a sandbox) or storage, nothing would tell a second vote of this browser:
 * there, and wherever a vote needs more than a browser, what stands in the page stays, which leads to the poll’s own page.
 */

const find = (selector: string) => document.querySelector<HTMLElement>(selector)!;
const form = document.querySelector<HTMLFormElement>('form[data-ballot]')!;
const button = form.querySelector('button')!;
const voted = find('[data-voted]');
const params = { id: form.dataset.ballot! };

function show(part: 'plain' | 'ballot' | 'voted'): void {
  form.hidden = part !== 'ballot';
  voted.hidden = part !== 'voted';
  for (const one of document.querySelectorAll<HTMLElement>('[data-plain]')) one.hidden = part !== 'plain';
  for (const one of document.querySelectorAll<HTMLElement>('[data-unvoted]')) one.hidden = part === 'voted';
}

type Voted = Pick<Poll, 'options' | 'totalVotes' | 'userVote'> & { readonly receipt?: string | null };

/** With a receipt if the response to the vote had one, because nothing keeps it here. */
function showVoted({ options, totalVotes, userVote, receipt }: Voted): void {
  const ids = voted.dataset.voted!.split(' ');
  for (const [place, bar] of [...voted.querySelectorAll('li')].entries()) {
    const votes = options.find(({ id }) => id === ids[place])?.votes ?? 0;
    const percent = percentOneDecimal(votes, totalVotes);
    bar.children[1]!.textContent = formatPercent(percent, 1);
    bar.querySelector('rect:last-child')!.setAttribute('width', String(percent));
  }
  voted.querySelector('strong')!.textContent = options.find(({ id }) => id === userVote)?.text ?? '';
  if (receipt) {
    find('[data-receipt] code').textContent = receipt;
    find('[data-receipt]').hidden = false;
  }
  show('voted');
}

async function cast(optionId: string): Promise<void> {
  const { order } = form.querySelector<HTMLElement>('.choices')!.dataset;
  const referringHost = document.referrer.split('/')[2] ?? '';
  button.disabled = true;
  find('[data-problem]').textContent = '';
  try {
    showVoted(
      await callApi('vote', {
        ...{ params, body: { optionId }, referringHost, embedded: true },
        ...(order !== undefined && isVaried({ id: order, optionOrder: 'random' }) && { optionOrder: 'random' }),
      }),
    );
    voted.focus();
  } catch (error) {
    const { status = 0, body, serverMessage } = error instanceof ApiError ? error : {};
    if (body?.code === 'ALREADY_VOTED' && body.poll) {
      showVoted(body.poll as Voted);
      return;
    }
    const mayRetry = status === 0 || status === 429 || status >= 500;
    find('[data-problem]').textContent = mayRetry ? (serverMessage ?? texts.failed) : texts.elsewhere;
    if (!mayRetry) show('plain');
  } finally {
    button.disabled = false;
  }
}

deviceId();
if (self.origin !== 'null' && parent !== self && isDeviceIdStored()) {
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    void cast(form.querySelector<HTMLInputElement>('input:checked')!.value);
  });
  // A poll that can’t be read leaves what stands in the page.
  callApi('poll', { params, embedded: true }).then(
    (poll) => {
      if (poll.hasVoted) showVoted(poll);
      else if (poll.isActive) show('ballot');
    },
    () => undefined,
  );
}
