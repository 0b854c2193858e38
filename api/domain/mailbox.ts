import { accountKey } from './account-rules.ts';

/** Providers that deliver mail to several spellings of one address, and their other domains. */
const providers: Readonly<Record<string, { readonly ignored: RegExp; readonly others: readonly string[] }>> = {
  'gmail.com': { ignored: /\./g, others: ['googlemail.com'] },
  'proton.me': { ignored: /[.\-_]/g, others: ['protonmail.com', 'pm.me'] },
};
const mainDomains = new Map(
  Object.entries(providers).flatMap(([domain, { others }]) => others.map((other) => [other, domain] as const)),
);

/** Domains of providers with so many people that a limit per domain would stop voters before it stops an attack. */
const largeProviders: ReadonlySet<string> = new Set([
  ...['gmail.com', 'proton.me', 'outlook.com', 'hotmail.com', 'live.com', 'msn.com', 'yahoo.com', 'aol.com'],
  ...['icloud.com', 'me.com', 'mac.com', 'gmx.net', 'gmx.de', 'gmx.com', 'web.de', 't-online.de', 'mail.com'],
  ...['orange.fr', 'free.fr', 'libero.it', 'fastmail.com', 'zoho.com', 'qq.com', '163.com', 'naver.com', 'seznam.cz'],
]);

/** A mailbox as votes count it. */
export interface Mailbox {
  /** The same for all spellings of an address that reach one mailbox, as far as they are known. */
  readonly key: string;
  /** Its domain; null for that of a large provider, whose people have no more in common than those of a country. */
  readonly smallDomain: string | null;
}

/**
 * The mailbox of an address: without case, with the domain in ASCII, without what follows a plus sign (on every domain), and
 * without dots where the provider ignores them.
 */
export function mailboxOf(email: string): Mailbox {
  const key = accountKey(email);
  const at = key.lastIndexOf('@');
  const given = key.slice(at + 1);
  const domain = mainDomains.get(given) ?? given;
  const [name = ''] = key.slice(0, at).split('+');
  const local = providers[domain] ? name.replace(providers[domain].ignored, '') : name;
  // An address that begins with a plus sign has nothing before it.
  return {
    key: `${local === '' ? key.slice(0, at) : local}@${domain}`,
    smallDomain: largeProviders.has(domain) ? null : domain,
  };
}
