import type { IncomingMessage } from 'node:http';

type Request = Pick<IncomingMessage, 'destroyed' | 'complete' | 'once' | 'off'>;

/** Whether a client ended the connection before it had sent the whole request: what fails for it then is no fault here. */
export const hasClientLeft = ({ destroyed, complete }: Request): boolean => destroyed && !complete;

/**
 * What reads a request’s body, which fails when the client leaves before its end: parsers that begin later, or have no reason
 * to look, would wait forever.
 */
export function whileClientSends<T>(request: Request, reading: () => Promise<T>): Promise<T> {
  // One promise: a race would make four of them for each vote.
  return new Promise((resolve, reject) => {
    const check = () => {
      if (hasClientLeft(request)) reject(new Error('The client left before it had sent the whole request.'));
    };
    check();
    request.once('close', check);
    const stopLooking = () => request.off('close', check);
    reading().then(resolve, reject).finally(stopLooking);
  });
}
