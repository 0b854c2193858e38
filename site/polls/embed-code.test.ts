import { expect, test } from 'vitest';
import { embedCode, embedHeight, seriesEmbedCode } from './embed-code.ts';

const options = ['Train', 'Plane', 'Neither'].map((text, place) => ({ id: `option-${place}`, text, votes: 0 }));
const pollOf = (question: string, of = options) => ({
  question,
  options: of,
  isActive: true,
  closedAt: null,
  totalVotes: 0,
});

test('the embed code points to the embed page, and no question can break out of it', () => {
  const poll = pollOf('Train "or"\n<plane> & more?');
  const code = embedCode('https://polls.example/poll/night-train', poll);
  const [frame, script] = code.split('\n');
  expect(frame).toBe(
    `<iframe src="https://polls.example/embed/poll/night-train" title="Poll: Train &quot;or&quot; &lt;plane&gt; &amp; more?" width="100%" height="${embedHeight(poll)}" style="border:0;max-width:36rem" loading="lazy"></iframe>`,
  );
  expect(script).toMatch(/^<script>.*e\.origin==="https:\/\/polls\.example".*<\/script>$/);
  const sites = ['https://news.example', 'https://blog.example'];
  expect(embedCode('https://polls.example/poll/night-train', poll, sites)).toBe(
    `${code}\n<!-- In pages of https://news.example, https://blog.example, visitors can vote in place if the address of the frame is https://polls.example/embed/poll/night-train/vote -->`,
  );
});

test('the code of a community poll points to its embed page, with room for a written answer and for rounds', () => {
  const poll = { ...pollOf('Tea?'), visibility: 'public' } as const;
  expect(embedCode('https://polls.example/community-polls/tea', poll)).toContain(
    'src="https://polls.example/embed/community-polls/tea"',
  );
  expect(embedHeight({ ...poll, writeIns: true })).toBeGreaterThan(embedHeight(poll));
  expect(embedHeight({ ...poll, method: 'ranked', maxChoices: 3 })).toBeGreaterThan(embedHeight(poll));
});

test('a frame grows with the question and with each answer', () => {
  const short = embedHeight(pollOf('Train or plane?'));
  const question = 'If the night train cost the same as the flight, and took no longer, would you take it?';
  expect(embedHeight(pollOf(question))).toBeGreaterThan(short);
  const long = options.map((option) => ({ ...option, text: `${option.text}, ${question}` }));
  expect(embedHeight(pollOf('Train or plane?', long))).toBeGreaterThan(short);
  expect(embedHeight(pollOf('Train or plane?', [...options, ...options]))).toBeGreaterThan(short);
});

test('the frame of a poll with votes set aside has room for the figures', () => {
  const plain = pollOf('Train or plane?');
  const figures = { receivedVotes: 90, setAsideVotes: 90, heldVotes: 0, interventions: [] };
  expect(embedHeight({ ...plain, ...figures, isActive: false })).toBeGreaterThan(
    embedHeight({ ...plain, isActive: false }),
  );
});

test('the frame of an open poll has room for its results too', () => {
  const open = pollOf('Train or plane?', [...options, ...options]);
  const closed = { ...open, isActive: false, closedAt: '2026-11-20T08:00:00.000Z' };
  expect(embedHeight(open)).toBeGreaterThanOrEqual(embedHeight(closed));
});

test('the embed code of a series points to its embed page, and is taller with longer answers', () => {
  const wave = (id: string, closedAt: string, answers: readonly string[]) => ({
    ...{ id, question: 'Tea?', closedAt, totalVotes: 10 },
    options: answers.map((text, place) => ({ id: `o${place}`, text, votes: 5 })),
  });
  const codeOf = (...answers: string[]) =>
    seriesEmbedCode('https://polls.example/historical/series/tea', {
      ...{ slug: 'tea', name: 'Tea & "milk"' },
      waves: [wave('a', '2026-11-01T00:00:00.000Z', answers), wave('b', '2026-11-08T00:00:00.000Z', answers)],
    });
  const code = codeOf('Yes', 'No');
  expect(code).toMatch(
    /^<iframe src="https:\/\/polls\.example\/embed\/series\/tea" title="Poll series: Tea &amp; &quot;milk&quot;" width="100%"/,
  );
  const height = (html: string) => Number(/height="(\d+)"/.exec(html)?.[1]);
  const long = 'Only with milk, and only before ten in the morning, unless there is cake, in which case at any time';
  expect(height(codeOf(long, `${long}, sugar`, `${long}, lemon`))).toBeGreaterThan(height(code));
});
