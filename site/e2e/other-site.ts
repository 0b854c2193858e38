import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface OtherSite {
  readonly address: string;
  close(): void;
}

/** A page of another site for the browser: another host name and port. */
export async function otherSite(html: string | (() => string)): Promise<OtherSite> {
  const server = createServer((_request, response) => {
    response
      .writeHead(200, { 'content-type': 'text/html' })
      .end(`<!doctype html><title>Other</title>${typeof html === 'string' ? html : html()}`);
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return {
    address: `http://localhost:${(server.address() as AddressInfo).port}/`,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
