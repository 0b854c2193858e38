/** What analytics hears of besides page views: that it happened, never on which poll or with which answer. */
export type VisitEvent = 'vote' | 'share' | 'sign_up';

/** Name of the event on the window that tells of one; its detail is the {@link VisitEvent}. */
export const visitEventName = 'visit:event';

/** Tells whoever listens (third-parties/load, where analytics is configured) what a visitor did. */
export function tellVisitEvent(event: VisitEvent): void {
  dispatchEvent(new CustomEvent<VisitEvent>(visitEventName, { detail: event }));
}
