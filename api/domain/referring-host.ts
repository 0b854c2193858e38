import { hostLabels } from '#api/admin/insights/insights.contract.ts';

const hostName = /^(?=.{1,253}$)([a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?\.)*[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.?$/;

/**
 * The label that a referring host is counted under: its name in lower case without port, or that there is none, that it is
 * this site’s (`ownHost`), or that it is no host name. A label stays as it is.
 */
export function hostLabel(host: string, ownHost: string): string {
  const name = host.trim().toLowerCase();
  if (name === '' || name === hostLabels.none) return hostLabels.none;
  if (name === ownHost.toLowerCase() || name === hostLabels.own) return hostLabels.own;
  const bare = name.replace(/:\d{1,5}$/, '');
  return hostName.test(bare) ? bare.replace(/\.$/, '') : hostLabels.other;
}
