import { randomBytes } from 'node:crypto';
import type { AstroGlobal } from 'astro';
import type { ErrorCode } from '#contract/error-codes.ts';
import * as limits from '#contract/limits.ts';
import { pathOf } from '#domain/path-of.ts';
import { deviceIdHeader, emailCodeHeader, pollIdPattern } from '#contract/vocabulary.ts';
import { assembleDeviceId, deviceIdRandomBytes, isDeviceId } from '#domain/device-id.ts';
import { seenCookie, seenCookieDays, withSeenPoll } from '#domain/seen-results.ts';
import { isVotePromise } from '#domain/verification/promise.ts';
import type { VotePromise } from '#domain/verification/promise.ts';
import { parseErrorBody } from '#site/client/api.ts';
import { publicAddress, readFromApi, siteConfig } from '#site/site-config.ts';
import { rankedTexts } from '#texts/ranked.ts';
import { errorTexts } from '#texts/errors.ts';
import { voteCodeTexts as codeTexts } from '#texts/vote-code.ts';
import { formVoteTexts as texts } from '#texts/voting.ts';
import {
  chosenOf,
  countedOptions,
  optionField,
  rankField,
  standingOf,
  writtenField,
  writtenIn,
  writtenMark,
} from './ballot.ts';
import type { AnyPoll } from './ballot.ts';

/** The kinds of poll, by the first part of the path of their pages. */
export type PollPath = 'poll' | 'community-polls';

const deviceCookie = 'wv_device';
const receiptCookie = 'wv_receipt';
/** How long a form’s device id is kept: as long as the voter cookie. */
export const deviceCookieDays = 400;
/** How long the result page can show the receipt again. */
export const receiptCookieMinutes = 60;
const voteEnding = '/vote';
const votedEnding = '/voted';
/** Marks the second request of a vote, which must have the cookie that the first one set. */
const cookieCheck = '?cookie';
/** Marks the result page after a second vote, which is not counted. */
const secondVote = '?again';
/** Marks the result page after a vote that is held. */
const heldVote = '?held';
/** Values of Sec-Fetch-Site that the API accepts, too; null in browsers without it. */
const ownSite: ReadonlySet<string | null> = new Set(['same-origin', 'none', null]);
/** Whether a form was not sent from a page of another site, as far as the browser tells. */
export const isFromThisSite = ({ headers }: Request): boolean => ownSite.has(headers.get('sec-fetch-site'));
export const anyPollId = new RegExp(pollIdPattern);

/** Why a vote was not recorded, for the page that reports it. */
export interface FormVoteProblem {
  readonly status: number;
  readonly text: string;
  /** The form came from another site, or from a window that another site restricts. */
  readonly isForeign: boolean;
  /** Voting needs an account. */
  readonly signIn: boolean;
  /** The poll can be opened to try again. */
  readonly mayRetry: boolean;
  /** What can be sent instead, as a form. */
  readonly next?: FormVoteStep;
  /** The refused answer of somebody who wrote one, to change it. */
  readonly written?: string | undefined;
  /** The options of a vote that can be sent to be held for a review. */
  readonly holdable?: readonly string[];
}

/** A step in which a voter confirms an address: entering it, or the code that was mailed to it. */
export type FormVoteStep = { readonly optionIds: readonly string[] } & (
  { readonly kind: 'address' } | { readonly kind: 'code'; readonly email: string; readonly request: string }
);

/** The fields of these steps. */
export const stepFields = { email: 'email', request: 'request', code: 'code', hold: 'hold' } as const;

const secure = publicAddress('/').startsWith('https:') ? '; Secure' : '';
const cookie = (name: string, value: string, path: string, seconds: number) =>
  `${name}=${value}; Path=${path}; Max-Age=${seconds}; HttpOnly; SameSite=Lax${secure}`;

