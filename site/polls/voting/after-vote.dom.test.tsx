import { cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { queryClient } from '#site/client/query-client.ts';
import { service, servePoll } from '#site/polls/community/fixtures/community-api.tsx';
import ActivePolls from '#site/polls/ActivePolls.island.tsx';
import { currentToast } from '#site/ui/toasts.ts';
import { forgetAllReceipts } from './receipts.ts';
import { other, receipt, statistics, votedFor, votingPages, weekly } from './fixtures/voting-pages.tsx';
import { lastVoted } from './shown-polls.ts';

// Toasts have their own tests; these check their contents only.
vi.mock('#site/ui/mount-toaster.tsx', () => ({}));

beforeEach(() => {
  servePoll();
  Element.prototype.scrollIntoView = () => undefined;
});
afterEach(() => {
  cleanup();
  forgetAllReceipts();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  vi.useRealTimers();
});

const idle = () => waitFor(() => expect([queryClient().isFetching(), queryClient().isMutating()]).toEqual([0, 0]));
const requests = (call: string) => service.requests.filter((request) => request.call === call);

/** Votes for “Light rules” in the first ballot of the page. */
async function vote(button: RegExp, call = 'POST /api/polls/ai-rules/vote'): Promise<void> {
  await idle();
  fireEvent.click(screen.getAllByRole('radio', { name: 'Light rules' })[0]!);
  fireEvent.click(screen.getAllByRole('button', { name: button })[0]!);
  await waitFor(() => expect(requests(call)).toHaveLength(1));
  await idle();
}

describe.each(votingPages)('after a vote $name', (page) => {
  const show = async (response = page.response('option-2')) => {
    service.answers['GET /api/polls/active'] = () => Response.json([weekly]);
    for (const [call, body] of Object.entries(page.opens)) service.answers[call] = () => Response.json(body);
    service.answers[page.voteCall] = () => Response.json(response);
    render(page.page);
    await vote(page.button, page.voteCall);
  };

  test('a sentence says how the voter’s answer is doing, consistent with the percentages shown', async () => {
    await show();
    const share = page.voteCall.includes('community') ? 30 : 25;
    expect(screen.getByText(`You’re with ${share}%; the leader is ahead by ${share} points.`)).toBeTruthy();
  });

  test('the card shows the time left, and a link to the poll to share or copy', async () => {
    const writeText = vi.fn(() => Promise.resolve());
    vi.spyOn(navigator, 'sendBeacon').mockReturnValue(true);
    vi.spyOn(navigator, 'clipboard', 'get').mockReturnValue({ writeText } as unknown as Clipboard);
    await show();
    const form = document.querySelector('form')!;
    // The community poll of these tests has no end.
    if (!page.voteCall.includes('community')) expect(form.textContent).toMatch(/Ends in \d+ days/);
    expect(within(form).getByRole('button', { name: 'Share' })).toBeTruthy();
    fireEvent.click(within(form).getByRole('button', { name: 'Copy Link' }));
    await waitFor(() => expect(currentToast.get()?.title).toBe('Link Copied!'));
    const path = page.voteCall.includes('community') ? '/community-polls/ai-rules' : '/poll/ai-rules';
    expect(writeText).toHaveBeenCalledWith(new URL(path, location.href).href);
  });

  test('the first voter reads “You’re the first” in place of results, and hears it', async () => {
    const response = page.response('option-2') as typeof weekly;
    const options = response.options.map((option) => ({ ...option, votes: Number(option.id === 'option-2') }));
    await show({ ...response, options, totalVotes: 1 });
    expect(screen.getAllByText('You’re the first')[0]).toBeTruthy();
    expect(screen.queryByText('100%')).toBeNull();
    const said = screen.getAllByRole('status').map(({ textContent }) => textContent);
    expect(said.find((text) => text !== '')).toMatch(/^Vote (Recorded|Submitted)\. .*You’re the first\.$/);
  });
});

describe('after a vote on the home page', () => {
  const third = { ...weekly, id: 'third', question: 'A third question?' };
  const show = async (polls: readonly (typeof weekly)[]) => {
    service.answers['GET /api/polls/active'] = () => Response.json(polls);
    service.answers['POST /api/polls/ai-rules/vote'] = () =>
      Response.json({ ...votedFor('option-2'), statistics, receipt });
    render(<ActivePolls polls={polls} publishedAt="2026-11-20T08:00:00.000Z" />);
    await vote(/^Vote/);
  };

  test('the number of answered polls is shown, and a link moves the focus to the next unanswered one', async () => {
    await show([weekly, other, third]);
    expect(screen.getByText('2 of 3 polls answered')).toBeTruthy();
    const next = screen.getByRole('link', { name: 'Next Poll' });
    expect(next.getAttribute('href')).toBe('#card-third');
    fireEvent.click(next);
    expect(document.activeElement?.closest('article')?.textContent).toContain('A third question?');
    expect(document.activeElement?.getAttribute('type')).toBe('radio');
  });

  test('only the card of the last vote leads on', async () => {
    service.answers['POST /api/polls/third/vote'] = () =>
      Response.json({ ...third, hasVoted: true, userVote: 'option-1', totalVotes: 1_201, statistics, receipt });
    await show([weekly, third, { ...third, id: 'fourth', question: 'A fourth question?' }]);
    fireEvent.click(screen.getAllByRole('radio', { name: 'Strict rules' })[0]!);
    fireEvent.click(screen.getAllByRole('button', { name: /^Vote/ })[0]!);
    expect(await screen.findByText('2 of 3 polls answered')).toBeTruthy();
    const [next, ...others] = screen.getAllByRole('link', { name: 'Next Poll' });
    expect([next!.closest('article')!.id, others]).toEqual(['card-third', []]);
  });

  test('after the last poll there is no link to a next one', async () => {
    await show([weekly, other]);
    expect(screen.getByText('2 of 2 polls answered')).toBeTruthy();
    expect(screen.queryByRole('link', { name: 'Next Poll' })).toBeNull();
  });

  test('answered polls stay in place while the page is open', async () => {
    await show([weekly, third]);
    service.answers['GET /api/polls/active'] = () => Response.json([third, votedFor('option-2')]);
    await queryClient().refetchQueries();
    const shown = screen.getAllByRole('article').map(({ id }) => id);
    expect(shown).toEqual(['card-ai-rules', 'card-third']);
  });

  test('earlier votes show no such lines', async () => {
    service.answers['GET /api/polls/active'] = () => Response.json([votedFor('option-2'), third]);
    render(<ActivePolls polls={[weekly, third]} publishedAt="2026-11-20T08:00:00.000Z" />);
    await idle();
    expect(screen.getByText('Vote Recorded')).toBeTruthy();
    expect(screen.queryByText(/You’re with/)).toBeNull();
    expect(screen.queryByRole('link', { name: 'Next Poll' })).toBeNull();
  });
});

test('after a vote on a poll’s page a link leads to the next unanswered poll’s page', async () => {
  const page = votingPages[1]!;
  for (const [call, body] of Object.entries(page.opens)) service.answers[call] = () => Response.json(body);
  service.answers[page.voteCall] = () => Response.json(page.response('option-2'));
  const open = [votedFor('option-2'), { ...other, hasVoted: false, userVote: null }];
  service.answers['GET /api/polls/active'] = () => Response.json(open);
  render(page.page);
  await vote(page.button);
  expect((await screen.findByRole('link', { name: 'Next Poll' })).getAttribute('href')).toBe('/poll/other');
  expect(screen.getByText('1 of 2 polls answered')).toBeTruthy();
});

describe('after the last of today’s polls', () => {
  const page = votingPages[0]!;
  const finish = async () => {
    service.answers['GET /api/polls/active'] = () => Response.json([weekly, other]);
    service.answers[page.voteCall] = () => Response.json({ ...votedFor('option-2'), statistics, receipt });
    render(<ActivePolls polls={[weekly, other]} publishedAt="2026-11-20T08:00:00.000Z" />);
    await vote(/^Vote/);
    return screen.findByRole('heading', { name: 'You answered all 2 polls' });
  };

  test('a summary lists the visitor’s answers with their shares, and the card links to it', async () => {
    const heading = await finish();
    const items = within(heading.closest('section')!).getAllByRole('listitem');
    expect(items.map(({ textContent }) => textContent)).toEqual([
      `${weekly.question}Light rules25% chose this`,
      `${other.question}No rules8% chose this`,
    ]);
    expect(screen.getByRole('link', { name: 'See Your Answers' }).getAttribute('href')).toBe('#your-answers');
    expect(document.getElementById('your-answers')).not.toBeNull();
  });

  test('if the browser can’t draw the picture, a message says so', async () => {
    vi.spyOn(Image.prototype, 'decode').mockRejectedValue(new Error('no'));
    await finish();
    fireEvent.click(screen.getByRole('button', { name: 'Download Picture' }));
    expect(await screen.findByText('This browser couldn’t draw the picture.')).toBeTruthy();
  });
});

test('visitors who answered all polls earlier see the summary when they open the page', async () => {
  lastVoted.set(null);
  service.answers['GET /api/polls/active'] = () => Response.json([votedFor('option-2'), other]);
  render(<ActivePolls polls={[weekly, other]} publishedAt="2026-11-20T08:00:00.000Z" />);
  await idle();
  expect(screen.getAllByText('Vote Recorded')).toHaveLength(2);
  expect(await screen.findByText('You answered all 2 polls')).toBeTruthy();
  expect(screen.queryByRole('link', { name: 'See Your Answers' })).toBeNull();
});
