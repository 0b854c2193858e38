import type { Page } from 'playwright';
import { pathOf } from '#domain/path-of.ts';
import type { PollLog } from '#api/integrity/log/integrity-log.contract.ts';
import { fromBase64, toBase64 } from '#domain/verification/bytes.ts';
import vectors from '#domain/verification/fixtures/vectors.json' with { type: 'json' };
import { consistencyProof, inclusionProof } from '#domain/verification/merkle.ts';
import type { NodeReader } from '#domain/verification/merkle.ts';
import { verifierKey } from '#domain/verification/note.ts';
import { entryLeaf } from '#domain/verification/site-log.ts';
import { nodesFromTiles } from '#domain/verification/tiles.ts';
import { concat } from '#domain/verification/bytes.ts';
import type { StoredReceipt } from '#site/polls/voting/receipts.ts';
import { archive } from './scene.ts';

/** The closed poll of the test vectors, as an API would publish it. */

const { poll } = vectors;
export const publishedPoll = { id: poll.paper.poll, question: poll.paper.question, origin: poll.siteOrigin } as const;
type Published = Pick<typeof poll, 'file' | 'notes' | 'siteEntries' | 'siteNote'>;

export const tampered = (what: string): Published => vectors.tampered.find((one) => one.what === what)!.input;

const publicKey = fromBase64(vectors.keys.publicKey)!;
/** What a browser remembers that has seen the poll’s site-wide log. */
export const seenBefore = { origin: poll.siteOrigin, note: poll.siteNote, keys: [vectors.keys.publicKey] };

/** The receipts of the poll’s ballots, as a browser stores them: counted, and set aside. */
export const receipts: readonly StoredReceipt[] = [0, 2].map((ballot) => ({
  poll: ballot === 0 ? publishedPoll.id : 'another-poll',
  question: ballot === 0 ? publishedPoll.question : 'Is the other poll still open?',
  receipt: vectors.receipts.derived[ballot]!.shown,
  optionId: poll.paper.options[poll.ballots[ballot]!.option]!.id,
  option: poll.paper.options[poll.ballots[ballot]!.option]!.label,
  day: '2026-11-22',
  path: ballot === 0 ? `/poll/${publishedPoll.id}` : '/poll/another-poll',
}));

/** Answers requests for the recount of the poll, which this site doesn’t have, with the page of another closed one. */
export async function serveRecount(page: Page): Promise<void> {
  await page.context().route(`**/poll/${publishedPoll.id}/recount`, async (route) => {
    const { origin } = new URL(route.request().url());
    const [other] = await archive(origin);
    const response = await route.fetch({ url: `${origin}/poll/${other!.id}/recount` });
    await route.fulfill({ response, body: (await response.text()).replaceAll(other!.id, publishedPoll.id) });
  });
}

/** Answers the requests of a recount with what was published; `from` and `size` are numbers in its queries. */
export async function publish(page: Page, published: Published = poll): Promise<void> {
  const leaves = published.siteEntries.map((text) => entryLeaf(text));
  const read: NodeReader = nodesFromTiles((level) => (level === 0 ? concat(...leaves) : new Uint8Array()));
  const log: PollLog = {
    origin: poll.paper.origin,
    siteOrigin: poll.siteOrigin,
    verifierKeys: [verifierKey(poll.paper.origin, publicKey)],
    paper: poll.paper,
    tag: toBase64(fromBase64(poll.publicKey)!),
    closed: true,
    publishesBallots: true,
    size: 22,
    waiting: 0,
    base: [4570, 0],
    firstCheckpoint: 1,
    checkpoints: published.notes,
    checkpointCount: published.notes.length,
    results: [
      {
        version: 1,
        ballots: 22,
        size: 22,
        sha256: poll.fileSha256,
        bytes: 700,
        publishedAt: '2026-11-22T12:00:00.000Z',
      },
    ],
  };
  const params = { id: publishedPoll.id };
  const answers: Record<string, (query: URLSearchParams) => unknown> = {
    [pathOf('pollIntegrity', params)]: () => ({ minimumBatch: 10, difference: null, log }),
    [pathOf('pollBallots', { ...params, version: '1' })]: () => published.file,
    [pathOf('pollSiteEntries', params)]: async () => ({
      checkpoint: published.siteNote,
      entries: await Promise.all(
        published.siteEntries.map(async (text, index) => ({
          index,
          text,
          proof: (await inclusionProof(read, index, leaves.length)).map(toBase64),
        })),
      ),
      next: null,
    }),
    [pathOf('siteConsistency')]: async (query) => ({
      checkpoint: published.siteNote,
      proof: (await consistencyProof(read, Number(query.get('from')), leaves.length)).map(toBase64),
    }),
    [pathOf('poll', params)]: () => ({
      options: poll.paper.options.map(({ id }, i) => ({ id, votes: [4579, 10][i] })),
    }),
  };
  await serveRecount(page);
  await page.context().route('**/api/**', async (route) => {
    const { pathname, searchParams } = new URL(route.request().url());
    const answer = answers[pathname];
    if (!answer) return route.fallback();
    const body = await answer(searchParams);
    await route.fulfill({ body: typeof body === 'string' ? body : JSON.stringify(body) });
  });
}

/** Stores values in the browser before the page’s scripts run. */
export const keep = (page: Page, stored: Readonly<Record<string, unknown>>): Promise<unknown> =>
  page.addInitScript((values) => {
    for (const [key, value] of Object.entries(values))
      if (localStorage.getItem(key) === null) localStorage.setItem(key, JSON.stringify(value));
  }, stored);