/** Headers of an API call for a visitor: cookies, device id, address, and what reveals requests from other sites. */
export function visitorHeaders({
  request,
  clientAddress,
  cookies,
}: Pick<AstroGlobal, 'request' | 'clientAddress' | 'cookies'>): Record<string, string> {
  const headers: Record<string, string> = { accept: 'application/json' };
  for (const name of ['cookie', 'origin', 'sec-fetch-site', 'x-forwarded-proto', 'x-forwarded-host']) {
    const value = request.headers.get(name);
    if (value !== null) headers[name] = value;
  }
  headers['x-forwarded-for'] = clientAddress;
  const device = cookies.get(deviceCookie)?.value;
  if (isDeviceId(device)) headers[deviceIdHeader] = device;
  return headers;
}

function redirect(to: string, status: 303 | 307, setCookies: readonly string[]): Response {
  const headers = new Headers({ location: to, 'cache-control': 'no-store' });
  for (const line of setCookies) headers.append('set-cookie', line);
  return new Response(null, { status, headers });
}

/**
 * Casts a form vote from a browser without JavaScript, with the same API call as a script. Redirects to the result page;
 * otherwise returns why the vote was not recorded.
 */
export async function castFormVote(kind: PollPath, astro: AstroGlobal): Promise<Response | FormVoteProblem> {
  const { request, url, cookies } = astro;
  const id = astro.params.id ?? '';
  const path = `/${kind}/${id}`;
  if (!anyPollId.test(id)) return problemOf(404, 'POLL_NOT_FOUND');
  if (request.method !== 'POST') return redirect(path, 303, []);
  // Before a cookie is set: the form of another site comes without cookies, and would replace this browser’s.
  if (!isFromThisSite(request)) return problemOf(403, 'FORBIDDEN_ORIGIN');
  const device = cookies.get(deviceCookie)?.value;
  if (!isDeviceId(device)) {
    if (url.search === cookieCheck) return problemOf(400, 'DEVICE_ID_REQUIRED');
    // The browser sends the form again with the cookie: two clicks without one would be two voters.
    const fresh = assembleDeviceId([], randomBytes(deviceIdRandomBytes));
    return redirect(path + voteEnding + cookieCheck, 307, [
      cookie(deviceCookie, fresh, '/', deviceCookieDays * 86_400),
    ]);
  }
  const form = await formOf(request);
  const optionIds = form === null ? [] : chosenIn(form);
  if (optionIds === null) return { ...problemOf(400, 'VALIDATION_FAILED'), text: rankedTexts.sameRank };
  if (form === null || optionIds.length === 0) return problemOf(400, 'VALIDATION_FAILED');
  const [email, asked, code] = [stepFields.email, stepFields.request, stepFields.code].map((name) => form.get(name));
  const held = form.has(stepFields.hold);
  if (email && !asked) return askForCode(astro, id, { optionIds, email });

  const call = kind === 'poll' ? 'vote' : 'communityVote';
  const chosen = chosenOf(optionIds);
  const body = kind === 'poll' ? { optionId: optionIds[0]! } : { ...chosen, voterFingerprint: device };
  let answer: Response;
  let parsed: ReturnType<typeof parseErrorBody>;
  try {
    const emailCode: Record<string, string> = asked ? { [emailCodeHeader]: `${asked}.${code?.trim() ?? ''}` } : {};
    answer = held
      ? await postToApi(astro, pathOf('holdVote', {}), { pollId: id, ...chosen })
      : await postToApi(astro, pathOf(call, { id }), body, emailCode);
    // The responses to a recorded vote and to a second one both have the receipt.
    parsed = parseErrorBody(await answer.text());
  } catch {
    return problemOf(503, 'API_UNREACHABLE');
  }
  const setCookies = answer.headers.getSetCookie();
  if (answer.ok || parsed?.code === 'ALREADY_VOTED') {
    const kept = receiptText(parsed?.receipt ?? null, parsed?.promise ?? null);
    if (kept !== null) setCookies.push(cookie(receiptCookie, kept, path + votedEnding, receiptCookieMinutes * 60));
    return redirect(path + votedEnding + (answer.ok ? (held ? heldVote : '') : secondVote), 303, setCookies);
  }
  for (const line of setCookies) astro.response.headers.append('set-cookie', line);
  const retryAfter = answer.headers.get('retry-after');
  if (retryAfter !== null) astro.response.headers.set('retry-after', retryAfter);
  const problem = problemOf(answer.status, parsed?.code ?? 'API_UNREACHABLE', parsed?.message);
  switch (parsed?.code) {
    case 'EMAIL_CODE_WRONG':
      return { ...problem, next: { kind: 'code', optionIds, email: email ?? '', request: asked ?? '' } };
    case 'EMAIL_REQUIRED':
    case 'EMAIL_CODE_EXPIRED':
    case 'ADDRESS_USED':
      return { ...problem, next: { kind: 'address', optionIds } };
    case 'VALIDATION_FAILED':
      // It says how many options the poll asks for, or what is wrong with a written answer.
      return { ...problem, text: parsed.message ?? problem.text, written: writtenIn(optionIds) };
    case 'CHALLENGE_REQUIRED':
      return {
        ...problem,
        // A written answer is held anyway, for its review.
        ...(writtenIn(optionIds) === undefined && { holdable: optionIds }),
        ...(siteConfig.sendsMail && { text: texts.insteadOfCheck, next: { kind: 'address', optionIds } }),
      };
    default:
      return problem;
  }
}

