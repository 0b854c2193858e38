import { createServer } from 'node:http';
import Koa from 'koa';
import { serve } from './server-process.ts';

/** The ceiling: a bare Koa that parses the same JSON and returns a small response, without checks or storage. */
const koa = new Koa();
koa.use(async (ctx) => {
  const body = await new Promise<string>((read, failed) => {
    let text = '';
    ctx.req.setEncoding('utf8');
    ctx.req.on('data', (chunk: string) => (text += chunk));
    ctx.req.on('end', () => read(text));
    ctx.req.on('error', failed);
  });
  const { optionId } = JSON.parse(body) as { optionId: string };
  ctx.body = { recorded: optionId };
});

const handle = koa.callback();
serve(
  createServer((request, response) => void handle(request, response)),
  () => Promise.resolve(),
);
