import { endpoints } from '#api/endpoints.contract.ts';
import type { Endpoint } from '#contract/route.ts';
import type { EndpointName } from '#api/endpoints.contract.ts';
import { adminPasswordHeader, deviceIdHeader, sessionCookie } from '#contract/vocabulary.ts';
import { compileSchema } from '#platform/validation.ts';
import { hostileTexts, noJson, spoilt } from './hostile-values.ts';
import type { Random } from './random.ts';
import { exampleOf } from './schema-example.ts';

/** A request and what is malformed in it. */
export interface BrokenRequest {
  readonly call: EndpointName;
  readonly broken: string;
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer | null;
}

/** A sender: the headers of a browser or the operator. */
export interface Sender {
  readonly name: string;
  readonly headers: Readonly<Record<string, string>>;
}

const names = Object.keys(endpoints) as EndpointName[];
const json = { 'content-type': 'application/json' };
const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND', 'PURGE', 'QUERY'];
const contentTypes = [
  '',
  'text/plain',
  'text/plain; a=application/json',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'application/jsonx',
  'application/xml',
  ';',
  'application/octet-stream',
];

/** Builds requests that violate the contract, the same ones for the same seed. */
export function brokenRequests(options: {
  readonly random: Random;
  /** Values of existing resources by parameter or member name, for a call’s path. */
  readonly known: (path: string) => Readonly<Record<string, unknown>>;
  readonly senders: readonly Sender[];
  readonly operator: Sender;
}): () => BrokenRequest {
  const { random, known, senders, operator } = options;
  const accepts = new Map<string, (value: unknown) => boolean>();
  const fits = (call: EndpointName, part: 'params' | 'body', value: unknown) => {
    const check =
      accepts.get(`${call} ${part}`) ??
      compileSchema(schemaOf(endpoints[call] as Endpoint, part), part === 'body' ? 'json' : 'text');
    accepts.set(`${call} ${part}`, check);
    return check(value);
  };

  /** Short enough for the request head; longer ones never reach the service. */
  const text = () => random.pick(hostileTexts).slice(0, 500);
  /** In a URL: percent-encoded, or as it should never arrive. */
  const inAddress = (value: string) =>
    random.chance(0.7)
      ? encodeURIComponent(value.toWellFormed())
      : random.pick(['%', '%zz', '%e0%a4%a', '%ff%fe', '%00', '%2f..%2f', '%2e%2e', '..;', '%c0%ae', '+', '~', '%25']);
  const query = () =>
    `?${Array.from({ length: random.whole(1, 4) }, () => `${random.pick(queryNames)}=${inAddress(text())}`).join('&')}`;
  const queryNames = [
    'page',
    'limit',
    'sort',
    'category',
    'q',
    'type',
    'before',
    'search',
    'state',
    'fingerprint',
  ].concat(['v', 't', 'next', 'visibility', '__proto__', 'constructor', 'page[]', 'page[a]', '%00', 'mode', 'dryRun']);
  const headers = (): Record<string, string> => {
    const plain = (value: string) => value.replace(/[^\t\x20-\x7e\x80-\xff]/g, '?');
    const name = random.pick([
      'cookie',
      deviceIdHeader,
      adminPasswordHeader,
      'x-forwarded-for',
      'x-forwarded-host',
      'x-forwarded-proto',
      'accept',
      'accept-encoding',
      'if-none-match',
      'range',
      'content-encoding',
      'x-http-method-override',
      'authorization',
      'host',
    ]);
    const values = {
      cookie: [
        `${sessionCookie}=${plain(text())}`,
        `${sessionCookie}=a; ${sessionCookie}.sig=b`,
        `${sessionCookie}=${'x'.repeat(3_000)}; ${sessionCookie}.sig=${'y'.repeat(3_000)}`,
        'wv_voter=a.b',
        `wv_voter=${'0'.repeat(43)}.${'_'.repeat(43)}`,
        ';;;===;;',
        '__proto__=1',
      ],
      host: ['', 'elsewhere.example', 'a b', '127.0.0.1:99999', '[::1', '%00'],
    };
    const list = (values as Record<string, readonly string[]>)[name] ?? [text(), text(), 'a, b, c', '::1, 10.0.0.1'];
    return { [name]: plain(random.pick(list)) };
  };

  return () => {
    const call = random.pick(names);
    const endpoint: Endpoint = endpoints[call];
    const reads = endpoint.method === 'GET';
    const sender = endpoint.admin ? operator : random.pick(senders);
    const params = exampleOf(schemaOf(endpoint, 'params'), known(endpoint.path)) as Record<string, string>;
    const filled = (values: Readonly<Record<string, string>>) =>
      endpoint.path.replace(/:(\w+)/g, (_, name: string) => values[name] ?? 'x');
    const good = {
      call,
      method: endpoint.method,
      path: filled(params),
      headers: { ...sender.headers, ...(endpoint.body && json) },
      body: endpoint.body ? Buffer.from(JSON.stringify(exampleOf(endpoint.body, known(endpoint.path)))) : null,
    };

    /** Each produces a request that must change nothing: it always breaks something that a write needs. */
    const ways: [name: string, when: boolean, make: () => Partial<BrokenRequest> | null][] = [
      ['body', endpoint.body !== undefined, () => spoiltBody(call, endpoint)],
      ['body', endpoint.body !== undefined, () => spoiltBody(call, endpoint)],
      ['no JSON', endpoint.body !== undefined, () => ({ body: noJson(random) })],
      [
        'content type',
        endpoint.body !== undefined || call === 'bulkUpload',
        () => ({ headers: { ...sender.headers, 'content-type': random.pick(contentTypes) } }),
      ],
      ['file', endpoint.bodyType !== undefined, () => ({ body: noJson(random) })],
      ['form', call === 'bulkUpload', brokenForm],
      ['address', endpoint.params !== undefined, () => brokenAddress(call, params, filled)],
      ['query', reads, () => ({ path: good.path + query() })],
      ['headers', reads, () => ({ headers: { ...sender.headers, ...headers() } })],
      ['method', true, () => otherMethod(endpoint)],
      ['origin', !reads, () => ({ headers: { ...good.headers, ...headers(), 'sec-fetch-site': 'cross-site' } })],
      [
        'password',
        endpoint.admin !== undefined,
        () => ({ headers: { ...good.headers, [adminPasswordHeader]: random.pick(['', 'wrong', 'x'.repeat(2_000)]) } }),
      ],
      [
        'path',
        true,
        () => ({
          method: 'GET',
          body: null,
          path: `${good.path}${random.pick(['/', '//', '/..', '/%2e', '%00', ';x', '.json'])}`,
        }),
      ],
    ];
    for (;;) {
      const [broken, , make] = random.pick(ways.filter(([, when]) => when));
      const made = make();
      if (made) return { ...good, ...made, broken: `${broken} (${sender.name})` };
    }
  };

  function spoiltBody(call: EndpointName, endpoint: Endpoint): Partial<BrokenRequest> | null {
    const body = spoilt(exampleOf(endpoint.body, known(endpoint.path)), random);
    return fits(call, 'body', JSON.parse(body)) ? null : { body: Buffer.from(body) };
  }

  function brokenAddress(
    call: EndpointName,
    params: Readonly<Record<string, string>>,
    filled: (values: Readonly<Record<string, string>>) => string,
  ): Partial<BrokenRequest> | null {
    const name = random.pick(Object.keys(params));
    const value = text();
    // “NaN” is an id like any other.
    return fits(call, 'params', { ...params, [name]: value })
      ? null
      : { path: filled({ ...params, [name]: inAddress(value) }) };
  }

  function otherMethod(endpoint: Endpoint): Partial<BrokenRequest> | null {
    const method = random.pick(methods);
    const taken = names.some(
      (name) => endpoints[name].method === method && matches(endpoints[name].path, endpoint.path),
    );
    return taken ? null : { method };
  }

  function brokenForm(): Partial<BrokenRequest> {
    const part = (name: string, more = '', content = 'x') =>
      `--x\r\ncontent-disposition: form-data; name="${name}"${more}\r\n\r\n${content}\r\n`;
    const body = random.pick([
      '',
      '--x--\r\n',
      '--x\r\n',
      part('csvFile', '; filename="a.csv"', text()),
      `${part('csvFile', '; filename="a.csv"', '"'.repeat(50_000))}--x--\r\n`,
      `${part('__proto__')}${part('constructor')}--x--\r\n`,
      `${part('csvFile')}${part('csvFile', '; filename="../../a.csv"')}--x--\r\n`,
      `${part('csvFile', '; filename="\0.csv"')}--x--\r\n`,
      `--x\r\n${'a: b\r\n'.repeat(2_000)}\r\n\r\n--x--\r\n`,
      `--x\r\ncontent-disposition: form-data; name=csvFile; filename*=utf-8''%ff%fe\r\n\r\n--x--`,
    ]);
    const boundary = random.pick(['x', 'x', 'x', '', 'y', '"']);
    return {
      body: Buffer.from(body),
      headers: { ...operator.headers, 'content-type': `multipart/form-data; boundary=${boundary}` },
    };
  }
}

const schemaOf = (endpoint: Endpoint, part: 'params' | 'body') => endpoint[part] ?? {};

/** Whether a path of one call could also match the other. */
function matches(path: string, other: string): boolean {
  const [ours, theirs] = [path.split('/'), other.split('/')];
  return (
    ours.length === theirs.length &&
    ours.every((part, index) => part === theirs[index] || part.startsWith(':') || theirs[index]!.startsWith(':'))
  );
}
