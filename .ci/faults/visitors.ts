import { randomUUID } from 'node:crypto';
import { Agent, request } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { pathOf } from '#contract/routes.ts';
import { deviceIdHeader } from '#contract/vocabulary.ts';

/** An answer as a browser sees it; status 0 when the connection broke. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: string;
  readonly ms: number;
}

/** Milliseconds after which a call that has no answer counts as one that hangs. */
const hangsAfter = 30_000;
const broken = { status: 0, headers: {}, body: '' } as const;

/** One call. It never rejects. */
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
    sent.setTimeout(hangsAfter, () => sent.destroy());
    sent.end(body);
  });
}

/** What visitors were told so far. */
export interface Told {
  /** Device ids that got a 200. */
  readonly acknowledged: string[];
  /** Answers by status; 0 is a broken connection. */
  readonly statuses: Map<number, number>;
  /** What is wrong with an answer, each kind once. */
  readonly wrong: Set<string>;
  /** The longest that anybody waited for an answer. */
  slowestMs: number;
}

/** Visitors who vote, each from a new device as soon as the one before was answered. */
export interface Visitors extends Told {
  refused(): number;
  stop(): Promise<void>;
}

/** Lets a crowd vote at an address until it is stopped. An answer that is neither a 200 nor an honest refusal is wrong. */
export function letVote(origin: () => string, polls: readonly string[], crowd: number): Visitors {
  const told: Told = { acknowledged: [], statuses: new Map(), wrong: new Set(), slowestMs: 0 };
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
      told.statuses.set(answer.status, (told.statuses.get(answer.status) ?? 0) + 1);
      told.slowestMs = Math.max(told.slowestMs, answer.ms);
      if (answer.status === 200) told.acknowledged.push(device);
      else {
        const what = dishonesty(answer);
        if (what !== null) told.wrong.add(what);
        // A browser does not ask again at once either.
        await pause(100);
      }
    }
  };
  const visits = Array.from({ length: crowd }, (_, n) => visit(n));
  return Object.assign(told, {
    refused: () => [...told.statuses].reduce((sum, [status, n]) => sum + (status === 200 ? 0 : n), 0),
    async stop() {
      stopped = true;
      await Promise.all(visits);
      agent.destroy();
    },
  });
}

/** What is wrong with a refusal; null when it says what happened and when to come back. */
export function dishonesty({ status, headers, body, ms }: Answer): string | null {
  if (status === 0) return ms >= hangsAfter ? 'a call got no response' : null;
  if (![502, 503, 504].includes(status)) return `a call returned ${status}: ${body.slice(0, 160)}`;
  if (headers['retry-after'] === undefined) return `a ${status} without Retry-After: ${body.slice(0, 160)}`;
  try {
    const { message, code } = JSON.parse(body) as { message?: unknown; code?: unknown };
    if (typeof message === 'string' && typeof code === 'string') return null;
  } catch {
    // It is not JSON, which is what the next line says.
  }
  return `a ${status} without a problem in its body: ${body.slice(0, 160)}`;
}

/** Somebody who has signed in, and whether they still are. */
export interface Member {
  isSignedIn(): Promise<boolean>;
}

/** Registers somebody at an installation. */
export async function register(origin: string): Promise<Member> {
  const answer = await call(origin + pathOf('register'), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: `m-${randomUUID().slice(0, 12)}`, password: 'correct horse battery' }),
  });
  const cookies = (answer.headers['set-cookie'] as string[] | undefined) ?? [];
  const cookie = cookies.map((line) => line.split(';')[0]).join('; ');
  if (answer.status !== 201) throw new Error(`Nobody can register: ${answer.status} ${answer.body}`);
  return {
    async isSignedIn() {
      const user = await call(origin + pathOf('user'), { headers: { cookie } });
      return user.status === 200 && user.body.includes('username');
    },
  };
}
