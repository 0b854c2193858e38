import type { Context } from 'koa';
import * as limits from '#contract/limits.ts';
import { errors } from './errors.ts';

/**
 * Reads a JSON body of at most `limits.jsonBodyBytes` bytes. Throws 413 for a larger one, 415 for another type,
 * 400 for what is not JSON. Written on the stream's events: an async iterator over the request costs about as
 * much as everything else that a small call does (handbook decision 050).
 */
export async function readJson(ctx: Context): Promise<unknown> {
  const type = ctx.get('content-type');
  if (type !== 'application/json' && !/^application\/json\s*(;|$)/i.test(type)) throw errors.unsupportedMediaType();
  if (Number(ctx.get('content-length')) > limits.jsonBodyBytes) throw tooLarge(ctx);
  const text = await readText(ctx);
  try {
    return JSON.parse(text);
  } catch {
    throw errors.invalidJson();
  }
}

function readText(ctx: Context): Promise<string> {
  const { req } = ctx;
  return new Promise((read, failed) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const collect = (chunk: Buffer) => {
      size += chunk.length;
      if (size <= limits.jsonBodyBytes) chunks.push(chunk);
      else {
        // The rest is let through unread; nothing of it is kept.
        req.off('data', collect).resume();
        failed(tooLarge(ctx));
      }
    };
    req.on('data', collect);
    req.on('end', () => {
      const [first] = chunks;
      read((chunks.length === 1 && first ? first : Buffer.concat(chunks)).toString('utf8'));
    });
    // A visitor who goes away in the middle gets no answer; the call just has to end.
    req.on('close', () => {
      if (!req.readableEnded) failed(errors.invalidJson());
    });
    req.on('error', failed);
  });
}

/** Refuses a body; the connection is closed after the answer, because the rest of it may never end. */
function tooLarge(ctx: Context) {
  ctx.set('connection', 'close');
  return errors.payloadTooLarge();
}
