import type { Publishing } from '#api/publishing/publishing.contract.ts';
import { formatMoment } from '#site/ui/format.ts';
import { buildTexts as texts } from '#texts/admin-publishing.ts';
import { ListRow, Rows } from '#site/admin/AdminList.tsx';

/** The code build that is served, and those that the operator can go back to. */
export function EarlierBuilds({ served, earlier }: Pick<Publishing, 'served' | 'earlier'>) {
  if (served === null) return null;
  return (
    <>
      <h3>{texts.heading}</h3>
      <p className="muted">
        {texts.served} <code>{served}</code>. {earlier.length === 0 ? texts.none : texts.text}
      </p>
      <Rows
        rows={earlier}
        keyOf={({ id }) => id}
        label={texts.list}
        row={({ id, servedUntil }) => (
          <ListRow>
            <code>{texts.command(id)}</code>
            <p className="muted small figure">
              {texts.until} <time dateTime={servedUntil}>{formatMoment(servedUntil)}</time>
            </p>
          </ListRow>
        )}
      />
    </>
  );
}
