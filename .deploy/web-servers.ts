import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { request as requestHttp } from 'node:http';
import type { IncomingHttpHeaders } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { freePort } from '#api/testing/postgres.setup.ts';

/** The web servers of the kit, with what tells whether one is on this machine. */
export const webServers = {
  nginx: { command: 'nginx', versionArgs: ['-v'], start: startNginx },
  Caddy: { command: 'caddy', versionArgs: ['version'], start: startCaddy },
} as const;

/** Where the services listen that stand behind a web server. */
export interface Behind {
  /** Of the web server's own configuration and logs. */
  readonly folder: string;
  /** The folder of the builds, whose served one has the pages. */
  readonly builds: string;
  readonly sitePort: number;
  readonly apiPorts: readonly [number, number];
}

export interface StartedWebServer {
  readonly port: number;
  readonly pid: number;
  /** Where it shares calls out among the API services. */
  readonly balancerPort: number;
  stop(): Promise<void>;
}

export const hasWebServer = (name: keyof typeof webServers): boolean => {
  const { command, versionArgs } = webServers[name];
  return spawnSync(command, versionArgs).status === 0;
};

const kit = fileURLToPath(new URL('.', import.meta.url));

/** Replaces every occurrence of a text; throws if there is none. */
function replaced(text: string, replacements: readonly (readonly [string | RegExp, string])[]): string {
  return replacements.reduce((done, [from, to]) => {
    if (!(typeof from === 'string' ? done.includes(from) : from.test(done)))
      throw new Error(`The file has no "${String(from)}" any more: change the test with it.`);
    return done.replaceAll(from, to);
  }, text);
}

/** The kit's own nginx file on ports of this machine that anybody may use, without a certificate. */
async function startNginx({ folder, builds, sitePort, apiPorts }: Behind): Promise<StartedWebServer> {
  const [port, plainPort, balancerPort] = [await freePort(), await freePort(), await freePort()];
  await mkdir(folder, { recursive: true });
  await cp(join(kit, 'nginx'), join(folder, 'snippets'), { recursive: true });
  const server = replaced(await readFile(join(kit, 'nginx/weathervane.conf'), 'utf8'), [
    [/\tlisten \[::\].*\n/g, ''],
    [/\tssl_certificate.*\n/g, ''],
    ['listen 443 ssl http2;', `listen 127.0.0.1:${port};`],
    ['listen 80;', `listen 127.0.0.1:${plainPort};`],
    ['listen 127.0.0.1:4000;', `listen 127.0.0.1:${balancerPort};`],
    ['server 127.0.0.1:3000;', `server 127.0.0.1:${sitePort};`],
    ['server 127.0.0.1:4001 ', `server 127.0.0.1:${apiPorts[0]} `],
    ['server 127.0.0.1:4002 ', `server 127.0.0.1:${apiPorts[1]} `],
    ['/var/lib/weathervane/builds', builds],
  ]);
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  // As Debian has it, with a cache of open files on top: the kit must not depend on there being none.
  const config = `daemon off;
    worker_processes auto;
    ${process.getuid?.() === 0 ? 'user root;' : ''}
    pid ${join(folder, 'pid')};
    events {}
    http {
      sendfile on;
      tcp_nopush on;
      types_hash_max_size 2048;
      include /etc/nginx/mime.types;
      gzip on;
      open_file_cache max=1000 inactive=60s;
      open_file_cache_valid 60s;
      open_file_cache_errors on;
      access_log off;
      ${temporary.map((name) => `${name}_temp_path ${join(folder, name)};`).join(' ')}
      include ${join(folder, 'server.conf')};
    }`;
  await writeFile(join(folder, 'server.conf'), server);
  await writeFile(join(folder, 'nginx.conf'), config);
  const args = ['-c', join(folder, 'nginx.conf'), '-p', folder, '-e', join(folder, 'error.log')];
  return { port, balancerPort, ...(await run('nginx', args, {}, port, join(folder, 'error.log'))) };
}

