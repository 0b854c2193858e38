import type { IncomingMessage, ServerResponse } from 'node:http';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { CommunityPoll } from '#api/polls/community/community-polls.contract.ts';
import * as limits from '#contract/limits.ts';
import type { Poll } from '#api/polls/polls.contract.ts';
import { pathOf } from '#domain/path-of.ts';
import { reservedPollIds } from '#contract/vocabulary.ts';
import { sampleReport } from '#domain/poll-draft.ts';
import { pictureOfCommunityPoll, pictureOfPoll } from '#domain/social-picture.ts';
import type { SocialPicture } from '#domain/social-picture.ts';
import type { IsProxy } from '#platform/trusted-proxies.ts';
import { digestOf, matches } from '#site/etag.ts';
import { openResults, openResultsCsv, openResultsJson } from '#site/polls/sharing/open-results.ts';
import { PicturesBusyError, pictureStore } from '#site/polls/sharing/picture-store.ts';
import type { ChartKind } from '#site/ui/charts/kinds.ts';
import { chartFile } from '#site/ui/charts/chart-file.ts';
import { sharingTexts } from '#texts/sharing.ts';
import { fetchFromApi } from './fetch-from-api.ts';
import { clientOf } from './forward.ts';
import { closedHeaders, headersFor } from './security-headers.ts';
import { acceptedEncodings } from '#site/accepted-encodings.ts';

/** Seconds that a drawn image may be cached: its URL changes with its content. */
const pictureMaxAgeSeconds = 86_400;

/** Files that are generated from a poll on request: its picture and, once it is closed, its results and their chart. */
export interface PollFiles {
  /** Returns false, without responding, if the path is not such a file. */
  answer(request: IncomingMessage, response: ServerResponse, path: string): boolean;
}

interface PollFilesOptions {
  readonly apiOrigins: readonly string[];
  readonly publicUrl: string;
  readonly siteName: string;
  /** The folder of generated pictures. */
  readonly pictures: string;
  readonly alwaysHeaders: readonly string[];
  readonly isProxy?: IsProxy;
  readonly onApiFailure: (reason: string) => void;
  readonly onFailure: (error: unknown) => void;
}

const addresses = /^\/(poll|community-polls)\/([A-Za-z0-9_-]{1,80})\.(csv|json|png|svg)$/;
/** The picture of a poll as it would be published now, for people with a preview link. */
const previews = /^\/(poll)\/([A-Za-z0-9_-]{1,80})\/preview\.(png)$/;
/** Paths under which the API has lists, not a poll. */
const reserved: ReadonlySet<string> = new Set(reservedPollIds);
const brotli = promisify(brotliCompress);
const gunzippable = promisify<Buffer, Buffer>(gzip);

/** Endings by which other sites may show a file, by its type. */
const endings: Readonly<Record<string, string>> = { 'image/png': '.png', 'image/svg+xml': '.svg' };

/** The chart that an address asks for: `?chart=bar`, else the pie. */
function chartKindOf(address = ''): ChartKind {
  return new URLSearchParams(address.split('?')[1]).get('chart') === 'bar' ? 'bar' : 'pie';
}

interface Body {
  readonly type: string;
  readonly body: Buffer;
  readonly compress: boolean;
  readonly headers: readonly string[];
}
interface Refused {
  readonly status: 404 | 410 | 429 | 503;
  readonly text: string;
}

/** Pictures that may wait to be drawn for visitors. */
const picturesWaiting = 40;
const busy: Refused = { status: 503, text: sharingTexts.open.busy };

/**
 * Generates the files from the API’s current data. Drawing 10,000 pictures in every full build would take two cores
 * minutes, and most are never viewed (decision 155); results are cheap to write.
 */
