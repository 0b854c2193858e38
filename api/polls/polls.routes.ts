import type { HistoricalPage, RelatedPoll } from '#contract/poll.ts';
import type { EndpointRouter } from '#platform/endpoint-router.ts';
import { SingleFlight } from '#platform/read-cache.ts';
import { voterOf } from '#api/voting/voter.ts';
import { findPoll, openPolls } from './polls.queries.ts';
import { activePollsFor, archivePage, pollFor, pollsRelatedTo } from './polls.service.ts';
import type { PollsContext } from './polls.service.ts';
import type { PreviewLinks } from './preview-links.service.ts';

/** The reading calls of weekly polls. What is the same for everybody is read once for all who ask at a time. */
export function mountPolls(router: EndpointRouter, context: PollsContext & { readonly previews: PreviewLinks }): void {
  const { db, clock, previews } = context;
  const open = new SingleFlight<Awaited<ReturnType<typeof openPolls>>>();
  const polls = new SingleFlight<Awaited<ReturnType<typeof findPoll>>>();
  const pages = new SingleFlight<HistoricalPage>();
  const related = new SingleFlight<RelatedPoll[]>();
  const readOpen = () => open.get('', () => openPolls(db, clock.now()));
  const readPoll = (id: string) => polls.get(id, () => findPoll(db, id));

  router
    .mount('activePolls', ({ ctx }) => activePollsFor(context, voterOf(ctx), readOpen))
    .mount('historicalPolls', ({ query }) => pages.get(JSON.stringify(query), () => archivePage(context, query)))
    .mount('relatedPolls', ({ params: { category, id } }) =>
      related.get(JSON.stringify([category, id]), () => pollsRelatedTo(context, category, id)),
    )
    .mount('poll', ({ params: { id }, query: { preview }, ctx }) => {
      const isPreview = preview !== undefined && previews.isValid(id, preview);
      return pollFor(context, id, voterOf(ctx), readPoll, isPreview);
    });
}
