import type { ChangedFields, ContentField } from '#api/polls/poll-editor.contract.ts';
import { contentFields } from '#api/polls/poll-editor.contract.ts';
import { provenanceFields } from '#contract/vocabulary.ts';
import { wordDiff } from '#site/admin/text-diff.ts';
import { formatMoment } from '#site/ui/format.ts';
import { optionOrderTexts } from '#texts/option-order.ts';
import { protectionNames } from '#texts/protection.ts';
import { pollEditorTexts } from '#texts/poll-editor.ts';
import { linesOf } from './countries.ts';
import styles from './PollEditor.module.css';

const { history: texts, fields: labels } = pollEditorTexts;

/** The value of a field as a text. */
function textOf(fields: ChangedFields, field: ContentField): string {
  const value = fields[field];
  if (value === undefined || value === null) return '';
  switch (field) {
    case 'options':
      return fields.options?.map(({ text }, place) => `${place + 1}. ${text}`).join('\n') ?? '';
    case 'tags':
      return fields.tags?.join('\n') ?? '';
    case 'countryBreakdown':
      return linesOf(fields.countryBreakdown ?? []);
    case 'provenance':
      return provenanceFields.flatMap((name) => fields.provenance?.[name] ?? []).join('\n');
    case 'publishBallots':
      return value === true ? texts.yes : texts.no;
    case 'optionOrder':
      return fields.optionOrder === undefined ? '' : optionOrderTexts.names[fields.optionOrder];
    case 'protection':
      return fields.protection === undefined ? '' : protectionNames[fields.protection];
    case 'startsAt':
    case 'endsAt':
      return formatMoment(fields[field] ?? '');
    default:
      return typeof value === 'string' ? value : '';
  }
}

interface FieldDiffsProps {
  readonly before: ChangedFields;
  readonly after: ChangedFields;
}

/** The fields of two contents that differ, with the words that were removed and added. */
export function FieldDiffs({ before, after }: FieldDiffsProps) {
  const fields = contentFields.filter((field) => field in before || field in after);
  return (
    <dl className={styles.diffs}>
      {fields.map((field) => (
        <div key={field}>
          <dt>{labels[field]}</dt>
          <dd className={styles.diff} dir="auto">
            {wordDiff(textOf(before, field), textOf(after, field)).map(({ kind, items }, place) =>
              kind === 'same' ? (
                <span key={place}>{items.join('')}</span>
              ) : kind === 'added' ? (
                <ins key={place}>
                  <span className="visually-hidden">{texts.added}</span>
                  {items.join('')}
                  <span className="visually-hidden">{texts.end}</span>
                </ins>
              ) : (
                <del key={place}>
                  <span className="visually-hidden">{texts.removed}</span>
                  {items.join('')}
                  <span className="visually-hidden">{texts.end}</span>
                </del>
              ),
            )}
          </dd>
        </div>
      ))}
    </dl>
  );
}
