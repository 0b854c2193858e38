import type { VisitEvent } from '#site/ui/visit-event.ts';

// Imports nothing, so that it goes into the page: what the events are called stands in the page as well.
const settings = document.getElementById('third-parties')?.dataset ?? {};

/** How the scripts of analytics services take an event; whichever is there hears it. */
interface Services {
  plausible?(event: VisitEvent): void;
  umami?: { track(event: VisitEvent): void };
  fathom?: { trackEvent(event: VisitEvent): void };
  doNotTrack?: string;
}

interface Signals {
  globalPrivacyControl?: boolean;
}

const services = globalThis as unknown as Services;

/** Whether the browser asks not to be tracked: "Do Not Track" or "Global Privacy Control". */
function refused(): boolean {
  const { doNotTrack, globalPrivacyControl } = navigator as Navigator & Signals;
  return globalPrivacyControl === true || doNotTrack === '1' || services.doNotTrack === '1';
}

function load(address: string, data: Readonly<Record<string, string>> = {}): HTMLScriptElement {
  const script = document.createElement('script');
  Object.assign(script.dataset, data);
  script.async = true;
  script.src = address;
  document.head.append(script);
  return script;
}

function startAnalytics(address: string, site: string | undefined): void {
  const waiting: VisitEvent[] = [];
  let ready = false;
  const tell = (event: VisitEvent) => {
    if (!ready) {
      waiting.push(event);
      return;
    }
    services.plausible?.(event);
    services.umami?.track(event);
    services.fathom?.trackEvent(event);
  };
  addEventListener(settings.event ?? '', (event) => tell((event as CustomEvent<VisitEvent>).detail));
  addEventListener(settings.shared ?? '', () => tell('share'));
  // The name of the site as each of the services asks for it.
  const script = load(address, site === undefined ? {} : { domain: site, websiteId: site, site });
  script.addEventListener('load', () => {
    ready = true;
    waiting.splice(0).forEach(tell);
  });
}

if (!refused()) {
  if (settings.analytics !== undefined) startAnalytics(settings.analytics, settings.site);
  if (settings.ads !== undefined) load(settings.ads);
}
