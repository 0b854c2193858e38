import { siteZone } from '#site/ui/format.ts';
import { zoneTexts as texts } from '#texts/admin-pages.ts';
import { AdminSection } from './AdminSection.tsx';

/** Says in which time zone the site is, and where that is set. */
export function TimeZone() {
  return (
    <AdminSection anchor="time-zone" heading={texts.heading} text={texts.text(siteZone())}>
      <p className="muted small">{texts.setting}</p>
    </AdminSection>
  );
}
