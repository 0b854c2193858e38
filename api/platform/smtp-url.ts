import { isThisMachine } from './trusted-proxies.ts';

/** How to reach a mail server. */
export interface SmtpOptions {
  readonly host: string;
  readonly port: number;
  readonly secure: boolean;
  /** STARTTLS is refused to be skipped, or not used. */
  readonly requireTLS: boolean;
  readonly ignoreTLS: boolean;
  readonly auth?: { readonly user: string; readonly pass: string };
}

/**
 * Parses `smtps://user:password@host:465` (TLS) or `smtp://user:password@host:587` (STARTTLS, which only a server on this
 * machine, or `?tls=off`, may do without). Throws for anything else.
 */
export function smtpOptions(address: string): SmtpOptions {
  const url = new URL(address);
  const secure = url.protocol === 'smtps:';
  if ((!secure && url.protocol !== 'smtp:') || url.hostname === '') throw new Error('not an SMTP address');
  const plain = !secure && (isThisMachine(url.hostname) || url.searchParams.get('tls') === 'off');
  return {
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: url.port === '' ? (secure ? 465 : 587) : Number(url.port),
    secure,
    requireTLS: !secure && !plain,
    ignoreTLS: plain,
    ...(url.username !== '' && {
      auth: { user: decodeURIComponent(url.username), pass: decodeURIComponent(url.password) },
    }),
  };
}
