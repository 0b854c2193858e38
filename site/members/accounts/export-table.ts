import type { UserExport } from '#api/members/profile/profile.contract.ts';

const columns = ['what', 'date', 'poll', 'question', 'text'] as const;
type Row = Readonly<Record<(typeof columns)[number], string | null>>;

/** The polls, votes, comments, reports, and invitations of an export as CSV, oldest first, for a spreadsheet. */
export function exportTable({ polls, votes, comments, reports, invitations }: UserExport): string {
  const rows: Row[] = [
    ...polls.map(({ id, question, createdAt, options }) => ({
      ...{ what: 'poll', date: createdAt, poll: id, question },
      text: options.map((option) => option.text).join(' | '),
    })),
    ...votes.map(({ pollId, question, option, optionId, createdAt }) => ({
      ...{ what: 'vote', date: createdAt, poll: pollId, question, text: option ?? optionId },
    })),
    ...comments.map(({ pollId, question, content, createdAt }) => ({
      ...{ what: 'comment', date: createdAt, poll: pollId, question, text: content },
    })),
    ...reports.map(({ kind, pollId, question, category, reason, createdAt }) => ({
      ...{ what: `report of a ${kind}`, date: createdAt, poll: pollId, question },
      text: reason === null ? category : `${category}: ${reason}`,
    })),
    ...invitations.map(({ pollId, question, invitedAt }) => ({
      ...{ what: 'invitation', date: invitedAt, poll: pollId, question, text: null },
    })),
  ];
  const sorted = rows.sort((a, b) => ((a.date ?? '') < (b.date ?? '') ? -1 : 1));
  const lines = [columns, ...sorted.map((row) => columns.map((column) => row[column] ?? ''))];
  // With a byte order mark, spreadsheets read UTF-8.
  return `\ufeff${lines.map((line) => line.map(cell).join(',')).join('\r\n')}\r\n`;
}

/** A quoted cell that no spreadsheet takes for a formula. */
function cell(text: string): string {
  return `"${(/^[=+\-@\t\r]/.test(text) ? `'${text}` : text).replaceAll('"', '""')}"`;
}