/**
 * The ids of the options that a form chooses, ranked ones in order; of a written answer, its text with the mark before it. Null
 * if two options have the same rank.
 */
function chosenIn(form: URLSearchParams): string[] | null {
  const ranks = [...form].flatMap(([name, value]) =>
    name.startsWith(rankField) && value !== '' ? [{ id: name.slice(rankField.length), rank: Number(value) }] : [],
  );
  if (ranks.length === 0)
    return form
      .getAll(optionField)
      .flatMap((id) => (id === '' ? [] : [id === writtenMark ? id + (form.get(writtenField) ?? '') : id]));
  if (new Set(ranks.map(({ rank }) => rank)).size < ranks.length) return null;
  return ranks.sort((a, b) => a.rank - b.rank).map(({ id }) => id);
}

/** Characters that the cookie with a receipt may have: browsers drop one with more than 4096, its name included. */
const longestCookie = 4_000;

/** What the cookie keeps of a vote: the receipt, and the promise unless it is too long; null without a receipt. */
function receiptText(receipt: string | null, promise: VotePromise | null): string | null {
  if (receipt === null || promise === null) return receipt;
  const both = `${receipt}.${Buffer.from(JSON.stringify(promise)).toString('base64url')}`;
  return both.length <= longestCookie ? both : receipt;
}

/** The receipt and the promise in that cookie. */
function receiptIn(kept: string | undefined): Pick<VotedPoll, 'receipt' | 'promise'> {
  const [receipt = null, encoded = ''] = kept?.split('.') ?? [];
  const promise = parseErrorBody(Buffer.from(encoded, 'base64url').toString());
  return { receipt, promise: isVotePromise(promise) ? promise : null };
}

/** Has a code mailed for a vote, and returns the page to enter it. */
async function askForCode(
  astro: AstroGlobal,
  pollId: string,
  { optionIds, email }: { readonly optionIds: readonly string[]; readonly email: string },
): Promise<FormVoteProblem> {
  try {
    const answer = await postToApi(astro, pathOf('requestVoteCode', {}), { pollId, email });
    const text = await answer.text();
    if (answer.ok) {
      const { request } = JSON.parse(text) as { request: string };
      const code = { kind: 'code', optionIds, email, request } as const;
      return { ...problemOf(200, 'EMAIL_REQUIRED', ''), text: codeTexts.codeText(email), next: code };
    }
    const parsed = parseErrorBody(text);
    // The field says more than a missing choice.
    const problem = problemOf(answer.status, parsed?.code ?? 'API_UNREACHABLE', parsed?.message);
    return { ...problem, text: parsed?.message ?? problem.text, next: { kind: 'address', optionIds } };
  } catch {
    return { ...problemOf(503, 'API_UNREACHABLE'), next: { kind: 'address', optionIds } };
  }
}

