import { spawnSync } from 'node:child_process';
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { load } from 'js-yaml';
import { describe, expect, test } from 'vitest';
import { readConfig } from '#platform/config.ts';
import { assetSecurityHeaders, securityHeaders } from '#site/server/security-headers.ts';
import { errorTexts } from '#texts/errors.ts';
import { isLetIn } from './dockerignore.ts';

const root = resolve(import.meta.dirname, '..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');

/** Every variable that the product, a service’s supervisor, Node, or the C library reads. */
const settings = new Set(['ASTRO_TELEMETRY_DISABLED', 'MALLOC_ARENA_MAX', 'NODE_COMPILE_CACHE']);
readConfig(new Proxy({}, { get: (_, name) => void settings.add(String(name)) }));

interface Service {
  readonly image?: string;
  readonly build?: { readonly context: string; readonly dockerfile: string };
  readonly command?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly healthcheck?: { readonly test?: readonly string[]; readonly disable?: boolean };
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
  readonly networks: readonly string[] | Readonly<Record<string, { readonly aliases: readonly string[] }>>;
  readonly volumes?: readonly string[];
  readonly ports?: readonly string[];
  readonly read_only?: boolean;
  readonly cap_drop?: readonly string[];
  readonly security_opt?: readonly string[];
  readonly user?: string;
}

