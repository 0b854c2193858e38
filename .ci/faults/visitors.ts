import { randomUUID } from 'node:crypto';
import { Agent, request } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { pathOf } from '#domain/path-of.ts';
import { deviceIdHeader } from '#contract/vocabulary.ts';

/** A response; status 0 if the connection broke. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: string;
  readonly ms: number;
}

/** The time after which a call counts as hanging, in milliseconds. */
const hangMs = 30_000;
const broken = { status: 0, headers: {}, body: '' } as const;

/** Makes one call; never rejects. */
export function call(
  url: string,
  init: { method?: string; headers?: Record<string, string>; body?: string | Buffer; agent?: Agent } = {},
): Promise<Answer> {
  const { method = 'GET', headers = {}, body, agent } = init;
  const begun = performance.now();
  return new Promise((done) => {
    const end = (answer: Omit<Answer, 'ms'>) => done({ ...answer, ms: performance.now() - begun });
    const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
    const sent = request(url, { method, headers: { ...headers, ...length }, ...(agent && { agent }) }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (part: string) => (text += part));
      response.on('end', () => end({ status: response.statusCode ?? 0, headers: response.headers, body: text }));
      response.on('error', () => end(broken));
    });
    sent.on('error', () => end(broken));
    sent.setTimeout(hangMs, () => sent.destroy());
    sent.end(body);
  });
}

/** The responses that voters have received so far. */
export interface VoteLog {
  /** Device ids whose vote got a 200. */
  readonly acknowledged: string[];
  /** The number of responses by status; 0 is a broken connection. */
  readonly statuses: Map<number, number>;
  /** Invalid responses, each kind once. */
  readonly wrong: Set<string>;
  /** The longest wait for a response in milliseconds. */
  slowestMs: number;
}

/** Running voters, each of which votes from a new device after every response. */
export interface Voters extends VoteLog {
  refused(): number;
  stop(): Promise<void>;
}

/** Starts voters at a URL. A response that is neither a 200 nor a refusal with a reason is invalid. */
export function startVoters(origin: () => string, polls: readonly string[], crowd: number): Voters {
  const voteLog: VoteLog = { acknowledged: [], statuses: new Map(), wrong: new Set(), slowestMs: 0 };
  const agent = new Agent({ keepAlive: true, maxSockets: crowd });
  let stopped = false;
  const visit = async (n: number) => {
    for (let turn = n; !stopped; turn++) {
      const device = `device_${randomUUID().replaceAll('-', '')}`;
      const answer = await call(`${origin()}/api/polls/${polls[turn % polls.length] ?? ''}/vote`, {
        agent,
        method: 'POST',
        headers: { [deviceIdHeader]: device, 'content-type': 'application/json' },
        body: `{"optionId":"option-${(turn % 3) + 1}"}`,
      });
      voteLog.statuses.set(answer.status, (voteLog.statuses.get(answer.status) ?? 0) + 1);
      voteLog.slowestMs = Math.max(voteLog.slowestMs, answer.ms);
      if (answer.status === 200) voteLog.acknowledged.push(device);
      else {
        const what = refusalProblem(answer);
        if (what !== null) voteLog.wrong.add(what);
        // A browser doesn’t retry immediately either.
        await pause(100);
      }
    }
  };
  const visits = Array.from({ length: crowd }, (_, n) => visit(n));
  return Object.assign(voteLog, {
    refused: () => [...voteLog.statuses].reduce((sum, [status, n]) => sum + (status === 200 ? 0 : n), 0),
    async stop() {
      stopped = true;
      await Promise.all(visits);
      agent.destroy();
    },
  });
}

/** What is wrong with a refusal; null if it states the reason and when to retry. */
export function refusalProblem({ status, headers, body, ms }: Answer): string | null {
  if (status === 0) return ms >= hangMs ? 'a call got no response' : null;
  if (![502, 503, 504].includes(status)) return `a call returned ${status}: ${body.slice(0, 160)}`;
  if (headers['retry-after'] === undefined) return `a ${status} without Retry-After: ${body.slice(0, 160)}`;
  try {
    const { message, code } = JSON.parse(body) as { message?: unknown; code?: unknown };
    if (typeof message === 'string' && typeof code === 'string') return null;
  } catch {
    // Not JSON; reported below.
  }
  return `a ${status} without a problem in its body: ${body.slice(0, 160)}`;
}

/** A signed-in member. */
export interface Member {
  isSignedIn(): Promise<boolean>;
}

/** Registers a member. */
export async function register(origin: string): Promise<Member> {
  const answer = await call(origin + pathOf('register'), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: `m-${randomUUID().slice(0, 12)}`, password: 'correct horse battery' }),
  });
  const cookies = (answer.headers['set-cookie'] as string[] | undefined) ?? [];
  const cookie = cookies.map((line) => line.split(';')[0]).join('; ');
  if (answer.status !== 201) throw new Error(`Registration failed: ${answer.status} ${answer.body}`);
  return {
    async isSignedIn() {
      const user = await call(origin + pathOf('user'), { headers: { cookie } });
      return user.status === 200 && user.body.includes('username');
    },
  };
}

/** Waits until a condition holds and returns the milliseconds; rejects with `what` after a time limit. */
export async function until(
  what: string | (() => string),
  ms: number,
  holds: () => Promise<boolean> | boolean,
): Promise<number> {
  const begun = performance.now();
  for (;;) {
    if (await holds()) return performance.now() - begun;
    if (performance.now() - begun > ms) throw new Error(typeof what === 'string' ? what : what());
    await pause(20);
  }
}

export const seconds = (ms: number) => `${(ms / 1_000).toFixed(1)} s`;
