import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { freePort } from '#api/testing/postgres.setup.ts';

/** Whether nginx is installed on this machine. */
export function hasNginx(): boolean {
  return spawnSync('nginx', ['-v']).status === 0;
}

/** Starts an nginx of the benchmark's own that serves a folder of finished pages the way it does best. */
export async function startNginx(options: {
  readonly root: string;
  readonly folder: string;
  readonly workers: number | 'auto';
  readonly precompressed: boolean;
}): Promise<{ readonly origin: string; stop(): Promise<void> }> {
  const port = await freePort();
  const home = join(options.folder, `nginx-${port}`);
  await mkdir(home, { recursive: true });
  const config = join(home, 'nginx.conf');
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  await writeFile(
    config,
    `daemon off;
    ${process.getuid?.() === 0 ? 'user root;' : ''}
    worker_processes ${options.workers};
    pid ${join(home, 'pid')};
    error_log ${join(home, 'error.log')};
    events { worker_connections 1024; }
    http {
      types { text/html html; text/css css; text/javascript js; application/json json; image/svg+xml svg; }
      access_log off;
      sendfile on;
      tcp_nopush on;
      keepalive_requests 10000000;
      open_file_cache max=20000;
      gzip_static ${options.precompressed ? 'on' : 'off'};
      ${temporary.map((name) => `${name}_temp_path ${join(home, name)};`).join(' ')}
      server {
        listen 127.0.0.1:${port};
        root ${options.root};
        location / { try_files $uri $uri.html =404; }
      }
    }`,
  );
  const child = spawn('nginx', ['-c', config, '-p', home, '-e', join(home, 'error.log')], { stdio: 'inherit' });
  const ended = once(child, 'exit');
  const origin = `http://127.0.0.1:${port}`;
  const answers = () =>
    fetch(origin).then(
      () => true,
      () => false,
    );
  for (let n = 0; n < 50 && !(await answers()); n++) await wait(50);
  return {
    origin,
    async stop() {
      child.kill('SIGTERM');
      await ended;
    },
  };
}