describe('the Compose file', () => {
  const text = read('.deploy/compose.yaml');
  const compose = load(text) as {
    readonly services: Readonly<Record<string, Service>>;
    readonly networks: { readonly inside: { readonly ipam: { readonly config: readonly { subnet: string }[] } } };
    readonly volumes: object;
  };
  const services = Object.entries(compose.services);

  test('has the site service, two API services, PostgreSQL, and Caddy', () => {
    expect(Object.keys(compose.services)).toEqual(
      expect.arrayContaining(['site', 'api-1', 'api-2', 'postgres', 'caddy', 'backup']),
    );
  });

  test.each(services)('%s can write only to its volumes and has no privileges', (_, service) => {
    expect([service.read_only, service.cap_drop, service.security_opt]).toEqual([
      true,
      ['ALL'],
      ['no-new-privileges:true'],
    ]);
  });

  test.each(services)('%s uses only existing files, networks, volumes, and services', (_, service) => {
    for (const word of [...(service.command ?? []), ...(service.healthcheck?.test ?? [])])
      if (/\.[jt]s$/.test(word)) expect([word, existsSync(join(root, word))]).toEqual([word, true]);
    if (service.build)
      expect(existsSync(join(root, '.deploy', service.build.context, service.build.dockerfile))).toBe(true);
    const networks = Array.isArray(service.networks) ? service.networks : Object.keys(service.networks);
    for (const network of networks) expect(compose.networks).toHaveProperty([network]);
    for (const volume of service.volumes ?? []) {
      const [source = ''] = volume.split(':');
      if (source.startsWith('./')) expect(existsSync(join(root, '.deploy', source))).toBe(true);
      else if (!source.startsWith('$')) expect(compose.volumes).toHaveProperty([source]);
    }
    for (const [name, { condition }] of Object.entries(service.depends_on ?? {})) {
      const other = compose.services[name];
      expect(other).toBeDefined();
      if (condition === 'service_healthy') expect(other?.healthcheck?.test).toBeDefined();
    }
  });

  test.each(services.filter(([, { image }]) => image === 'weathervane'))(
    '%s has only settings that exist',
    (_, service) => {
      expect(Object.keys(service.environment ?? {}).filter((name) => !settings.has(name))).toEqual([]);
    },
  );

  test('PostgreSQL is up before both API services, and these before the site service', () => {
    const { site, 'api-1': one, 'api-2': two } = compose.services;
    expect(one).toEqual(two);
    expect(one?.depends_on).toEqual({ postgres: { condition: 'service_healthy' } });
    expect(Object.keys(site?.depends_on ?? {})).toEqual(['api-1', 'api-2']);
  });

  test('other services reach the API by its name and port', () => {
    const { site, 'api-1': api, caddy } = compose.services;
    const { apiPort } = readConfig({});
    const { hostname, port } = new URL(site?.environment?.API_ORIGIN ?? '');
    expect([hostname, port, api?.environment?.API_HOST]).toEqual(['api', String(apiPort), '0.0.0.0']);
    expect(api?.networks).toEqual({ inside: { aliases: [hostname] } });
    expect(caddy?.environment?.API_UPSTREAMS).toBe(`api-1:${apiPort} api-2:${apiPort}`);
    expect(caddy?.environment?.SITE_UPSTREAM).toBe(`site:${readConfig({}).port}`);
  });

  test('[D1.5] its services trust forwarding headers only from Caddy and each other', () => {
    const { ipam } = compose.networks.inside;
    const subnets = ipam.config.map(({ subnet }) => subnet);
    for (const name of ['site', 'api-1', 'api-2'])
      expect([name, compose.services[name]?.environment?.TRUSTED_PROXIES]).toEqual([name, subnets.join()]);
    const others = services.filter(([, { ports }]) => ports !== undefined).map(([name]) => name);
    expect(others).toEqual(['caddy']);
  });

  test('Caddy has the variables that its file reads', () => {
    const known = new Set([...read('.deploy/Caddyfile').matchAll(/\{\$([A-Z_]+)/g)].map(([, name]) => name));
    const given = Object.keys(compose.services.caddy?.environment ?? {});
    expect(given.filter((name) => !known.has(name))).toEqual([]);
  });

  test('its example settings list exactly the variables that it reads', () => {
    const reads = new Set([...text.matchAll(/\$\{([A-Z_]+)/g)].map(([, name]) => name));
    const listed = [...read('.deploy/compose.env.example').matchAll(/^([A-Z_]+)=/gm)].map(([, name]) => name);
    expect(listed.sort()).toEqual([...reads].sort());
  });
});

describe('the image', () => {
  const dockerfile = read('.deploy/Dockerfile');
  const patterns = read('.deploy/Dockerfile.dockerignore').split('\n');
  const letIn = (path: string) => isLetIn(path, patterns);

  test('runs as an unprivileged user, and Node receives signals directly', () => {
    const last = dockerfile.slice(dockerfile.lastIndexOf('FROM '));
    expect(last).toMatch(/^USER node$/m);
    const [, command = ''] = /^CMD (\[.*\])$/m.exec(last) ?? [];
    const [, health = ''] = /^HEALTHCHECK .*CMD (\[.*\])$/m.exec(last) ?? [];
    for (const [program, script = ''] of [JSON.parse(command) as string[], JSON.parse(health) as string[]])
      expect([program, existsSync(join(root, script)), letIn(script)]).toEqual(['node', true, true]);
  });

  test('sets only variables that exist, and the Node of the tests', () => {
    const set = [...dockerfile.matchAll(/^ENV (.*)$/gm)].flatMap(([, line = '']) =>
      line.split(' ').map((one) => one.split('=')[0]!),
    );
    expect(set.filter((name) => !settings.has(name))).toEqual([]);
    const [major] =
      /\d+/.exec((JSON.parse(read('package.json')) as { dependencies: { node: string } }).dependencies.node) ?? [];
    expect(new Set([...dockerfile.matchAll(/^FROM (\S+)/gm)].map(([, image]) => image))).toEqual(
      new Set([`node:${major}-trixie-slim`]),
    );
  });

  test('has every file that its commands and the site build load', () => {
    const seen = new Set<string>();
    const { imports } = JSON.parse(read('package.json')) as { imports: Record<string, string | { default: string }> };
    // An exact name stands for itself; the others end with an asterisk.
    const aliases = Object.fromEntries(Object.entries(imports).filter(([name]) => name.endsWith('*'))) as Record<
      string,
      string
    >;
    const follow = (path: string) => {
      if (seen.has(path)) return;
      seen.add(path);
      // Words in comments and templates look alike, so only existing files count.
      for (const [, from = ''] of read(path).matchAll(/(?:from|import|import\(|new URL\() ?'([#.][^'?]+)/g)) {
        const alias = Object.keys(aliases).find((one) => from.startsWith(one.slice(0, -1)));
        const target = alias
          ? from.replace(alias.slice(0, -1), aliases[alias]!.slice(2, -1))
          : relative(root, resolve(root, dirname(path), from));
        if (/\.(ts|tsx|astro|mjs|css|js)$/.test(target) && existsSync(join(root, target))) follow(target);
      }
    };
    const commands = globSync('api/commands/*.ts', { cwd: root }).filter((path) => !path.includes('.test.'));
    [...commands, 'astro.config.mjs', '.deploy/healthy.ts'].forEach(follow);
    globSync('site/pages/**/*.{astro,ts}', { cwd: root }).forEach(follow);
    expect(seen.size).toBeGreaterThan(300);
    expect([...seen].filter((path) => !letIn(path) && !path.includes('.test.'))).toEqual([]);
  });

  test.each(['content/blog', 'content/legal', 'content/pages', 'db', 'site/public'])('has all of %s', (folder) => {
    const files = globSync(`${folder}/**/*.*`, { cwd: root });
    expect(files.length).toBeGreaterThan(0);
    expect(files.filter((path) => !letIn(path))).toEqual([]);
  });

  test.each([
    '.env',
    '.git/config',
    'var/secrets.json',
    'node_modules/koa/package.json',
    '.deploy/.env',
    'api/app.test.ts',
  ])('has no %s', (path) => expect(letIn(path)).toBe(false));
});

describe('the systemd units', () => {
  const units = globSync('.deploy/systemd/*.service', { cwd: root });
  const lines = (path: string) => read(path).split('\n');
  const values = (path: string, name: string) =>
    lines(path)
      .filter((line) => line.startsWith(`${name}=`))
      .map((line) => line.slice(name.length + 1));

  test('there is one for the site service, for each API service, and for backups', () => {
    expect(units.map((path) => path.split('/').at(-1)).sort()).toEqual([
      'weathervane-api@.service',
      'weathervane-backup.service',
      'weathervane-site.service',
    ]);
  });

  test.each(units)('%s starts an existing command with settings that exist', (path) => {
    const starts = values(path, 'ExecStart');
    expect(starts.length).toBeGreaterThan(0);
    for (const start of starts) {
      const [program, ...words] = start.split(' ');
      const script = words.find((word) => !word.startsWith('-')) ?? '';
      expect([program, existsSync(join(root, script))]).toEqual(['/srv/weathervane/node_modules/.bin/node', true]);
    }
    const names = values(path, 'Environment').flatMap((line) => line.split(' ').map((one) => one.split('=')[0]!));
    expect(names.filter((name) => !settings.has(name))).toEqual([]);
  });

  test.each(units)('%s may write only to the data folder and has no privileges', (path) => {
    for (const line of [
      'NoNewPrivileges=yes',
      'CapabilityBoundingSet=',
      'ProtectSystem=strict',
      'ProtectHome=yes',
      'PrivateTmp=yes',
      'StateDirectory=weathervane',
      'User=weathervane',
    ])
      expect(lines(path)).toContain(line);
    expect(values(path, 'ReadWritePaths')).toEqual(path.includes('backup') ? ['/var/backups/weathervane'] : []);
  });

  const verifier = ['/usr/bin/systemd-analyze', '/bin/systemd-analyze'].find((path) => existsSync(path));
  if (verifier === undefined) test.skip('systemd-analyze is not on this machine, so it does not verify the units');
  else
    test('and the timer pass systemd-analyze verify without a warning', () => {
      const folder = mkdtempSync(join(tmpdir(), 'weathervane-units-'));
      try {
        const files = globSync('.deploy/systemd/*.{service,timer}', { cwd: root }).map((path) => {
          const file = join(folder, basename(path));
          // It also checks that the program exists, which on this machine is elsewhere.
          writeFileSync(file, read(path).replaceAll('/srv/weathervane/node_modules/.bin/node', process.execPath));
          return file;
        });
        expect(files).toHaveLength(units.length + 1);
        const { status, stdout, stderr } = spawnSync(
          verifier,
          ['verify', '--man=no', '--recursive-errors=no', ...files],
          { encoding: 'utf8' },
        );
        // It also reads the units of the machine, whose faults are not ours.
        const faults = `${stdout}${stderr}`.split('\n').filter((line) => /weathervane/i.test(line));
        expect([faults, status]).toEqual([[], 0]);
      } finally {
        rmSync(folder, { recursive: true });
      }
    });

  test('the example environment trusts only proxies on this machine, like the default', () => {
    const [, named] = /^TRUSTED_PROXIES=(.*)$/m.exec(read('.deploy/systemd/environment.example')) ?? [];
    expect(named).toBe(readConfig({}).trustedProxies.join());
  });

  test('the example environment has only settings that exist', () => {
    const names = [...read('.deploy/systemd/environment.example').matchAll(/^#?([A-Z_]+)=/gm)].map(([, name]) => name!);
    expect(names.filter((name) => !settings.has(name))).toEqual([]);
  });
});

describe('the configurations of nginx and Caddy', () => {
  const pairs = (flat: readonly string[]) =>
    flat.flatMap((name, place) => (place % 2 === 0 ? [[name, flat[place + 1]!] as const] : []));
  const headers = pairs(securityHeaders('https://polls.example.org'));
  const nginx = read('.deploy/nginx/weathervane.conf');
  const caddy = read('.deploy/Caddyfile');
  /** Both configurations map paths to embedding and content policies; this is the entry for pages. */
  const forPages = (text: string) =>
    text
      .replace(/\$weathervane_opener_policy|\{http\.vars\.opener_policy\}/, 'same-origin')
      .replace(/\$weathervane_resource_policy|\{http\.vars\.resource_policy\}/, 'same-origin')
      .replace(/\$\{weathervane_policy\}|\{http\.vars\.policy\}/, '');

  test('send exactly the headers of the site service', () => {
    const lines = (text: string, pattern: RegExp) =>
      [...text.matchAll(pattern)].map(([, name, value]) => [name, value?.replace(/^"|"$/g, '')]).sort();
    expect(
      lines(forPages(read('.deploy/nginx/weathervane-headers.conf')), /^add_header (\S+) (.*?) always;$/gm),
    ).toEqual([...headers].sort());
    const [, block = ''] = /\(headers\) \{\n\theader \{\n([^}]*)\}/.exec(forPages(caddy)) ?? [];
    expect(lines(block, /^\t\t(\S+) (.*)$/gm)).toEqual([...headers].sort());
    for (const [name, value] of pairs(assetSecurityHeaders)) {
      expect(nginx).toContain(`\t\tadd_header ${name} ${value};`);
      expect(caddy).toContain(`\t\t\t\t${name} ${value}`);
    }
  });

  test('use the API’s error message when it is down', () => {
    const words = JSON.stringify({ message: errorTexts.API_UNREACHABLE, code: 'API_UNREACHABLE' });
    expect(nginx).toContain(words);
    expect(caddy).toContain(words);
  });

  test('include only existing files', () => {
    for (const [, name = ''] of `${nginx}${read('.deploy/nginx/weathervane-page.conf')}`.matchAll(
      /include snippets\/(.*);/g,
    ))
      expect([name, existsSync(join(root, '.deploy/nginx', name))]).toEqual([name, true]);
  });

  test('trust forwarding headers only from programs on their machine', () => {
    expect([...caddy.matchAll(/^\t+trusted_proxies (.*)$/gm)].map(([, names]) => names)).toEqual([
      readConfig({}).trustedProxies.join(' '),
    ]);
    expect(nginx).not.toMatch(/^\s*set_real_ip_from/m);
    expect(read('.deploy/nginx/weathervane-proxy.conf')).toContain('proxy_set_header X-Forwarded-For $remote_addr;');
  });

  test('use the ports of the units', () => {
    const { port, apiPort } = readConfig({});
    expect(nginx).toContain(`server 127.0.0.1:${port};`);
    expect(nginx).toContain(`listen 127.0.0.1:${apiPort};`);
    expect(caddy).toContain(`{$SITE_UPSTREAM:127.0.0.1:${port}}`);
    expect(caddy).toContain(`{$API_BALANCER:${apiPort}}`);
  });
});

describe('settings', () => {
  const example = Object.fromEntries(
    [...read('.env.example').matchAll(/^([A-Z_]+)=(.*)$/gm)].map(([, name = '', value = '']) => [name, value]),
  );

  test('the example has every default value', () => {
    expect(readConfig(example)).toEqual(readConfig({}));
  });
});