/** The kit's own Caddyfile, which takes all that differs from the environment. */
async function startCaddy({ folder, builds, sitePort, apiPorts }: Behind): Promise<StartedWebServer> {
  const [port, balancerPort] = [await freePort(), await freePort()];
  await mkdir(folder, { recursive: true });
  // Its global options would open ports that are taken: certificates and the administration of a running Caddy.
  const file = join(folder, 'Caddyfile');
  await writeFile(file, `{\n\tadmin off\n\tauto_https off\n}\n${await readFile(join(kit, 'Caddyfile'), 'utf8')}`);
  const env = {
    SITE_ADDRESS: `http://:${port}`,
    BUILDS: builds,
    SITE_UPSTREAM: `127.0.0.1:${sitePort}`,
    API_UPSTREAMS: apiPorts.map((one) => `127.0.0.1:${one}`).join(' '),
    API_BALANCER: String(balancerPort),
    XDG_DATA_HOME: folder,
    XDG_CONFIG_HOME: folder,
  };
  const args = ['run', '--config', file, '--adapter', 'caddyfile'];
  return { port, balancerPort, ...(await run('caddy', args, env, port, join(folder, 'log'))) };
}

async function run(command: string, args: string[], env: Record<string, string>, port: number, log: string) {
  const child = spawn(command, args, { stdio: ['ignore', 'ignore', 'pipe'], env: { ...process.env, ...env } });
  let output = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (output += text));
  const ended = once(child, 'close');
  for (let n = 0; !(await listens(port)); n += 1) {
    if (n > 100 || child.exitCode !== null)
      throw new Error(`${command} did not start: ${output}${await readFile(log, 'utf8').catch(() => '')}`);
    await wait(50);
  }
  return {
    pid: child.pid!,
    async stop() {
      child.kill('SIGTERM');
      await ended;
    },
  };
}

const listens = (port: number) =>
  new Promise<boolean>((answer) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy();
      answer(true);
    });
    socket.once('error', () => answer(false));
  });

/** What a request may have besides its path. */
export interface Request {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Buffer;
}

/** An answer with its body decoded. */
export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** A request to the site by its public name whose path goes out exactly as written. */
export function sendRequest(
  port: number,
  path: string,
  { method = 'GET', headers = {}, body }: Request = {},
): Promise<Answer> {
  return new Promise((answered, failed) => {
    const options = { host: '127.0.0.1', port, path, method, agent: false };
    const call = requestHttp({ ...options, headers: { host: 'polls.example.org', ...headers } }, (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part));
      response.on('error', failed);
      response.on('end', () => {
        const raw = Buffer.concat(parts);
        const encoding = raw.length === 0 ? undefined : response.headers['content-encoding'];
        const whole = encoding === 'br' ? brotliDecompressSync(raw) : encoding === 'gzip' ? gunzipSync(raw) : raw;
        answered({ status: response.statusCode ?? 0, headers: response.headers, body: whole });
      });
    });
    call.once('error', failed);
    call.end(body);
  });
}

/** Headers that may differ: of the connection, the request, the encoding, and the server’s own ETag. */
const own = new Set(
  'date server connection keep-alive transfer-encoding content-length content-encoding etag accept-ranges x-request-id'.split(
    ' ',
  ),
);
/** A response without what may differ between web servers. */
export const comparable = ({ status, headers, body }: Answer) => ({
  status,
  headers: Object.fromEntries(Object.entries(headers).filter(([name]) => !own.has(name))),
  tagged: headers.etag !== undefined,
  // Pages rendered on demand, which aren’t public to caches, contain the time and its digest.
  body: body
    .toString('latin1')
    .replace(headers['cache-control']?.startsWith('public') ? /^$/ : /\d+|uid="\w+"|Z-[0-9a-f]+/g, '#'),
});