export function createPollFiles(options: PollFilesOptions): PollFiles {
  const { apiOrigins, publicUrl, siteName, alwaysHeaders, onApiFailure, onFailure } = options;
  const { protocol, host } = new URL(publicUrl);
  const store = pictureStore({ folder: options.pictures, siteName, host, maxWaiting: picturesWaiting });

  /** The poll as an anonymous visitor sees it. */
  const read = async (path: string, request: IncomingMessage): Promise<{ poll: unknown } | Pick<Refused, 'status'>> => {
    try {
      const answer = await fetchFromApi(apiOrigins, path, {
        headers: {
          accept: 'application/json',
          'x-forwarded-for': clientOf(request, protocol.slice(0, -1), options.isProxy).address,
        },
        signal: AbortSignal.timeout(limits.pageCallTimeoutMs),
      });
      if (answer.ok) return { poll: (await answer.json()) as unknown };
      if (answer.status === 429 || answer.status === 410) return { status: answer.status };
      // Visitors who may not see a poll must not learn that it exists.
      return { status: answer.status >= 500 ? 503 : 404 };
    } catch (error) {
      onApiFailure((error as Error).name === 'TimeoutError' ? 'timeout' : 'unreachable');
      return { status: 503 };
    }
  };

  const picture = async (
    of: SocialPicture,
    cacheControl = `public, max-age=${pictureMaxAgeSeconds}`,
  ): Promise<Body> => {
    const { png } = await store.picture(of);
    return { type: 'image/png', body: png, headers: ['Cache-Control', cacheControl], compress: false };
  };

  const make = async (kind: string, id: string, ending: string, request: IncomingMessage): Promise<Body | Refused> => {
    const isPicture = ending === 'png';
    const isPreview = previews.test(request.url?.split('?')[0] ?? '');
    const refused = (status: Refused['status']): Refused =>
      status === 404 || status === 410
        ? { status, text: isPicture ? sharingTexts.open.noPicture : sharingTexts.open.notFound }
        : { ...busy, status };
    if (kind === 'community-polls') {
      if (!isPicture) return refused(404);
      const found = await read(pathOf('communityPoll', { id }), request);
      if ('status' in found) return refused(found.status);
      const poll = found.poll as CommunityPoll;
      return poll.visibility === 'public' ? picture(pictureOfCommunityPoll(poll)) : refused(404);
    }
    const query = new URLSearchParams(request.url?.split('?')[1]);
    const preview = isPreview ? (query.get('preview') ?? '') : undefined;
    const found = await read(pathOf('poll', { id }, { preview }), request);
    if ('status' in found) return refused(found.status);
    const poll = found.poll as Poll;
    if (isPreview) {
      const shown = query.has('sample') && poll.isActive ? sampleReport(poll, poll.endsAt) : poll;
      return picture(pictureOfPoll(shown), 'private, no-store');
    }
    if (isPicture) return picture(pictureOfPoll(poll));
    if (poll.isActive && poll.closedAt === null) return refused(404);
    const results = () => openResults(poll, { siteName, publicUrl });
    const [type, text] =
      ending === 'svg'
        ? ['image/svg+xml', chartFile(poll, chartKindOf(request.url), { siteName, host })]
        : ending === 'csv'
          ? ['text/csv; charset=utf-8; header=present', openResultsCsv(results())]
          : ['application/json; charset=utf-8', openResultsJson(results())];
    return {
      type,
      body: Buffer.from(text),
      compress: true,
      headers: [
        'Cache-Control',
        'public, max-age=0, must-revalidate',
        // Public data may be read by any site.
        'Access-Control-Allow-Origin',
        '*',
        'Content-Disposition',
        `${ending === 'csv' ? 'attachment' : 'inline'}; filename="poll-${id}.${ending}"`,
      ],
    };
  };

  const refuse = (response: ServerResponse, { status, text }: Refused) => {
    const body = Buffer.from(text);
    response.writeHead(status, [
      'Content-Type',
      'text/plain; charset=utf-8',
      'Content-Length',
      String(body.length),
      'Cache-Control',
      'no-store',
      ...(status === 404 || status === 410 ? [] : ['Retry-After', '10']),
      ...closedHeaders(alwaysHeaders),
    ]);
    response.end(response.req.method === 'HEAD' ? undefined : body);
  };

  const send = async (request: IncomingMessage, response: ServerResponse, made: Body): Promise<void> => {
    const allowed = made.compress ? acceptedEncodings(request.headers['accept-encoding']) : { br: false, gz: false };
    const encoding = allowed.br ? 'br' : allowed.gz ? 'gzip' : null;
    const digest = digestOf(made.body);
    const etag = encoding === null ? `"${digest}"` : `"${digest}-${encoding}"`;
    const always = headersFor(endings[made.type] ?? '.json', alwaysHeaders);
    const headers = ['ETag', etag, ...made.headers, ...(made.compress ? ['Vary', 'Accept-Encoding'] : [])];
    if (matches(request.headers['if-none-match'] ?? '', etag)) {
      response.writeHead(304, [...headers, ...always]);
      response.end();
      return;
    }
    const body =
      encoding === 'br'
        ? await brotli(made.body, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } })
        : encoding === 'gzip'
          ? await gunzippable(made.body)
          : made.body;
    if (encoding !== null) headers.push('Content-Encoding', encoding);
    headers.push('Content-Type', made.type, 'Content-Length', String(body.length));
    response.writeHead(200, [...headers, ...always]);
    response.end(request.method === 'HEAD' ? undefined : body);
  };

  return {
    answer(request, response, path) {
      const [, kind, id, ending] = addresses.exec(path) ?? previews.exec(path) ?? [];
      if (kind === undefined || id === undefined || ending === undefined) return false;
      if (reserved.has(id)) return false;
      make(kind, id, ending, request)
        .catch((error: unknown): Refused => {
          if (!(error instanceof PicturesBusyError)) onFailure(error);
          return busy;
        })
        .then((made) => ('status' in made ? refuse(response, made) : send(request, response, made)))
        .catch((error: unknown) => {
          onFailure(error);
          response.destroy();
        });
      return true;
    },
  };
}
