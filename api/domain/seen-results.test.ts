import { expect, test } from 'vitest';
import { seenPolls, withSeenPoll } from './seen-results.ts';

test('the cookie lists the newest 20 polls, each once, beside other cookies', () => {
  expect(seenPolls('')).toEqual([]);
  expect(seenPolls('wv_seen=; a=b')).toEqual([]);
  expect(seenPolls('not_wv_seen=tea; x=wv_seen=tea')).toEqual([]);
  expect(seenPolls('wv_voter=a.b; wv_seen=tea.T_o-p; theme=dark')).toEqual(['tea', 'T_o-p']);
  expect(withSeenPoll('wv_seen=tea.cake', 'cake')).toBe('cake.tea');
  let header = '';
  for (let n = 1; n <= 25; n += 1) header = `wv_seen=${withSeenPoll(header, `p${n}`)}`;
  expect(seenPolls(header)).toHaveLength(20);
  expect(seenPolls(header).slice(0, 2)).toEqual(['p25', 'p24']);
  expect(withSeenPoll(header, 'x'.repeat(80)).length).toBeLessThan(2_000);
});
