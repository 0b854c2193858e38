/** Whether a client takes each encoding. */
export type Accepted = Readonly<Record<'br' | 'gz', boolean>>;

const seen = new Map<string, Accepted>();

/**
 * The encodings that an Accept-Encoding header allows. Browsers send only a handful of values, so the results are
 * cached.
 */
export function acceptedEncodings(header = ''): Accepted {
  const remembered = seen.get(header);
  if (remembered) return remembered;
  const weights = new Map<string, number>();
  for (const part of header.toLowerCase().split(',')) {
    const [name = '', ...parameters] = part.split(';').map((text) => text.trim());
    const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
    weights.set(name, weight === undefined ? 1 : Number(weight) || 0);
  }
  const allows = (name: string) => (weights.get(name) ?? weights.get('*') ?? 0) > 0;
  const result = { br: allows('br'), gz: allows('gzip') || (weights.get('x-gzip') ?? 0) > 0 };
  if (seen.size < 200) seen.set(header, result);
  return result;
}
