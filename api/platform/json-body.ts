import type { Context } from 'koa';
import { limits } from '#contract/limits.ts';
import { errors } from './errors.ts';

/**
 * Reads a JSON body of at most `limits.jsonBodyBytes` bytes. Throws 413 for a larger one, 415 for another type,
 * 400 for what is not JSON.
 */
export async function readJson(ctx: Context): Promise<unknown> {
  const type = ctx.get('content-type');
  if (!/^application\/json\s*(;|$)/i.test(type)) throw errors.unsupportedMediaType();
  if (Number(ctx.get('content-length')) > limits.jsonBodyBytes) throw errors.payloadTooLarge();
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of ctx.req as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > limits.jsonBodyBytes) throw errors.payloadTooLarge();
    chunks.push(chunk);
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString('utf8'));
  } catch {
    throw errors.invalidJson();
  }
}
