import { clientRoutes } from '#api/client-routes.contract.ts';
import { routeUrl } from '#contract/route.ts';
import type { ShareTarget } from '#api/admin/insights/insights.contract.ts';

/** What analytics learns besides page views: that it happened, never on which poll or with which answer. */
export type VisitEvent = 'vote' | 'share' | 'sign_up';

/** Name of the window event for analytics; its detail is the {@link VisitEvent}. */
export const visitEventName = 'visit:event';

/** Reports an action of the visitor to analytics (shell/ThirdParties), if it is configured. */
export function dispatchVisitEvent(event: VisitEvent): void {
  dispatchEvent(new CustomEvent<VisitEvent>(visitEventName, { detail: event }));
}

/** Name of the window event after a link was copied or shared; its detail is the URL. */
export const linkCopiedEvent = 'link:copied';

/**
 * Announces on the window that a link was copied or shared, for the badges that count it; those of polls are counted for the
 * operator, too.
 */
export function dispatchLinkCopied(url: string, target: ShareTarget): void {
  dispatchEvent(new CustomEvent<string>(linkCopiedEvent, { detail: url }));
  const counter = shareCounter(url);
  // Some browsers turn it off.
  if (counter !== undefined && 'sendBeacon' in navigator) navigator.sendBeacon(counter + target);
}

/** Where shares of a poll’s link are counted, without the target at its end; undefined for other links. */
export function shareCounter(url: string): string | undefined {
  const id = /\/poll\/([\w-]+)$/.exec(url)?.[1];
  return id && `${routeUrl(clientRoutes.countShare, { id })}?target=`;
}
