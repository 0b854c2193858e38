import type { Random } from './random.ts';

/** Objects nested so deeply that recursive code would overflow the stack. */
const nested = (depth: number) => '{"a":'.repeat(depth) + '1' + '}'.repeat(depth);

/** Texts that have broken programs: in databases, logs, headers, paths, patterns, and pages. */
export const hostileTexts: readonly string[] = [
  '',
  ' ',
  '\0',
  'a\0b',
  '\ud800',
  'x\udfff y',
  '\uffff\ufffe',
  '\u202eabc\u2066',
  '\r\nset-cookie: a=1',
  '\u2028\u2029\u0085',
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'hasOwnProperty',
  '../../../../etc/passwd',
  '..\\..\\secrets.json',
  "' or 1=1 --",
  '"; drop table users; --',
  '$where',
  '%00%0d%0a',
  '{{7*7}}${7*7}',
  '<script>window.tripped=1</script>',
  'javascript:alert(1)',
  'http://169.254.169.254/latest/meta-data/',
  `${'a'.repeat(5_000)}!`,
  ' \t'.repeat(4_000),
  '%'.repeat(300),
  'NaN',
  '-0',
  '1e999',
  '9'.repeat(400),
  '2026-02-30T25:61:61Z',
  '👩🏽‍🚀'.repeat(100),
];

/** Whether a text has visible content; independent of the product’s own rule, to test it. */
export const canBeSeen = (text: string) => /[^\s\p{Cc}\p{Default_Ignorable_Code_Point}\u2800]/u.test(text);

/** Values of every type, including extreme numbers; as JSON texts, because some exist only as text. */
const hostileJson: readonly string[] = [
  ...hostileTexts.map((text) => JSON.stringify(text)),
  'null',
  'true',
  'false',
  '0',
  '-1',
  '0.5',
  '1e308',
  '-1e400',
  '9007199254740993',
  '1'.repeat(500),
  '[]',
  '{}',
  '[[]]',
  '[null,null,null]',
  '{"__proto__":{"admin":true}}',
  '{"constructor":{"prototype":{"admin":true}}}',
  '{"length":1e9}',
  '{"$ne":null}',
  '{"toString":null}',
  '{"then":{}}',
  nested(2_000),
  `[${'1,'.repeat(20_000)}1]`,
];

/** Names that no call accepts and that objects may inherit. */
const hostileNames = [
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'hasOwnProperty',
  'id',
  'userId',
  'isAdmin',
  'admin',
  'role',
  'createdBy',
  'totalVotes',
  'votes',
  'isActive',
  'featured',
  'createdAt',
  'password',
  '',
  '\0',
  'a.b[c]',
  '\ud800',
];

/** A copy in which equal parts are distinct objects, so that one of them can be targeted. */
type Part = { readonly leaf: string } | { readonly list: readonly Part[] } | { readonly members: Map<string, Part> };

function partsOf(value: unknown): Part {
  if (Array.isArray(value)) return { list: value.map(partsOf) };
  if (typeof value !== 'object' || value === null) return { leaf: JSON.stringify(value) };
  return { members: new Map(Object.entries(value).map(([name, member]) => [name, partsOf(member)])) };
}

function placesIn(part: Part): Part[] {
  if ('leaf' in part) return [part];
  return [part, ...('list' in part ? part.list : [...part.members.values()]).flatMap(placesIn)];
}

/** A JSON text of the value with one part replaced, removed, or added. */
export function spoilt(value: unknown, random: Random): string {
  const whole = partsOf(value);
  const places = placesIn(whole);
  const names = [...new Set(places.flatMap((part) => ('members' in part ? [...part.members.keys()] : [])))];
  const way = random.whole(1, 10);
  const replaced = way <= 6 ? random.pick(places) : null;
  const left = way === 7 && names.length > 0 ? random.pick(names) : null;
  const added = way >= 8 ? random.pick([...hostileNames, ...names]) : null;

  const written = (part: Part): string => {
    if (part === replaced) return random.pick(hostileJson);
    if ('leaf' in part) return part.leaf;
    if ('list' in part) return `[${part.list.map(written).join(',')}]`;
    const members = [...part.members].filter(([name]) => name !== left);
    const pairs = members.map(([name, member]) => `${JSON.stringify(name)}:${written(member)}`);
    if (added !== null) pairs.push(`${JSON.stringify(added)}:${random.pick(hostileJson)}`);
    return `{${pairs.join(',')}}`;
  };
  return written(whole);
}

/** Bytes that are not valid JSON. */
export function noJson(random: Random): Buffer {
  return random.pick([
    Buffer.alloc(0),
    Buffer.from('{'),
    Buffer.from('{"a":1,}'),
    Buffer.from("{'a':1}"),
    Buffer.from('undefined'),
    Buffer.from('[1'),
    Buffer.from('{"a":NaN}'),
    Buffer.from('\0'),
    Buffer.from('{}{}'),
    Buffer.from('[{"a":'.repeat(5_000)),
    Buffer.from([0xff, 0xfe, 0x7b, 0x00, 0x7d, 0x00]),
    Buffer.from([0xc3, 0x28, 0x80]),
    Buffer.from([0x1f, 0x8b, 0x08, 0x00]),
    Buffer.from('a=1&b=2'),
    Buffer.from('<?xml version="1.0"?><!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><a>&x;</a>'),
    Buffer.from(`"${'x'.repeat(100_001)}"`),
  ]);
}