const postToApi = (astro: AstroGlobal, path: string, body: object, headers: Readonly<Record<string, string>> = {}) =>
  readFromApi(path, {
    method: 'POST',
    headers: { ...visitorHeaders(astro), ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(limits.pageCallTimeoutMs),
  });

function problemOf(status: number, code: ErrorCode, message?: string): FormVoteProblem {
  return {
    status,
    text: texts.problems[code] ?? message ?? errorTexts[code],
    isForeign: code === 'FORBIDDEN_ORIGIN',
    signIn: status === 401,
    mayRetry: status !== 404 && status !== 401 && code !== 'PRIVATE_POLL_ACCESS_DENIED',
  };
}

/** A submitted form; null if the body is none. */
async function formOf(request: Request): Promise<URLSearchParams | null> {
  if (!/^application\/x-www-form-urlencoded\s*(;|$)/i.test(request.headers.get('content-type') ?? '')) return null;
  return new URLSearchParams(await request.text());
}

/** What the result page shows: the poll as this voter sees it, and receipt and promise if the vote was just cast. */
export interface VotedPoll {
  readonly poll: AnyPoll;
  readonly receipt: string | null;
  readonly promise: VotePromise | null;
  /** The vote that led here was not counted, because there was an earlier one. */
  readonly again: boolean;
  /** The vote that led here is held. */
  readonly held: boolean;
}

/** The poll for its result page; a redirect to the poll’s page without it, and null with the status 503 if the API fails. */
export async function loadVotedPoll(kind: PollPath, astro: AstroGlobal): Promise<VotedPoll | Response | null> {
  const poll = await readForVisitor(kind, astro);
  if (poll === null || poll instanceof Response) return poll;
  if (!poll.hasVoted) return redirect(`/${kind}/${astro.params.id ?? ''}`, 303, []);
  const kept = receiptIn(astro.cookies.get(receiptCookie)?.value);
  const { search } = astro.url;
  return { poll, ...kept, again: search === secondVote, held: search === heldVote };
}

/**
 * The poll for the page with its results for somebody who hasn’t voted, with the cookie by which a later vote counts apart;
 * a redirect to the poll’s page where that shows what there is to see, and null with the status 503 if the API fails.
 */
export async function loadSeenPoll(kind: PollPath, astro: AstroGlobal): Promise<AnyPoll | Response | null> {
  const poll = await readForVisitor(kind, astro);
  if (poll === null || poll instanceof Response) return poll;
  const mayVote = standingOf(poll, Date.parse(poll.startsAt) <= Date.now()) === 'unvoted';
  if (!mayVote || countedOptions(poll) === null) return redirect(`/${kind}/${astro.params.id ?? ''}`, 303, []);
  const seen = withSeenPoll(astro.request.headers.get('cookie') ?? '', poll.id);
  astro.response.headers.append('set-cookie', cookie(seenCookie, seen, '/', seenCookieDays * 86_400));
  return poll;
}

/** A poll as this visitor sees it, on a page for nobody else; otherwise as the functions above say. */
async function readForVisitor(kind: PollPath, astro: AstroGlobal): Promise<AnyPoll | Response | null> {
  astro.response.headers.set('cache-control', 'private, no-store');
  const found = await askForVisitor(kind, astro);
  if (found === null) astro.response.status = 503;
  return found;
}

async function askForVisitor(kind: PollPath, astro: AstroGlobal): Promise<AnyPoll | Response | null> {
  const id = astro.params.id ?? '';
  const path = `/${kind}/${id}`;
  if (!anyPollId.test(id)) return redirect(path, 303, []);
  try {
    const answer = await readFromApi(pathOf(kind === 'poll' ? 'poll' : 'communityPoll', { id }), {
      headers: visitorHeaders(astro),
      signal: AbortSignal.timeout(limits.pageCallTimeoutMs),
    });
    for (const line of answer.headers.getSetCookie()) astro.response.headers.append('set-cookie', line);
    if (answer.status >= 500 || answer.status === 429) return null;
    // The poll’s page explains why it can’t be shown.
    if (!answer.ok) return redirect(path, 303, []);
    return (await answer.json()) as AnyPoll;
  } catch {
    return null;
  }
}
