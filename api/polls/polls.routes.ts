import type { HistoricalPage, RelatedPoll } from './polls.contract.ts';
import type { TopicPage } from '#api/polls/topics/topics.contract.ts';
import { errors, HttpError } from '#platform/errors.ts';
import type { EndpointRouter } from '#platform/endpoint-router.ts';
import { SingleFlight } from '#platform/read-cache.ts';
import type { Voters } from '#api/voting/voter.ts';
import { missingPoll, previewedPoll } from './drafts.service.ts';
import { findPoll, openPolls, relatedPolls } from './polls.queries.ts';
import { activePollsFor, archivePage, pollFor } from './polls.service.ts';
import type { PollsContext } from './polls.service.ts';
import type { PreviewLinks } from './preview-links.service.ts';
import { topicPage } from './topic-lists.service.ts';

/** What the endpoints of weekly polls need. */
interface PollRoutesContext extends PollsContext {
  readonly previews: PreviewLinks;
  readonly voters: Voters;
}

/** The endpoints of weekly polls. Concurrent reads that have the same result for everyone share one query. */
export function mountPolls(router: EndpointRouter, context: PollRoutesContext): void {
  const { db, clock, previews, voters } = context;
  const open = new SingleFlight<Awaited<ReturnType<typeof openPolls>>>();
  const polls = new SingleFlight<Awaited<ReturnType<typeof findPoll>>>();
  const pages = new SingleFlight<HistoricalPage>();
  const related = new SingleFlight<RelatedPoll[]>();
  const topics = new SingleFlight<TopicPage | null>();
  const readOpen = () => open.get('', () => openPolls(db, clock.now()));
  const readPoll = (id: string) => polls.get(id, () => findPoll(db, id));

  router
    .mount('activePolls', ({ ctx }) => activePollsFor(context, voters.of(ctx), readOpen))
    .mount('historicalPolls', ({ query }) => pages.get(JSON.stringify(query), () => archivePage(context, query)))
    .mount('topic', async ({ params: { kind, slug }, query: { page } }) => {
      const found = await topics.get(JSON.stringify([kind, slug, page]), () => topicPage(context, kind, slug, page));
      if (found === null) throw errors.notFound();
      return found;
    })
    .mount('relatedPolls', ({ params: { category, id } }) =>
      related.get(JSON.stringify([category, id]), () => relatedPolls(db, category, id)),
    )
    .mount('poll', async ({ params: { id }, query: { preview }, ctx }) => {
      if (preview !== undefined && !previews.isValid(id, preview)) throw errors.pollNotFound();
      if (preview !== undefined) return previewedPoll(context, id);
      return pollFor(context, id, voters.of(ctx), readPoll).catch(async (error: unknown) => {
        throw error instanceof HttpError && error.code === 'POLL_NOT_FOUND' ? await missingPoll(db, id) : error;
      });
    });
}
