import { expect, test } from 'vitest';
import type { UserExport } from '#api/members/profile/profile.contract.ts';
import { exportTable } from './export-table.ts';

test('an export as a table has the texts of questions and options beside ids, oldest first, and no formulas', () => {
  const data = {
    polls: [
      { id: 'p2', question: 'Tea?', createdAt: '2026-11-20T12:00:02.000Z', options: [{ text: 'Yes' }, { text: 'No' }] },
    ],
    votes: [
      {
        pollId: 'p1',
        question: 'Is “=A1” text?',
        optionId: 'o1',
        option: '=A1',
        createdAt: '2026-11-20T12:00:01.000Z',
      },
      { pollId: 'p3', question: null, optionId: 'o2', option: null, createdAt: '2026-11-20T12:00:00.000Z' },
    ],
    comments: [
      { pollId: 'p1', question: 'Is “=A1” text?', content: 'Say "no",\nplease', createdAt: '2026-11-20T12:00:03.000Z' },
    ],
    reports: [
      {
        ...{ kind: 'comment', id: 'c1', pollId: 'p1', question: 'Is “=A1” text?' },
        ...{ category: 'spam', reason: null, createdAt: '2026-11-20T12:00:04.000Z' },
      },
    ],
    invitations: [{ pollId: 'p4', question: 'Where?', invitedAt: '2026-11-20T12:00:05.000Z' }],
  } as unknown as UserExport;
  expect(exportTable(data)).toBe(
    [
      '\ufeff"what","date","poll","question","text"',
      '"vote","2026-11-20T12:00:00.000Z","p3","","o2"',
      '"vote","2026-11-20T12:00:01.000Z","p1","Is “=A1” text?","\'=A1"',
      '"poll","2026-11-20T12:00:02.000Z","p2","Tea?","Yes | No"',
      '"comment","2026-11-20T12:00:03.000Z","p1","Is “=A1” text?","Say ""no"",\nplease"',
      '"report of a comment","2026-11-20T12:00:04.000Z","p1","Is “=A1” text?","spam"',
      '"invitation","2026-11-20T12:00:05.000Z","p4","Where?",""',
      '',
    ].join('\r\n'),
  );
});
