import { hash } from 'node:crypto';

/** The digest under which a random secret is stored and looked up, so that neither the table nor timing reveals it. */
export const hashSecret = (secret: string): string => hash('sha256', secret, 'base64url');
