import * as limits from '#contract/limits.ts';
import { callApi } from '#site/client/api.ts';
import { keepRead } from '#site/client/early-reads.ts';
import { choiceHash } from '#site/polls/voting/choice-hash.ts';
import { ballotsIn, showPoll } from '#site/polls/voting/live-ballot.ts';

/** The page of an open poll before React: counts every 30 seconds, and the results if this visitor has voted. */
const { root, isHydrated, hydrate } = ballotsIn('poll');
const { id = '' } = root.parentElement!.dataset;
// A press in an embedded poll opened the page; the vote is confirmed here.
for (const input of root.querySelectorAll<HTMLInputElement>('input[type=radio]'))
  if (choiceHash(input.value) === location.hash) {
    input.checked = true;
    input.dispatchEvent(new Event('change', { bubbles: true }));
  }

const readPoll = () => callApi('poll', { params: { id } });
const refresh = (read = readPoll()) => {
  keepRead('poll', read).then(
    (poll) => {
      if (!isHydrated() && !showPoll(root, poll)) hydrate();
    },
    // React shows what happened.
    hydrate,
  );
};
// The list has this poll, too, and the one to answer next: after the vote, nothing is left to request.
refresh(
  keepRead('activePolls', callApi('activePolls')).then(
    async (polls) => polls.find((poll) => poll.id === id) ?? (await readPoll()),
  ),
);
const timer = setInterval(() => {
  if (isHydrated()) clearInterval(timer);
  else if (document.visibilityState === 'visible') refresh();
}, limits.pollRefetchMs);
