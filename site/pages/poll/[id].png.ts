import type { APIRoute, GetStaticPaths } from 'astro';
import type { Poll } from '#contract/poll.ts';
import { pictureOfPoll } from '#domain/social-picture.ts';
import { pictureResponse } from '#site/layouts/link-picture.ts';
import { siteSnapshot } from '#site/snapshot/read-snapshot.ts';

// Pictures of open polls. The site service draws those of reports (decision 095).
export const prerender = true;

export const getStaticPaths = (() =>
  siteSnapshot().activePolls.map((poll) => ({ params: { id: poll.id }, props: { poll } }))) satisfies GetStaticPaths;

export const GET: APIRoute<{ poll: Poll }> = ({ props }) => pictureResponse(pictureOfPoll(props.poll));
