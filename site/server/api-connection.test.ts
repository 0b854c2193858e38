import { expect, test } from 'vitest';
import { ChunkedBody } from './api-connection.ts';

const framed = '5\r\nhello\r\n6;name=value\r\n world\r\n0\r\ntrailer: x\r\n\r\n';

test('a chunked body is decoded however the network splits it', () => {
  for (let size = 1; size <= framed.length; size += 1) {
    const body = new ChunkedBody();
    let text = '';
    for (let place = 0; place < framed.length; place += size)
      text += Buffer.concat(body.read(Buffer.from(framed.slice(place, place + size)))).toString();
    expect([text, body.ended]).toEqual(['hello world', true]);
  }
});

test('a body with invalid framing is refused', () => {
  for (const broken of ['x\r\n', '5\r\nhello!\r\n', `${framed}more`, '1'.repeat(9_000)])
    expect(() => new ChunkedBody().read(Buffer.from(broken))).toThrow();
});
