import type { Context, Middleware } from 'koa';
import { errors } from '#platform/errors.ts';
import { bodyReader } from '#platform/request-body.ts';
import { addCheckpoint, ownWitnessKey, witnessedCheckpoint } from './witness.service.ts';
import type { WitnessContext } from './witness.service.ts';

const prefix = '/integrity/witness/';
/** Bytes of a request for a cosignature: a checkpoint and at most 63 hashes. */
const requestBytes = 16_384;
const readRequest = bodyReader('text', requestBytes);

/**
 * Serves a witness, below `/integrity/witness/`: `add-checkpoint` and the newest checkpoints, as C2SP tlog-witness says, and its
 * verifier key. There is nothing on a site that cosigns no log.
 */
export function serveWitness(context: WitnessContext): Middleware {
  return async (ctx: Context, next) => {
    if (!ctx.path.startsWith(prefix)) {
      await next();
      return;
    }
    if (context.logs.length === 0) throw errors.notFound();
    const path = ctx.path.slice(prefix.length);
    ctx.set('cache-control', 'no-store');
    if (path === 'add-checkpoint') {
      if (ctx.method !== 'POST') throw errors.methodNotAllowed('POST');
      await answerCheckpoint(ctx, context);
      return;
    }
    if (ctx.method !== 'GET' && ctx.method !== 'HEAD') throw errors.methodNotAllowed('GET, HEAD');
    const [, originHash] = /^([0-9a-f]{64})\/checkpoint$/.exec(path) ?? [];
    const key = path === 'key' ? await ownWitnessKey(context) : null;
    const text = originHash === undefined ? key && `${key}\n` : await witnessedCheckpoint(context, originHash);
    if (text === null) throw errors.notFound();
    ctx.type = 'text/plain; charset=utf-8';
    ctx.body = text;
  };
}

async function answerCheckpoint(ctx: Context, context: WitnessContext): Promise<void> {
  const answer = await addCheckpoint(context, (await readRequest(ctx))?.raw ?? '');
  ctx.status = answer.status;
  ctx.type = 'text/plain; charset=utf-8';
  if (answer.status === 200) ctx.body = answer.lines;
  else if (answer.status === 409) {
    ctx.set('content-type', 'text/x.tlog.size');
    ctx.body = `${answer.size}\n`;
  } else ctx.body = '';
}
